/** The address of a screen, in the fragment: it can be bookmarked and needs no route of the service. */
import { EMPTY_VIEW, type Filter, type View } from './data-request.js';

const SCREENS = ['lint', 'notifications', 'webhooks', 'signing', 'health'] as const;
type Screen = (typeof SCREENS)[number];

export type Route =
  | { readonly screen: 'start' | Screen }
  | { readonly screen: 'webhook'; readonly id: string }
  | { readonly screen: 'table'; readonly schema: string; readonly name: string; readonly view: View }
  | { readonly screen: 'policies'; readonly schema: string; readonly name: string }
  | { readonly screen: 'function'; readonly schema: string; readonly name: string };

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

export function addressOf(route: Route): string {
  switch (route.screen) {
    case 'start':
      return '#/';
    case 'table': {
      const { filters, order, page } = route.view;
      const query = new URLSearchParams();
      for (const { column, operator, value } of filters)
        query.append('filter', JSON.stringify([column, operator, value]));
      if (order !== null) query.set('order', JSON.stringify([order.column, order.descending]));
      if (page !== null) query.set('page', page);
      const text = query.toString();
      return `#/table/${encode(route.schema)}/${encode(route.name)}${text === '' ? '' : `?${text}`}`;
    }
    case 'policies':
    case 'function':
      return `#/${route.screen}/${encode(route.schema)}/${encode(route.name)}`;
    case 'webhook':
      return `#/webhooks/${encode(route.id)}`;
    case 'lint':
    case 'notifications':
    case 'webhooks':
    case 'signing':
    case 'health':
      return `#/${route.screen}`;
  }
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [screen = '', schema, name] = path.split('/').map(decode);
  if (schema !== undefined && name !== undefined) {
    if (screen === 'table') return { screen, schema, name, view: readView(new URLSearchParams(query)) };
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

function readView(query: URLSearchParams): View {
  const filters = query.getAll('filter').flatMap((text): Filter[] => {
    const [column, operator, value] = readList(text);
    return typeof column === 'string' && typeof operator === 'string' && typeof value === 'string'
      ? [{ column, operator, value }]
      : [];
  });
  const [column, descending] = readList(query.get('order') ?? '[]');
  return {
    ...EMPTY_VIEW,
    filters,
    order: typeof column === 'string' ? { column, descending: descending === true } : null,
    page: query.get('page'),
  };
}

function readList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

export const go = (route: Route): void => {
  location.hash = addressOf(route);
};
