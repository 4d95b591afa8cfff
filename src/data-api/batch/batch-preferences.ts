/** Preferences of a batch, which concern its transaction. */
import { dbrError } from '../../errors/dbr-error.js';
import type { Isolation } from '../schema-cache/types.js';

export interface BatchPreferences {
  readonly isolation: Isolation | null;
  /** How often the transaction is repeated after a serialisation failure or a deadlock. */
  readonly retries: number;
  /** Also null if the settings do not let clients choose how transactions end. */
  readonly tx: 'commit' | 'rollback' | null;
  /** The preferences that are applied, for Preference-Applied. */
  readonly applied: readonly string[];
}

const ISOLATIONS: ReadonlyMap<string, Isolation> = new Map([
  ['isolation=serializable', 'serializable'],
  ['isolation=repeatable-read', 'repeatable read'],
  ['isolation=read-committed', 'read committed'],
]);

const RETRY = /^retry=(\d{1,2})$/;
/** Most repetitions of a transaction. */
export const MOST_RETRIES = 10;
const ENDS = ['commit', 'rollback'] as const;

/**
 * Reads the header. The first token of each kind is used; unknown ones are ignored, unless `handling=strict` is among
 * them.
 * @throws DbrError InvalidPreferences
 */
export function readBatchPreferences(header: string, allowTx: boolean): BatchPreferences {
  const tokens = header
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
  const isolation = tokens.find((token) => ISOLATIONS.has(token));
  const retry = tokens.find((token) => retriesOf(token) !== null);
  const tx = allowTx ? ENDS.find((end) => tokens.includes(`tx=${end}`)) : undefined;
  const handling = tokens.find((token) => HANDLING.has(token));
  const invalid = tokens.filter((token) => !isKnown(token));
  if (handling === 'handling=strict' && invalid.length > 0)
    throw dbrError('InvalidPreferences', { preferences: invalid.join(', ') });
  return {
    isolation: ISOLATIONS.get(isolation ?? '') ?? null,
    retries: retriesOf(retry ?? '') ?? 0,
    tx: tx ?? null,
    applied: [isolation, retry, tx === undefined ? undefined : `tx=${tx}`, handling].flatMap(
      (token) => token ?? [],
    ),
  };
}

const HANDLING: ReadonlySet<string> = new Set(['handling=strict', 'handling=lenient']);

function retriesOf(token: string): number | null {
  const number = Number(RETRY.exec(token)?.[1] ?? NaN);
  return number <= MOST_RETRIES ? number : null;
}

const isKnown = (token: string): boolean =>
  ISOLATIONS.has(token) ||
  retriesOf(token) !== null ||
  HANDLING.has(token) ||
  ENDS.some((end) => token === `tx=${end}`);

/** Preferences that an item must not have, because they concern the transaction or need another one. */
export const OF_BATCH = /^\s*(?:tx|isolation|retry)=|^\s*explain\s*$/;
