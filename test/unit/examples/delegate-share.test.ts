import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ed25519_FROST as frost } from '@noble/curves/ed25519.js';
import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { openShare, sealShare, type DelegateHolder } from '../../../examples/parties/delegate-share.js';
import { createOneTimeKeys } from '../../../examples/parties/one-time-keys.js';
import { ProtocolFault } from '../../../examples/parties/protocol-fault.js';
import type { ShareBinding } from '../../../examples/parties/signed-bytes.js';
import {
  DelegateUserShareSchema,
  EncryptionSuite,
  FailureReason,
  SessionSchema,
  SharePurpose,
  ShareType,
  type DelegateUserShare,
  type Session,
} from '../../../generated/proto/router/v1/router_pb.js';

const IDENTIFIERS = [1, 2, 3].map((index) => frost.Identifier.fromNumber(index));
const [, , THIRD = ''] = IDENTIFIERS;
const DIGEST = new Uint8Array(32).fill(7);
const dealt = frost.trustedDealer({ min: 2, max: 3 }, IDENTIFIERS);
const shareOfDelegate = dealt.secretShares[THIRD]?.signingShare ?? new Uint8Array();

interface Given {
  readonly delegate: DelegateHolder;
  readonly session: Session;
  readonly share: DelegateUserShare;
  /** The hash of the data that the share should be bound to. */
  readonly hashOfSession: Uint8Array;
}

/** A session with a share that is sealed for it, but for what is given. */
async function given(sealedFor: Partial<ShareBinding> = {}, signingShare = shareOfDelegate): Promise<Given> {
  const keys = createOneTimeKeys(generateKeyPairSync('ed25519').privateKey);
  const [key] = await keys.offer(1);
  const recipientKeyId = key?.keyId ?? '';
  const binding: ShareBinding = {
    tenantId: 'acme',
    accountId: 'account',
    sessionId: 'session',
    delegatePartyId: 'helper',
    recipientKeyId,
    messageDigest: DIGEST,
    derivationPath: [],
    expiresAt: new Date(Date.now() + 60_000),
  };
  const publicKey = key?.publicKey ?? new Uint8Array();
  const body = await sealShare(publicKey, { ...binding, ...sealedFor }, signingShare);
  const { aadSha256 } = await sealShare(publicKey, binding, signingShare);
  return {
    delegate: { partyId: 'helper', shareIndex: 3, publicPackage: dealt.public, keys },
    session: create(SessionSchema, {
      tenantId: 'acme',
      accountId: 'account',
      sessionId: 'session',
      messageDigest: DIGEST,
    }),
    share: create(DelegateUserShareSchema, {
      delegatePartyId: 'helper',
      recipientKeyId,
      suite: EncryptionSuite.HPKE_X25519_SHA256_AES256GCM,
      encapsulatedKey: Buffer.from(body.encapsulatedKey, 'base64url'),
      ciphertext: Buffer.from(body.ciphertext, 'base64url'),
      aadSha256: Buffer.from(body.aadSha256, 'hex'),
      shareType: ShareType.DELEGATE,
      purpose: SharePurpose.SIGNING,
      expiresAt: timestampFromDate(binding.expiresAt),
    }),
    hashOfSession: Buffer.from(aadSha256, 'hex'),
  };
}

async function refusal({ delegate, session, share }: Omit<Given, 'hashOfSession'>): Promise<string> {
  try {
    await openShare(delegate, session, share);
  } catch (error) {
    if (!(error instanceof ProtocolFault)) throw error;
    expect(error.reason).to.equal(FailureReason.SHARE_UNUSABLE);
    return error.message;
  }
  return 'opened';
}

describe("the delegate's share", () => {
  it('opens for the session that it was sealed for, once', async () => {
    const one = await given();
    const { identifier, signingShare } = await openShare(one.delegate, one.session, one.share);
    expect([identifier, Buffer.from(signingShare)]).to.deep.equal([THIRD, Buffer.from(shareOfDelegate)]);
    expect(await refusal(one)).to.equal('its key is unknown or used');
  });

  for (const [what, sealedFor] of [
    ['tenant', { tenantId: 'other' }],
    ['account', { accountId: 'other' }],
    ['session', { sessionId: 'other' }],
    ['delegate', { delegatePartyId: 'other' }],
    ['key', { recipientKeyId: 'other' }],
    ['expiry', { expiresAt: new Date(Date.now() + 90_000) }],
    ['digest', { messageDigest: new Uint8Array(32).fill(8) }],
    ['derivation path', { derivationPath: [0] }],
  ] as const)
    it(`is refused when it was sealed for another ${what}, whatever hash is stated`, async () => {
      const { hashOfSession, ...one } = await given(sealedFor);
      expect(await refusal(one)).to.equal('bound to another session');
      const share = { ...one.share, aadSha256: hashOfSession };
      expect(await refusal({ ...one, share })).to.equal('it does not open for this session');
    });

  it('is refused after its time, for another party, in another suite, and for another purpose', async () => {
    const one = await given();
    const { share } = one;
    const past = timestampFromDate(new Date(Date.now() - 1));
    expect(await refusal({ ...one, share: { ...share, expiresAt: past } })).to.equal('it has expired');
    const other = { ...share, delegatePartyId: 'node-a' };
    expect(await refusal({ ...one, share: other })).to.equal('sealed for another party');
    const suite = EncryptionSuite.RSA_OAEP_SHA256_AES256GCM;
    expect(await refusal({ ...one, share: { ...share, suite } })).to.equal('another suite');
    const purpose = SharePurpose.UNSPECIFIED;
    expect(await refusal({ ...one, share: { ...share, purpose } })).to.equal('for another purpose');
    const shareType = ShareType.SERVER;
    expect(await refusal({ ...one, share: { ...share, shareType } })).to.equal('for another purpose');
    expect(await refusal(one)).to.equal('opened');
  });

  it('is refused when it is changed on its way', async () => {
    const one = await given();
    const ciphertext = Uint8Array.from(one.share.ciphertext, (byte, index) =>
      index === 0 ? byte ^ 1 : byte,
    );
    const share = { ...one.share, ciphertext };
    expect(await refusal({ ...one, share })).to.equal('it does not open for this session');
  });

  it('is refused when what is in it is no share of the key', async () => {
    expect(await refusal(await given({}, Buffer.alloc(31, 1)))).to.equal('no share of this kind of key');
    expect(await refusal(await given({}, Buffer.alloc(32, 1)))).to.equal('a share of another key');
    expect(await refusal(await given({}, Buffer.alloc(32, 0xff)))).to.equal('a share of another key');
    const [first = ''] = IDENTIFIERS;
    const ofAnother = dealt.secretShares[first]?.signingShare ?? new Uint8Array();
    expect(await refusal(await given({}, ofAnother))).to.equal('a share of another key');
  });
});
