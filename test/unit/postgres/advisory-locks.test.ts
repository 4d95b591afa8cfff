import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';

describe('the advisory locks of transactions', () => {
  it('have a number each, so that no work waits for other work', () => {
    const folder = join(packageRoot(), 'src');
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    const numbers = texts.flatMap((text) =>
      [...text.matchAll(/advisory_xact_lock\((\d+)\)/g)].map(([, number]) => number),
    );
    expect(numbers).to.include('5347118');
    expect([...new Set(numbers)]).to.deep.equal(numbers);
  });
});
