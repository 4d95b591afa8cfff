import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { expect } from 'chai';
import { createHash } from 'node:crypto';
import type {
  Account,
  SigningSession,
  SigningSessionEventPage,
  SigningSessionPage,
  SigningSessionRequest,
} from '../../../generated/types.js';
import {
  createSigningFixture,
  type SigningFixture,
  type TestParty,
} from '../../support/signing/signing-fixture.js';

const MESSAGE = Buffer.alloc(1_048_576, 'what a chain signs. ');
const DIGEST = createHash('sha256').update(MESSAGE).digest();
const CHAIN_KEY = secp256k1.utils.randomSecretKey();
const CHAIN_CODE = '07'.repeat(32);

type Protocol = SigningSession['protocol'];
type Sign = (content: Uint8Array) => Uint8Array;

interface Scheme {
  readonly protocol: Protocol;
  readonly keyType: Account['keyType'];
  readonly publicKey: Uint8Array;
  readonly sign: Sign;
  /** What the scheme signs of the message. */
  readonly signs: Uint8Array;
}

const edKey = ed25519.utils.randomSecretKey();
const p256Key = p256.utils.randomSecretKey();
const SCHEMES: readonly Scheme[] = [
  {
    ...{ protocol: 'ed25519', keyType: 'ed25519', publicKey: ed25519.getPublicKey(edKey) },
    ...{ sign: (content) => ed25519.sign(content, edKey), signs: MESSAGE },
  },
  {
    ...{ protocol: 'bip340', keyType: 'secp256k1', publicKey: secp256k1.getPublicKey(CHAIN_KEY) },
    ...{ sign: (content) => schnorr.sign(content, CHAIN_KEY), signs: MESSAGE },
  },
  {
    ...{ protocol: 'ecdsa-secp256k1', keyType: 'secp256k1', publicKey: secp256k1.getPublicKey(CHAIN_KEY) },
    ...{ sign: (content) => secp256k1.sign(content, CHAIN_KEY, { prehash: false }), signs: DIGEST },
  },
  {
    ...{ protocol: 'ecdsa-p256', keyType: 'p256', publicKey: p256.getPublicKey(p256Key) },
    ...{ sign: (content) => p256.sign(content, p256Key, { prehash: false }), signs: DIGEST },
  },
];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('sessions that sign a message', function () {
  this.timeout(60_000);
  let fixture: SigningFixture;
  let parties: readonly TestParty[];
  before(async () => {
    fixture = await createSigningFixture();
    parties = [await fixture.createParty('node-a', 'server'), await fixture.createParty('node-b', 'server')];
  });
  after(() => fixture.drop());

  async function createAccount({ keyType, publicKey }: Scheme): Promise<Account> {
    const body = {
      ...{ name: 'Chain', ownerUserId: 'ann', keyType, threshold: 2, publicKey: hex(publicKey) },
      ...(keyType === 'secp256k1' ? { chainCode: CHAIN_CODE } : {}),
      shares: parties.map(({ identity: { partyId } }, index) => ({
        ...{ partyId, shareIndex: index + 1, shareType: 'server' as const },
      })),
    };
    const request = { path: {}, query: {}, headers: {}, body };
    return (await fixture.signing.handlers.createAccount(request, fixture.context())).body as Account;
  }
  async function start(scheme: Scheme, more: SigningSessionRequest = {}): Promise<SigningSession> {
    const { accountId } = await createAccount(scheme);
    const body = { message: MESSAGE.toString('base64url'), protocol: scheme.protocol, ...more };
    const request = { path: { id: accountId }, query: {}, headers: {}, body };
    const { handlers, sessions } = fixture.signing;
    const session = (await handlers.createSigningSession(request, fixture.context())).body as SigningSession;
    for (const { identity } of parties) await sessions.join(identity, session.sessionId, 'i');
    return session;
  }
  async function report({ sessionId }: SigningSession, signature: Uint8Array): Promise<SigningSession> {
    const [party] = parties;
    if (party === undefined) throw new Error('no party');
    const result = { kind: 'signature', signature: Buffer.from(signature) } as const;
    await fixture.signing.sessions.reportResult(party.identity, sessionId, result);
    return await read(sessionId);
  }
  async function read(sessionId: string): Promise<SigningSession> {
    const request = { path: { id: sessionId }, query: {}, headers: {}, body: undefined };
    return (await fixture.signing.handlers.getSigningSession(request, fixture.context()))
      .body as SigningSession;
  }

  for (const scheme of SCHEMES)
    it(`is completed by a signature over it, and by none over its hash or another one: ${scheme.protocol}`, async () => {
      const session = await start(scheme);
      expect(session).to.include({ messageDigest: hex(DIGEST), protocol: scheme.protocol });
      expect(session).not.to.have.property('message');
      const done = await report(session, scheme.sign(scheme.signs));
      expect(done).to.include({ state: 'completed', message: MESSAGE.toString('base64url') });
      expect(done.recoveryId).to.be.oneOf(scheme.protocol === 'ecdsa-secp256k1' ? [0, 1] : [undefined]);
      const other = scheme.signs === MESSAGE ? DIGEST : createHash('sha256').update(DIGEST).digest();
      expect(await report(await start(scheme), scheme.sign(other))).to.include({
        state: 'failed',
        failureReason: 'invalid_signature',
      });
    });

  const ecdsa = SCHEMES.find(({ protocol }) => protocol === 'ecdsa-secp256k1');

  it('keeps the recovery id, and holds one that a party reports against the key', async () => {
    if (ecdsa === undefined) throw new Error('no scheme');
    const recovered = secp256k1.sign(DIGEST, CHAIN_KEY, { prehash: false, format: 'recovered' });
    const signature = Buffer.from(recovered.subarray(1));
    const id = recovered[0] ?? 0;
    const done = await report(await start(ecdsa), Buffer.from([...signature, id]));
    expect(done).to.include({ state: 'completed', signature: hex(signature), recoveryId: id });
    const events = await fixture.signing.handlers.listSigningSessionEvents(
      { path: { id: done.sessionId }, query: { after: 0 }, headers: {}, body: undefined },
      fixture.context(),
    );
    const { items } = events.body as SigningSessionEventPage;
    expect(items.at(-1)?.data).to.deep.equal({ signature: hex(signature), recoveryId: id });
    const lied = await report(await start(ecdsa), Buffer.from([...signature, 1 - id]));
    expect(lied).to.include({ state: 'failed', failureReason: 'invalid_signature' });
    expect(lied).not.to.have.property('recoveryId');
  });

  it('takes no high S on secp256k1, and lets the party report again', async () => {
    if (ecdsa === undefined) throw new Error('no scheme');
    const session = await start(ecdsa);
    const { r, s } = secp256k1.Signature.fromBytes(ecdsa.sign(DIGEST), 'compact');
    const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes('compact');
    const refusal = await report(session, high).then(
      () => 'taken',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );
    expect(refusal).to.equal('signature: is no signature of the protocol ecdsa-secp256k1');
    expect(await report(session, ecdsa.sign(DIGEST))).to.include({ state: 'completed' });
  });

  it('is verified under the child key', async () => {
    if (ecdsa === undefined) throw new Error('no scheme');
    const session = await start(ecdsa, { derivationPath: [3] });
    expect(await report(session, ecdsa.sign(DIGEST))).to.include({ state: 'failed' });
  });

  it('leaves the message out of lists', async () => {
    const query = { limit: 100 };
    const list = await fixture.signing.handlers.listSigningSessions(
      { path: {}, query, headers: {}, body: undefined },
      fixture.context(),
    );
    const { items } = list.body as SigningSessionPage;
    expect(items.length).to.be.greaterThan(8);
    expect(JSON.stringify(items).length).to.be.lessThan(100_000);
    for (const item of items) expect(item).not.to.have.property('message');
  });

  it('is another request than the same with its hash as a digest', async () => {
    const [scheme] = SCHEMES;
    if (scheme === undefined) throw new Error('no scheme');
    const { accountId } = await createAccount(scheme);
    const create = (body: SigningSessionRequest): Promise<string> =>
      fixture.signing.handlers
        .createSigningSession(
          { path: { id: accountId }, query: {}, headers: { 'idempotency-key': 'm' }, body },
          fixture.context(),
        )
        .then(
          ({ status }) => String(status),
          (error: unknown) => (error instanceof Error ? error.name : ''),
        );
    const message = MESSAGE.toString('base64url');
    expect(await create({ message })).to.equal('201');
    expect(await create({ message })).to.equal('200');
    expect(await create({ messageDigest: hex(DIGEST) })).to.equal('SessionConflict');
  });
});
