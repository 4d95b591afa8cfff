/** The commands `dbr key create`, `list` and `revoke`, which use the table of keys as its owner. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  closeDatabase,
  type Database,
  isApiKey,
  isReservedRole,
  type KeyKind,
  type KeyRate,
  MOST_KEYS,
  newApiKey,
  openDatabase,
  quoteIdentifier,
  RELOAD_KEYS,
  type Settings,
  sha256,
  type Sources,
} from '../../../src/face.js';
import { openInspected, settingsInDatabase } from './inspected-database.js';

type KeyRequest = { readonly action: 'list' } | { readonly action: 'revoke'; readonly id: string } | NewKey;

interface NewKey {
  readonly action: 'create';
  readonly name: string;
  readonly kind: KeyKind;
  /** A file with a key that exists, such as one of Supabase; null makes a new key. */
  readonly importFrom: string | null;
  /** Null for the anonymous role. */
  readonly role: string | null;
  readonly rate: KeyRate | null;
  /** Seconds from now; null for no end. */
  readonly expiresIn: number | null;
}

/** A key in the output of the commands. */
interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly role: string | null;
  readonly rate: string | null;
  readonly state: 'valid' | 'expired' | 'revoked';
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
  readonly lastUsed: string | null;
}

const LISTED = `
  id, name, role,
  rate_requests || case rate_seconds when 1 then '/s' else '/m' end as rate,
  case when revoked_at is not null then 'revoked' when expires_at <= pg_catalog.now() then 'expired' else 'valid' end as state,
  pg_catalog.to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created,
  pg_catalog.to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as expires,
  pg_catalog.to_char(revoked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as revoked,
  pg_catalog.to_char(last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "lastUsed"`;

const INSERT = `
  insert into dbr_keys.api_keys (id, hash, name, role, rate_requests, rate_seconds, expires_at)
  values ($1, $2, $3, $4, $5, $6, pg_catalog.now() + pg_catalog.make_interval(secs => $7))
  on conflict (hash) do nothing
  returning ${LISTED}`;

const LIST = `select ${LISTED} from dbr_keys.api_keys order by created_at, id`;

const REVOKE = `
  update dbr_keys.api_keys set revoked_at = coalesce(revoked_at, pg_catalog.now()) where id = $1 returning ${LISTED}`;

/**
 * Runs the command.
 * @returns the text to print
 * @throws Error without a database, and for a key that cannot be made or is unknown
 */
export async function runKeyCommand(
  sources: Sources,
  request: KeyRequest,
  format: 'text' | 'json',
): Promise<string> {
  const { addresses, settings } = await openInspected(sources);
  const database = openDatabase(addresses.migrate, { poolSize: 1 });
  try {
    await requireTable(database);
    const output = await run(database, request, { data: addresses.data, settings });
    if (request.action !== 'list')
      await database.one('select pg_catalog.pg_notify($1, $2) is null as sent', [
        settings['db-channel'],
        RELOAD_KEYS,
      ]);
    return format === 'json' ? JSON.stringify(output.json, null, 2) : output.text;
  } finally {
    await closeDatabase(database);
    await addresses.stop();
  }
}

async function requireTable(database: Database): Promise<void> {
  const { there } = await database.one<{ readonly there: boolean }>(
    "select pg_catalog.to_regclass('dbr_keys.api_keys') is not null as there",
  );
  if (!there) throw new Error('the database has no table of API keys: run dbr migrate');
}

interface Output {
  readonly text: string;
  readonly json: unknown;
}

interface DataDatabase {
  /** The address of `db-uri`. */
  readonly data: string;
  readonly settings: Settings;
}

async function run(database: Database, request: KeyRequest, data: DataDatabase): Promise<Output> {
  switch (request.action) {
    case 'list': {
      const keys = await database.any<ListedKey>(LIST);
      return { text: table(keys), json: keys };
    }
    case 'revoke': {
      const key = await database.oneOrNone<ListedKey>(REVOKE, [request.id]);
      if (key === null) throw new Error(`no key has the ID ${request.id}`);
      return { text: `revoked ${key.id} (${key.name})`, json: key };
    }
    case 'create':
      return create(database, request, data);
  }
}

async function create(database: Database, request: NewKey, data: DataDatabase): Promise<Output> {
  const { name, kind, importFrom, role, rate, expiresIn } = request;
  const text = importFrom === null ? newApiKey(kind) : readFileSync(importFrom, 'utf8').trim();
  if (!isApiKey(text))
    throw new Error(
      `${importFrom ?? ''} holds no key: dbr_, sb_publishable_ or sb_secret_, and 22 to 200 letters, digits, - and _`,
    );
  const login = await loginFor(role, data);
  const { count } = await database.one<{ readonly count: number }>(
    `select pg_catalog.count(*)::integer as count from dbr_keys.api_keys
     where revoked_at is null and (expires_at is null or expires_at > pg_catalog.now())`,
  );
  if (count >= MOST_KEYS) throw new Error(`${String(MOST_KEYS)} keys are valid: revoke others first`);
  await database.multi(grantsTo(login));
  const key = await database.oneOrNone<ListedKey>(INSERT, [
    randomBytes(ID_BYTES).toString('hex'),
    sha256(text),
    ...[name, role, rate?.requests ?? null, rate?.seconds ?? null, expiresIn],
  ]);
  if (key === null) throw new Error('the table has this key already');
  return importFrom === null
    ? { text, json: { key: text, ...key } }
    : { text: `imported ${key.id} (${key.name})`, json: key };
}

const ID_BYTES = 6;

/**
 * What a process of the data API needs for the keys. PostgreSQL refuses one of two grants at the same time; the number of the lock
 * is arbitrary.
 */
function grantsTo(login: string): string {
  const name = quoteIdentifier(login);
  return `
    select pg_catalog.pg_advisory_xact_lock(5347123);
    grant usage on schema dbr_keys to ${name};
    grant select, update (last_used_at) on dbr_keys.api_keys to ${name};
    grant select on dbr_keys.revision to ${name}`;
}

/** Returns the login role of `db-uri`, which must be able to become the role of the key. @throws Error */
async function loginFor(role: string | null, { data, settings: given }: DataDatabase): Promise<string> {
  const settings = await settingsInDatabase(data, given);
  const wanted = role ?? settings['db-anon-role'];
  if (wanted === null) throw new Error('--role is missing, and db-anon-role is not set');
  const database = openDatabase(data, { poolSize: 1 });
  try {
    const { login, migrated, member } = await database.one<{
      readonly login: string;
      readonly migrated: boolean;
      /** Null for a role that does not exist. */
      readonly member: boolean | null;
    }>(
      `select session_user::text as login,
         pg_catalog.to_regnamespace('dbr_keys') is not null as migrated,
         (select pg_catalog.pg_has_role(session_user, oid, 'member')
            from pg_catalog.pg_roles where rolname = $1) as member`,
      [wanted],
    );
    if (!migrated) throw new Error('the database of db-uri has no table of API keys: run dbr migrate there');
    if (member === null) throw new Error(`the role ${wanted} does not exist`);
    if (isReservedRole(wanted, { anonymousRole: settings['db-anon-role'], loginRole: login }))
      throw new Error(`${wanted} is a role of the service itself: name another role`);
    if (!member) throw new Error(`${login} may not become ${wanted}: grant ${wanted} to ${login}`);
    return login;
  } finally {
    await closeDatabase(database);
  }
}

const COLUMNS = ['id', 'name', 'role', 'rate', 'state', 'created', 'expires', 'lastUsed'] as const;

/** The keys as lines of columns; times to the minute. */
function table(keys: readonly ListedKey[]): string {
  const rows = [
    COLUMNS.map((column) => (column === 'lastUsed' ? 'last used' : column)),
    ...keys.map((key) => COLUMNS.map((column) => shown(key[column] ?? '-', TIMES.has(column)))),
  ];
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const TIMES: ReadonlySet<string> = new Set(['created', 'expires', 'lastUsed']);
const MINUTE = 'YYYY-MM-DDThh:mm'.length;

const shown = (text: string, isTime: boolean): string => (isTime ? text.slice(0, MINUTE) : text);
