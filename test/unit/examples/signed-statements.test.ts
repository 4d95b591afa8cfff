import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../../support/openapi/published-contract.js';

const FILE = join(root, 'proto/router/v1/statements.json');

describe('the published test vectors of signed statements', () => {
  it('are what a client in Python computes from the manual', function () {
    const hasPrograms = ['python3', 'openssl'].every(
      (program) => spawnSync(program, ['version']).error === undefined,
    );
    if (!hasPrograms) this.skip();
    const { vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly vectors: readonly unknown[] };
    const printed = execFileSync('python3', [join(root, 'examples/parties/signed_statements.py'), FILE]);
    expect(printed.toString()).to.equal(`${String(vectors.length)} statements are as published\n`);
  });
});
