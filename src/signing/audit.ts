/** The audit log: who changed what. It is append-only and holds no share, no token and no signed content. */
import type { DatabaseTask } from '../postgres/database.js';
import type { Actor } from './access.js';
import { APPEND_ENTRY } from './audit-sql.js';

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

/** Appends the entry in the transaction that makes the change. */
export async function audit(transaction: DatabaseTask, actor: Actor, entry: AuditEntry): Promise<void> {
  const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
  await transaction.none({
    text: APPEND_ENTRY,
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
