import { expect } from 'chai';
import { tokenCache } from '../../../src/auth/verify-token.js';

const LATER = 8_640_000_000_000_000;

describe('the cache of tokens', () => {
  it('returns the value of a token until the token expires', () => {
    const cache = tokenCache<string>(() => 100);
    cache.set('a.b.c', 'someone', LATER);
    cache.set('d.e.f', 'someone else', 0);
    expect([cache.get('a.b.c'), cache.get('a.b.C'), cache.get('d.e.f')]).to.deep.equal([
      'someone',
      undefined,
      undefined,
    ]);
  });

  it('keeps no token above 8 kB', () => {
    const cache = tokenCache<string>(() => 100);
    cache.set('x'.repeat(8192), 'kept', LATER);
    cache.set('x'.repeat(8193), 'not kept', LATER);
    expect(cache.get('x'.repeat(8192))).to.equal('kept');
    expect(cache.get('x'.repeat(8193))).to.equal(undefined);
  });
});
