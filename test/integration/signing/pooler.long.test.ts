import { expect } from 'chai';
import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  connectRouter,
  tokenCredentials,
  type RouterClient,
} from '../../../examples/parties/router-client.js';
import { SessionState } from '../../../generated/proto/router/v1/router_pb.js';
import type { Account, DelegateKey, SigningSession } from '../../../generated/types.js';
import { readinessUrl } from '../../../src/command-line/readiness-url.js';
import { examine } from '../../../packages/tools/src/doctor/doctor.js';
import { envelopeStatement } from '../../../src/mailbox/mailbox-store.js';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import { createContractClient, type ContractClient } from '../../support/contract/contract-client.js';
import { partyBody, shareBody } from '../../support/contract/signing-bodies.js';
import { startTestServer, type TestServer } from '../../support/postgres/database.js';
import { pgbouncerMissing, startPgbouncer, type Pgbouncer } from '../../support/postgres/pgbouncer.js';
import { SECRET, tokenOf } from '../../support/service/service-processes.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { wireKey } from '../../support/signing/canary-parties.js';
import { createSigningDatabase, type SigningDatabase } from '../../support/signing/signing-database.js';
import { DIGEST, rawKey } from '../../support/signing/signing-fixture.js';
import { until } from '../../support/until.js';

const AT_ONCE = 16;
/** Fewer than the connections of the service, so that each of them serves many. */
const BACKENDS = 4;
const PARTIES = { 'node-a': 'server', 'node-b': 'server', helper: 'delegate' } as const;
type PartyId = keyof typeof PARTIES;

const newKey = () => generateKeyPairSync('ed25519');
const accountKey = newKey();
const keys = { 'node-a': newKey(), 'node-b': newKey(), helper: newKey() };
const hexOf = ({ publicKey }: ReturnType<typeof newKey>): string => rawKey(publicKey).toString('hex');

const missing = pgbouncerMissing();

describe(`notifications and signing behind PgBouncer${missing === null ? '' : `: skipped, ${missing}`}`, function () {
  this.timeout(120_000);
  let server: TestServer;
  let database: SigningDatabase;
  let pooler: Pgbouncer;
  let uri: string;
  let service: TestService;
  let ann: ContractClient;
  let account: Account;
  let parties: Readonly<Record<PartyId, RouterClient>>;
  let admin: string;

  before(async function () {
    if (missing !== null) return this.skip();
    server = await startTestServer();
    database = await createSigningDatabase(server.uri);
    pooler = await startPgbouncer([database.serviceUri], BACKENDS);
    uri = pooler.through(database.serviceUri);
    service = await startTestService({
      areas: 'notifications,signing',
      'db-uri': database.serviceUri,
      'service-db-uri': uri,
      'service-db-pool': '8',
      'service-jwt-secret': SECRET,
      'db-prepared-statements': 'false',
      'router-dev-tokens': 'true',
      'signing-session-limit': '0',
    });
    await untilReady(service);
    const token = await tokenOf({ sub: 'ann' });
    ann = createContractClient(() => service.url, token);
    admin = await tokenOf({
      sub: 'root',
      scope: 'parties:admin accounts:write tenant:admin notifications:write',
    });
    for (const [partyId, role] of Object.entries(PARTIES)) await createParty(partyId as PartyId, role);
    parties = { 'node-a': connect('node-a'), 'node-b': connect('node-b'), helper: connect('helper') };
    const shares = Object.entries(PARTIES).map(([partyId, shareType], index) => ({
      partyId,
      shareIndex: index + 1,
      shareType,
    }));
    const answer = await ann.call('createAccount', {
      token: admin,
      body: {
        name: 'Treasury',
        ownerUserId: 'ann',
        keyType: 'ed25519',
        publicKey: hexOf(accountKey),
        threshold: 2,
        shares,
      },
    });
    account = answer.body as Account;
  });
  after(async () => {
    if (missing !== null) return;
    for (const client of Object.values(parties)) client.close();
    await service.stop();
    await pooler.stop();
    await database.drop();
    await server.remove();
  });

  const createParty = (partyId: PartyId, role: 'server' | 'delegate') =>
    ann.call('createParty', {
      token: admin,
      body: partyBody(partyId, role, 'acme', keys[partyId]),
    });

  const connect = (partyId: PartyId): RouterClient =>
    connectRouter(
      `127.0.0.1:${String(service.routerPort)}`,
      tokenCredentials('acme', partyId, keys[partyId].privateKey),
    );

  /** Creates a session with a share for the delegate. */
  async function createSession(): Promise<string> {
    const key = {
      keyId: randomUUID(),
      suite: 'HPKE-X25519-SHA256-AES256GCM',
      publicKey: randomBytes(32),
      oneTime: true,
      notAfter: null,
    } as const;
    const encryptionKeys = [wireKey(keys.helper.privateKey, key)];
    await parties.helper.registerParty({ instanceId: 'i', encryptionKeys });
    const path = { id: account.accountId };
    const claimed = await ann.call('claimDelegateKey', { path });
    const sessionId = randomUUID();
    const { keyId: recipientKeyId } = claimed.body as DelegateKey;
    const delegateUserShare = shareBody(
      { sessionId, accountId: account.accountId, tenantId: 'acme' },
      recipientKeyId,
    );
    const body = { sessionId, messageDigest: DIGEST, delegateUserShare };
    expect((await ann.call('createSigningSession', { path, body })).status).to.equal(201);
    return sessionId;
  }

  async function sendMessage(sessionId: string, payload: Buffer): Promise<void> {
    const content = {
      sessionId,
      messageId: randomUUID(),
      fromPartyId: 'node-a',
      toPartyIds: ['node-b'],
      round: 1,
      senderSequence: 1,
      payload,
    };
    const signature = sign(null, envelopeStatement(content), keys['node-a'].privateKey);
    await parties['node-a'].sendMessages({ envelopes: [{ ...content, senderSequence: 1n, signature }] });
  }

  /** Returns the payload of the first message of the session to `node-b`. */
  async function receiveMessage(sessionId: string): Promise<Buffer> {
    const gone = new AbortController();
    const stream = parties['node-b'].subscribeMessages(
      { sessionId, instanceId: 'i' },
      { signal: gone.signal },
    );
    for await (const { deliveries } of stream) {
      const [delivery] = deliveries;
      if (delivery === undefined) continue;
      gone.abort();
      await parties['node-b'].ackMessages({ sessionId, upToSequence: delivery.sequence });
      return Buffer.from(delivery.envelope?.payload ?? []);
    }
    throw new Error('the stream ended');
  }

  async function signOnce(): Promise<void> {
    const sessionId = await createSession();
    for (const partyId of ['node-a', 'node-b', 'helper'] as const)
      await parties[partyId].joinSession({ sessionId, instanceId: 'i' });
    const payload = randomBytes(64);
    await sendMessage(sessionId, payload);
    expect(await receiveMessage(sessionId)).to.deep.equal(payload);
    const value = sign(null, Buffer.from(DIGEST, 'hex'), accountKey.privateKey);
    const { session } = await parties['node-b'].reportResult({
      sessionId,
      outcome: { case: 'signature', value },
    });
    expect(session?.state).to.equal(SessionState.COMPLETED);
    const read = await ann.call('getSigningSession', { path: { id: sessionId } });
    expect((read.body as SigningSession).state).to.equal('completed');
  }

  async function notifyOnce(index: number): Promise<void> {
    const title = `report ${String(index)}`;
    const body = { userIds: ['ann'], type: 'report.ready', category: 'reports', title };
    await ann.call('createNotifications', { token: admin, body });
    const { body: page } = await ann.call('listNotifications', { query: 'limit=100' });
    const { items } = page as { readonly items: readonly { readonly title: string }[] };
    expect(items.map((item) => item.title)).to.include(title);
  }

  const errorsOf = async (): Promise<readonly string[]> =>
    (await readFile(server.logFile, 'utf8'))
      .split('\n')
      .filter((line) => /\b(?:ERROR|FATAL|WARNING|PANIC):/.test(line));

  it('signs with a delegate and notifies, many at once, without an error of PostgreSQL', async () => {
    const before = await errorsOf();
    const sessions = Array.from({ length: AT_ONCE }, signOnce);
    const notified = Array.from({ length: AT_ONCE }, (_, index) => notifyOnce(index));
    await Promise.all([...sessions, ...notified]);
    expect((await errorsOf()).slice(before.length)).to.deep.equal([]);
    expect(service.logs.filter((line) => /"level":"(?:error|fatal)"/.test(line))).to.deep.equal([]);
  });

  it('leaves no transaction open, no role set, and no statement prepared', async () => {
    const activity = `
      select count(*)::int as open from pg_stat_activity
       where usename = $1 and state <> 'idle' and pid <> pg_backend_pid()`;
    const { username } = new URL(database.serviceUri);
    await until(
      async () => (await database.superuser.one<{ open: number }>(activity, [username])).open === 0,
    );
    const pooled = openDatabase(uri, { poolSize: BACKENDS });
    // Transactions at the same time have a backend each.
    const states = await Promise.all(
      Array.from({ length: BACKENDS }, () =>
        pooled.tx(async (transaction) =>
          transaction.one<Readonly<Record<string, unknown>>>(`
            select current_user = session_user as own, coalesce(current_setting('app.tenant_id', true), '') as tenant,
                   (select count(*) from pg_prepared_statements)::int as prepared, pg_sleep(0.2)::text`),
        ),
      ),
    );
    expect(states).to.deep.equal(
      Array.from({ length: BACKENDS }, () => ({ own: true, tenant: '', prepared: 0, pg_sleep: '' })),
    );
    await closeDatabase(pooled);
  });

  const POOLER = 'a pooler is between dbr and PostgreSQL';
  const losesStatements = [
    'service-db-uri',
    'warning',
    `${POOLER}, and may lose prepared statements`,
    'set db-prepared-statements = false, unless the pooler pools sessions',
  ];
  const keepsNothing = ['service-db-uri', 'ok', `${POOLER}, and no statement is prepared`, null];
  const losesNotifications = [
    'db-uri',
    'warning',
    `${POOLER}, and may lose notifications of schema changes`,
    'set db-channel-enabled = false, unless the pooler pools sessions',
  ];
  for (const { areas, prepares, expected } of [
    { areas: 'signing', prepares: 'true', expected: [losesStatements] },
    { areas: 'signing', prepares: 'false', expected: [keepsNothing] },
    { areas: 'data-api,signing', prepares: 'false', expected: [losesNotifications, keepsNothing] },
  ])
    it(`dbr doctor finds the pooler of ${areas} with db-prepared-statements = ${prepares}`, async () => {
      const checks = await examine(
        {
          environment: {
            DBR_AREAS: areas,
            DBR_DB_URI: uri,
            DBR_SERVICE_DB_URI: uri,
            DBR_SERVICE_JWT_SECRET: SECRET,
            DBR_DB_PREPARED_STATEMENTS: prepares,
            DBR_SERVER_PORT: '0',
            DBR_ADMIN_SERVER_PORT: '0',
            DBR_ROUTER_PORT: '0',
          },
        },
        readinessUrl,
      );
      const found = checks.filter(({ message }) => message.includes('pooler'));
      expect(
        found.map(({ subject, outcome, message, remedy }) => [subject, outcome, message, remedy]),
      ).to.deep.equal(expected);
    });
});
