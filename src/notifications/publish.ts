import type { DatabaseTask } from '../postgres/database.js';
import { PRODUCE_TEXT, produceParameters } from './produce-sql.js';
import { BECOME_PRODUCER, RESTORE_ROLE } from './role-sql.js';
import type { NotificationDraft, ProducedCounts } from './types.js';

/** Creates the notification as the producer role, in the caller's transaction, whose role is then restored. */
export async function publish(transaction: DatabaseTask, draft: NotificationDraft): Promise<ProducedCounts> {
  const { role } = await transaction.one<{ readonly role: string }>({ text: BECOME_PRODUCER, values: [] });
  const counts = await transaction.one<Readonly<Record<keyof ProducedCounts, string>>>({
    text: PRODUCE_TEXT,
    values: produceParameters(draft),
  });
  await transaction.one({ text: RESTORE_ROLE, values: [role] });
  return {
    created: Number(counts.created),
    duplicates: Number(counts.duplicates),
    suppressed: Number(counts.suppressed),
  };
}
