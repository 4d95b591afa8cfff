import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';

describe('packageRoot', () => {
  it("is the folder of dbr's package.json", () => {
    const manifest: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
    expect(manifest).to.have.property('name', 'dbr-server');
  });
});
