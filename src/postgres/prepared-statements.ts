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
  /** Marks every statement to be parsed again. */
  renewAll(): void;
  readonly size: number;
}

/** Text of the statements of one connection, in characters. A backend keeps 50 to 100 bytes for each of them. */
const MAX_TEXT = 524_288;

/** Holds no statement, so that one that is dropped from the caches leaves the memory. */
interface Known {
  readonly name: string;
  /** Of its text, in characters. */
  readonly length: number;
  /** Number of uses of all statements at its last one. To move it in the map would cost more with every use. */
  lastUse: number;
}

/** Returns the id of the statement that was used least recently, and not after `before`; null if there is none. */
function leastRecent(known: ReadonlyMap<number, Known>, before: number): number | null {
  let oldest: number | null = null;
  let use = before + 1;
  for (const [id, { lastUse }] of known) {
    if (lastUse >= use) continue;
    oldest = id;
    use = lastUse;
  }
  return oldest;
}

/**
 * @param capacity most statements
 * @param maxText most characters of all of them
 */
export function createPreparedStatements(capacity: number, maxText = MAX_TEXT): PreparedStatements {
  const known = new Map<number, Known>();
  let closes: string[] = [];
  let text = 0;
  let uses = 0;
  /** Number of uses before those of the batch that is being encoded. */
  let usesBefore = 0;

  function forget(id: number): void {
    const parsed = known.get(id);
    if (parsed === undefined) return;
    known.delete(id);
    text -= parsed.length;
    closes.push(parsed.name);
  }

  return {
    use({ id, name, text: { length } }) {
      const parsed = known.get(id);
      uses++;
      if (parsed !== undefined) {
        parsed.lastUse = uses;
        return 'known';
      }
      if (length > maxText) return 'unnamed';
      while (known.size >= capacity || text + length > maxText) {
        const oldest = leastRecent(known, usesBefore);
        if (oldest === null) return 'unnamed';
        forget(oldest);
      }
      known.set(id, { name, length, lastUse: uses });
      text += length;
      return 'parse';
    },
    takeCloses() {
      usesBefore = uses;
      if (closes.length === 0) return closes;
      const due = closes;
      closes = [];
      return due;
    },
    renew: ({ id }) => forget(id),
    renewAll() {
      for (const id of [...known.keys()]) forget(id);
    },
    get size() {
      return known.size;
    },
  };
}
