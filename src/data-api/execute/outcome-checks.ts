import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import type { OutcomeCheck } from '../plan/plan.js';
import type { Outcome } from './outcome.js';

/** The first check that the outcome does not pass, as the error that undoes everything; null when it passes all. */
export function failedCheck(checks: readonly OutcomeCheck[], outcome: Outcome): DbrError | null {
  for (const check of checks) {
    const error = failureOf(check, outcome);
    if (error !== null) return error;
  }
  return null;
}

function failureOf(check: OutcomeCheck, { pageTotal }: Outcome): DbrError | null {
  switch (check.kind) {
    case 'singular':
      return pageTotal === 1 ? null : dbrError('NotSingular', { rows: pageTotal });
    case 'put':
      return pageTotal === 1 ? null : dbrError('PutKeyMismatch');
    case 'limit':
      return BigInt(pageTotal) <= check.maximum
        ? null
        : dbrError('TooManyRowsChanged', { rows: pageTotal, limit: String(check.maximum) });
    case 'max-affected':
      return BigInt(pageTotal) <= check.maximum ? null : dbrError('MaxAffectedExceeded', { rows: pageTotal });
  }
}
