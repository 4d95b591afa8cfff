/**
 * Ceilings on the cost of statements (`db-max-cost`, `Prefer: max-cost`). The cost is the estimate of PostgreSQL for the
 * generic plan of a statement, in its units; values do not change it. A statement whose cost is unknown runs behind a
 * guard in the same trip, which fails if the estimate exceeds the ceiling, so that the statement does not begin.
 */
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import { lruCache } from '../../base/lru-cache.js';
import type { Sql } from '../../postgres/sql.js';
import { sha256Text } from '../../base/hash.js';

/** What is known of the cost of one statement. The guard that has passed proves a bound; the one that fails names the cost. */
interface KnownCost {
  /** The cost is known not to exceed this. */
  atMost: number;
  /** Null until a guard has named it. */
  exact: number | null;
}

/** The costs of one snapshot. A reload forgets them, because statistics and indexes change. */
export interface Costs {
  /** @param scope role and schema: equal texts may read other tables under others */
  of(scope: string, text: string): KnownCost;
}

const MAX_COSTS = 8000;
const MAX_BYTES = 4_194_304;
const COST_BYTES = 200;

export function createCosts(): Costs {
  const costs = lruCache<KnownCost>({
    maxEntries: MAX_COSTS,
    maxBytes: MAX_BYTES,
    bytesOf: () => COST_BYTES,
  });
  return {
    of(scope, text) {
      const key = sha256Text(`${scope}\0${text}`, 'base64');
      const known = costs.get(key);
      if (known !== undefined) return known;
      const cost = { atMost: Infinity, exact: null };
      costs.set(key, cost);
      return cost;
    },
  };
}

/** The ceiling of the requests of one shape, and what is known of their statement. */
export interface CostCheck {
  readonly ceiling: number;
  readonly known: KnownCost;
  /** Whether errors do not name the cost. */
  readonly hidesCost: boolean;
  /** The statement, with `$1` … for its parameters. */
  readonly text: Sql;
  /** Number of parameters. */
  readonly parameters: number;
}

/** Returns the lower ceiling; null if there is none. */
export function lowerCeiling(first: number | null, second: number | null): number | null {
  if (first === null || second === null) return first ?? second;
  return Math.min(first, second);
}

/** @throws DbrError CostTooHigh if the cost is known to exceed the ceiling */
export function requireCost(check: CostCheck): void {
  const { exact } = check.known;
  if (exact !== null && exact > check.ceiling) throw costTooHigh(exact, check);
}

/** Whether the cost may exceed the ceiling: the statement needs its guard. */
export const needsGuard = ({ ceiling, known }: CostCheck): boolean =>
  known.exact === null && known.atMost > ceiling;

/** Notes that the guard of a statement has passed, if there was one. */
export function notePassed({ ceiling, known }: CostCheck): void {
  if (known.atMost > ceiling) known.atMost = ceiling;
}

/** Notes the cost for which a guard has failed, and returns the error. */
export function noteRefused(check: CostCheck, cost: number): DbrError {
  check.known.exact = cost;
  return costTooHigh(cost, check);
}

const costTooHigh = (cost: number, { ceiling, hidesCost }: CostCheck): DbrError =>
  hidesCost
    ? dbrError('CostTooHigh', { details: 'hidden', ceiling })
    : dbrError('CostTooHigh', { details: 'named', cost, ceiling });
