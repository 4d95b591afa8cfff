import { expect } from 'chai';
import type { DelegateUserShare, SigningSessionRequest } from '../../../generated/types.js';
import { lengthPrefixed } from '../../../src/base/bytes.js';
import { sha256 } from '../../../src/base/hash.js';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import type { Actor } from '../../../src/signing/access.js';
import { sessionDraft } from '../../../src/signing/sessions/session-draft.js';
import { accountIdOf } from '../../support/identifiers.js';

const ACCOUNT = accountIdOf('018f0000-0000-7000-8000-000000000001');
const SESSION = '018f0000-0000-7000-8000-000000000002';
const ACTOR: Actor = {
  tenantId: tenantIdOf('acme'),
  userId: userIdOf('ann'),
  scopes: null,
  tenants: null,
  expiresAt: null,
  authenticatedAt: null,
  remoteAddress: '192.0.2.1',
};
const DIGEST = '01'.repeat(32);
const base64 = (length: number): string => Buffer.alloc(length, 7).toString('base64url');
const SHARE: DelegateUserShare = {
  delegatePartyId: 'helper',
  recipientKeyId: 'k',
  suite: 'RSA-OAEP-SHA256-AES256GCM',
  encapsulatedKey: base64(256),
  ciphertext: base64(64),
  nonce: base64(12),
  aadSha256: '02'.repeat(32),
  shareType: 'delegate',
  purpose: 'signing',
  expiresAt: '2026-03-01T09:35:00.000Z',
};

function thrown(work: () => unknown): DbrError {
  try {
    work();
  } catch (error) {
    if (error instanceof DbrError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const draft = (more: Partial<SigningSessionRequest> = {}, actor = ACTOR) =>
  sessionDraft({ messageDigest: DIGEST, ...more }, ACCOUNT, actor);

describe('a request for a session', () => {
  it('has a lifetime of 300 seconds, no protocol, no path and no metadata by default', () => {
    const { sessionId, requestSha256, ...rest } = draft();
    expect(rest).to.deep.equal({
      messageDigest: Buffer.alloc(32, 1),
      message: null,
      protocol: null,
      derivationPath: [],
      ttlSeconds: 300,
      metadata: '{}',
      share: null,
      request: null,
      parties: null,
      replaces: null,
    });
    expect(sessionId).to.match(/^[0-9a-f-]{36}$/);
    expect(draft().sessionId).not.to.equal(sessionId);
    expect(requestSha256).to.deep.equal(
      sha256(lengthPrefixed([ACCOUNT, 'ann', '', '[300,[]]', '{}', Buffer.alloc(32, 1)])),
    );
  });

  it('keeps what it names', () => {
    const { sessionId, protocol, derivationPath, ttlSeconds, metadata } = draft({
      sessionId: SESSION,
      protocol: 'ed25519',
      derivationPath: [0, 1],
      ttlSeconds: 60,
      metadata: { order: 7 },
    });
    expect([sessionId, protocol, derivationPath, ttlSeconds, metadata]).to.deep.equal([
      ...[SESSION, 'ed25519', [0, 1], 60, '{"order":7}'],
    ]);
  });

  it('is the same request if and only if everything but the session is the same', () => {
    const hash = (more: Partial<SigningSessionRequest> = {}, actor = ACTOR): string =>
      draft(more, actor).requestSha256.toString('hex');
    const shared = { sessionId: SESSION, delegateUserShare: SHARE };
    const hashes = [
      hash(),
      hash({ messageDigest: '03'.repeat(32) }),
      hash({ protocol: 'ed25519' }),
      hash({ derivationPath: [1] }),
      hash({ ttlSeconds: 301 }),
      hash({ metadata: { order: 7 } }),
      hash({}, { ...ACTOR, userId: userIdOf('bob') }),
      hash(shared),
      ...Object.entries({
        delegatePartyId: 'other',
        recipientKeyId: 'l',
        suite: 'HPKE-X25519-SHA256-AES256GCM' as const,
        encapsulatedKey: base64(255),
        ciphertext: base64(65),
        nonce: base64(13),
        aadSha256: '04'.repeat(32),
        expiresAt: '2026-03-01T09:35:00.001Z',
      }).map(([member, value]) => hash({ ...shared, delegateUserShare: { ...SHARE, [member]: value } })),
    ];
    expect(new Set(hashes).size).to.equal(hashes.length);
    expect(hash({ sessionId: SESSION })).to.equal(hash());
    const { nonce: _nonce, ...withoutNonce } = SHARE;
    expect(hash({ ...shared, delegateUserShare: withoutNonce })).not.to.equal(hash(shared));
  });

  it('has the share, which names the session that it is encrypted for', () => {
    const { share } = draft({ sessionId: SESSION, delegateUserShare: SHARE });
    expect(share?.ciphertext.reveal()).to.deep.equal(Buffer.alloc(64, 7));
    expect(() => draft({ delegateUserShare: SHARE }))
      .to.throw()
      .that.includes({ name: 'DelegateShareInvalid' })
      .with.nested.property('problems[0].path', '/sessionId');
  });

  it('is another one with a signed request, other content and other signatures', () => {
    const signature = { keyId: 'ada', algorithm: 'ed25519', signature: '05'.repeat(64) } as const;
    const request = { content: 'cGF5', signatures: [signature] };
    const hashes = [
      draft(),
      draft({ request }),
      draft({ request: { ...request, content: 'cGF6' } }),
      draft({ request: { ...request, signatures: [{ ...signature, keyId: 'bea' }] } }),
    ].map(({ requestSha256 }) => requestSha256.toString('hex'));
    expect(new Set(hashes).size).to.equal(hashes.length);
    expect(draft({ request }).requestSha256.toString('hex')).to.equal(hashes[1]);
    expect(draft({ request }).request?.content).to.deep.equal(Buffer.from('pay'));
  });

  it('has either a digest or a message, whose digest is its SHA-256', () => {
    const withMessage = (message: string) => sessionDraft({ message }, ACCOUNT, ACTOR);
    const message = Buffer.from('what is signed');
    const { messageDigest, ...drafted } = withMessage(message.toString('base64url'));
    expect(drafted.message).to.deep.equal(message);
    expect(messageDigest).to.deep.equal(sha256(message));
    // The hash of a message, signed as a digest, is another request.
    expect(drafted.requestSha256).not.to.deep.equal(
      draft({ messageDigest: messageDigest.toString('hex') }).requestSha256,
    );
    const longest = base64(1_048_576);
    expect(withMessage(longest).message).to.have.lengthOf(1_048_576);
    const refused = (body: SigningSessionRequest, path: string, code: string): void => {
      const { problems } = thrown(() => sessionDraft(body, ACCOUNT, ACTOR));
      expect(problems?.map((one) => [one.path, one.code])).to.deep.equal([[path, code]]);
    };
    refused({}, '', 'one_of');
    refused({ messageDigest: DIGEST, message: 'dGVzdA' }, '', 'one_of');
    refused({ message: base64(1_048_577) }, '/message', 'size');
    for (const other of ['', 'dGVzdA==', 'dGVzd+', 'dGVzd', 'dGVz dA'])
      refused({ message: other }, '/message', 'base64url');
  });

  it('has metadata of at most 4096 bytes', () => {
    const frame = '{"a":""}'.length;
    expect(draft({ metadata: { a: 'x'.repeat(4096 - frame) } }).metadata).to.have.length(4096);
    expect(() => draft({ metadata: { a: 'x'.repeat(4097 - frame) } }))
      .to.throw()
      .that.includes({
        name: 'InvalidBody',
        details: "'/metadata' must not be larger than 4 KiB as JSON",
      })
      .with.nested.property('problems[0].path', '/metadata');
    expect(() => draft({ metadata: { a: 'é'.repeat((4098 - frame) / 2) } })).to.throw();
  });
});
