import { expect } from 'chai';
import {
  createHash,
  createPublicKey,
  randomUUID,
  sign as signBytes,
  verify,
  type KeyObject,
} from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CeremonyRequest, SigningSession } from '../../../generated/types.js';
import { openParty } from '../../../examples/parties/party.js';
import {
  readPartyFile,
  replacePartyFile,
  writePartyFile,
  type Peer,
} from '../../../examples/parties/party-file.js';
import { keysInFile } from '../../../examples/parties/ceremonies.js';
import type { RouterClient } from '../../../examples/parties/router-client.js';
import { runParty } from '../../../examples/parties/run-party.js';
import { exportPrivateKey, generateSealingKey } from '../../../examples/parties/sealing.js';
import {
  ceremonyPlanStatement,
  ceremonyStatement,
  envelopeStatement,
} from '../../../examples/parties/signed-bytes.js';
import { metadataSha256, REQUEST_TYPE, requestBytes } from '../../../examples/parties/request-content.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { userIdOf } from '../../../src/base/identifiers.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { hostRouter, type RouterHost } from '../../support/router/router-host.js';
import type { Account, TestParty } from '../../support/signing/signing-fixture.js';
import { newKey } from '../../support/contract/signing-bodies.js';
import { requestKey, signedRequest } from '../../support/signing/request-signers.js';
import { until } from '../../support/until.js';

const SPKI_OF_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');
const EMPTY_ENVELOPE = {
  ...{ sessionId: '', messageId: '', fromPartyId: '', toPartyIds: [], round: 0, senderSequence: 0n },
  payload: new Uint8Array(),
};
const DIGEST = Buffer.alloc(32, 9);
const NAMES = ['one', 'two', 'three', 'four', 'five'] as const;
type Name = (typeof NAMES)[number];

const publicKeyOf = (raw: string): KeyObject =>
  createPublicKey({
    key: Buffer.concat([SPKI_OF_ED25519, Buffer.from(raw, 'hex')]),
    format: 'der',
    type: 'spki',
  });

describe('ceremonies', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let host: RouterHost;
  let folder: string;
  const registered = new Map<Name, TestParty>();
  const reports: string[] = [];

  before(async () => {
    fixture = await createRouterFixture({ background: true });
    host = await hostRouter(fixture);
    const sealing = new Map<Name, { readonly publicKey: Uint8Array; readonly privateKey: CryptoKey }>();
    for (const name of NAMES) {
      registered.set(name, await fixture.createParty(name, 'server'));
      sealing.set(name, await generateSealingKey());
    }
    const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');
    const peers = NAMES.map((partyId): Peer => ({
      ...{ partyId, shareIndex: 0, sealingKey: hex(sealing.get(partyId)?.publicKey) },
      identityKey: hex(registered.get(partyId)?.identity.identityPublicKey),
    }));
    folder = await mkdtemp(join(tmpdir(), 'dbr-parties-'));
    for (const partyId of NAMES) {
      const key = sealing.get(partyId)?.privateKey;
      if (key === undefined) throw new Error('no key');
      await writePartyFile(pathOf(partyId), {
        router: 'unused',
        ...{
          partyId,
          authority: '',
          certificate: '',
          certificateKey: '',
          publicPackage: null,
          peers,
          policy: null,
        },
        ...{ signingShare: null, sealingKey: hex(await exportPrivateKey(key)) },
        identityKey:
          registered.get(partyId)?.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() ?? '',
      });
    }
  });
  after(async () => {
    await host.stop();
    await fixture.drop();
    await rm(folder, { recursive: true });
  });

  const pathOf = (name: Name): string => join(folder, name);

  /** Runs all parties from their files until the work is done, as processes do. */
  async function withParties<T>(
    work: () => Promise<T>,
    spoil: (router: RouterClient, name: Name) => RouterClient = (router) => router,
  ): Promise<T> {
    const stopping = new AbortController();
    const lives = await Promise.all(
      NAMES.map(async (name) => {
        const [file, party] = [await readPartyFile(pathOf(name)), registered.get(name)];
        if (party === undefined) throw new Error('no party');
        const opened = await openParty(file, spoil(host.connect(party), name));
        let life = Promise.resolve();
        await new Promise<void>((resolve, reject) => {
          life = runParty(opened, {
            signal: stopping.signal,
            onReady: resolve,
            report: (text) => reports.push(text),
            keys: keysInFile(pathOf(name), file),
          });
          life.catch(reject);
        });
        return { life };
      }),
    );
    try {
      return await work();
    } finally {
      stopping.abort();
      await Promise.all(lives.map(({ life }) => life));
    }
  }

  /** Waits until so many parties hold a share of a key with this threshold. */
  const untilHeld = (holders: number, threshold: number): Promise<void> =>
    until(async () => {
      const files = await Promise.all(NAMES.map((name) => readPartyFile(pathOf(name))));
      const held = files.filter(
        ({ signingShare, publicPackage }) => signingShare !== null && publicPackage?.threshold === threshold,
      );
      return held.length === holders;
    });

  async function pendingAccount(): Promise<Account> {
    const shares = ['one', 'two', 'three'].map((partyId, index) => ({
      ...{ partyId, shareIndex: index + 1, shareType: 'server' as const },
    }));
    const body = {
      name: 'Vault',
      ownerUserId: 'ann',
      keyType: 'ed25519' as const,
      threshold: 2,
      shares,
      requestKeys: [owner.registered],
    };
    const request = { path: {}, query: {}, headers: {}, body };
    return (await fixture.signing.handlers.createAccount(request, fixture.context())).body as Account;
  }

  async function create(accountId: string, body: CeremonyRequest): Promise<SigningSession> {
    const request = { path: { id: accountId }, query: {}, headers: {}, body };
    return (await fixture.signing.handlers.createCeremony(request, fixture.context())).body as SigningSession;
  }

  async function ended(sessionId: string): Promise<SigningSession> {
    const request = { path: { id: sessionId }, query: {}, headers: {}, body: undefined };
    let session: SigningSession | null = null;
    await until(async () => {
      const answer = await fixture.signing.handlers.getSigningSession(request, fixture.context());
      session = answer.body as SigningSession;
      return session.endedAt !== null;
    });
    if (session === null) throw new Error('no session');
    return session;
  }

  async function accountOf(accountId: string): Promise<Account> {
    const request = { path: { id: accountId }, query: {}, headers: {}, body: undefined };
    return (await fixture.signing.handlers.getAccount(request, fixture.context())).body as Account;
  }

  async function sign(accountId: string): Promise<SigningSession> {
    const body = { messageDigest: DIGEST.toString('hex') };
    const request = { path: { id: accountId }, query: {}, headers: {}, body };
    const answer = await fixture.signing.handlers.createSigningSession(request, fixture.context());
    return await ended((answer.body as SigningSession).sessionId);
  }

  const owner = requestKey('ann');

  const RESHARE = {
    kind: 'reshare',
    dealers: ['one', 'three'],
    after: {
      threshold: 3,
      shares: ['two', 'three', 'four', 'five', 'one'].map((partyId, index) => ({
        ...{ partyId, shareIndex: index + 1, shareType: 'server' as const },
      })),
    },
  } as const;

  async function refusal(work: Promise<unknown>): Promise<string> {
    return await work.then(
      () => 'done',
      (error: unknown) => {
        if (error instanceof DbrError)
          return `${error.name} ${(error.problems ?? []).map(({ code }) => code).join(' ')}`.trim();
        throw error;
      },
    );
  }

  it('make a key, sign with it, give it to other holders, and sign with the same key', async () => {
    const { accountId, status } = await pendingAccount();
    expect(status).to.equal('pending');
    let key: KeyObject | null = null;
    await withParties(async () => {
      const made = await ended((await create(accountId, { kind: 'keygen' })).sessionId);
      expect([made.state, made.failureDetail]).to.deep.equal(['completed', null]);
      const { publicKey, transcriptSha256, certificate } = made.ceremony ?? {};
      expect(certificate?.map(({ partyId }) => partyId)).to.deep.equal(['one', 'two', 'three']);
      // By Node alone, as an auditor would.
      for (const { partyId, signature } of certificate ?? []) {
        const identity = registered.get(partyId as Name)?.identity.identityPublicKey.toString('hex') ?? '';
        const bytes = [made.messageDigest, publicKey ?? '', transcriptSha256 ?? ''].map((text) =>
          Buffer.from(text, 'hex'),
        );
        const [plan = Buffer.of(), key = Buffer.of(), transcript = Buffer.of()] = bytes;
        const statement = ceremonyStatement(plan, key, transcript);
        expect(verify(null, statement, publicKeyOf(identity), Buffer.from(signature, 'hex'))).to.equal(true);
      }
      const account = await accountOf(accountId);
      expect([account.status, account.publicKey]).to.deep.equal(['active', publicKey]);
      const notified = await fixture.database.superuser.any<{ readonly title: string }>(
        `select title from dbr_notifications.user_notifications where data ->> 'sessionId' = $1 order by created_at`,
        [made.sessionId],
      );
      expect(notified.map(({ title }) => title)).to.deep.equal([
        'A key ceremony begins: Vault',
        'The key ceremony is completed: Vault',
      ]);
      await untilHeld(3, 2);

      const first = await sign(accountId);
      expect([first.state, first.failureDetail]).to.deep.equal(['completed', null]);
      key = publicKeyOf(account.publicKey ?? '');
      expect(verify(null, DIGEST, key, Buffer.from(first.signature ?? '', 'hex'))).to.equal(true);

      const given = await ended(
        (await create(accountId, { ...RESHARE, request: signedRequest('a plan', owner) })).sessionId,
      );
      expect([given.state, given.failureDetail]).to.deep.equal(['completed', null]);
      const after = await accountOf(accountId);
      expect([after.publicKey, after.threshold, after.shares.length]).to.deep.equal([
        account.publicKey,
        3,
        5,
      ]);
      await untilHeld(5, 3);
    });
    // Other processes, which know the key from their files.
    await withParties(async () => {
      if (key === null) throw new Error('no key');
      const second = await sign(accountId);
      expect([second.state, second.failureDetail]).to.deep.equal(['completed', null]);
      expect(await readdir(folder), 'no key is left beside the files').to.have.members([...NAMES]);
      expect(second.participants.length).to.equal(5);
      expect(verify(null, DIGEST, key, Buffer.from(second.signature ?? '', 'hex'))).to.equal(true);
    });
  });

  it('fail with the dealer that seals a wrong share, and leave the account without a key', async () => {
    const { accountId } = await pendingAccount();
    const session = await withParties(
      async () => ended((await create(accountId, { kind: 'keygen' })).sessionId),
      (router, name) =>
        name !== 'two'
          ? router
          : {
              ...router,
              sendMessages: ({ envelopes = [] }) =>
                router.sendMessages({
                  envelopes: envelopes.map((envelope) => {
                    const content = { ...EMPTY_ENVELOPE, ...envelope };
                    if (content.round !== 2) return content;
                    // The last bytes are the share of the third holder.
                    const payload = Uint8Array.from(content.payload);
                    payload.set([1], payload.length - 1);
                    const privateKey = registered.get(name)?.privateKey;
                    if (privateKey === undefined) throw new Error('no key');
                    const changed = { ...content, payload };
                    return { ...changed, signature: signBytes(null, envelopeStatement(changed), privateKey) };
                  }),
                }),
              // It certifies what it did not send. Two different certificates end a ceremony, too, and name no one.
              reportResult: async (request) => {
                if (request.outcome?.case === 'certificate') await ended(request.sessionId ?? '');
                return router.reportResult(request);
              },
            },
    );
    expect([session.state, session.failureReason, session.culpritPartyIds]).to.deep.equal([
      'failed',
      'invalid_signature',
      ['two'],
    ]);
    expect((await accountOf(accountId)).publicKey).to.equal(null);
  });

  it('fail with the participant whose certificate does not verify', async () => {
    const { accountId } = await pendingAccount();
    const session = await withParties(
      async () => ended((await create(accountId, { kind: 'keygen' })).sessionId),
      (router, name) =>
        name !== 'two'
          ? router
          : {
              ...router,
              reportResult: (request) => {
                const { sessionId = '', outcome } = request;
                if (outcome?.case !== 'certificate') return router.reportResult(request);
                const { publicKey = Buffer.of(), transcriptSha256 = Buffer.of() } = outcome.value;
                const value = { publicKey, transcriptSha256, signature: Buffer.alloc(64, 1) };
                return router.reportResult({ sessionId, outcome: { case: 'certificate', value } });
              },
            },
    );
    expect([session.state, session.failureReason, session.culpritPartyIds]).to.deep.equal([
      'failed',
      'invalid_signature',
      ['two'],
    ]);
    expect((await accountOf(accountId)).publicKey).to.equal(null);
  });

  it('refuse what cannot be made, with every problem', async () => {
    const { accountId } = await pendingAccount();
    expect(await refusal(create(accountId, { kind: 'reshare' }))).to.equal(
      'CeremonyInvalid account_not_active required required required below_threshold',
    );
    const withKey = (await fixture.createAccount(fixture.parties)).accountId;
    expect(await refusal(create(withKey, { kind: 'keygen' }))).to.equal('CeremonyInvalid key_known');
    expect(await refusal(create(withKey, { kind: 'keygen', dealers: ['node-a'] }))).to.equal(
      'CeremonyInvalid key_known unexpected',
    );
    const after = {
      threshold: 3,
      shares: [{ partyId: 'helper', shareIndex: 1, shareType: 'server' as const }],
    };
    expect(
      await refusal(create(withKey, { kind: 'reshare', dealers: ['node-a', 'node-a', 'x'], after })),
    ).to.equal(
      'CeremonyInvalid required duplicate_party party_has_no_share below_threshold unknown_party below_threshold',
    );
  });

  it('need the signature of a registered key to give a key to others', async () => {
    const { accountId } = await fixture.createAccount(fixture.parties, { requestKeys: [owner.registered] });
    const shares = ['node-a', 'node-b'].map((partyId, index) => ({
      ...{ partyId, shareIndex: index + 1, shareType: 'server' as const },
    }));
    const body = { kind: 'reshare', dealers: ['node-a', 'node-b'], after: { threshold: 2, shares } } as const;
    expect(await refusal(create(accountId, body))).to.equal('CeremonyInvalid required');
    const forged = signedRequest('a plan', { ...requestKey('ann'), registered: owner.registered });
    expect(await refusal(create(accountId, { ...body, request: forged }))).to.equal(
      'SigningRequestInvalid signature',
    );
    const stranger = signedRequest('a plan', requestKey('bob'));
    expect(await refusal(create(accountId, { ...body, request: stranger }))).to.equal(
      'SigningRequestInvalid unknown_key',
    );
    expect((await create(accountId, { ...body, request: signedRequest('a plan', owner) })).state).to.equal(
      'created',
    );
  });

  it('are not joined by parties whose policy the request does not fulfil', async () => {
    const { accountId } = await pendingAccount();
    const file = await readPartyFile(pathOf('two'));
    const policy = {
      tenantId: 'acme',
      accountId,
      keys: [owner.registered],
      needed: 1,
      nonces: `${pathOf('two')}.nonces`,
    };
    await replacePartyFile(pathOf('two'), { ...file, policy });
    try {
      const session = await withParties(async () =>
        ended((await create(accountId, { kind: 'keygen' })).sessionId),
      );
      expect([session.state, session.failureReason, session.failureDetail]).to.deep.equal([
        'failed',
        'policy_denied',
        'no signed request',
      ]);
      const signed = await withParties(async () => {
        const sessionId = randomUUID();
        const plan = {
          threshold: 2,
          holders: ['one', 'two', 'three'].map((partyId, index) => ({
            ...{ partyId, shareIndex: index + 1 },
            identityPublicKey: registered.get(partyId as Name)?.identity.identityPublicKey ?? Buffer.of(),
          })),
        };
        const ids = { tenantId: 'acme', accountId, sessionId };
        const statement = ceremonyPlanStatement('keygen', ids, null, plan);
        const content = requestBytes({
          ...{
            type: REQUEST_TYPE,
            tenantId: 'acme',
            accountId,
            operation: 'make a key',
            protocol: 'frost-ed25519',
          },
          ...{ derivationPath: [], threshold: 3, parties: ['one', 'two', 'three'] },
          ...{ messageDigest: createHash('sha256').update(statement).digest('hex') },
          ...{ metadataSha256: metadataSha256({}), nonce: '7f'.repeat(16) },
          expiresAt: new Date(Date.now() + 60_000).toISOString(),
        });
        return ended(
          (await create(accountId, { kind: 'keygen', sessionId, request: signedRequest(content, owner) }))
            .sessionId,
        );
      });
      expect([signed.state, signed.failureDetail]).to.deep.equal(['completed', null]);
    } finally {
      await replacePartyFile(pathOf('two'), file);
      await rm(`${pathOf('two')}.nonces`, { force: true });
    }
  });

  it('are one at a time for an account, and the same request is the same ceremony', async () => {
    const { accountId } = await pendingAccount();
    const body = { kind: 'keygen', sessionId: randomUUID() } as const;
    const first = await create(accountId, body);
    expect(await create(accountId, body)).to.deep.equal(first);
    expect(await refusal(create(accountId, { ...body, ttlSeconds: 60 }))).to.equal('SessionConflict');
    expect(await refusal(create(accountId, { kind: 'keygen' }))).to.equal('CeremonyOpen');
    const request = { path: { id: first.sessionId }, query: {}, headers: {}, body: {} };
    await fixture.signing.handlers.cancelSigningSession(request, fixture.context());
    expect((await create(accountId, { kind: 'keygen' })).state).to.equal('created');
  });

  it('end if the account gets a key meanwhile, and with an account that is frozen', async () => {
    for (const body of [{ publicKey: newKey() }, { status: 'frozen' as const }]) {
      const { accountId } = await pendingAccount();
      const { sessionId } = await create(accountId, { kind: 'keygen' });
      const request = { path: { id: accountId }, query: {}, headers: {}, body };
      await fixture.signing.handlers.updateAccount(request, fixture.context());
      expect((await ended(sessionId)).state).to.equal('cancelled');
    }
  });

  it('are made by those who may sign for the account', async () => {
    const { accountId } = await pendingAccount();
    const request = { path: { id: accountId }, query: {}, headers: {}, body: { kind: 'keygen' } as const };
    const stranger = fixture.context({ userId: userIdOf('bob') });
    expect(await refusal(fixture.signing.handlers.createCeremony(request, stranger))).to.equal(
      'AccountNotFound',
    );
  });
});
