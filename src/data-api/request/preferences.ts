/** The Prefer header (RFC 7240; data API §1.11). */

export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  readonly missing: 'default' | 'null' | null;
  readonly return: 'representation' | 'headers-only' | 'minimal' | null;
  readonly match: 'keys' | null;
  readonly params: 'single-object' | null;
  readonly count: 'exact' | 'planned' | 'estimated' | null;
  /** Also null if the settings do not let clients choose how transactions end. */
  readonly tx: 'commit' | 'rollback' | null;
  /** Only reads of relations have it. */
  readonly pagination: 'keyset' | null;
  readonly handling: 'strict' | 'lenient' | null;
  /** Name of a time zone that PostgreSQL knows. */
  readonly timezone: string | null;
  /** Null without `handling=strict`. */
  readonly maxAffected: bigint | null;
  /** Greatest cost that the planner may estimate for the statement. */
  readonly maxCost: number | null;
  /** Whether the response is explained; false if the role may not ask for it. */
  readonly explain: boolean;
  /** Whether CSV is streamed. */
  readonly stream: boolean;
  /** Unknown tokens, as written. With `handling=strict`, they are refused with DBR122. */
  readonly invalid: readonly string[];
}

export interface PreferenceOptions {
  /** Whether the setting `db-tx-end` lets clients choose. */
  readonly allowTx: boolean;
  readonly isTimezone: (name: string) => boolean;
  /** Whether the role may ask how its request was executed (`db-explain-enabled`); false by default. */
  readonly allowExplain?: boolean;
}

const TOKENS = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['representation', 'headers-only', 'minimal'],
  match: ['keys'],
  params: ['single-object'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
  pagination: ['keyset'],
} as const;

/** Beginning of the token that requests a time zone. */
export const TIMEZONE = 'timezone=';
const MAX_AFFECTED = 'max-affected=';
const MAX_COST = 'max-cost=';
export const EXPLAIN = 'explain';
/** The token that streams CSV. */
export const STREAM = 'stream';
const NATURAL = /^\d{1,18}$/;
/** The highest cost has 13 digits. */
const COST = /^\d{1,13}$/;

/**
 * Reads the header, its lines joined by commas. Tokens are exact and case-sensitive; the first of each kind is used.
 * A known token that clients must not use (`tx` without `-allow-override`) is ignored.
 */
export function readPreferences(header: string | undefined, options: PreferenceOptions): Preferences {
  const tokens = readTokens(header ?? '');
  // A header may repeat a token thousands of times.
  const known = new Set(tokens.filter((token) => KNOWN.has(token)));
  const first = <K extends keyof typeof TOKENS>(kind: K): (typeof TOKENS)[K][number] | null => {
    for (const token of known) {
      for (const value of TOKENS[kind]) if (token === `${kind}=${value}`) return value;
    }
    return null;
  };
  const after = (prefix: string, test: (text: string) => boolean): string | null =>
    tokens
      .filter((token) => token.startsWith(prefix))
      .map((token) => token.slice(prefix.length))
      .find(test) ?? null;
  const handling = first('handling');
  const maxAffected = after(MAX_AFFECTED, (text) => NATURAL.test(text));
  const maxCost = after(MAX_COST, (text) => COST.test(text));
  return {
    resolution: first('resolution'),
    missing: first('missing'),
    return: first('return'),
    match: first('match'),
    params: first('params'),
    count: first('count'),
    tx: options.allowTx ? first('tx') : null,
    handling,
    pagination: first('pagination'),
    timezone: after(TIMEZONE, options.isTimezone),
    maxAffected: maxAffected !== null && handling === 'strict' ? BigInt(maxAffected) : null,
    maxCost: maxCost === null ? null : Number(maxCost),
    explain: options.allowExplain === true && tokens.includes(EXPLAIN),
    stream: tokens.includes(STREAM),
    invalid: tokens.filter((token) => !isKnown(token, options)),
  };
}

/** Whether the header has `handling=strict` before any other `handling`. */
export const isStrict = (header: string | undefined): boolean =>
  header?.includes(STRICT) === true && readTokens(header).find((token) => HANDLING.has(token)) === STRICT;

const STRICT = 'handling=strict';
const HANDLING: ReadonlySet<string> = new Set(TOKENS.handling.map((value) => `handling=${value}`));

const readTokens = (header: string): readonly string[] =>
  header
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');

const KNOWN: ReadonlySet<string> = new Set(
  Object.entries(TOKENS).flatMap(([kind, values]) => values.map((value) => `${kind}=${value}`)),
);

function isKnown(token: string, options: PreferenceOptions): boolean {
  if (token.startsWith(TIMEZONE)) return options.isTimezone(token.slice(TIMEZONE.length));
  if (token.startsWith(MAX_AFFECTED)) return NATURAL.test(token.slice(MAX_AFFECTED.length));
  if (token.startsWith(MAX_COST)) return COST.test(token.slice(MAX_COST.length));
  if (token === EXPLAIN) return options.allowExplain === true;
  return token === STREAM || KNOWN.has(token);
}

/** A preference that can be named in Preference-Applied. */
type AppliedPreference = Exclude<keyof Preferences, 'invalid' | 'explain' | 'stream'>;

/** The preferences that Preference-Applied can name for each kind of action, in its order. */
const APPLICABLE = {
  read: ['count', 'tx', 'handling', 'timezone', 'pagination', 'maxCost'],
  insert: ['resolution', 'missing', 'return', 'count', 'tx', 'handling', 'timezone', 'maxCost'],
  update: ['match', 'missing', 'return', 'count', 'tx', 'handling', 'timezone', 'maxAffected', 'maxCost'],
  upsert: ['return', 'count', 'tx', 'handling', 'timezone', 'maxCost'],
  delete: ['return', 'count', 'tx', 'handling', 'timezone', 'maxAffected', 'maxCost'],
  call: ['params', 'count', 'tx', 'handling', 'timezone', 'maxAffected', 'maxCost'],
} as const satisfies Record<string, readonly AppliedPreference[]>;

export type PreferenceScope = keyof typeof APPLICABLE;

const SPELLING: Partial<Record<AppliedPreference, string>> = {
  maxAffected: 'max-affected',
  maxCost: 'max-cost',
};

/**
 * The value of Preference-Applied, or null for none. `except` names preferences that do not apply to the resource,
 * such as `resolution` for a table without a key.
 */
export function appliedPreferences(
  preferences: Preferences,
  scope: PreferenceScope,
  except: ReadonlySet<AppliedPreference> = NONE,
): string | null {
  let applied: string | null = null;
  for (const name of APPLICABLE[scope]) {
    if (preferences[name] === null || except.has(name)) continue;
    const preference = `${SPELLING[name] ?? name}=${String(preferences[name])}`;
    applied = applied === null ? preference : `${applied}, ${preference}`;
  }
  return applied;
}

const NONE: ReadonlySet<AppliedPreference> = new Set();
