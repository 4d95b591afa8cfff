/** Area B in this process, with users who call its operations and parties who hold their keys. */
import { openServicePool } from '../notifications/notifications-database.js';
import { NO_WEBHOOKS } from '../notifications/samples.js';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { Writable } from 'node:stream';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { certificateProof } from '../../../examples/parties/party-proofs.js';
import type { Account, SigningSession } from '../../../generated/types.js';
import type { Principal, RequestContext } from '../../../src/contract/principal.js';
import { createNotifications } from '../../../src/notifications/notifications.js';
import { createLogger } from '../../../src/observability/log.js';
import { createMetrics } from '../../../src/observability/metrics.js';
import { createObserver } from '../../../src/observability/observer.js';
import { openChangeFeed, type ChangeFeed } from '../../../src/postgres/change-feed.js';
import { UNOBSERVED } from '../unobserved.js';
import type { Pool } from '../../../src/postgres/pool.js';
import { encryptionKeyStatement } from '../../../src/signing/parties/encryption-key-store.js';
import type { PartyEncryptionKey, PartyIdentity, PartyRole } from '../../../src/signing/router-port.js';
import { createSigning, type Signing } from '../../../src/signing/signing.js';
import { LOCAL_LIMITS } from '../../../src/operations/limits.js';
import { partyBody } from '../contract/signing-bodies.js';
import { createSigningDatabase, type SigningDatabase } from './signing-database.js';

export const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** A party with its identity key. */
export interface TestParty {
  readonly identity: PartyIdentity;
  readonly privateKey: KeyObject;
}

export interface SigningFixture {
  readonly database: SigningDatabase;
  readonly pool: Pool;
  readonly signing: Signing;
  readonly feed: ChangeFeed;
  /** Log lines of the most verbose level. */
  readonly logs: readonly string[];
  context(principal?: Partial<Principal>): RequestContext;
  createParty(partyId: string, role: PartyRole, tenantId?: string): Promise<TestParty>;
  createAccount(parties: readonly TestParty[], more?: Partial<Account>): Promise<Account>;
  createSession(accountId: string, tenantId?: string): Promise<SigningSession>;
  drop(): Promise<void>;
}

/** Signs for the account of the fixture as its parties would together. */
export const accountKey = generateKeyPairSync('ed25519');

export const rawKey = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' }).subarray(-32);

export function signedKey(
  { privateKey }: TestParty,
  key: Omit<PartyEncryptionKey, 'signature'>,
): PartyEncryptionKey {
  return { ...key, signature: sign(null, encryptionKeyStatement(key), privateKey) };
}

export interface FixtureOptions {
  readonly background?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the area on a database of its own.
 * @param background whether the sweeper, the sealing and the retention run; without them rows stay as the test wrote them
 * @param settings of the database, as its owner would set them
 */
export async function createSigningFixture({
  background = false,
  settings = {},
}: FixtureOptions = {}): Promise<SigningFixture> {
  const database = await createSigningDatabase();
  for (const [name, value] of Object.entries(settings))
    await database.superuser.none(`alter database ${database.name} set ${name} = '${value}'`);
  const logs: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logs.push(chunk.toString('utf8'));
      done();
    },
  });
  const observe = createObserver(
    createLogger({ level: 'debug', format: 'json', destination }),
    createMetrics('0'),
  );
  const pool = openServicePool(database, 6, observe);
  const feed = openChangeFeed(database.service, UNOBSERVED);
  const notifications = createNotifications({
    pool,
    feed,
    observe,
    limits: LOCAL_LIMITS,
    retentionDays: 90,
    newUserDays: 7,
    countLimit: null,
    listLimit: null,
    markAllLimit: null,
    changeLimit: null,
    ticketLimit: null,
    webhooks: NO_WEBHOOKS,
  });
  const signing = createSigning({
    pool: database.pool,
    feed,
    observe,
    limits: LOCAL_LIMITS,
    notifications: notifications.port,
    sessionLimit: null,
    configLimit: null,
    // No session may expire during a test, also on a slow machine.
    readySeconds: 3600,
    retentionDays: null,
    keyDelaySeconds: 0,
    headPlace: null,
    recentAuthSeconds: null,
  });
  if (background) signing.start();

  const context = (principal: Partial<Principal> = {}): RequestContext => ({
    principal: {
      tenantId: tenantIdOf('acme'),
      userId: userIdOf('ann'),
      scopes: null,
      tenants: null,
      expiresAt: null,
      authenticatedAt: null,
      ...principal,
    },
    signal: new AbortController().signal,
    headers: {},
    remoteAddress: '127.0.0.1',
  });

  return {
    database,
    pool,
    signing,
    feed,
    logs,
    context,
    async createParty(partyId, role, tenantId = 'acme') {
      const identityKeys = generateKeyPairSync('ed25519');
      const bare = partyBody(partyId, role, tenantId, identityKeys);
      const certificateKey = generateKeyPairSync('ed25519')
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString();
      const proven = { tenantId, partyId, identityKey: bare.identityPublicKey };
      const certificate = certificateProof(certificateKey, proven);
      const body = { ...bare, certificate };
      const request = { path: {}, query: {}, headers: {}, body };
      await signing.handlers.createParty(request, context({ tenantId: tenantIdOf(tenantId) }));
      const certificateSha256 = createHash('sha256').update(certificate.publicKey, 'hex').digest();
      const identity = await signing.parties.byCertificate(certificateSha256);
      if (identity === null) throw new Error('a party was not found by its certificate');
      return { identity, privateKey: identityKeys.privateKey };
    },
    async createAccount(parties, more = {}) {
      const tenantId = parties[0]?.identity.tenantId ?? tenantIdOf('acme');
      const body = {
        name: 'Treasury',
        ownerUserId: 'ann',
        keyType: 'ed25519' as const,
        publicKey: rawKey(accountKey.publicKey).toString('hex'),
        threshold: 2,
        shares: parties.map(({ identity: { partyId, role } }, index) => ({
          partyId,
          shareIndex: index + 1,
          shareType: role,
        })),
        ...more,
      };
      const request = {
        path: {},
        query: {},
        headers: {},
        body: { ...body, publicKey: body.publicKey ?? '' },
      };
      const answer = await signing.handlers.createAccount(request, context({ tenantId }));
      return answer.body as Account;
    },
    async createSession(id, tenantId = 'acme') {
      const request = { path: { id }, query: {}, headers: {}, body: { messageDigest: DIGEST } };
      const answer = await signing.handlers.createSigningSession(
        request,
        context({ tenantId: tenantIdOf(tenantId) }),
      );
      return answer.body as SigningSession;
    },
    async drop() {
      await signing.close();
      await notifications.close();
      await feed.close();
      await pool.close();
      await database.drop();
      const conflict = logs.find((line) => /SQLSTATE 40(?:001|P01)/.test(line));
      if (conflict !== undefined) throw new Error(`work failed because of other transactions: ${conflict}`);
    },
  };
}

export type { Account };
