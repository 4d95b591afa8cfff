/**
 * The path to the role in a token's claims: `.role`, `.app.roles[0]`, `."https://example.org/role"`, or a singular query of
 * JSONPath: `$.app.roles[-1]`, `$['https://example.org/role']` (RFC 9535 §2.3.5.1).
 */
import type { Claims } from './verify-token.js';

export type RolePath = readonly (string | number)[];

const STEP = /^(?:\.([A-Za-z0-9_$@-]+)|\."([^"]*)"|\[(\d{1,9})\])/;

/** Reads the setting `jwt-role-claim-key`. Returns null if the text is not a path. */
export function parseRolePath(text: string): RolePath | null {
  return text.startsWith('$') ? parseQuery(text.slice(1)) : parsePath(text);
}

function parsePath(text: string): RolePath | null {
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

/** Blanks of JSONPath. */
const BLANK = '[ \\t\\n\\r]*';
const SHORTHAND = String.raw`\.([A-Za-z_\u0080-\u{10FFFF}][\w\u0080-\u{10FFFF}]*)`;
const NAME = String.raw`("(?:[^"\\\u0000-\u001f]|\\.)*"|'(?:[^'\\\u0000-\u001f]|\\.)*')`;
const INDEX = String.raw`(0|-?[1-9]\d{0,8})`;
const SEGMENT = new RegExp(`^${BLANK}(?:${SHORTHAND}|\\[${BLANK}(?:${NAME}|${INDEX})${BLANK}\\])`, 'u');

/** Reads the segments of a singular query. */
function parseQuery(segments: string): RolePath | null {
  const path: (string | number)[] = [];
  let rest = segments;
  while (rest !== '') {
    const [segment, shorthand, quoted, index] = SEGMENT.exec(rest) ?? [];
    if (segment === undefined) return null;
    const step = quoted === undefined ? (shorthand ?? Number(index)) : parseName(quoted);
    if (step === null) return null;
    path.push(step);
    rest = rest.slice(segment.length);
  }
  return path.length === 0 ? null : path;
}

/** Reads a quoted name, whose escapes are those of JSON and `\'` between single quotes. */
function parseName(quoted: string): string | null {
  const inner = quoted.slice(1, -1);
  const isSingle = quoted.startsWith("'");
  const asJson = isSingle
    ? inner.replaceAll(/\\.|"/gs, (part) => (part === "\\'" ? "'" : part === '"' ? '\\"' : part))
    : inner;
  // JSONPath has no escaped double quote between single quotes.
  if (isSingle && /(?<!\\)(?:\\\\)*\\"/.test(inner)) return null;
  try {
    return String(JSON.parse(`"${asJson}"`));
  } catch {
    return null;
  }
}

/** Returns the role at `path`: a text unchanged, any other value as JSON; null if the claim is absent. */
export function roleAt(claims: Claims, path: RolePath): string | null {
  let value: unknown = claims;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value.at(step) : undefined;
    else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
