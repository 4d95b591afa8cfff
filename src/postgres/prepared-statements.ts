/**
 * The statements that one connection has prepared, bounded in number and in bytes: a new statement closes the least
 * recently used ones.
 */
import type { ParsedStatements } from './encode-batch.js';
import type { Statement } from './statement.js';

export interface PreparedStatements extends ParsedStatements {
  /**
   * Marks a statement to be parsed again; also one whose Parse was skipped, or that the connection has lost. Batches
   * in flight may have parsed it meanwhile, and closing an absent statement is no error (PostgreSQL manual, 55.2.3).
   */
  renew(statement: Statement): void;
  readonly size: number;
}

/** Text of the statements of one connection, in characters. A backend keeps 50 to 100 bytes for each of them. */
const MAX_TEXT = 524_288;

/**
 * @param capacity most statements
 * @param maxText most characters of all of them. Both must exceed what one batch needs, so that none of its statements is
 *   closed for another.
 */
export function createPreparedStatements(capacity: number, maxText = MAX_TEXT): PreparedStatements {
  const known = new Map<number, Statement>();
  let closes: Statement[] = [];
  let text = 0;

  function forget(statement: Statement): void {
    if (!known.delete(statement.id)) return;
    text -= statement.text.length;
    closes.push(statement);
  }

  return {
    mustParse(statement) {
      const parsed = known.delete(statement.id);
      known.set(statement.id, statement);
      if (parsed) return false;
      text += statement.text.length;
      for (const oldest of known.values()) {
        if (known.size <= capacity && text <= maxText) break;
        forget(oldest);
      }
      return true;
    },
    takeCloses() {
      if (closes.length === 0) return closes;
      const due = closes;
      closes = [];
      return due;
    },
    renew: forget,
    get size() {
      return known.size;
    },
  };
}
