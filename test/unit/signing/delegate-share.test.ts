import { expect } from 'chai';
import fc from 'fast-check';
import { partyIdOf, tenantIdOf } from '../../../src/base/identifiers.js';
import { accountIdOf, sessionIdOf } from '../../support/identifiers.js';
import type { DelegateUserShare } from '../../../generated/types.js';
import { shareOf, shareProblems, shareAssociatedData } from '../../../src/signing/shares/delegate-share.js';
import { sha256 } from '../../../src/base/hash.js';
import { lengthPrefixed } from '../../../src/base/bytes.js';

const EXPIRES = '2026-03-01T09:35:00.000Z';
const NOW = Date.parse('2026-03-01T09:30:00.000Z');
const BINDING = {
  tenantId: tenantIdOf('acme'),
  accountId: accountIdOf('018f0000-0000-7000-8000-000000000001'),
  sessionId: sessionIdOf('018f0000-0000-7000-8000-000000000002'),
  delegatePartyId: partyIdOf('helper'),
  messageDigest: Buffer.alloc(32, 1),
  derivationPath: [0, 1],
};
const bytes = (length: number): string => Buffer.alloc(length, 7).toString('base64url');

const aadSha256 = (recipientKeyId: string): string =>
  sha256(shareAssociatedData({ ...BINDING, recipientKeyId, expiresAt: new Date(EXPIRES) })).toString('hex');

const body = (overrides: Partial<DelegateUserShare> = {}): DelegateUserShare => ({
  delegatePartyId: 'helper',
  recipientKeyId: 'k',
  suite: 'HPKE-X25519-SHA256-AES256GCM',
  encapsulatedKey: bytes(32),
  ciphertext: bytes(64),
  aadSha256: aadSha256('k'),
  shareType: 'delegate',
  purpose: 'signing',
  expiresAt: EXPIRES,
  ...overrides,
});
const problems = (
  overrides: Partial<DelegateUserShare>,
  binding: Partial<typeof BINDING> = {},
): readonly string[] =>
  shareProblems(shareOf(body(overrides)), { ...BINDING, ...binding }, NOW).map(
    ({ path, code }) => `${path} ${code}`,
  );

describe('the share for a delegate', () => {
  it('is accepted if every bound value matches', () => {
    expect(problems({})).to.deep.equal([]);
    const suite = 'RSA-OAEP-SHA256-AES256GCM';
    expect(problems({ suite, encapsulatedKey: bytes(256), nonce: bytes(12) })).to.deep.equal([]);
  });

  it('is bound to tenant, account, session, delegate, key, digest, path and expiry', () => {
    const other = '/aadSha256 other_session';
    expect(problems({}, { tenantId: tenantIdOf('other') })).to.deep.equal([other]);
    expect(problems({}, { accountId: accountIdOf('018f0000-0000-7000-8000-00000000000f') })).to.deep.equal([
      other,
    ]);
    expect(problems({}, { sessionId: sessionIdOf('018f0000-0000-7000-8000-00000000000f') })).to.deep.equal([
      other,
    ]);
    expect(problems({}, { messageDigest: Buffer.alloc(32, 2) })).to.deep.equal([other]);
    expect(problems({}, { derivationPath: [1, 0] })).to.deep.equal([other]);
    expect(problems({ recipientKeyId: 'k2' })).to.deep.equal([other]);
    expect(problems({ expiresAt: '2026-03-01T09:35:00.001Z' })).to.deep.equal([other]);
    expect(problems({ delegatePartyId: 'x' }, { delegatePartyId: partyIdOf('helper') })).to.deep.equal([
      '/delegatePartyId other_delegate',
    ]);
  });

  it('has a size within the bounds of its suite', () => {
    const rsa = { suite: 'RSA-OAEP-SHA256-AES256GCM', nonce: bytes(12) } as const;
    for (const length of [16, 262_144]) expect(problems({ ciphertext: bytes(length) })).to.deep.equal([]);
    for (const length of [15, 262_145])
      expect(problems({ ciphertext: bytes(length) })).to.deep.equal(['/ciphertext size']);
    for (const length of [256, 1024])
      expect(problems({ ...rsa, encapsulatedKey: bytes(length) })).to.deep.equal([]);
    for (const length of [255, 1025])
      expect(problems({ ...rsa, encapsulatedKey: bytes(length) })).to.deep.equal(['/encapsulatedKey size']);
    for (const length of [11, 13])
      expect(problems({ ...rsa, encapsulatedKey: bytes(256), nonce: bytes(length) })).to.deep.equal([
        '/nonce size',
      ]);
    expect(problems({ expiresAt: 'tomorrow' })).to.deep.equal(['/expiresAt time']);
  });

  it('is refused with every problem at once', () => {
    const nonce = bytes(12);
    expect(
      problems({ ciphertext: bytes(15), encapsulatedKey: bytes(33), nonce, delegatePartyId: 'x' }),
    ).to.deep.equal([
      '/ciphertext size',
      '/encapsulatedKey size',
      '/nonce size',
      '/delegatePartyId other_delegate',
    ]);
    const zero = Buffer.alloc(32).toString('base64url');
    expect(problems({ encapsulatedKey: zero })).to.deep.equal(['/encapsulatedKey key']);
    expect(problems({ ciphertext: bytes(262_145) })).to.deep.equal(['/ciphertext size']);
    expect(problems({ expiresAt: '2026-03-01T09:30:00.000Z' })).to.deep.equal(['/expiresAt expired']);
    expect(problems({ suite: 'RSA-OAEP-SHA256-AES256GCM' })).to.deep.equal([
      '/encapsulatedKey size',
      '/nonce size',
    ]);
  });
});

describe('length-prefixed bytes', () => {
  it('differ if any part differs', () => {
    const parts = fc.array(fc.string(), { maxLength: 5 });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const equal = lengthPrefixed(one).equals(lengthPrefixed(other));
        expect(equal).to.equal(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  it('are the length in four bytes, then the part', () => {
    expect(lengthPrefixed(['ab', Buffer.of(255)]).toString('hex')).to.equal('00000002616200000001ff');
  });
});
