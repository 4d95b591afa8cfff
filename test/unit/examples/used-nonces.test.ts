import { expect } from 'chai';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openUsedNonces } from '../../../examples/parties/used-nonces.js';

const DAY_MS = 86_400_000;
const [ONE, OTHER] = ['aa'.repeat(16), 'bb'.repeat(16)];

describe('the nonces that a party has signed', () => {
  let folder: string, path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dbr-nonces-'));
    path = join(folder, 'used');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are used once, also after a restart', () => {
    const nonces = openUsedNonces(path, 0);
    expect(nonces.has(ONE)).to.equal(false);
    nonces.use(ONE, 1000);
    expect(() => nonces.use(ONE, 2000)).to.throw('the nonce was used');
    const again = openUsedNonces(path, 0);
    expect([again.has(ONE), again.has(OTHER)]).to.deep.equal([true, false]);
    expect(() => again.use(ONE, 1000)).to.throw('the nonce was used');
  });

  it('are kept for a day after their request has expired', () => {
    openUsedNonces(path, 0).use(ONE, 1000);
    expect(openUsedNonces(path, 999 + DAY_MS).has(ONE)).to.equal(true);
    expect(openUsedNonces(path, 1000 + DAY_MS).has(ONE)).to.equal(false);
    expect(readFileSync(path, 'utf8')).to.equal('');
  });

  it('are not lost behind a line that a crash has cut off', () => {
    openUsedNonces(path, 0).use(ONE, 1000);
    appendFileSync(path, 'cccc');
    openUsedNonces(path, 0).use(OTHER, 1000);
    const again = openUsedNonces(path, 0);
    expect([again.has(ONE), again.has(OTHER)]).to.deep.equal([true, true]);
  });
});
