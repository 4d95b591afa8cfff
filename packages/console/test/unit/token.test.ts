import { expect } from 'chai';
import { claimsOf, enteredToken } from '../../page/src/token.js';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = (claims: object): string => `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`;
const NOW = Date.UTC(2026, 0, 1);

describe('a token that is entered', () => {
  it('is taken with and without the name of its scheme, and as an API key', () => {
    const good = token({ sub: 'ada', exp: NOW / 1000 + 1 });
    expect(enteredToken(` Bearer ${good}\n`, NOW)).to.deep.equal({ token: good });
    const key = `dbr_${'a'.repeat(32)}`;
    expect(enteredToken(key, NOW)).to.deep.equal({ token: key });
  });

  it('is refused if it is none, or has ended', () => {
    for (const text of [
      '',
      'hello',
      'a.b',
      'a.b.c',
      `${part([1])}.${part(1)}.x`,
      `${token({})}.x`,
      'dbr_short',
    ])
      expect(enteredToken(text, NOW), text).to.have.property('problem').that.contains('not a token');
    expect(enteredToken(token({ exp: NOW / 1000 }), NOW))
      .to.have.property('problem')
      .that.contains('ended');
  });

  it('has claims of their types alone', () => {
    expect(claimsOf(token({ sub: 'ö', role: 7, exp: '1' }))).to.deep.equal({ sub: 'ö' });
    expect(claimsOf(null)).to.deep.equal({});
  });
});
