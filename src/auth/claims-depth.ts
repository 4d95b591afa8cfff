/** How deeply claims may be nested. They are read by functions that recurse, and a full stack is no error of a token. */

/** Most levels of objects and arrays in claims. */
export const MAX_CLAIMS_DEPTH = 100;

/** Whether claims have more levels of objects and arrays than `MAX_CLAIMS_DEPTH`. */
export function isTooDeep(claims: object): boolean {
  let level: readonly object[] = [claims];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MAX_CLAIMS_DEPTH) return true;
    level = level.flatMap((value) => Object.values(value).filter(isObject));
  }
  return false;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
