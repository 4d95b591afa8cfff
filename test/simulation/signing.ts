/** Clients of signing over HTTP, and the accounts and parties that they find. signing-audit.ts has what their histories allow. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Answer } from './http-client.js';
import {
  bearer,
  json,
  type Context,
  type Plan,
  type PlannedRequest,
  type ShownEvent,
  type ShownSession,
} from './requests.js';

const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest();

/** A UUID that follows from a name. */
export function uuidOf(name: string): string {
  const hex = sha256(name).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

export const accountIdOf = (tenantId: string, user: string): string => uuidOf(`account ${tenantId} ${user}`);
export const sessionIdOf = (operation: number): string => uuidOf(`session ${String(operation)}`);

// What is in the database before a schedule: two servers and a delegate of each tenant, and an account of each user.

export const SERVERS = ['node-a', 'node-b'] as const;
export const DELEGATE = 'guard';
const THRESHOLD = 2;

/** PKCS #8 of Ed25519 (RFC 8410 §7) up to the seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 key of a name. */
export const keyOf = (name: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, sha256(name)]), format: 'der', type: 'pkcs8' });

const publicKeyOf = (name: string): string =>
  createPublicKey(keyOf(name)).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

export const identityName = (tenantId: string, partyId: string): string =>
  `identity of ${partyId} of ${tenantId}`;

const ONE_TIME_KEYS = 30;
const LASTING_KEY = 'lasting';

export interface Owner {
  readonly tenantId: string;
  readonly user: string;
  /** The account has all parties as its signing parties, not none. */
  readonly isConfigured: boolean;
}

export const ALL_PARTIES: readonly string[] = [...SERVERS, DELEGATE];

const quoted = (text: string): string => `'${text}'`;

function partiesOf(tenantId: string): string {
  const tenant = quoted(tenantId);
  const parties = ALL_PARTIES.map(
    (party) =>
      `(${tenant}, '${party}', '${party}', '${party === DELEGATE ? 'delegate' : 'server'}', '\\x${publicKeyOf(identityName(tenantId, party))}')`,
  );
  return `
insert into dbr_signing.parties (tenant_id, party_id, name, role, identity_public_key) values ${parties.join(', ')};
insert into dbr_signing.party_encryption_keys (tenant_id, party_id, key_id, suite, public_key, one_time, signature)
  select ${tenant}, '${DELEGATE}', case when n = 0 then '${LASTING_KEY}' else 'key-' || n end,
         'HPKE-X25519-SHA256-AES256GCM', decode(repeat('09', 32), 'hex'), n > 0, '\\x00'
    from generate_series(0, ${String(ONE_TIME_KEYS)}) as n;`;
}

function accountOf({ tenantId, user, isConfigured }: Owner): string {
  const id = accountIdOf(tenantId, user);
  const [tenant, account] = [quoted(tenantId), quoted(id)];
  const shares = ALL_PARTIES.map(
    (party, at) =>
      `(${tenant}, ${account}, '${party}', ${String(at + 1)}, '${party === DELEGATE ? 'delegate' : 'server'}')`,
  );
  return `
insert into dbr_signing.accounts (account_id, tenant_id, owner_user_id, name, key_type, public_key, threshold)
  values (${account}, ${tenant}, ${quoted(user)}, 'account', 'ed25519', '\\x${publicKeyOf(id)}', ${String(THRESHOLD)});
insert into dbr_signing.account_shares (tenant_id, account_id, party_id, share_index, share_type)
  values ${shares.join(', ')};
insert into dbr_signing.account_signing_parties (account_id, tenant_id, party_id, position)
  select account_id, tenant_id, party_id, share_index from dbr_signing.account_shares
   where account_id = ${account} and ${String(isConfigured)};`;
}

export const seedOf = (owners: readonly Owner[]): string =>
  [...[...new Set(owners.map(({ tenantId }) => tenantId))].map(partiesOf), ...owners.map(accountOf)].join(
    '\n',
  );

// The share of a user, as ciphertext that is recognised wherever it appears.

const NEEDLE = 'SIMULATED SHARE';

/** Texts in which a share that leaks is found. */
export const NEEDLES: readonly string[] = [
  NEEDLE,
  Buffer.from(NEEDLE).toString('base64'),
  Buffer.from(NEEDLE).toString('hex'),
];

export const leaks = (text: string): boolean => NEEDLES.some((needle) => text.includes(needle));

export const ciphertextOf = (mark: string): Buffer => Buffer.from(`${NEEDLE} of ${mark}`);

const HOUR_MS = 3_600_000;

const lengthPrefixed = (parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(part));
      return [length, Buffer.from(part)];
    }),
  );

interface Binding {
  readonly accountId: string;
  readonly sessionId: string;
  readonly messageDigest: string;
  readonly derivationPath: readonly number[];
}

/** The share for a session (docs/signing/overview.md, delegates). */
function shareFor({ claims, mark, signing }: Context, keyId: string, binding: Binding): object {
  const expiry = Buffer.alloc(8);
  const expiresAt = signing.now + HOUR_MS;
  expiry.writeBigInt64BE(BigInt(expiresAt));
  const path = Buffer.alloc(4 * binding.derivationPath.length);
  binding.derivationPath.forEach((index, at) => path.writeUInt32BE(index, 4 * at));
  const associated = lengthPrefixed([
    ...['dus/v1', claims.tenantId, binding.accountId, binding.sessionId, DELEGATE, keyId],
    ...[Buffer.from(binding.messageDigest, 'hex'), path, expiry],
  ]);
  return {
    delegatePartyId: DELEGATE,
    recipientKeyId: keyId,
    suite: 'HPKE-X25519-SHA256-AES256GCM',
    encapsulatedKey: Buffer.from(NEEDLE.padEnd(32, '.')).toString('base64url'),
    ciphertext: ciphertextOf(mark).toString('base64url'),
    aadSha256: sha256(associated).toString('hex'),
    shareType: 'delegate',
    purpose: 'signing',
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

// Answers.

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isSession = (value: unknown): value is ShownSession & Readonly<Record<string, unknown>> =>
  isObject(value) &&
  typeof value['sessionId'] === 'string' &&
  typeof value['state'] === 'string' &&
  typeof value['stateVersion'] === 'number' &&
  typeof value['messageDigest'] === 'string' &&
  Array.isArray(value['derivationPath']) &&
  Array.isArray(value['participants']);

const isEvent = (value: unknown): value is ShownEvent =>
  isObject(value) && typeof value['sequence'] === 'number' && typeof value['type'] === 'string';

/** Returns null for text that is no event. */
export function eventOf(data: string): ShownEvent | null {
  const value: unknown = JSON.parse(data);
  return isEvent(value) ? value : null;
}

function sessionOf({ body }: Answer): ShownSession | null {
  const value: unknown = JSON.parse(body);
  return isSession(value) ? value : null;
}

function itemsOf<Item>({ body }: Answer, isItem: (value: unknown) => value is Item): readonly Item[] | null {
  const page: unknown = JSON.parse(body);
  const items: unknown = isObject(page) ? page['items'] : null;
  return Array.isArray(items) && items.every(isItem) ? items : null;
}

const codeOf = ({ body }: Answer): unknown => {
  const value: unknown = JSON.parse(body);
  return isObject(value) ? value['code'] : null;
};

const isFailure = ({ status }: Answer): boolean => status >= 400;

const hasCode =
  (...codes: readonly string[]) =>
  (answer: Answer): string | null =>
    codes.some((code) => code === codeOf(answer)) ? null : `the body is ${answer.body.slice(0, 200)}`;

const isOf =
  (what: string, isRight: (session: ShownSession) => boolean) =>
  (answer: Answer): string | null => {
    const session = sessionOf(answer);
    return session !== null && isRight(session) ? null : `no ${what}: ${answer.body.slice(0, 300)}`;
  };

// Signing configuration.

const CONFIGS: readonly [readonly string[], ...(readonly string[])[]] = [
  [...SERVERS],
  [...SERVERS, DELEGATE],
  [SERVERS[1], DELEGATE],
];

const configPath = (accountId: string): string => `/accounts/${accountId}/signing-config`;

interface ShownConfig {
  readonly accountId: string;
  readonly signingParties: readonly string[] | null;
  readonly configured: boolean;
}

const isConfig = (value: unknown): value is ShownConfig =>
  isObject(value) && 'accountId' in value && 'signingParties' in value && 'configured' in value;

function configOf({ body }: Answer): ShownConfig | null {
  const value: unknown = JSON.parse(body);
  return isConfig(value) ? value : null;
}

function checkConfig(accountId: string, answer: Answer): string | null {
  const config = configOf(answer);
  if (config?.accountId !== accountId) return `the configuration of another: ${answer.body.slice(0, 200)}`;
  return config.configured === (config.signingParties !== null) ? null : `${answer.body} contradicts itself`;
}

function showConfig(answer: Answer) {
  const config = isFailure(answer) ? null : configOf(answer);
  return config === null
    ? null
    : ({ kind: 'config', accountId: config.accountId, parties: config.signingParties } as const);
}

/** Answers of the methods: 201, 200 and 204, and those of a state that excludes them. */
const CONFIG_METHODS: readonly [method: string, statuses: readonly number[]][] = [
  ['POST', [201, 409]],
  ['PUT', [200, 404]],
  ['DELETE', [204]],
];

const setConfig: Plan = (context) => {
  const { random, signing } = context;
  const { accountId } = signing;
  const [method, statuses] = CONFIG_METHODS[random.below(4) % 3] ?? ['DELETE', [204]];
  const parties = method === 'DELETE' ? null : random.pick(CONFIGS);
  return {
    wire: {
      method,
      path: configPath(accountId),
      headers: json(context),
      ...(parties === null ? {} : { body: JSON.stringify({ signingParties: parties }) }),
    },
    statuses,
    check(answer) {
      if (isFailure(answer)) return hasCode('DBR503', 'DBR504')(answer);
      if (parties === null) return null;
      const set = configOf(answer)?.signingParties?.toSorted().join();
      return set === parties.toSorted().join() ? checkConfig(accountId, answer) : `not set: ${answer.body}`;
    },
    effect: { kind: 'config', accountId, parties },
  };
};

export const readConfig = (context: Pick<Context, 'claims'>, accountId: string): PlannedRequest => ({
  wire: { method: 'GET', path: configPath(accountId), headers: bearer(context) },
  statuses: [200],
  check: (answer) => checkConfig(accountId, answer),
  shows: showConfig,
});

// Sessions.

/** What all see of a session who may see it. */
const SESSIONS = '/api/v1/signing-sessions';
const LAST_EVENTS: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled']);
export const isLastEvent = ({ event }: { readonly event: string }): boolean => LAST_EVENTS.has(event);

const read = (context: Context, sessionId: string): PlannedRequest => ({
  wire: { method: 'GET', path: `${SESSIONS}/${sessionId}`, headers: bearer(context) },
  statuses: [200],
  check: isOf('session of that name', (session) => session.sessionId === sessionId),
  shows: showSession,
});

function showSession(answer: Answer) {
  const session = isFailure(answer) ? null : sessionOf(answer);
  return session === null ? null : ({ kind: 'sessions', sessions: [session] } as const);
}

const readEvents = (context: Context, sessionId: string): PlannedRequest => ({
  wire: { method: 'GET', path: `${SESSIONS}/${sessionId}/events`, headers: bearer(context) },
  statuses: [200],
  check: (answer) => (itemsOf(answer, isEvent) === null ? `no events: ${answer.body.slice(0, 200)}` : null),
  shows: (answer) => ({ kind: 'events', sessionId, events: itemsOf(answer, isEvent) ?? [] }),
});

const cancel = (context: Context, sessionId: string): PlannedRequest => ({
  wire: {
    method: 'POST',
    path: `${SESSIONS}/${sessionId}/cancel`,
    headers: json(context),
    body: JSON.stringify({ reason: context.mark }),
  },
  statuses: [200, 409],
  check: (answer) =>
    isFailure(answer)
      ? hasCode('DBR514')(answer)
      : isOf('cancelled session', ({ state }) => state === 'cancelled')(answer),
  shows: showSession,
  effect: { kind: 'cancel', sessionId },
});

/** What the creator does with a new session. */
function afterCreation(context: Context, { sessionId }: ShownSession): PlannedRequest | null {
  switch (context.random.below(6)) {
    case 0:
      return read(context, sessionId);
    case 1:
      return readEvents(context, sessionId);
    case 2:
      return { ...cancel(context, sessionId), next: () => cancel(context, sessionId) };
    case 3:
      return cancel(context, sessionId);
    default:
      return null;
  }
}

interface Creation {
  readonly accountId: string;
  readonly binding: Omit<Binding, 'accountId' | 'sessionId'>;
  readonly share: object | null;
}

const bindingOf = ({ random, mark }: Context) => ({
  messageDigest: sha256(mark).toString('hex'),
  derivationPath: random.chance(0.4) ? [0, 1] : [],
});

/** The request names the session, has a key, or both. */
function creation(context: Context, { accountId, binding, share }: Creation): PlannedRequest {
  const { random, claims, mark, key, signing } = context;
  const isNamed = share !== null || random.chance(0.5);
  const keyed: Record<string, string> = isNamed && random.chance(0.5) ? {} : { 'Idempotency-Key': key };
  const isFollowed = random.chance(0.5);
  return {
    wire: {
      method: 'POST',
      path: `/accounts/${accountId}/signing-sessions`,
      headers: json(context, keyed),
      body: JSON.stringify({
        ...{ ...binding, ttlSeconds: 30, metadata: { mark } },
        ...(isNamed ? { sessionId: signing.sessionId } : {}),
        ...(share === null ? {} : { delegateUserShare: share }),
      }),
    },
    statuses: [200, 201, 422],
    check: (answer) =>
      isFailure(answer)
        ? hasCode(share === null ? 'DBR509' : 'DBR510')(answer)
        : isOf(
            'session of the request',
            (session) =>
              session.accountId === accountId &&
              session.tenantId === claims.tenantId &&
              session.createdBy === claims.sub &&
              (!isNamed || session.sessionId === signing.sessionId),
          )(answer),
    effect: { kind: 'session', accountId, mark, hasShare: share !== null },
    isKeyed: 'effect',
    shows(answer) {
      const session = isFailure(answer) ? null : sessionOf(answer);
      return session === null ? null : { kind: 'created', mark, session };
    },
    next(answer) {
      const session = isFailure(answer) ? null : sessionOf(answer);
      return session === null ? null : afterCreation(context, session);
    },
    follows(answer) {
      const session = isFollowed && !isFailure(answer) ? sessionOf(answer) : null;
      return session === null ? null : `${SESSIONS}/${session.sessionId}/events`;
    },
  };
}

const create: Plan = (context) =>
  creation(context, { accountId: context.signing.accountId, binding: bindingOf(context), share: null });

interface OfferedKey {
  readonly keyId: string;
  readonly oneTime: boolean;
}

const isOfferedKey = (value: unknown): value is OfferedKey =>
  isObject(value) && typeof value['keyId'] === 'string' && typeof value['oneTime'] === 'boolean';

function offeredKey({ body }: Answer): OfferedKey | null {
  const value: unknown = JSON.parse(body);
  return isOfferedKey(value) ? value : null;
}

const claim = (
  context: Context,
  accountId: string,
  next: (keyId: string) => PlannedRequest,
): PlannedRequest => ({
  wire: { method: 'POST', path: `/accounts/${accountId}/delegate-keys/claim`, headers: bearer(context) },
  statuses: [200],
  check: (answer) => (offeredKey(answer) === null ? `no key: ${answer.body.slice(0, 200)}` : null),
  shows(answer) {
    const key = offeredKey(answer);
    return key === null ? null : { kind: 'key', keyId: key.keyId, isOneTime: key.oneTime };
  },
  next(answer) {
    const key = offeredKey(answer);
    return key === null ? null : next(key.keyId);
  },
});

const createWithShare: Plan = (context) => {
  const { accountId, sessionId } = context.signing;
  const binding = bindingOf(context);
  return claim(context, accountId, (keyId) => {
    const share = shareFor(context, keyId, { ...binding, accountId, sessionId });
    return creation(context, { accountId, binding, share });
  });
};

/** Creates a session for an account of another user. Its delegate needs a share, which the owner supplies later. */
const createForPeer: Plan = (context) => {
  const { random, signing } = context;
  const accountId = signing.peerAccounts[random.below(Math.max(1, signing.peerAccounts.length))];
  if (accountId === undefined || !signing.signsForPeers) return create(context);
  return creation(context, { accountId, binding: bindingOf(context), share: null });
};

const list = (context: Context): PlannedRequest => ({
  wire: { method: 'GET', path: `${SESSIONS}?limit=100`, headers: bearer(context) },
  statuses: [200],
  check(answer) {
    const items = itemsOf(answer, isSession);
    const { claims, signing } = context;
    const foreign = items?.find(
      ({ tenantId, createdBy, accountId }) =>
        tenantId !== claims.tenantId || (createdBy !== claims.sub && accountId !== signing.accountId),
    );
    if (items === null) return `no list: ${answer.body.slice(0, 200)}`;
    return foreign === undefined ? null : `a session of another: ${JSON.stringify(foreign)}`;
  },
  shows: (answer) => ({ kind: 'sessions', sessions: itemsOf(answer, isSession) ?? [] }),
});

const hasDelegate = ({ participants }: ShownSession): boolean =>
  participants.some(({ partyId }) => partyId === DELEGATE);

/** Supplies the share that a session lacks. */
const supplyShare: Plan = (context) => ({
  ...list(context),
  next(answer) {
    const { accountId } = context.signing;
    const waiting = itemsOf(answer, isSession)?.find(
      (session) =>
        session.accountId === accountId &&
        hasDelegate(session) &&
        session.delegateUserShare === null &&
        !LAST_EVENTS.has(session.state),
    );
    return waiting === undefined
      ? null
      : claim(context, accountId, (keyId) => supply(context, keyId, waiting));
  },
});

function supply(context: Context, keyId: string, session: ShownSession): PlannedRequest {
  const { sessionId } = session;
  return {
    wire: {
      method: 'PUT',
      path: `${SESSIONS}/${sessionId}/delegate-user-share`,
      headers: json(context),
      body: JSON.stringify(shareFor(context, keyId, session)),
    },
    statuses: [200, 409, 422],
    check: (answer) =>
      isFailure(answer)
        ? hasCode('DBR510', 'DBR514')(answer)
        : isOf('session with a share', ({ delegateUserShare }) => delegateUserShare !== null)(answer),
    shows: showSession,
    effect: { kind: 'share', sessionId },
  };
}

/** What the client may not see is not there for it, whether it exists or not. */
const reachForForeign: Plan = (context) => {
  const { random, signing, mark } = context;
  const choose = (ids: readonly string[]): string =>
    ids[random.below(Math.max(1, ids.length))] ?? uuidOf(mark);
  const [account, session] = [choose(signing.foreignAccounts), choose(signing.foreignSessions)];
  const [method, path, body] = random.pick([
    ['GET', `${SESSIONS}/${session}`],
    ['GET', `${SESSIONS}/${session}/events`],
    ['POST', `${SESSIONS}/${session}/cancel`, '{}'],
    ['GET', configPath(account)],
    ['DELETE', configPath(account)],
    ['POST', `/accounts/${account}/delegate-keys/claim`],
    ['POST', `/accounts/${account}/signing-sessions`, JSON.stringify({ messageDigest: '0'.repeat(64) })],
  ] as const);
  return {
    wire: { method, path, headers: json(context), ...(body === undefined ? {} : { body }) },
    statuses: [404],
    check: hasCode('DBR500', 'DBR502'),
  };
};

export const SIGNING_OPERATIONS = {
  setConfig,
  readConfig: (context: Context) => readConfig(context, context.signing.accountId),
  create,
  createWithShare,
  createForPeer,
  supplyShare,
  listSessions: list,
  reachForForeign,
} as const;
