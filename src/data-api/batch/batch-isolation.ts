/** The isolation that the items of a batch demand of its transaction. */
import { dbrError } from '../../errors/dbr-error.js';
import type { Isolation } from '../schema-cache/types.js';
import type { PlannedItem } from './planned-item.js';

/** From the weakest to the strongest. */
const ISOLATIONS: readonly Isolation[] = ['read committed', 'repeatable read', 'serializable'];

/** The isolation that the function of an item has as a setting; null for none. */
export const isolationOf = ({ prepared: { plan } }: PlannedItem): Isolation | null =>
  plan.kind === 'call' ? plan.isolation : null;

export const strongest = (levels: readonly Isolation[]): Isolation =>
  ISOLATIONS.findLast((level) => levels.includes(level)) ?? 'read committed';

/** @throws DbrError InvalidBatchItem for a function that demands a stronger isolation than the transaction has */
export function requireIsolation(planned: PlannedItem, isolation: Isolation): void {
  const own = isolationOf(planned);
  if (own === null || strongest([own, isolation]) === isolation) return;
  const details = `The function needs a transaction that is ${own}. Send Prefer: isolation=${own.replace(' ', '-')}.`;
  throw dbrError('InvalidBatchItem', { details });
}
