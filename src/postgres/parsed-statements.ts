/** Which statements one connection has parsed: a bounded number, the least recently used one is closed for a new one. */
import type { ParsedStatements } from './encode-batch.js';
import type { Statement } from './statement.js';

export interface StatementBook extends ParsedStatements {
  /**
   * To be parsed again. Also for statements whose Parse was skipped or that the connection has lost: batches in flight
   * may have parsed them meanwhile, and closing what is not there is no error (PostgreSQL manual, 55.2.3).
   */
  renew(statement: Statement): void;
  readonly size: number;
}

/** @param capacity must exceed the number of statements of a batch, so that none is closed that the batch needs */
export function statementBook(capacity: number): StatementBook {
  const known = new Map<number, Statement>();
  let closes: Statement[] = [];

  return {
    mustParse(statement) {
      const parsed = known.delete(statement.id);
      known.set(statement.id, statement);
      if (parsed) return false;
      if (known.size > capacity) {
        const [oldest] = known.values();
        if (oldest !== undefined) {
          known.delete(oldest.id);
          closes.push(oldest);
        }
      }
      return true;
    },
    takeCloses() {
      if (closes.length === 0) return closes;
      const due = closes;
      closes = [];
      return due;
    },
    renew(statement) {
      if (known.delete(statement.id)) closes.push(statement);
    },
    get size() {
      return known.size;
    },
  };
}
