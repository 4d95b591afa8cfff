/**
 * The path to a claim of a token, such as the role (`jwt-role-claim-key`): `.role`, `.app.roles[0]`,
 * `."https://example.org/role"`, of releases 13 to 15 of PostgREST `.roles[?(@ ^== "app_")]`, or a query of JSONPath
 * (RFC 9535), `$.roles[?search(@, "^app_")]`.
 */
import type * as JsonPath from 'json-p3';
import { createRequire } from 'node:module';
import { isObject } from '../base/json.js';
import { MAX_CLAIMS_DEPTH, type Claims } from './verify-token.js';

/** Returns the first value at the path; undefined if there is none. */
export type ClaimPath = (claims: Claims) => unknown;

/** Returns null if the text is not a path. */
export function parseClaimPath(text: string): ClaimPath | null {
  return text.startsWith('$') ? parseQuery(text) : parsePath(text);
}

const STEP = /^(?:\.([A-Za-z0-9_$@-]+)|\."([^"]*)"|\[(\d{1,9})\])/;
/** Selects the first text of a list. It can only be the last step. */
const FILTER = /^\[\?\(\s*@\s*(==|!=|\^==|==\^|\*==)\s*"([^"]*)"\s*\)\]$/;

function parsePath(text: string): ClaimPath | null {
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

/** The names of a path that consists of names of members alone; null for any other. */
export function memberNames(text: string): readonly string[] | null {
  const names: string[] = [];
  let rest = text;
  while (rest !== '') {
    const [step, bare, quoted] = STEP.exec(rest) ?? [];
    const name = bare ?? quoted;
    if (step === undefined || name === undefined) return null;
    names.push(name);
    rest = rest.slice(step.length);
  }
  return names.length === 0 ? null : names;
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
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
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
function parseQuery(text: string): ClaimPath | null {
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

/**
 * Returns the role at `path`: a text unchanged, any other value as JSON; null if the claim is absent.
 * @param allowed the roles that the token may name: of a list, the first of them is taken; null for any role
 */
export function roleAt(claims: Claims, path: ClaimPath, allowed: readonly string[] | null): string | null {
  const value = path(claims);
  if (value === undefined) return null;
  if (typeof value === 'string') return value;
  const listed = allowed === null ? undefined : textsOf(value).find((role) => allowed.includes(role));
  return listed ?? JSON.stringify(value);
}

/** The form of a path, for messages about settings. */
export const CLAIM_PATH_FORM =
  'a path such as `.role`, `.app.roles[0]`, `."https://example.org/role"` or `$.app.roles[-1]`';

/** Members of tokens that users write themselves, at Supabase and at Clerk. */
const WRITTEN_BY_USERS = /user_metadata|unsafe_metadata/;

/** Whether a text is a path to a claim that may name a tenant, a user or scopes. */
export const isTrustedClaimPath = (text: string): boolean =>
  parseClaimPath(text) !== null && !WRITTEN_BY_USERS.test(text);

export const TRUSTED_CLAIM_PATH_FORM = `${CLAIM_PATH_FORM}, not in \`user_metadata\` and \`unsafe_metadata\`, which users write themselves`;
