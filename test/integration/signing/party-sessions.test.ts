import { expect } from 'chai';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { CipherSuite, Aes256Gcm, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { createHash, randomUUID, sign, webcrypto } from 'node:crypto';
import { partyIdOf, tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { accountIdOf, sessionIdOf } from '../../support/identifiers.js';
import type { DelegateUserShare, SigningSession, SigningSessionRequest } from '../../../generated/types.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { shareAssociatedData } from '../../../src/signing/shares/delegate-share.js';
import {
  InvalidPartyKey,
  InvalidSignatureForm,
  PartyRefused,
  type PartySessionEvent,
} from '../../../src/signing/router-port.js';
import {
  accountKey,
  createSigningFixture,
  DIGEST,
  signedKey,
  type Account,
  type SigningFixture,
  type TestParty,
} from '../../support/signing/signing-fixture.js';

const CANARY = 'canary-7f3a-share-of-the-user';
const INFO = new TextEncoder().encode('router.v1 DelegateUserShare');
const hpke = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const SUITE = 'HPKE-X25519-SHA256-AES256GCM';

async function keyPair(): Promise<webcrypto.CryptoKeyPair> {
  const generated = await webcrypto.subtle.generateKey({ name: 'X25519' }, true, ['deriveBits']);
  if (!('privateKey' in generated)) throw new Error('X25519 makes pairs of keys');
  return generated;
}

const signature = (): Buffer => sign(null, Buffer.from(DIGEST, 'hex'), accountKey.privateKey);

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof PartyRefused) return error.refusal.kind;
    if (error instanceof DbrError) return error.name;
    throw error;
  }
  return 'done';
}

describe('signing sessions of parties', function () {
  this.timeout(120_000);
  let fixture: SigningFixture;
  let [a, b, delegate]: TestParty[] = [];
  let keys: webcrypto.CryptoKeyPair;
  let rawPublicKey: Buffer;
  before(async () => {
    fixture = await createSigningFixture({ background: true });
    a = await fixture.createParty('node-a', 'server');
    b = await fixture.createParty('node-b', 'server');
    delegate = await fixture.createParty('helper', 'delegate');
    keys = await keyPair();
    rawPublicKey = Buffer.from(await webcrypto.subtle.exportKey('raw', keys.publicKey));
  });
  after(() => fixture.drop());

  const party = (one: TestParty | undefined): TestParty => {
    if (one === undefined) throw new Error('the party was not created');
    return one;
  };
  const id = (one: TestParty | undefined) => party(one).identity;

  /** Registers a one-time key, which the owner claims. */
  async function claim(account: Account): Promise<string> {
    const key = {
      keyId: randomUUID(),
      suite: SUITE,
      publicKey: rawPublicKey,
      oneTime: true,
      notAfter: null,
    } as const;
    await fixture.signing.parties.register(id(delegate), 'one', [signedKey(party(delegate), key)]);
    const request = { path: { id: account.accountId }, query: {}, headers: {}, body: undefined };
    const { body } = await fixture.signing.handlers.claimDelegateKey(request, fixture.context());
    return (body as { readonly keyId: string }).keyId;
  }

  async function seal(
    account: Account,
    sessionId: string,
    recipientKeyId: string,
    lifeMs = 200_000,
  ): Promise<DelegateUserShare> {
    const expiresAt = new Date(Date.now() + lifeMs);
    const aad = shareAssociatedData({
      tenantId: tenantIdOf('acme'),
      accountId: accountIdOf(account.accountId),
      sessionId: sessionIdOf(sessionId),
      delegatePartyId: partyIdOf('helper'),
      recipientKeyId,
      messageDigest: Buffer.from(DIGEST, 'hex'),
      derivationPath: [],
      expiresAt,
    });
    const sender = await hpke.createSenderContext({ recipientPublicKey: keys.publicKey, info: INFO });
    const ciphertext = await sender.seal(new TextEncoder().encode(CANARY), aad);
    return {
      delegatePartyId: 'helper',
      recipientKeyId,
      suite: SUITE,
      encapsulatedKey: Buffer.from(sender.enc).toString('base64url'),
      ciphertext: Buffer.from(ciphertext).toString('base64url'),
      aadSha256: createHash('sha256').update(aad).digest('hex'),
      shareType: 'delegate',
      purpose: 'signing',
      expiresAt: expiresAt.toISOString(),
    };
  }

  const create = (account: Account, more: Partial<SigningSessionRequest>, userId = 'ann') =>
    fixture.signing.handlers
      .createSigningSession(
        { path: { id: account.accountId }, query: {}, headers: {}, body: { messageDigest: DIGEST, ...more } },
        fixture.context(
          userId === 'ann' ? {} : { userId: userIdOf(userId), scopes: new Set(['sign:create']) },
        ),
      )
      .then(({ body }) => body as SigningSession);

  const supply = (sessionId: string, body: DelegateUserShare) =>
    fixture.signing.handlers
      .supplyDelegateUserShare({ path: { id: sessionId }, query: {}, headers: {}, body }, fixture.context())
      .then(({ body: session }) => session as SigningSession);

  /** Reads the events of the party up to the first of this type in this session. */
  async function eventsUntil(
    one: TestParty | undefined,
    sessionId: string,
    type: string,
    after: string | null = null,
  ): Promise<readonly PartySessionEvent[]> {
    const stop = new AbortController();
    const events: PartySessionEvent[] = [];
    for await (const event of fixture.signing.sessions.subscribe(id(one), after, stop.signal)) {
      if (event.session.sessionId === sessionId) events.push(event);
      if (event.session.sessionId === sessionId && event.type === type) stop.abort();
    }
    return events;
  }

  it('start when all parties have joined, and complete with a valid signature', async () => {
    const account = await fixture.createAccount([party(a), party(b)]);
    const { sessionId } = await fixture.createSession(account.accountId);
    const following = eventsUntil(b, sessionId, 'completed');
    const { sessions } = fixture.signing;
    expect((await sessions.join(id(a), sessionId, 'one')).state).to.equal('awaiting_parties');
    expect((await sessions.join(id(a), sessionId, 'two')).state).to.equal('awaiting_parties');
    expect(
      await refusal(sessions.reportResult(id(a), sessionId, { kind: 'signature', signature: signature() })),
    ).to.equal('wrong-state');
    expect(await refusal(sessions.join(id(delegate), sessionId, 'one'))).to.equal('not-found');
    expect(await refusal(sessions.join(id(a), 'nonsense', 'one'))).to.equal('not-found');
    expect((await sessions.join(id(b), sessionId, 'one')).state).to.equal('in_progress');
    const done = await sessions.reportResult(id(b), sessionId, { kind: 'signature', signature: signature() });
    expect(done.state).to.equal('completed');
    expect(done.signature).to.deep.equal(signature());
    await sessions.reportResult(id(a), sessionId, { kind: 'signature', signature: signature() });
    const events = await following;
    expect(events.map(({ sequence, type, partyId }) => [sequence, type, partyId])).to.deep.equal([
      [1, 'created', null],
      [2, 'party-joined', 'node-a'],
      [3, 'party-joined', 'node-b'],
      [4, 'started', null],
      [5, 'completed', 'node-b'],
    ]);
    const third = events[2]?.eventId ?? null;
    const resumed = await eventsUntil(b, sessionId, 'completed', third);
    expect(resumed.map(({ sequence }) => sequence)).to.include.members([4, 5]);
    expect(resumed.map(({ sequence }) => sequence)).not.to.include(3);
  });

  it('fail on an invalid signature, on an abort and on two messages with one sequence number', async () => {
    const account = await fixture.createAccount([party(a), party(b)]);
    const { sessions } = fixture.signing;
    const formRefusal = (sessionId: string, signature: Buffer): Promise<unknown> =>
      sessions
        .reportResult(id(a), sessionId, { kind: 'signature', signature })
        .catch((error: unknown) => error);
    const open = async (): Promise<string> => {
      const { sessionId } = await fixture.createSession(account.accountId);
      for (const one of [a, b]) await sessions.join(id(one), sessionId, 'one');
      return sessionId;
    };
    const formed = await open();
    // A signature with a recovery byte, one byte too few, and S = 2^256 - 1, which is no number modulo the order.
    for (const length of [65, 63, 0])
      expect(await formRefusal(formed, Buffer.alloc(length, 1))).to.be.instanceOf(InvalidSignatureForm);
    expect(await formRefusal(formed, Buffer.alloc(64, 255))).to.be.instanceOf(InvalidSignatureForm);
    const unharmed = await sessions.session(id(a), formed);
    expect([unharmed.state, unharmed.failureReason]).to.deep.equal(['in_progress', null]);
    const wrong = await sessions.reportResult(id(a), await open(), {
      kind: 'signature',
      signature: Buffer.alloc(64),
    });
    expect([wrong.state, wrong.failureReason, wrong.signature]).to.deep.equal([
      'failed',
      'invalid_signature',
      null,
    ]);
    const aborted = await sessions.reportResult(id(a), await open(), {
      kind: 'abort',
      reason: 'share_unusable',
      culpritPartyIds: ['node-b', 'stranger', 'node-b'],
      // The cut after 500 characters divides the last one.
      detail: `\0${'x'.repeat(498)}😀`,
    });
    expect([aborted.state, aborted.failureReason]).to.deep.equal(['failed', 'share_unusable']);
    const request = { path: { id: aborted.sessionId }, query: {}, headers: {}, body: undefined };
    const { body } = await fixture.signing.handlers.getSigningSession(request, fixture.context());
    expect(body).to.deep.include({ culpritPartyIds: ['node-b'], failureDetail: 'x'.repeat(498) });
    const signed = (text: string) => ({ statement: Buffer.from(text), signature: Buffer.alloc(64) });
    const forked = await sessions.equivocation(id(b), await open(), signed('11'), signed('22'));
    expect(forked.failureReason).to.equal('equivocation');
    expect(await refusal(sessions.join(id(a), forked.sessionId, 'one'))).to.equal('terminal');
  });

  it('complete with ECDSA over the digest itself, and fail on a signature over its hash', async () => {
    const secretKey = secp256k1.utils.randomSecretKey();
    const account = await fixture.createAccount([party(a), party(b)], {
      keyType: 'secp256k1',
      publicKey: Buffer.from(secp256k1.getPublicKey(secretKey)).toString('hex'),
    });
    const { sessions } = fixture.signing;
    const digest = Buffer.from(DIGEST, 'hex');
    for (const [prehash, state] of [
      [false, 'completed'],
      [true, 'failed'],
    ] as const) {
      const { sessionId } = await fixture.createSession(account.accountId);
      for (const one of [a, b]) await sessions.join(id(one), sessionId, 'one');
      const reported = Buffer.from(secp256k1.sign(digest, secretKey, { prehash, format: 'der' }));
      const ended = await sessions.reportResult(id(a), sessionId, { kind: 'signature', signature: reported });
      expect(ended.state).to.equal(state);
    }
  });

  it('complete with BIP 340 where the protocol says so', async () => {
    const secretKey = secp256k1.utils.randomSecretKey();
    const account = await fixture.createAccount([party(a), party(b)], {
      keyType: 'secp256k1',
      publicKey: Buffer.from(secp256k1.getPublicKey(secretKey)).toString('hex'),
    });
    const { sessions } = fixture.signing;
    // Read as R and S of ECDSA it has the lower value of S; of the higher one the form is refused, not the signature.
    let reported: Buffer;
    do reported = Buffer.from(schnorr.sign(Buffer.from(DIGEST, 'hex'), secretKey));
    while (reported.readUInt8(32) >= 0x7f);
    for (const [protocol, state] of [
      ['bip340', 'completed'],
      ['ecdsa-secp256k1', 'failed'],
    ] as const) {
      const { sessionId } = await create(account, { protocol });
      for (const one of [a, b]) await sessions.join(id(one), sessionId, 'one');
      const ended = await sessions.reportResult(id(a), sessionId, { kind: 'signature', signature: reported });
      expect([ended.protocol, ended.state]).to.deep.equal([protocol, state]);
    }
    expect(await refusal(create(account, { protocol: 'ed25519' }))).to.equal('ProtocolUnsuitable');
  });

  it('treat the two forms of one ECDSA signature of a child key as equal', async () => {
    const secretKey = secp256k1.utils.randomSecretKey();
    const account = await fixture.createAccount([party(a), party(b)], {
      keyType: 'secp256k1',
      publicKey: Buffer.from(secp256k1.getPublicKey(secretKey)).toString('hex'),
    });
    const { sessions } = fixture.signing;
    const digest = Buffer.from(DIGEST, 'hex');
    const low = Buffer.from(secp256k1.sign(digest, secretKey, { prehash: false, lowS: true }));
    const { r, s } = secp256k1.Signature.fromBytes(low, 'compact');
    const encoded = Buffer.from(new secp256k1.Signature(r, s).toBytes('der'));
    const { sessionId } = await create(account, { derivationPath: [0] });
    for (const one of [a, b]) await sessions.join(id(one), sessionId, 'one');
    const first = await sessions.reportResult(id(a), sessionId, {
      kind: 'signature',
      signature: encoded,
    });
    expect(first.state).to.equal('in_progress');
    const second = await sessions.reportResult(id(b), sessionId, { kind: 'signature', signature: low });
    expect([second.state, second.signature?.toString('hex')]).to.deep.equal([
      'completed',
      low.toString('hex'),
    ]);
    // Which recovery id belongs to an unknown key cannot be verified, and makes no difference.
    const late = { kind: 'signature', signature: Buffer.from([...low, 1]) } as const;
    expect((await sessions.reportResult(id(a), sessionId, late)).state).to.equal('completed');
  });

  it('expire when no party joins, and record the expiry once', async () => {
    const account = await fixture.createAccount([party(a), party(b)]);
    const { sessionId } = await fixture.createSession(account.accountId);
    const following = eventsUntil(a, sessionId, 'expired');
    await fixture.database.superuser.none(
      `update dbr_signing.signing_sessions set ready_by = now() - interval '1 second' where session_id = $1`,
      [sessionId],
    );
    expect((await following).map(({ type }) => type)).to.deep.equal(['created', 'expired']);
  });

  it('accept encryption keys only from the party itself, and allow one claim for each', async () => {
    const key = {
      keyId: 'k-1',
      suite: SUITE,
      publicKey: rawPublicKey,
      oneTime: true,
      notAfter: null,
    } as const;
    const forged = signedKey(party(a), key);
    try {
      await fixture.signing.parties.register(id(delegate), 'one', [forged]);
      expect.fail('a key of another was accepted');
    } catch (error) {
      expect(error).to.be.instanceOf(InvalidPartyKey);
    }
    const weak = signedKey(party(delegate), { ...key, publicKey: Buffer.alloc(32) });
    const refused = await fixture.signing.parties
      .heartbeat(id(delegate), 'one', [weak])
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(InvalidPartyKey);
    expect(String(refused)).to.equal('InvalidPartyKey: key k-1 is no public key of its suite');
    const account = await fixture.createAccount([party(a), party(b), party(delegate)]);
    const claimed = await Promise.all([claim(account), claim(account), claim(account)]);
    expect(new Set(claimed).size).to.equal(3);
    const { oneTimeKeysLeft } = await fixture.signing.parties.heartbeat(id(delegate), 'one', []);
    expect(oneTimeKeysLeft).to.equal(0);
  });

  it('keep a limited number of keys for a party, and delete unusable ones', async () => {
    const many = await fixture.createParty('hoarder', 'delegate', 'hoard');
    const offer = (from: number, count: number) =>
      fixture.signing.parties.heartbeat(
        many.identity,
        'one',
        Array.from({ length: count }, (_, index) =>
          signedKey(many, {
            keyId: `k-${String(from + index)}`,
            suite: SUITE,
            publicKey: rawPublicKey,
            oneTime: true,
            notAfter: null,
          }),
        ),
      );
    for (let from = 0; from < 1024; from += 256)
      expect((await offer(from, 256)).oneTimeKeysLeft).to.equal(from + 256);
    const refused = await offer(1024, 1).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(InvalidPartyKey);
    expect((await offer(0, 1)).oneTimeKeysLeft, 'a known key is not counted twice').to.equal(1024);
    await fixture.database.superuser.none(
      `update dbr_signing.party_encryption_keys
       set claimed_at = now() - interval '61 minutes'
       where tenant_id = 'hoard' and key_id in ('k-1', 'k-2')`,
    );
    expect((await offer(1024, 2)).oneTimeKeysLeft).to.equal(1024);
  });

  it('deliver the share once, to the delegate alone, and erase it', async () => {
    const account = await fixture.createAccount([party(a), party(b), party(delegate)]);
    const sessionId = randomUUID();
    const keyId = await claim(account);
    const share = await seal(account, sessionId, keyId);
    const session = await create(account, { sessionId, delegateUserShare: share });
    expect((await create(account, { sessionId, delegateUserShare: share })).sessionId).to.equal(sessionId);
    for (const changed of [
      { encapsulatedKey: Buffer.alloc(32, 9).toString('base64url') },
      { ciphertext: Buffer.alloc(64, 9).toString('base64url') },
      { nonce: Buffer.alloc(12).toString('base64url') },
      { suite: 'RSA-OAEP-SHA256-AES256GCM' as const },
      { expiresAt: new Date(Date.parse(share.expiresAt) + 1).toISOString() },
    ])
      expect(
        await refusal(create(account, { sessionId, delegateUserShare: { ...share, ...changed } })),
        JSON.stringify(changed),
      ).to.equal('SessionConflict');
    expect(session.participants.map(({ partyId }) => partyId)).to.deep.equal(['node-a', 'node-b', 'helper']);
    const [created] = await eventsUntil(delegate, sessionId, 'created');
    const [seenByOther] = await eventsUntil(a, sessionId, 'created');
    expect(seenByOther?.delegateUserShare).to.equal(null);
    const given = created?.delegateUserShare;
    if (given === undefined || given === null) throw new Error('the delegate got no share');
    expect(JSON.stringify(given)).to.include('[redacted]').and.not.include(share.ciphertext);
    const aad = shareAssociatedData({
      tenantId: tenantIdOf('acme'),
      accountId: accountIdOf(account.accountId),
      sessionId: sessionIdOf(sessionId),
      delegatePartyId: partyIdOf('helper'),
      recipientKeyId: given.recipientKeyId,
      messageDigest: Buffer.from(DIGEST, 'hex'),
      derivationPath: [],
      expiresAt: given.expiresAt,
    });
    const recipient = await hpke.createRecipientContext({
      recipientKey: keys.privateKey,
      enc: given.encapsulatedKey.reveal(),
      info: INFO,
    });
    const opened = await recipient.open(given.ciphertext.reveal(), aad);
    expect(new TextDecoder().decode(opened)).to.equal(CANARY);

    const reused = await seal(account, randomUUID(), keyId);
    expect(await refusal(create(account, { sessionId: randomUUID(), delegateUserShare: share }))).to.equal(
      'DelegateShareInvalid',
    );
    expect(await refusal(create(account, { delegateUserShare: reused }))).to.equal('DelegateShareInvalid');
    const next = randomUUID();
    expect(
      await refusal(
        create(account, { sessionId: next, delegateUserShare: await seal(account, next, keyId) }),
      ),
    ).to.equal('DelegateKeyUnknown');
    expect(
      await refusal(
        create(account, { sessionId: next, delegateUserShare: await seal(account, next, 'unknown') }),
      ),
    ).to.equal('DelegateKeyUnknown');
    await fixture.signing.sessions.acknowledgeShare(id(a), sessionId);
    expect(await ciphertexts(sessionId)).to.equal(1);
    await fixture.signing.sessions.acknowledgeShare(id(delegate), sessionId);
    expect(await ciphertexts(sessionId)).to.equal(0);
    const again = await eventsUntil(delegate, sessionId, 'created');
    expect(again[0]?.delegateUserShare).to.equal(null);
  });

  it('accept a one-time key only for the account that it was claimed for', async () => {
    const mine = await fixture.createAccount([party(a), party(b), party(delegate)]);
    const theirs = await fixture.createAccount([party(a), party(b), party(delegate)], { ownerUserId: 'bob' });
    const keyId = await claim(mine);
    const stolen = randomUUID();
    const body = {
      messageDigest: DIGEST,
      sessionId: stolen,
      delegateUserShare: await seal(theirs, stolen, keyId),
    };
    const asBob = fixture.context({ userId: userIdOf('bob') });
    const request = { path: { id: theirs.accountId }, query: {}, headers: {}, body };
    expect(await refusal(fixture.signing.handlers.createSigningSession(request, asBob))).to.equal(
      'DelegateKeyUnknown',
    );
    const sessionId = randomUUID();
    const session = await create(mine, { sessionId, delegateUserShare: await seal(mine, sessionId, keyId) });
    expect(session.delegateUserShare?.recipientKeyId).to.equal(keyId);
    const unclaimed = {
      keyId: randomUUID(),
      suite: SUITE,
      publicKey: rawPublicKey,
      oneTime: true,
      notAfter: null,
    } as const;
    await fixture.signing.parties.register(id(delegate), 'one', [signedKey(party(delegate), unclaimed)]);
    const next = randomUUID();
    const guessed = { sessionId: next, delegateUserShare: await seal(mine, next, unclaimed.keyId) };
    expect(await refusal(create(mine, guessed))).to.equal('DelegateKeyUnknown');
    await claim(mine);
  });

  it('keep a share that was not delivered, for any acknowledgement of its delegate', async () => {
    const account = await fixture.createAccount([party(a), party(b), party(delegate)]);
    const sessionId = randomUUID();
    await create(account, {
      sessionId,
      delegateUserShare: await seal(account, sessionId, await claim(account)),
    });
    await fixture.signing.sessions.acknowledgeShare(id(delegate), sessionId);
    expect(await ciphertexts(sessionId)).to.equal(1);
    const [created] = await eventsUntil(delegate, sessionId, 'created');
    expect(created?.delegateUserShare).not.to.equal(null);
    await fixture.signing.sessions.acknowledgeShare(id(delegate), sessionId);
    expect(await ciphertexts(sessionId)).to.equal(0);
    // Later acknowledgements do not wait for the session, which messages lock.
    await fixture.database.superuser.tx(async (task) => {
      await task.any('select from dbr_signing.signing_sessions where session_id = $1 for share', [sessionId]);
      await fixture.signing.sessions.acknowledgeShare(id(delegate), sessionId);
    });
  });

  it('fail when the share expires before the delegate received it', async () => {
    const account = await fixture.createAccount([party(a), party(b), party(delegate)]);
    const sessionId = randomUUID();
    const share = await seal(account, sessionId, await claim(account), 1500);
    await create(account, { sessionId, delegateUserShare: share });
    const { sessions } = fixture.signing;
    const [failed] = (await eventsUntil(a, sessionId, 'failed')).slice(-1);
    expect([failed?.session.state, failed?.session.failureReason]).to.deep.equal([
      'failed',
      'share_unusable',
    ]);
    expect(await refusal(sessions.join(id(a), sessionId, 'one'))).to.equal('terminal');
    expect(await ciphertexts(sessionId)).to.equal(0);
  });

  it('continue when the share expires after its delivery to the delegate', async () => {
    const account = await fixture.createAccount([party(a), party(b), party(delegate)]);
    const sessionId = randomUUID();
    await create(account, {
      sessionId,
      delegateUserShare: await seal(account, sessionId, await claim(account)),
    });
    await eventsUntil(delegate, sessionId, 'created');
    await fixture.database.superuser.none(
      `update dbr_signing.delegate_user_shares set expires_at = now() - interval '1 second' where session_id = $1`,
      [sessionId],
    );
    expect((await fixture.signing.sessions.join(id(a), sessionId, 'one')).state).to.equal('awaiting_parties');
  });

  const ciphertexts = async (sessionId: string): Promise<number> =>
    Number(
      (
        await fixture.database.superuser.one<{ readonly count: string }>(
          'select count(*) from dbr_signing.delegate_user_shares where session_id = $1 and ciphertext is not null',
          [sessionId],
        )
      ).count,
    );

  it('wait for a late share where the configuration names the delegate', async () => {
    const account = await fixture.createAccount([party(a), party(b), party(delegate)]);
    const request = {
      path: { id: account.accountId },
      query: {},
      headers: {},
      body: { signingParties: ['node-a', 'helper'] },
    };
    await fixture.signing.handlers.createSigningConfig(request, fixture.context());
    expect(await refusal(create(account, {}))).to.equal('DelegateShareRequired');
    const { sessionId } = await create(account, {}, 'machine');
    const { sessions } = fixture.signing;
    for (const one of [a, delegate]) await sessions.join(id(one), sessionId, 'one');
    expect((await sessions.session(id(a), sessionId)).state).to.equal('awaiting_parties');
    const keyId = await claim(account);
    const other = await seal(account, randomUUID(), keyId);
    expect(await refusal(supply(sessionId, other))).to.equal('DelegateShareInvalid');
    const share = await seal(account, sessionId, keyId);
    const supplied = await supply(sessionId, share);
    expect(supplied.state).to.equal('in_progress');
    expect(supplied.delegateUserShare?.recipientKeyId).to.equal(keyId);
    const audited = await fixture.database.superuser.any<Readonly<Record<'actor' | 'action', string>>>(
      `select user_id as actor, action
       from dbr_signing.audit_log as log join dbr_signing.audit_names on pseudonym = log.actor
       where subject = $1
       order by audit_id`,
      [`session:${sessionId}`],
    );
    expect(audited.map(({ actor, action }) => [actor, action])).to.deep.equal([
      ['machine', 'session.create'],
      ['ann', 'session.supply-share'],
    ]);
    expect(await refusal(supply(sessionId, share))).to.equal('DelegateShareUnexpected');
    const events = await eventsUntil(delegate, sessionId, 'started');
    expect(events.find(({ type }) => type === 'delegate-share-supplied')?.delegateUserShare).not.to.equal(
      null,
    );
    await sessions.reportResult(id(a), sessionId, { kind: 'signature', signature: signature() });
    expect(await ciphertexts(sessionId)).to.equal(0);
    expect(await refusal(supply(sessionId, share))).to.equal('SessionTerminal');
  });

  it('leave no share in the log, the events, the audit log or the notifications', async () => {
    const account = await fixture.createAccount([party(a), party(b), party(delegate)]);
    const sessionId = randomUUID();
    const share = await seal(account, sessionId, await claim(account));
    await create(account, { sessionId, delegateUserShare: share });
    await fixture.signing.handlers.cancelSigningSession(
      { path: { id: sessionId }, query: {}, headers: {}, body: undefined },
      fixture.context(),
    );
    const tables = await fixture.database.superuser.any<{ readonly name: string }>(`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname like 'dbr\\_%'`);
    const hex = Buffer.from(share.ciphertext, 'base64url').toString('hex');
    let queries = 0;
    for (const { name } of tables) {
      const rows = await fixture.database.superuser.any<{ readonly text: string }>(
        `select row_to_json(t)::text as text from ${name} as t`,
      );
      for (const { text } of rows) {
        if (text.includes(sessionId)) queries += 1;
        for (const secret of [CANARY, share.ciphertext, hex, share.encapsulatedKey])
          expect(text.includes(secret), `${name} holds the share`).to.equal(false);
      }
    }
    expect(queries, 'the session is in the database').to.be.greaterThan(5);
    for (const secret of [CANARY, share.ciphertext, hex])
      expect(fixture.logs.join('')).not.to.include(secret);
    const { count } = await fixture.database.superuser.one<{ readonly count: string }>(
      `select count(*) from dbr_notifications.user_notifications where type like 'signing.%' and data->>'sessionId' = $1`,
      [sessionId],
    );
    expect(Number(count), 'the owner reads the creation, the share and the end').to.equal(3);
  });
});
