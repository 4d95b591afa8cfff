/** The operation on the audit log; the mount has checked its scope `audit:read`. */
import type { SigningHandlers } from '../../../generated/operations.js';
import { dbrError } from '../../errors/dbr-error.js';
import { NO_STORE } from '../../operations/responses.js';
import type { RequestContext } from '../../contract/principal.js';
import { actorOf } from '../access.js';
import type { AuditExports } from './audit-exports.js';

export const createAuditHandlers = (exports: AuditExports) =>
  ({
    async exportAuditLog({ query }, context) {
      const body = await exports.open({
        ...actorOf(context),
        after: query.after,
        from: instantOf('sealedFrom', query.sealedFrom),
        to: instantOf('sealedTo', query.sealedTo),
        signal: context.signal,
      });
      return { status: 200, type: 'application/x-ndjson', headers: NO_STORE, body };
    },
  }) satisfies Partial<SigningHandlers<RequestContext>>;

/** Date and time to the second, fraction, offset. */
const PARTS = /^(.{19})(?:\.(\d+))?(.*)$/;

/**
 * The time in UTC, in microseconds, which PostgreSQL accepts: it refuses the year 0 and offsets of 16 hours and more. Times
 * before 1970 become its begin, because no entry is older.
 * @throws DbrError InvalidParameter for a leap second
 */
function instantOf(parameter: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const [, whole = '', fraction = '', offset = ''] = PARTS.exec(text) ?? [];
  const ms = Date.parse(`${whole.replace(' ', 'T')}${offset}`.toUpperCase());
  if (Number.isNaN(ms)) throw dbrError('InvalidParameter', { parameter, problem: 'is not a time' });
  const seconds = new Date(Math.max(0, ms)).toISOString().slice(0, 19);
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}
