/** Names for the relations of one statement, each given once. */
export interface Aliases {
  /** The wanted name if it is free, otherwise the name with a number. */
  readonly claim: (wanted: string) => string;
}

/** The rows of a payload, in statements that write. */
export const PAYLOAD_ALIAS = 'payload';

/** The column of a value that a function gives. CSV shows its name, by which clients know it. */
export const VALUE_COLUMN = 'pgrst_scalar';

/** Names that every statement may use for itself; no relation of a request gets one of them. */
const RESERVED = ['answer', 'arguments', 'chosen', 'counted', PAYLOAD_ALIAS, 'rows'];

/** PostgreSQL truncates names to 63 bytes; two truncated names must not become the same. */
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

/** The longest prefix of whole characters whose UTF-8 is no longer than `bytes`. */
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
