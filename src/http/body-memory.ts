/** The bytes of request bodies that the process holds at once: one budget for all connections. */
import { dbrError } from '../errors/dbr-error.js';

export interface BodyMemory {
  /** @throws DbrError BodyMemoryExhausted (503), and nothing is taken */
  take(bytes: number): void;
  release(bytes: number): void;
  readonly used: number;
}

/** @param limit in bytes */
export function createBodyMemory(limit: number): BodyMemory {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > limit)
        throw dbrError('BodyMemoryExhausted', {}, { headers: { 'Retry-After': '1' } });
      used += bytes;
    },
    release(bytes) {
      used -= bytes;
    },
    get used() {
      return used;
    },
  };
}
