/** The path to the role in a token's claims: `.role`, `.app.roles[0]`, `."https://example.org/role"`. */
import type { Claims } from './verify-token.js';

export type RolePath = readonly (string | number)[];

const STEP = /^(?:\.([A-Za-z0-9_$@-]+)|\."([^"]*)"|\[(\d{1,9})\])/;

/** Reads the setting `jwt-role-claim-key`. Returns null if the text is not a path. */
export function parseRolePath(text: string): RolePath | null {
  const path: (string | number)[] = [];
  let rest = text;
  while (rest !== '') {
    const [step, bare, quoted, index] = STEP.exec(rest) ?? [];
    if (step === undefined) return null;
    path.push(index === undefined ? (bare ?? quoted ?? '') : Number(index));
    rest = rest.slice(step.length);
  }
  return path.length === 0 ? null : path;
}

/** Returns the role at `path`: a text unchanged, any other value as JSON; null if the claim is absent. */
export function roleAt(claims: Claims, path: RolePath): string | null {
  let value: unknown = claims;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
