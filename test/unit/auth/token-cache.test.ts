import { expect } from 'chai';
import { knownTokens, type Verified } from '../../../src/auth/verify-token.js';

const HOUR_MS = 3_600_000;
const verified =
  (value: string, expiresAtMs: number | null = null) =>
  (): Promise<Verified<string>> =>
    Promise.resolve({ value, expiresAtMs });

describe('the cache of tokens', () => {
  it('returns the value of a token until the token expires', async () => {
    const known = knownTokens<string>(() => 100, HOUR_MS);
    expect(await known.verify('a.b.c', verified('someone'))).to.equal('someone');
    expect(await known.verify('d.e.f', verified('someone else', 0))).to.equal('someone else');
    expect([known.get('a.b.c'), known.get('a.b.C'), known.get('d.e.f')]).to.deep.equal([
      'someone',
      undefined,
      undefined,
    ]);
  });

  it('keeps no token above 8 kB', async () => {
    const known = knownTokens<string>(() => 100, HOUR_MS);
    await known.verify('x'.repeat(8192), verified('kept'));
    await known.verify('x'.repeat(8193), verified('not kept'));
    expect(known.get('x'.repeat(8192))).to.equal('kept');
    expect(known.get('x'.repeat(8193))).to.equal(undefined);
  });
});
