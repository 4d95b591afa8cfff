/** The address of a screen, in the fragment: it can be bookmarked and needs no route of the service. */
import { EMPTY_VIEW, type View } from './data-request.js';
import type { Filter } from './filters.js';

const SCREENS = ['lint', 'proposals', 'notifications', 'webhooks', 'signing', 'health'] as const;
type Screen = (typeof SCREENS)[number];

/** What is open beside the rows: one of them, by its key, or the form of a new one. */
export type Opened = { readonly kind: 'row'; readonly key: readonly string[] } | { readonly kind: 'new' };

export interface TableRoute {
  readonly screen: 'table';
  readonly schema: string;
  readonly name: string;
  readonly view: View;
  readonly opened: Opened | null;
}

export type Route =
  | { readonly screen: 'start' | Screen }
  | { readonly screen: 'webhook'; readonly id: string }
  | TableRoute
  | { readonly screen: 'policies'; readonly schema: string; readonly name: string }
  | { readonly screen: 'function'; readonly schema: string; readonly name: string };

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

export function addressOf(route: Route): string {
  switch (route.screen) {
    case 'start':
      return '#/';
    case 'table': {
      const query = tableQuery(route).toString();
      return `#/table/${encode(route.schema)}/${encode(route.name)}${query === '' ? '' : `?${query}`}`;
    }
    case 'policies':
    case 'function':
      return `#/${route.screen}/${encode(route.schema)}/${encode(route.name)}`;
    case 'webhook':
      return `#/webhooks/${encode(route.id)}`;
    case 'lint':
    case 'proposals':
    case 'notifications':
    case 'webhooks':
    case 'signing':
    case 'health':
      return `#/${route.screen}`;
  }
}

/** The address of a table; of all its rows, in the usual order, unless a view is given. */
export const tableAddress = (
  schema: string,
  name: string,
  view: Partial<View> = {},
  opened: Opened | null = null,
): string => addressOf({ screen: 'table', schema, name, view: { ...EMPTY_VIEW, ...view }, opened });

function tableQuery({ view: { filters, match, order, page, limit }, opened }: TableRoute): URLSearchParams {
  const query = new URLSearchParams();
  for (const { column, operator, value } of filters)
    query.append('filter', JSON.stringify([column, operator, value]));
  if (match === 'any') query.set('match', 'any');
  if (order !== null) query.set('order', JSON.stringify([order.column, order.descending]));
  if (limit !== EMPTY_VIEW.limit) query.set('limit', String(limit));
  if (page !== null) query.set('page', page);
  if (opened?.kind === 'row') query.set('row', JSON.stringify(opened.key));
  if (opened?.kind === 'new') query.set('new', '');
  return query;
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [screen = '', schema, name] = path.split('/').map(decode);
  if (schema !== undefined && name !== undefined) {
    if (screen === 'table') {
      const parameters = new URLSearchParams(query);
      return { screen, schema, name, view: readView(parameters), opened: readOpened(parameters) };
    }
    if (screen === 'policies' || screen === 'function') return { screen, schema, name };
  }
  if (screen === 'webhooks' && schema !== undefined) return { screen: 'webhook', id: schema };
  return { screen: SCREENS.find((each) => each === screen) ?? 'start' };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Most rows of a page that an address may ask for. */
const MOST_ROWS = 1000;

function readView(query: URLSearchParams): View {
  const filters = query.getAll('filter').flatMap((text): Filter[] => {
    const [column, operator, value] = readList(text);
    return typeof column === 'string' && typeof operator === 'string' && typeof value === 'string'
      ? [{ column, operator, value }]
      : [];
  });
  const [column, descending] = readList(query.get('order') ?? '[]');
  const limit = Math.floor(Number(query.get('limit') ?? EMPTY_VIEW.limit));
  return {
    filters,
    match: query.get('match') === 'any' ? 'any' : 'all',
    order: typeof column === 'string' ? { column, descending: descending === true } : null,
    page: query.get('page'),
    limit: limit >= 1 && limit <= MOST_ROWS ? limit : EMPTY_VIEW.limit,
  };
}

function readOpened(query: URLSearchParams): Opened | null {
  if (query.has('new')) return { kind: 'new' };
  const key = readList(query.get('row') ?? '[]').filter((value) => typeof value === 'string');
  return key.length === 0 ? null : { kind: 'row', key };
}

function readList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
