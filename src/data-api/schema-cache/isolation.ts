/** Isolation levels as settings spell them. */
import type { Isolation } from './types.js';

/** Read uncommitted is read committed in PostgreSQL (manual, chapter 13.2). */
export function readIsolation(text: string): Isolation {
  const level = text.toLowerCase();
  return level === 'serializable' || level === 'repeatable read' ? level : 'read committed';
}
