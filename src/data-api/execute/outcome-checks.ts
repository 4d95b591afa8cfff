import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import type { OutcomeCheck } from '../plan/plan.js';

/**
 * Returns the error of the first check that fails for this number of rows, or null. The transaction was rolled back
 * then.
 */
export function failedCheck(checks: readonly OutcomeCheck[], rows: number): DbrError | null {
  for (const check of checks) {
    const error = failureOf(check, rows);
    if (error !== null) return error;
  }
  return null;
}

function failureOf(check: OutcomeCheck, rows: number): DbrError | null {
  switch (check.kind) {
    case 'singular':
      return rows === 1 ? null : dbrError('NotSingular', { rows });
    case 'put':
      return rows === 1 ? null : dbrError('PutKeyMismatch');
    case 'match':
      return rows === 1 ? null : dbrError('VersionMismatch');
    case 'absent':
      return rows === 1 ? null : dbrError('RowExists');
    case 'graph root':
      if (rows === 1) return null;
      return rows === 0 ? dbrError('GraphRootNotFound') : dbrError('SeveralGraphRoots', { rows });
    case 'limit':
      return BigInt(rows) <= check.maximum
        ? null
        : dbrError('TooManyRowsChanged', { details: 'limit', rows, limit: String(check.maximum) });
    case 'max-affected':
      return BigInt(rows) <= check.maximum ? null : dbrError('MaxAffectedExceeded', { rows });
  }
}
