import { expect } from 'chai';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { certificateProof, consentSignature } from '../../examples/parties/party-proofs.js';
import type { OperationId } from '../../generated/operations.js';
import type {
  Account,
  NotificationPage,
  Party,
  PartyKeys,
  PartyRequest,
  SigningConfig,
  SigningSession,
  SigningSessionPage,
  SigningSessionEventPage,
} from '../../generated/types.js';
import { newKey, partyBody } from '../support/contract/signing-bodies.js';
import { createSigningDatabase, type SigningDatabase } from '../support/signing/signing-database.js';
import { readStream } from '../support/service/stream-reader.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import {
  createContractClient,
  type ContractResponse,
  type Call,
  type ContractClient,
} from '../support/contract/contract-client.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const UNKNOWN = '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23';
const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const token = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));

const rawKey = (key: KeyObject): string =>
  key.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

const problemsOf = ({ body }: ContractResponse): readonly string[] =>
  (body as { readonly errors: readonly { readonly path: string; readonly code: string }[] }).errors.map(
    ({ path, code }) => `${path} ${code}`,
  );
const detailsOf = ({ body }: ContractResponse): string => (body as { readonly details: string }).details;
const codeOf = ({ body }: ContractResponse): string => (body as { readonly code: string }).code;

describe('contract of area B: signing', function () {
  this.timeout(120_000);
  let database: SigningDatabase;
  let service: TestService;
  let client: ContractClient;
  let admin: string;
  let owner: string;
  let other: string;

  before(async () => {
    database = await createSigningDatabase();
    service = await startTestService({
      areas: 'signing,notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      'signing-session-limit': '0',
      'signing-config-limit': '0',
    });
    await untilReady(service);
    admin = await token({
      tenantId: 'acme',
      sub: 'root',
      scope: 'parties:admin accounts:write accounts:read tenant:admin',
    });
    owner = await token({ tenantId: 'acme', sub: 'ann' });
    other = await token({
      tenantId: 'other',
      sub: 'ann',
      scope: 'parties:admin accounts:write accounts:read',
    });
    client = createContractClient(() => service.url, owner);
    for (const [partyId, role] of [
      ['node-a', 'server'],
      ['node-b', 'server'],
      ['node-c', 'server'],
      ['cold', 'server'],
      ['helper', 'delegate'],
    ] as const)
      expect((await createParty(partyId, role)).status).to.equal(201);
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const call = (operation: OperationId, given: Call = {}): Promise<ContractResponse> =>
    client.call(operation, given);

  const createParty = (
    partyId: string,
    role: PartyRequest['role'],
    more: object = {},
  ): Promise<ContractResponse> =>
    call('createParty', { token: admin, body: { ...partyBody(partyId, role), ...more } });

  /** A party of the tenant whose certificate is proven, by a given key or a new one. */
  function withCertificate(
    partyId: string,
    tenantId: string,
    certificateKey = generateKeyPairSync('ed25519')
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  ) {
    const bare = partyBody(partyId, 'server', tenantId);
    const certificate = certificateProof(certificateKey, {
      tenantId,
      partyId,
      identityKey: bare.identityPublicKey,
    });
    const certificateSha256 = createHash('sha256').update(certificate.publicKey, 'hex').digest('hex');
    const body = { ...bare, certificate };
    return { body, certificateKey, certificateSha256 };
  }

  const seen = (partyId: string, at: string): Promise<null> =>
    database.superuser.none(
      `update dbr_signing.parties set last_seen_at = ${at} where tenant_id = 'acme' and party_id = $1`,
      [partyId],
    );

  /** Bodies of the owner's notifications of a type about a session. */
  async function notificationsOf(type: string, sessionId: string): Promise<readonly (string | null)[]> {
    const { body } = await call('listNotifications', { query: 'category=signing&limit=20' });
    return (body as NotificationPage).items
      .filter((item) => item.type === type && item.groupKey === sessionId)
      .map((item) => item.body);
  }

  const SHARES = [
    { partyId: 'node-a', shareIndex: 1, shareType: 'server' },
    { partyId: 'node-b', shareIndex: 2, shareType: 'server' },
    { partyId: 'node-c', shareIndex: 3, shareType: 'server' },
    { partyId: 'cold', shareIndex: 4, shareType: 'backup' },
    { partyId: 'helper', shareIndex: 5, shareType: 'delegate' },
  ] as const;

  async function createAccount(more: object = {}): Promise<Account> {
    const { publicKey } = generateKeyPairSync('ed25519');
    const body = {
      name: 'Treasury',
      ownerUserId: 'ann',
      keyType: 'ed25519',
      publicKey: rawKey(publicKey),
      threshold: 2,
      shares: SHARES,
      ...more,
    };
    const answer = await call('createAccount', { token: admin, body });
    expect(answer.status).to.equal(201);
    return answer.body as Account;
  }

  const configure = (id: string, signingParties: readonly string[]): Promise<ContractResponse> =>
    call('createSigningConfig', { path: { id }, body: { signingParties } });
  const createSession = (id: string, body: object = {}, more: Call = {}): Promise<ContractResponse> =>
    call('createSigningSession', { path: { id }, body: { messageDigest: DIGEST, ...body }, ...more });

  describe('the configuration', () => {
    let id: string;
    beforeEach(async () => {
      id = (await createAccount()).accountId;
    });

    it('is not set at first: all active parties sign, without the backup and the delegate', async () => {
      const { status, headers, body } = await call('getSigningConfig', { path: { id } });
      const config = body as SigningConfig;
      expect(status).to.equal(200);
      expect(headers.get('etag')).to.equal('"0"');
      expect(config).to.include({ configured: false, signingParties: null, ready: true, version: 0 });
      expect(config.effectiveParties.map(({ partyId }) => partyId)).to.deep.equal([
        'node-a',
        'node-b',
        'node-c',
      ]);
    });

    it('is created by POST, replaced by PUT and removed by DELETE', async () => {
      const created = await configure(id, ['node-b', 'node-a']);
      expect(created.status).to.equal(201);
      expect(created.headers.get('location')).to.equal(`/accounts/${id}/signing-config`);
      expect(created.headers.get('etag')).to.equal('"1"');
      expect((created.body as SigningConfig).signingParties).to.deep.equal(['node-b', 'node-a']);
      const again = await configure(id, ['node-b', 'node-c']);
      expect([again.status, codeOf(again)]).to.deep.equal([409, 'DBR503']);
      const same = await call('updateSigningConfig', {
        path: { id },
        body: { signingParties: ['node-a', 'node-b'] },
      });
      expect([same.status, same.headers.get('etag')]).to.deep.equal([200, '"1"']);
      const changed = await call('updateSigningConfig', {
        path: { id },
        body: { signingParties: ['node-a', 'node-c'] },
        headers: { 'If-Match': '"1"' },
      });
      expect([changed.status, changed.headers.get('etag')]).to.deep.equal([200, '"2"']);
      const stale = await call('updateSigningConfig', {
        path: { id },
        body: { signingParties: ['node-a', 'node-b'] },
        headers: { 'If-Match': '"1"' },
      });
      expect([stale.status, codeOf(stale)]).to.deep.equal([412, 'DBR410']);
      const notModified = await call('getSigningConfig', {
        path: { id },
        headers: { 'If-None-Match': '"2"' },
      });
      expect(notModified.status).to.equal(304);
      const kept = await call('clearSigningConfig', { path: { id }, headers: { 'If-Match': '"1"' } });
      expect(kept.status).to.equal(412);
      expect(
        (await call('clearSigningConfig', { path: { id }, headers: { 'If-Match': '*' } })).status,
      ).to.equal(204);
      expect((await call('clearSigningConfig', { path: { id } })).status).to.equal(204);
      const unset = await call('updateSigningConfig', {
        path: { id },
        body: { signingParties: ['node-a', 'node-b'] },
      });
      expect([unset.status, codeOf(unset)]).to.deep.equal([404, 'DBR504']);
      const after = await call('getSigningConfig', { path: { id } });
      expect(after.body).to.include({ configured: false, version: 3, updatedBy: 'ann' });
    });

    it('has another ETag after a party comes online, and accepts it for a change', async () => {
      const config = (tag?: string): Promise<ContractResponse> =>
        call('getSigningConfig', {
          path: { id },
          headers: tag === undefined ? {} : { 'If-None-Match': tag },
        });
      await configure(id, ['node-a', 'node-b']);
      expect((await config('"1"')).status).to.equal(304);
      await seen('node-a', 'now()');
      const online = await config('"1"');
      expect(online.status).to.equal(200);
      expect((online.body as SigningConfig).effectiveParties.map((party) => party.online)).to.deep.equal([
        true,
        false,
      ]);
      const tag = online.headers.get('etag') ?? '';
      expect(tag).to.match(/^"1-[0-9a-f]{16}"$/);
      expect((await config(tag)).status).to.equal(304);
      const change = (ifMatch: string): Promise<ContractResponse> =>
        call('updateSigningConfig', {
          path: { id },
          body: { signingParties: ['node-a', 'node-c'] },
          headers: { 'If-Match': ifMatch },
        });
      expect((await change('"0"')).status).to.equal(412);
      const changed = await change(tag);
      expect([changed.status, changed.headers.get('etag')?.slice(0, 3)]).to.deep.equal([200, '"2-']);
      expect((await change('"2"')).status).to.equal(200);
      await seen('node-a', 'null');
      const away = await config(changed.headers.get('etag') ?? '');
      expect([away.status, away.headers.get('etag')]).to.deep.equal([200, '"2"']);
    });

    it('is refused with every problem at once', async () => {
      await createParty('lame', 'server');
      await call('updateParty', { token: admin, path: { id: 'lame' }, body: { status: 'suspended' } });
      const refused = await configure(id, ['node-a', 'node-a', 'nobody', 'cold', 'lame']);
      expect(refused.status).to.equal(422);
      expect(problemsOf(refused)).to.deep.equal([
        '/signingParties/1 duplicate_party',
        '/signingParties/2 unknown_party',
        '/signingParties/3 party_has_no_share',
        '/signingParties/4 party_not_active',
        '/signingParties/4 party_has_no_share',
      ]);
      expect(problemsOf(await configure(id, []))).to.deep.equal(['/signingParties empty']);
      expect(problemsOf(await configure(id, ['node-a']))).to.deep.equal(['/signingParties below_threshold']);
      const many = Array.from({ length: 65 }, (_, index) => `p${String(index)}`);
      expect(problemsOf(await configure(id, many))).to.deep.equal(['/signingParties too_many']);
    });

    it('is set by one of ten concurrent requests', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          configure(id, ['node-a', index % 2 === 0 ? 'node-b' : 'node-c']),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([201, ...Array.from({ length: 9 }, () => 409)]);
    });

    it('shows that a configured party is unavailable, and uses no other party in its place', async () => {
      await createParty('fickle', 'server');
      const { accountId } = await createAccount({
        shares: [...SHARES, { partyId: 'fickle', shareIndex: 6, shareType: 'server' }],
      });
      await configure(accountId, ['node-a', 'fickle']);
      await call('updateParty', { token: admin, path: { id: 'fickle' }, body: { status: 'suspended' } });
      const shown = await call('getSigningConfig', {
        path: { id: accountId },
        headers: { 'If-None-Match': '"1"' },
      });
      expect(shown.status).to.equal(200);
      expect(shown.body).to.include({ ready: false, version: 1 });
      expect((shown.body as SigningConfig).problems).to.deep.equal([
        { code: 'party_not_active', partyId: 'fickle', message: 'The party is suspended.' },
      ]);
      const refused = await createSession(accountId);
      expect([refused.status, codeOf(refused)]).to.deep.equal([409, 'DBR506']);
    });

    it('can be changed only by the owner and the administrator, and read also with the scope accounts:read', async () => {
      const bob = await token({ tenantId: 'acme', sub: 'bob' });
      const reader = await token({ tenantId: 'acme', sub: 'bob', scope: 'accounts:read' });
      const narrow = await token({ tenantId: 'acme', sub: 'ann', scope: 'accounts:read' });
      const body = { signingParties: ['node-a', 'node-b'] };
      expect((await call('createSigningConfig', { path: { id }, body, token: bob })).status).to.equal(404);
      expect((await call('createSigningConfig', { path: { id }, body, token: other })).status).to.equal(404);
      expect((await call('createSigningConfig', { path: { id }, body, token: reader })).status).to.equal(403);
      expect((await call('createSigningConfig', { path: { id }, body, token: narrow })).status).to.equal(403);
      expect((await call('getSigningConfig', { path: { id }, token: reader })).status).to.equal(200);
      expect((await call('createSigningConfig', { path: { id }, body, token: admin })).status).to.equal(201);
      expect((await call('getSigningConfig', { path: { id: 'no-uuid' } })).status).to.equal(404);
    });
  });

  describe('sessions', () => {
    let account: Account;
    beforeEach(async () => {
      account = await createAccount();
    });

    it('take a snapshot of all active parties, or of the configured ones exactly', async () => {
      const first = (await createSession(account.accountId)).body as SigningSession;
      expect(first).to.include({
        state: 'created',
        partySource: 'all_active',
        threshold: 2,
        stateVersion: 1,
      });
      await configure(account.accountId, ['node-c', 'node-b']);
      const second = (await createSession(account.accountId)).body as SigningSession;
      expect(second.partySource).to.equal('configured');
      expect(second.participants.map(({ partyId }) => partyId)).to.deep.equal(['node-b', 'node-c']);
      const again = await call('getSigningSession', { path: { id: first.sessionId } });
      expect((again.body as SigningSession).participants.map(({ partyId }) => partyId)).to.deep.equal([
        'node-a',
        'node-b',
        'node-c',
      ]);
      const known = await call('getSigningSession', {
        path: { id: first.sessionId },
        headers: { 'If-None-Match': '"1"' },
      });
      expect(known.status).to.equal(304);
    });

    it('are returned again for the same request, and refused for a different one', async () => {
      const sessionId = 'ABCDEF00-41c3-4d10-8f6e-2b7c9d0e1f23';
      expect((await createSession(account.accountId, { sessionId })).status).to.equal(201);
      const again = await createSession(account.accountId, { sessionId });
      expect([again.status, (again.body as SigningSession).sessionId]).to.deep.equal([
        200,
        sessionId.toLowerCase(),
      ]);
      const different = await createSession(account.accountId, { sessionId, ttlSeconds: 60 });
      expect([different.status, codeOf(different)]).to.deep.equal([409, 'DBR513']);
      const headers = { 'Idempotency-Key': `key-${account.accountId}` };
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => createSession(account.accountId, {}, { headers })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 200, 201]);
      expect(new Set(answers.map(({ body }) => (body as SigningSession).sessionId)).size).to.equal(1);
    });

    it('are reported to the owner at their creation, and created by others for accounts that their scope names', async () => {
      const { accountId } = account;
      const another = await createAccount();
      const sub = 'm'.repeat(5000);
      const machine = await token({ tenantId: 'acme', sub, scope: `sign:create:${accountId}` });
      const robot = await token({ tenantId: 'acme', sub: 'robot', scope: `sign:create:${accountId}` });
      expect((await createSession(another.accountId, {}, { token: robot })).status).to.equal(404);
      expect((await createSession(accountId, {}, { token: machine })).status).to.equal(201);
      const created = await createSession(accountId, {}, { token: robot });
      expect(created.status).to.equal(201);
      const { sessionId } = created.body as SigningSession;
      const inbox = await call('listNotifications', { query: 'type=signing.session.created' });
      const items = (inbox.body as NotificationPage).items.filter(
        ({ data }) => data['accountId'] === accountId,
      );
      expect(items.map(({ data, actor, severity }) => ({ data, actor, severity }))).to.deep.equal([
        {
          data: { sessionId, accountId },
          actor: { type: 'user', id: 'robot', name: null },
          severity: 'warning',
        },
        { data: { sessionId: items[1]?.data['sessionId'], accountId }, actor: null, severity: 'warning' },
      ]);
      const cancel = { path: { id: sessionId }, token: robot };
      expect((await call('cancelSigningSession', cancel)).status).to.equal(200);
    });

    it('refuse a list of parties, unknown digests and large metadata', async () => {
      for (const body of [
        { signingParties: ['node-a', 'node-b'] },
        { messageDigest: 'AB' },
        { ttlSeconds: 29 },
        { metadata: { text: 'x'.repeat(5000) } },
        { metadata: { text: '\0' } },
        { metadata: { '\ud800': 1 } },
      ])
        expect((await createSession(account.accountId, body)).status, JSON.stringify(body)).to.equal(400);
    });

    it('sign a message, which is shown with one session and in no list', async () => {
      const text = Buffer.alloc(1_048_576, 'pay ').toString('base64url');
      const made = await call('createSigningSession', {
        path: { id: account.accountId },
        body: { message: text },
      });
      expect(made.status).to.equal(201);
      const { sessionId: id, messageDigest } = made.body as SigningSession;
      const hash = createHash('sha256').update(Buffer.from(text, 'base64url')).digest('hex');
      expect(messageDigest).to.equal(hash);
      expect((await call('getSigningSession', { path: { id } })).body).to.deep.equal({
        ...(made.body as SigningSession),
        message: text,
      });
      const { body } = await call('listSigningSessions', { query: 'limit=1' });
      expect((body as SigningSessionPage).items).to.deep.equal([made.body]);
    });

    it('refuse neither digest nor message, both, and a message that is too long', async () => {
      const message = Buffer.alloc(1_048_577).toString('base64url');
      for (const [body, status, details] of [
        [{}, 400, "'' must have either messageDigest or message"],
        [{ messageDigest: DIGEST, message: 'dGVzdA' }, 400, "'' must have either messageDigest or message"],
        [{ message: '' }, 400, "'/message' must be base64url without padding, and not empty"],
        [{ message: 'dGVzdA==' }, 400, "'/message' must be base64url without padding, and not empty"],
        [{ message }, 400, "'/message' must not be larger than 1 MiB"],
        [{ message: message + message }, 413, 'The limit is 2097152 bytes.'],
      ] as const) {
        const answer = await call('createSigningSession', { path: { id: account.accountId }, body });
        expect([answer.status, (answer.body as { readonly details: string }).details]).to.deep.equal([
          status,
          details,
        ]);
      }
    });

    it('are cancelled once and stay cancelled', async () => {
      const { sessionId: id } = (await createSession(account.accountId)).body as SigningSession;
      const cancelled = await call('cancelSigningSession', {
        path: { id },
        body: { reason: 'changed my mind' },
      });
      expect(cancelled.body).to.include({ state: 'cancelled', stateVersion: 2 });
      expect((await call('cancelSigningSession', { path: { id } })).status).to.equal(200);
      const { body } = await call('listSigningSessionEvents', { path: { id } });
      const page = body as SigningSessionEventPage;
      expect(page.items.map(({ type, sequence }) => [sequence, type])).to.deep.equal([
        [1, 'created'],
        [2, 'cancelled'],
      ]);
      expect(page.items[1]?.data).to.deep.equal({ reason: 'changed my mind' });
      expect((await call('listSigningSessionEvents', { path: { id }, query: 'after=2' })).body).to.deep.equal(
        {
          items: [],
          lastSequence: 2,
        },
      );
    });

    it('end when the account is frozen or a party revoked', async () => {
      await createParty(`gone-${account.accountId.slice(-6)}`, 'server');
      const partyId = `gone-${account.accountId.slice(-6)}`;
      const mine = await createAccount({
        shares: [...SHARES, { partyId, shareIndex: 6, shareType: 'server' }],
      });
      const one = (await createSession(mine.accountId)).body as SigningSession;
      await call('updateParty', { token: admin, path: { id: partyId }, body: { status: 'revoked' } });
      expect((await call('getSigningSession', { path: { id: one.sessionId } })).body).to.include({
        state: 'cancelled',
      });
      const revoked = await call('updateParty', {
        token: admin,
        path: { id: partyId },
        body: { status: 'active' },
      });
      expect([revoked.status, codeOf(revoked)]).to.deep.equal([409, 'DBR516']);
      const two = (await createSession(mine.accountId)).body as SigningSession;
      await call('updateAccount', { token: admin, path: { id: mine.accountId }, body: { status: 'frozen' } });
      expect((await call('getSigningSession', { path: { id: two.sessionId } })).body).to.include({
        state: 'cancelled',
      });
      const refused = await createSession(mine.accountId);
      expect([refused.status, codeOf(refused)]).to.deep.equal([409, 'DBR508']);
    });

    it('are shown as expired after their expiry, and reported as expired once', async () => {
      const { sessionId: id } = (await createSession(account.accountId)).body as SigningSession;
      await database.superuser.none(
        `update dbr_signing.signing_sessions set ready_by = now() - interval '1 second' where session_id = $1`,
        [id],
      );
      const shown = await call('getSigningSession', { path: { id } });
      expect(shown.body).to.include({ state: 'expired', stateVersion: 2 });
      const signers = ['node-a', 'node-b', 'node-c'];
      expect((shown.body as SigningSession).missingParties).to.deep.equal(signers);
      const refused = await call('cancelSigningSession', { path: { id } });
      expect([refused.status, codeOf(refused)]).to.deep.equal([409, 'DBR514']);
      const { body } = await call('listSigningSessionEvents', { path: { id } });
      expect((body as SigningSessionEventPage).items.map(({ type }) => type)).to.deep.equal([
        'created',
        'expired',
      ]);
      const ended = (await call('getSigningSession', { path: { id } })).body as SigningSession;
      expect(ended.missingParties).to.deep.equal(signers);
      expect(await notificationsOf('signing.session.expired', id)).to.deep.equal([
        'Missing: node-a, node-b, node-c.',
      ]);
    });

    it('end when one of their parties is suspended', async () => {
      await createParty('tired', 'server');
      const { accountId } = await createAccount({
        shares: [...SHARES, { partyId: 'tired', shareIndex: 6, shareType: 'server' }],
      });
      const { sessionId: id } = (await createSession(accountId)).body as SigningSession;
      await call('updateParty', { token: admin, path: { id: 'tired' }, body: { status: 'suspended' } });
      const { body } = await call('listSigningSessionEvents', { path: { id } });
      expect((body as SigningSessionEventPage).items.at(-1)).to.deep.include({
        type: 'cancelled',
        state: 'cancelled',
        data: { reason: 'policy_denied' },
      });
    });

    it('and their owner are informed of other keys of a party', async () => {
      const first = generateKeyPairSync('ed25519');
      await call('createParty', { token: admin, body: partyBody('renewed', 'server', 'acme', first) });
      const { accountId } = await createAccount({
        shares: [...SHARES, { partyId: 'renewed', shareIndex: 6, shareType: 'server' }],
      });
      const { sessionId: id } = (await createSession(accountId)).body as SigningSession;
      const { identityPublicKey, identitySignature } = partyBody('renewed', 'server');
      const change = { identityPublicKey, identitySignature };
      const path = { id: 'renewed' };
      const currentSignature = consentSignature(pemOf(first.privateKey), {
        ...{ tenantId: 'acme', partyId: 'renewed', identityKey: identityPublicKey },
        ...{ currentKey: rawKey(first.publicKey), certificateSha256: null, formerKeysSeconds: 0 },
      });
      const body = { ...change, currentSignature };
      expect((await call('updateParty', { token: admin, path, body })).status).to.equal(200);
      const keys = { identityPublicKey, certificateSha256: null };
      const events = await call('listSigningSessionEvents', { path: { id } });
      expect((events.body as SigningSessionEventPage).items.at(-1)).to.deep.include({
        type: 'party-keys-changed',
        state: 'created',
        partyId: 'renewed',
        data: keys,
      });
      const inbox = (await call('listNotifications', { query: 'category=signing&limit=1' }))
        .body as NotificationPage;
      expect(inbox.items[0]).to.deep.include({
        type: 'signing.party.keys_changed',
        title: 'Other keys for party renewed',
        severity: 'warning',
        data: { partyId: 'renewed', ...keys },
      });
      // A change of its name alone is not one of its keys.
      await call('updateParty', { token: admin, path, body: { name: 'Renewed' } });
      const after = (await call('listSigningSessionEvents', { path: { id } }))
        .body as SigningSessionEventPage;
      expect(after.items.length).to.equal((events.body as SigningSessionEventPage).items.length);
    });

    it('are listed newest first, page by page', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 3; index++)
        ids.unshift(((await createSession(account.accountId)).body as SigningSession).sessionId);
      const query = `accountId=${account.accountId}&limit=2`;
      const first = (await call('listSigningSessions', { query })).body as {
        items: SigningSession[];
        nextCursor: string;
        hasMore: boolean;
      };
      const second = (await call('listSigningSessions', { query: `${query}&cursor=${first.nextCursor}` }))
        .body as {
        items: SigningSession[];
        hasMore: boolean;
      };
      expect([...first.items, ...second.items].map(({ sessionId }) => sessionId)).to.deep.equal(ids);
      expect([first.hasMore, second.hasMore]).to.deep.equal([true, false]);
      expect((await call('listSigningSessions', { query: 'cursor=AAAA' })).status).to.equal(400);
      expect((await call('listSigningSessions', { query, token: other })).body).to.deep.equal({
        items: [],
        hasMore: false,
        nextCursor: null,
      });
    });

    it('are followed live until they end', async () => {
      const { sessionId: id } = (await createSession(account.accountId)).body as SigningSession;
      const response = await client.open('listSigningSessionEvents', {
        path: { id },
        headers: { Accept: 'text/event-stream' },
      });
      expect(response.headers.get('content-type')).to.equal('text/event-stream');
      await call('cancelSigningSession', { path: { id } });
      const text = await response.text();
      expect([...text.matchAll(/^(event|id): (.*)$/gm)].map(([line]) => line)).to.deep.equal([
        'id: 1',
        'event: created',
        'id: 2',
        'event: cancelled',
      ]);
      const neither = await call('listSigningSessionEvents', {
        path: { id },
        headers: { Accept: 'text/html' },
      });
      expect(neither.status).to.equal(406);
      const odd = await call('listSigningSessionEvents', { path: { id }, headers: { 'Last-Event-ID': 'x' } });
      expect(odd.status).to.equal(400);
    });

    it('are followed no more by a user who is erased', async () => {
      const { accountId } = account;
      const scoped = await token({ tenantId: 'acme', sub: 'creator', scope: `sign:create:${accountId}` });
      const { sessionId: id } = (await createSession(accountId, {}, { token: scoped }))
        .body as SigningSession;
      const response = await client.open('listSigningSessionEvents', {
        path: { id },
        token: await token({ tenantId: 'acme', sub: 'creator' }),
        headers: { Accept: 'text/event-stream' },
      });
      if (response.body === null) throw new Error('the stream has no body');
      const stream = readStream(response.body.pipeThrough(new TextDecoderStream()), () => undefined);
      expect(await stream.next()).to.include({ id: '1', event: 'created' });
      const eraser = await token({ tenantId: 'acme', sub: 'root', scope: 'users:erase' });
      expect((await call('eraseUser', { token: eraser, path: { id: 'creator' } })).status).to.equal(200);
      await call('cancelSigningSession', { path: { id } });
      expect(await stream.next()).to.equal(null);
    });
  });

  describe('administration', () => {
    it('refuses a second party with the same identifier or certificate', async () => {
      const holder = withCertificate('holder', 'acme');
      expect((await call('createParty', { token: admin, body: holder.body })).status).to.equal(201);
      const twice = await createParty('holder', 'server');
      expect([twice.status, codeOf(twice)]).to.deep.equal([409, 'DBR515']);
      const copycat = withCertificate('copycat', 'acme', holder.certificateKey);
      const shared = await call('createParty', { token: admin, body: copycat.body });
      expect([shared.status, (shared.body as { readonly details: string }).details]).to.deep.equal([
        409,
        'Another party has this certificate.',
      ]);
      const foreign = withCertificate('foreign', 'other', holder.certificateKey);
      expect((await call('createParty', { token: other, body: foreign.body })).status).to.equal(409);
      expect((await call('getParty', { token: other, path: { id: 'holder' } })).status).to.equal(404);
      const found = await call('getParty', { token: admin, path: { id: 'holder' } });
      expect([(found.body as Party).version, found.headers.get('etag')]).to.deep.equal([1, '"1"']);
      await seen('holder', 'now()');
      const unlessSame = { token: admin, path: { id: 'holder' }, headers: { 'If-None-Match': '"1"' } };
      const online = await call('getParty', unlessSame);
      expect([online.status, (online.body as Party).online]).to.deep.equal([200, true]);
      expect(online.headers.get('etag')).to.match(/^"1-[0-9a-f]{16}"$/);
      const stale = await call('updateParty', {
        token: admin,
        path: { id: 'holder' },
        body: { name: 'y' },
        headers: { 'If-Match': '"7"' },
      });
      expect(stale.status).to.equal(412);
      expect((await call('listParties', { token: owner })).status).to.equal(403);
      expect((await call('listParties', { token: admin, query: 'limit=2&role=server' })).body).to.include({
        hasMore: true,
      });
    });

    it('accepts a certificate only with a proof of its key', async () => {
      const seenOnTheWire = withCertificate('victim', 'acme');
      const { certificate } = seenOnTheWire.body;
      for (const [token, body] of [
        [other, { ...partyBody('victim', 'server', 'other'), certificate }],
        [admin, { ...partyBody('squatter'), certificate }],
        [admin, { ...partyBody('victim'), certificate }],
      ] as const) {
        const refused = await call('createParty', { token, body });
        expect([refused.status, codeOf(refused), ...problemsOf(refused)]).to.deep.equal([
          422,
          'DBR520',
          '/certificate/signature signature',
        ]);
      }
      const created = await call('createParty', { token: admin, body: seenOnTheWire.body });
      expect(created.status).to.equal(201);
      expect((created.body as Party).certificateSha256).to.equal(seenOnTheWire.certificateSha256);
    });

    it('requires a new proof if the certificate or the identity key changes', async () => {
      const { body, certificateKey, certificateSha256 } = withCertificate('mover', 'acme');
      expect((await call('createParty', { token: admin, body })).status).to.equal(201);
      const change = (changed: object): Promise<ContractResponse> =>
        call('updateParty', { token: admin, path: { id: 'mover' }, body: changed });
      const refusal = async (changed: object): Promise<readonly unknown[]> => {
        const refused = await change(changed);
        return [refused.status, codeOf(refused), ...problemsOf(refused)];
      };
      const renewed = withCertificate('mover', 'acme', certificateKey).body;
      const { identityPublicKey, identitySignature, certificate } = renewed;
      expect(await refusal({ identityPublicKey, certificate })).to.deep.equal([
        ...[422, 'DBR520', '/identitySignature required'],
      ]);
      expect(
        await refusal({ identityPublicKey, certificate, identitySignature: body.identitySignature }),
      ).to.deep.equal([422, 'DBR520', '/identitySignature signature']);
      expect(await refusal({ identitySignature })).to.deep.equal([
        ...[422, 'DBR520', '/identitySignature signature'],
      ]);
      expect(await refusal({ identityPublicKey, identitySignature })).to.deep.equal([
        ...[422, 'DBR520', '/certificate required'],
      ]);
      expect(
        await refusal({ identityPublicKey, identitySignature, certificate: body.certificate }),
      ).to.deep.equal([422, 'DBR520', '/certificate/signature signature']);
      const other = withCertificate('mover', 'acme').body;
      expect(await refusal({ certificate: other.certificate })).to.deep.equal([
        ...[422, 'DBR520', '/certificate/signature signature'],
      ]);
      const proven = await change({ identityPublicKey, identitySignature, certificate });
      expect(proven.status).to.equal(202);
      expect((proven.body as PartyKeys).proposal).to.include({ identityPublicKey, certificateSha256 });
      // The removal of a certificate adds no right.
      const removed = await change({ certificate: null });
      expect([removed.status, (removed.body as Party).certificateSha256]).to.deep.equal([200, null]);
      const again = await change({ certificate: body.certificate });
      expect([again.status, codeOf(again), detailsOf(again)]).to.deep.equal([
        ...[409, 'DBR530', 'The key of the certificate was replaced or revoked.'],
      ]);
    });

    it('refuses an identity key that another party of the tenant has, in either form', async () => {
      const keys = generateKeyPairSync('ed25519');
      const first = partyBody('twin-a', 'server', 'acme', keys);
      expect((await call('createParty', { token: admin, body: first })).status).to.equal(201);
      const second = partyBody('twin-b', 'server', 'acme', keys);
      const inDer = partyBody('twin-b', 'server', 'acme', keys, 'der');
      for (const body of [second, inDer]) {
        const refused = await call('createParty', { token: admin, body });
        expect([refused.status, codeOf(refused), detailsOf(refused)]).to.deep.equal([
          ...[409, 'DBR515', 'Another party of the tenant has this identity key.'],
        ]);
      }
      expect((await createParty('twin-b', 'server')).status).to.equal(201);
      const { identityPublicKey, identitySignature } = inDer;
      const changed = await call('updateParty', {
        token: admin,
        path: { id: 'twin-b' },
        body: { identityPublicKey, identitySignature },
      });
      expect([changed.status, codeOf(changed)]).to.deep.equal([409, 'DBR515']);
      const elsewhere = partyBody('twin-a', 'server', 'other', keys);
      expect((await call('createParty', { token: other, body: elsewhere })).status).to.equal(201);
      const copied = { ...elsewhere, ...first, partyId: 'twin-c' };
      const refused = await call('createParty', { token: admin, body: copied });
      expect([refused.status, ...problemsOf(refused)]).to.deep.equal([422, '/identitySignature signature']);
    });

    for (const [name, key] of [
      ['the neutral point', `01${'00'.repeat(31)}`],
      ['a point of order 4', '00'.repeat(32)],
      ['a coordinate that is not reduced', 'ff'.repeat(32)],
    ] as const)
      it(`refuses Ed25519 keys that anyone can sign for: ${name}`, async () => {
        const party = await createParty('weak', 'server', { identityPublicKey: key });
        expect([party.status, codeOf(party), ...problemsOf(party)]).to.deep.equal([
          ...[422, 'DBR520', '/identityPublicKey key'],
        ]);
        const body = {
          ...{ name: 'Weak', keyType: 'ed25519', publicKey: key, threshold: 1 },
          shares: SHARES.slice(0, 2),
        };
        const account = await call('createAccount', { token: admin, body });
        expect([account.status, ...problemsOf(account)]).to.deep.equal([422, '/publicKey key']);
        const pending = await call('createAccount', {
          token: admin,
          body: { ...body, publicKey: undefined },
        });
        const path = { id: (pending.body as Account).accountId };
        const changed = await call('updateAccount', { token: admin, path, body: { publicKey: key } });
        expect([changed.status, ...problemsOf(changed)]).to.deep.equal([422, '/publicKey key']);
      });

    it('refuses members that are unknown or read-only, by name', async () => {
      const account = await createAccount();
      const path = { id: account.accountId };
      for (const [operation, body, problem] of [
        ['updateAccount', { threshold: 3 }, '/threshold read_only'],
        ['updateAccount', { name: 'x', policy: 'deny' }, '/policy unknown_member'],
        [
          'createSigningConfig',
          { signingParties: ['node-a', 'node-b'], strict: true },
          '/strict unknown_member',
        ],
      ] as const) {
        const answer = await call(operation, { token: admin, path, body });
        expect([answer.status, codeOf(answer)]).to.deep.equal([400, 'DBR404']);
        expect(problemsOf(answer)).to.deep.equal([problem]);
      }
      const suspended = await createParty('asleep', 'server', { status: 'suspended' });
      expect([suspended.status, ...problemsOf(suspended)]).to.deep.equal([400, '/status read_only']);
      const after = await call('getAccount', { token: admin, path });
      expect(after.body).to.deep.equal(account);
    });

    it('refuses accounts that could not sign, with every problem at once', async () => {
      const answer = await call('createAccount', {
        token: admin,
        body: {
          name: 'x',
          keyType: 'secp256k1',
          publicKey: 'ab'.repeat(32),
          threshold: 1,
          shares: [
            { partyId: 'node-a', shareIndex: 1, shareType: 'backup' },
            { partyId: 'node-a', shareIndex: 1, shareType: 'backup' },
            { partyId: 'nobody', shareIndex: 2, shareType: 'server' },
            { partyId: 'helper', shareIndex: 3, shareType: 'server' },
            { partyId: 'node-b', shareIndex: 4, shareType: 'delegate' },
          ],
        },
      });
      expect(answer.status).to.equal(422);
      expect(problemsOf(answer)).to.deep.equal([
        '/shares/1/partyId duplicate_party',
        '/shares/1/shareIndex duplicate_index',
        '/shares/2/partyId unknown_party',
        '/shares/3/shareType other_role',
        '/shares/4/shareType other_role',
        '/threshold delegate_alone',
        '/publicKey key',
      ]);
    });

    it('makes a pending account active with its public key, which then stays', async () => {
      const pending = await createAccount({ publicKey: undefined });
      expect(pending.status).to.equal('pending');
      const path = { id: pending.accountId };
      const active = await call('updateAccount', {
        token: admin,
        path,
        body: { publicKey: newKey() },
      });
      expect(active.body).to.include({ status: 'active', version: 2 });
      const other = await call('updateAccount', { token: admin, path, body: { publicKey: newKey() } });
      expect(problemsOf(other)).to.deep.equal(['/publicKey key_known']);
      expect((await call('getAccount', { path: { id: UNKNOWN } })).status).to.equal(404);
      const shown = await call('getAccount', { path, headers: { 'If-None-Match': '"2"' } });
      expect(shown.status).to.equal(304);
      expect((await call('listAccounts', { query: 'status=active&limit=1' })).body).to.include({
        hasMore: true,
      });
    });
  });
});
