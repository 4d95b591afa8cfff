/**
 * The shape of a request as a line of the list of allowed shapes: role, method, schema, path with query, preferences. The
 * query has `$` in place of values, and its parameters are sorted.
 *
 * web_anon GET public /films?limit=20&order=title&select=title,year&year=gte.$ count=exact
 */
import { dbrError } from '../../errors/dbr-error.js';
import type { ColumnTree } from '../grammar/ast.js';
import type { Action, ApiRequest, Payload, Resource } from '../request/api-request.js';
import type { Preferences } from '../request/preferences.js';
import { lineText } from '../request/read-query.js';
import type { QueryScanner, RequestInput } from '../request/read-request.js';
import type { ShapeMode } from './role-ceilings.js';

/** The list of allowed shapes. */
export interface AllowList {
  has(line: string): boolean;
  /** Adds a line, unless the list has it or is full. */
  record(line: string): void;
}

/** The role in lines that hold for every role. */
const EVERY_ROLE = '*';
const LONGEST_LINE = 8192;
const LONGEST_DETAILS = 1000;

/**
 * Checks or prepares to record the shape of a request.
 * @returns the line to record if the request succeeds; null for none
 * @throws DbrError ShapeNotAllowed (403)
 */
export function requireShape(
  mode: ShapeMode,
  input: RequestInput,
  request: Omit<ApiRequest, 'payload'>,
  payload: Payload | null,
  role: string,
  { queries, allowList }: { readonly queries: QueryScanner; readonly allowList: AllowList },
): string | null {
  // OPTIONS describes a resource whatever the role may do.
  if (mode === 'off' || request.action.kind === 'inspect') return null;
  const query = queries.spell(input);
  const rest = query === null ? null : lineWithoutRole(request, payload, query);
  const line = `${role === EVERY_ROLE ? '%2A' : lineText(role)} ${rest ?? ''}`;
  if (mode === 'record') return rest === null || line.length > LONGEST_LINE ? null : line;
  if (rest === null || !(allowList.has(line) || allowList.has(`${EVERY_ROLE} ${rest}`)))
    throw dbrError('ShapeNotAllowed', { shape: line.slice(0, LONGEST_DETAILS) });
  return null;
}

function lineWithoutRole(
  { action, method, schema, resource, preferences }: Omit<ApiRequest, 'payload'>,
  payload: Payload | null,
  query: readonly string[],
): string {
  const graph = payload?.kind === 'json' && payload.graph !== null ? relationsText(payload.graph) : '';
  const preferred = preferencesText(preferences);
  return [
    methodOf(action, method),
    lineText(schema),
    pathOf(resource) + (query.length === 0 ? '' : `?${query.join('&')}`),
    ...(graph === '' ? [] : [`graph=${graph}`]),
    ...(preferred === '' ? [] : [preferred]),
  ].join(' ');
}

/** The related resources that the objects of a body contain, on all levels. */
const relationsText = ({ relations }: ColumnTree): string =>
  relations
    .map(({ key, tree }) => {
      const inner = relationsText(tree);
      return inner === '' ? lineText(key) : `${lineText(key)}(${inner})`;
    })
    .sort()
    .join(',');

/** HEAD and QUERY read as GET does. */
function methodOf(action: Action, method: string): string {
  const reading = action.kind === 'read' || action.kind === 'document';
  return reading || (action.kind === 'call' && action.reading) ? 'GET' : method;
}

function pathOf(resource: Resource): string {
  switch (resource.kind) {
    case 'root':
      return '/';
    case 'description':
      return '/openapi.json';
    case 'relation':
      return `/${lineText(resource.name)}`;
    case 'function':
      return `/rpc/${lineText(resource.name)}`;
  }
}

/** Preferences that any request may have: they contain values, or only make it fail. */
const FREE: ReadonlySet<string> = new Set<keyof Preferences>([
  'handling',
  'timezone',
  'maxAffected',
  'maxCost',
  'explain',
  'invalid',
]);

const preferencesText = (preferences: Preferences): string =>
  Object.entries(preferences)
    .flatMap(([name, value]) =>
      value === null || value === false || FREE.has(name) ? [] : [`${kebab(name)}=${String(value)}`],
    )
    .sort()
    .join(',');

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
