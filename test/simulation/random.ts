/** Random numbers from a seed. Each part of a simulation has its own sequence, so that one part can be left out alone. */

export interface Random {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number;
  /** Returns an integer of the range, both ends included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  bytes(length: number): Buffer;
  /** Returns the sequence of a part, which depends on the seed and the name only. */
  of(part: string): Random;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Mulberry32. */
export function randomOf(seed: string): Random {
  let state = hashOf(seed);
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick: (values) => values[below(values.length)] ?? values[0],
    bytes(length) {
      const bytes = Buffer.alloc(length);
      for (let at = 0; at < length; at++) bytes[at] = below(256);
      return bytes;
    },
    of: (part) => randomOf(`${seed}/${part}`),
  };
}
