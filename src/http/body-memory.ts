/** The memory of request bodies: one budget in bytes for all connections of the process. */
import { dbrError } from '../errors/dbr-error.js';

export interface BodyMemory {
  /** Takes bytes of the budget. @throws DbrError BodyMemoryExhausted (503); no bytes are taken then */
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
