/** The audit log: who changed what. It is append-only and holds no share, no token and no signed content. */
import type { DatabaseTask } from '../postgres/transaction.js';
import type { Actor } from './access.js';
import { sql } from '../postgres/sql.js';

export interface AuditEntry {
  /** For example `signing-config.update`. */
  readonly action: string;
  /** For example `account:<id>`. */
  readonly subject: string;
  /** null if the subject did not exist before. */
  readonly before: object | null;
  /** null if the subject does not exist after the change. */
  readonly after: object | null;
}

/** The actor of a change: a user, for whom the log has a pseudonym, or a party or a command, which it names. */
export type AuditActor = Pick<Actor, 'tenantId' | 'remoteAddress'> &
  ({ readonly userId: Actor['userId'] } | { readonly userId: null; readonly name: string });

/** Appends the entry in the transaction that makes the change. The user in member `ownerUserId` gets a pseudonym, too. */
export const audit = (transaction: DatabaseTask, actor: AuditActor, entry: AuditEntry): Promise<void> =>
  auditAll(transaction, actor, [entry]);

/** Appends entries in their order, as `audit` does each. */
export async function auditAll(
  transaction: DatabaseTask,
  actor: AuditActor,
  entries: readonly AuditEntry[],
): Promise<void> {
  await transaction.none({
    text: APPEND_ENTRIES,
    values: [
      actor.tenantId,
      actor.userId ?? actor.name,
      actor.userId !== null,
      JSON.stringify(
        entries.map(({ action, subject, before, after }) => ({ action, subject, before, after })),
      ),
      actor.remoteAddress,
    ],
  });
}

/**
 * `$1` tenant, `$2` actor, `$3` whether it is a user, `$4` the entries as JSON text, `$5` address of the client. Pseudonyms replace
 * users.
 */
const APPEND_ENTRIES = sql`
insert into dbr_signing.audit_log (tenant_id, actor, action, subject, before, after, remote_address)
select
  $1,
  case when $3::boolean then dbr_signing.audit_pseudonym($1, $2) else $2 end,
  entry.action,
  entry.subject,
  dbr_signing.audit_view($1, entry.before),
  dbr_signing.audit_view($1, entry.after),
  $5
from pg_catalog.json_to_recordset($4::json) as entry (action text, subject text, before jsonb, after jsonb)`;
