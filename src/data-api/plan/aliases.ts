/** Names for the relations of one statement, each given once. */
export interface Aliases {
  /** The wanted name if it is free, otherwise the name with a number. */
  readonly claim: (wanted: string) => string;
}

/** The rows of a payload, in statements that write. */
export const PAYLOAD_ALIAS = 'payload';

/** The column of a value that a function gives. CSV shows its name, by which clients know it. */
export const VALUE_COLUMN = 'pgrst_scalar';

/** Names that the statements use themselves, beside the relations of a request. */
const RESERVED = ['answer', 'arguments', 'chosen', 'counted', PAYLOAD_ALIAS, 'rows'];

/** PostgreSQL cuts names at 63 bytes; what is cut must not make two names one. */
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

/** The longest beginning of whole characters that fits in so many bytes of UTF-8. */
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
