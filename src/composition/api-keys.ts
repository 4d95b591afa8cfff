/** The API keys of a process: read from the database, and read again when they have changed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  createApiKeys,
  type ApiKeysOptions,
  hashPrefix,
  type ApiKey,
  type ApiKeys,
  type KnownKeys,
} from '../auth/api-keys.js';
import { type Observe, workFailed } from '../observability/observation.js';
import type { Limits, RateLimiter } from '../operations/limits.js';
import { repeat } from '../observability/repeat.js';
import type { Database } from '../postgres/database.js';

interface OpenApiKeys {
  readonly keys: ApiKeys;
  /** Looks for changes now. */
  reload(): void;
  close(): Promise<void>;
}

interface OpenApiKeysOptions {
  readonly database: Database;
  readonly limits: Limits;
  readonly observe: Observe;
  /** Time between two looks for changes, in milliseconds. */
  readonly refreshMs: number;
}

/** Most keys that are neither revoked nor expired; further ones are not read. About 400 bytes each. */
export const MOST_KEYS = 10_000;
/** Keys that are read in one turn of the event loop. */
const PORTION = 250;
/** Age at which keys that cannot be read again are no longer in force: one of them may have been revoked. */
const LONGEST_USE_MS = 60_000;
/** Time between two notes of the last use. */
const USES_MS = 60_000;

interface ApiKeysState {
  readonly database: Database;
  known: KnownKeys | null;
  /** Revision of the keys that are known. */
  revision: string | null;
  /** Times of `performance.now()`. */
  readAtMs: number;
  usesNotedAtMs: number;
  /** Keys that were used since their last use was noted; at most those that are known. */
  readonly used: Set<string>;
}

/** Reads the keys now and at intervals. They are known for a minute, or for three intervals, without a database. */
export function openApiKeys({ database, limits, observe, refreshMs }: OpenApiKeysOptions): OpenApiKeys {
  const state: ApiKeysState = {
    ...{ database, known: null, revision: null, readAtMs: -Infinity, used: new Set() },
    usesNotedAtMs: performance.now(),
  };
  const looking = repeat(() => refresh(state), {
    ...{ intervalMs: refreshMs, observe },
    failure: workFailed('API keys'),
  });
  const longestUseMs = Math.max(LONGEST_USE_MS, 3 * refreshMs);
  return {
    keys: createApiKeys({
      known: () => (performance.now() - state.readAtMs > longestUseMs ? null : state.known),
      onUse: (id) => state.used.add(id),
      ...{ take: rateCounter(limits), observe },
    }),
    reload: () => looking.soon(),
    async close() {
      await looking.close();
      await noteUses(state).catch(() => undefined);
    },
  };
}

async function refresh(state: ApiKeysState): Promise<void> {
  const begunAtMs = performance.now();
  const { number } = await state.database.one<{ readonly number: string }>(
    'select number from dbr_keys.revision',
  );
  if (number !== state.revision) state.known = await readKeys(state.database);
  state.revision = number;
  state.readAtMs = begunAtMs;
  if (begunAtMs - state.usesNotedAtMs < USES_MS) return;
  state.usesNotedAtMs = begunAtMs;
  await noteUses(state);
}

interface KeyRow {
  readonly id: string;
  readonly hash: Buffer;
  readonly role: string | null;
  readonly requests: number | null;
  readonly seconds: number | null;
  /** Milliseconds since the epoch. */
  readonly expires: string | null;
}

const PORTION_OF_KEYS = `
  select id, hash, role, rate_requests as requests, rate_seconds as seconds,
    pg_catalog.date_part('epoch', expires_at) * 1000 as expires
  from dbr_keys.api_keys
  where id > $1 and revoked_at is null and (expires_at is null or expires_at > pg_catalog.now())
  order by id limit $2`;

async function readKeys(database: Database): Promise<KnownKeys> {
  const known = new Map<string, ApiKey>();
  let after = '';
  for (;;) {
    const rows = await database.any<KeyRow>(PORTION_OF_KEYS, [after, PORTION]);
    for (const row of rows) known.set(hashPrefix(row.hash), keyOf(row));
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PORTION || known.size >= MOST_KEYS) return known;
    await nextTurn();
  }
}

const keyOf = ({ id, hash, role, requests, seconds, expires }: KeyRow): ApiKey => ({
  ...{ id, hash, role },
  rate: requests === null || seconds === null ? null : { requests, seconds },
  expiresAtMs: expires === null ? null : Number(expires),
});

/** Most different rates that are counted at a time. */
const MOST_RATES = 1000;

function rateCounter(limits: Limits): ApiKeysOptions['take'] {
  const limiters = new Map<string, RateLimiter>();
  return (id, rate, requests) => {
    const name = `api-key ${String(rate.requests)}/${String(rate.seconds)}`;
    const known = limiters.get(name);
    if (known !== undefined) return known.take(id, requests);
    if (limiters.size >= MOST_RATES) limiters.clear();
    const limiter = limits.rate(name, rate);
    limiters.set(name, limiter);
    return limiter.take(id, requests);
  };
}

async function noteUses({ database, used }: ApiKeysState): Promise<void> {
  if (used.size === 0) return;
  const ids = [...used];
  used.clear();
  await database.none(
    `update dbr_keys.api_keys set last_used_at = pg_catalog.now()
     where id = any ($1::text[]) and (last_used_at is null or last_used_at < pg_catalog.now())`,
    [ids],
  );
}
