/**
 * The path to the role in a token's claims (`jwt-role-claim-key`): `.role`, `.app.roles[0]`,
 * `."https://example.org/role"`, of releases 13 to 15 of PostgREST `.roles[?(@ ^== "app_")]`, or a query of JSONPath
 * (RFC 9535), `$.roles[?search(@, "^app_")]`.
 */
import type * as JsonPath from 'json-p3';
import { createRequire } from 'node:module';
import { MAX_CLAIMS_DEPTH, type Claims } from './verify-token.js';

/** Returns the first value at the path; undefined if there is none. */
export type RolePath = (claims: Claims) => unknown;

/** Reads the setting `jwt-role-claim-key`. Returns null if the text is not a path. */
export function parseRolePath(text: string): RolePath | null {
  return text.startsWith('$') ? parseQuery(text) : parsePath(text);
}

const STEP = /^(?:\.([A-Za-z0-9_$@-]+)|\."([^"]*)"|\[(\d{1,9})\])/;
/** Selects the first text of a list. It can only be the last step. */
const FILTER = /^\[\?\(\s*@\s*(==|!=|\^==|==\^|\*==)\s*"([^"]*)"\s*\)\]$/;

function parsePath(text: string): RolePath | null {
  const steps: (string | number)[] = [];
  let rest = text;
  while (rest !== '') {
    const [step, bare, quoted, index] = STEP.exec(rest) ?? [];
    if (step === undefined) break;
    steps.push(index === undefined ? (bare ?? quoted ?? '') : Number(index));
    rest = rest.slice(step.length);
  }
  if (steps.length === 0) return null;
  if (rest === '') return (claims) => valueAt(claims, steps);
  const [, operator = '', wanted = ''] = FILTER.exec(rest) ?? [];
  const matches = MATCHES.get(operator);
  if (matches === undefined) return null;
  return (claims) => textsOf(valueAt(claims, steps)).find((each) => matches(each, wanted));
}

const MATCHES: ReadonlyMap<string, (text: string, wanted: string) => boolean> = new Map([
  ['==', (text, wanted) => text === wanted],
  ['!=', (text, wanted) => text !== wanted],
  ['^==', (text, wanted) => text.startsWith(wanted)],
  ['==^', (text, wanted) => text.endsWith(wanted)],
  ['*==', (text, wanted) => text.includes(wanted)],
]);

function valueAt(claims: Claims, steps: readonly (string | number)[]): unknown {
  let value: unknown = claims;
  for (const step of steps) {
    if (typeof step === 'number') value = Array.isArray(value) ? value.at(step) : undefined;
    else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each: unknown) => typeof each === 'string') : [];

/**
 * The library is loaded with the first query, because it would take a twentieth of the processor time of every start.
 * Settings are read synchronously, so it is required.
 */
function environmentOf(): JsonPath.JSONPathEnvironment {
  const library: unknown = createRequire(import.meta.url)('json-p3');
  if (!isLibrary(library)) throw new Error('json-p3 has no JSONPathEnvironment');
  // The scalars in the deepest array or object are one level more.
  return new library.JSONPathEnvironment({ maxRecursionDepth: MAX_CLAIMS_DEPTH + 2 });
}

const isLibrary = (value: unknown): value is typeof JsonPath =>
  typeof value === 'object' && value !== null && 'JSONPathEnvironment' in value;

/** Compiles a query; null if it is malformed, or selects the claims as a whole. */
function parseQuery(text: string): RolePath | null {
  if (text === '$') return null;
  const environment = environmentOf();
  try {
    const query = environment.compile(text);
    return (claims) => (isJson(claims) ? query.match(claims)?.value : undefined);
  } catch {
    return null;
  }
}

/** Claims are parsed from JSON. */
const isJson = (value: unknown): value is JsonPath.JSONValue => typeof value === 'object';

/** Returns the role at `path`: a text unchanged, any other value as JSON; null if the claim is absent. */
export function roleAt(claims: Claims, path: RolePath): string | null {
  const value = path(claims);
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
