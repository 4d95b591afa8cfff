/** The audit log: who changed what. Append-only; it holds no share, no token and nothing that was signed. */
import type { DatabaseTask } from '../postgres/database.js';
import type { Actor } from './access.js';

export interface AuditEntry {
  /** Such as `signing-config.update`. */
  readonly action: string;
  /** Such as `account:<id>`. */
  readonly subject: string;
  /** null: there was nothing before, or there is nothing after. */
  readonly before: object | null;
  readonly after: object | null;
}

const APPEND = `
insert into dbr_signing.audit_log (tenant_id, actor, action, subject, before, after, remote_address)
values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7)`;

/** Part of the transaction that makes the change. */
export async function audit(transaction: DatabaseTask, actor: Actor, entry: AuditEntry): Promise<void> {
  const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
  await transaction.none({
    text: APPEND,
    values: [
      actor.tenantId,
      actor.userId,
      entry.action,
      entry.subject,
      json(entry.before),
      json(entry.after),
      actor.remoteAddress,
    ],
  });
}
