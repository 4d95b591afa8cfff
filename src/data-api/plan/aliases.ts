/** Unique names for the relations of one statement. */
export interface Aliases {
  /** Returns the wanted name if it is free, otherwise the name with a number. */
  readonly claim: (wanted: string) => string;
}

/** The rows of a payload, in statements that write. */
export const PAYLOAD_ALIAS = 'payload';

/** The column of a value that a function returns. CSV shows this name, and clients rely on it. */
export const VALUE_COLUMN = 'pgrst_scalar';

/** Names that statements use themselves. No relation of a request gets one of them. */
const RESERVED = ['answer', 'arguments', 'chosen', 'counted', PAYLOAD_ALIAS, 'rows', 'written'];

/** Longest name in bytes. PostgreSQL truncates longer ones, which could make two names equal. */
const LONGEST = 63;

export function createAliases(): Aliases {
  const taken = new Set(RESERVED);
  return {
    claim: (wanted) => {
      for (let number = 0; ; number += 1) {
        const suffix = number === 0 ? '' : `_${number}`;
        const candidate = cut(wanted, LONGEST - suffix.length) + suffix;
        if (taken.has(candidate)) continue;
        taken.add(candidate);
        return candidate;
      }
    },
  };
}

/** Returns the longest prefix of whole characters with at most `bytes` bytes in UTF-8. */
function cut(name: string, bytes: number): string {
  if (Buffer.byteLength(name) <= bytes) return name;
  let kept = '';
  let size = 0;
  for (const character of name) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    kept += character;
  }
  return kept;
}
