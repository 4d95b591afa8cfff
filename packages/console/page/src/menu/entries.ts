/** Entries of the menu: the tables, views and functions of the role, and the screens of the service. */
import type { Catalogue } from '../../../server/answers.js';
import { EMPTY_VIEW } from '../data-request.js';
import { addressOf, type Route } from '../route.js';

export interface Entry {
  readonly label: string;
  /** Null for screens of the service. */
  readonly schema: string | null;
  readonly kind: 'table' | 'function' | 'screen';
  /** What it is, unless it is a table. */
  readonly tag: string;
  readonly rowSecurity: boolean;
  readonly route: Route;
  readonly address: string;
}

export interface Group {
  readonly schema: string;
  readonly comment: string | null;
  readonly tables: readonly Entry[];
  readonly functions: readonly Entry[];
}

/** Names in the order that people expect: `item2` before `item10`. */
export const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;
const byLabel = (one: Entry, other: Entry): number => byName(one.label, other.label);

const entry = (label: string, route: Route, given: Partial<Entry>): Entry => ({
  ...{ label, schema: null, kind: 'screen', tag: '', rowSecurity: false },
  ...given,
  ...{ route, address: addressOf(route) },
});

const TAGS: Readonly<Record<string, string>> = {
  view: 'view',
  'materialized view': 'materialized',
  'foreign table': 'foreign',
};

export function groupsOf({ schemas, relations, functions }: Catalogue): readonly Group[] {
  // Overloads are one entry.
  const named = [...new Map(functions.map((each) => [`${each.schema}.${each.name}`, each])).values()];
  return schemas.map(({ name: schema, comment }) => ({
    schema,
    comment,
    tables: relations
      .filter((each) => each.schema === schema)
      .map(({ name, kind, rowSecurity }) =>
        entry(
          name,
          { screen: 'table', schema, name, view: EMPTY_VIEW, opened: null },
          { schema, kind: 'table', tag: TAGS[kind] ?? '', rowSecurity },
        ),
      )
      .sort(byLabel),
    functions: named
      .filter((each) => each.schema === schema)
      .map(({ name }) =>
        entry(name, { screen: 'function', schema, name }, { schema, kind: 'function', tag: 'function' }),
      )
      .sort(byLabel),
  }));
}

const SCREENS = [
  { screen: 'start', label: 'Overview', area: null },
  { screen: 'notifications', label: 'Notifications', area: 'notifications' },
  { screen: 'webhooks', label: 'Webhooks', area: 'notifications' },
  { screen: 'signing', label: 'Signing', area: 'signing' },
  { screen: 'lint', label: 'Lint', area: 'data-api' },
  { screen: 'proposals', label: 'Proposals', area: 'data-api' },
  { screen: 'health', label: 'Health', area: null },
] as const;

export const screensOf = (areas: readonly string[], hasProposals: boolean): readonly Entry[] =>
  SCREENS.filter(
    ({ screen, area }) => (area === null || areas.includes(area)) && (screen !== 'proposals' || hasProposals),
  ).map(({ screen, label }) => entry(label, { screen }, {}));

/** How well an entry has all words of the search; null if it does not have them. */
function rankOf({ label, schema }: Entry, words: readonly string[]): number | null {
  const name = label.toLowerCase();
  let rank = 0;
  for (const word of words) {
    const at = name.indexOf(word);
    if (name === word) continue;
    if (at === 0) rank += 1;
    else if (at > 0) rank += /[a-z0-9]/.test(name[at - 1] ?? '') ? 3 : 2;
    else if (schema?.toLowerCase().includes(word) === true) rank += 4;
    else return null;
  }
  return rank;
}

/** The entries that have all words of the search in their names or schemas: whole names first, then beginnings. */
export function found(entries: readonly Entry[], search: string): readonly Entry[] {
  const words = search
    .toLowerCase()
    .split(/[\s.]+/)
    .filter((word) => word !== '');
  return entries
    .flatMap((each) => {
      const rank = rankOf(each, words);
      return rank === null ? [] : [{ each, rank }];
    })
    .sort((one, other) => one.rank - other.rank || byLabel(one.each, other.each))
    .map(({ each }) => each);
}

/** Whether the entry stands for what is shown. */
export function isAt(route: Route, { route: own }: Entry): boolean {
  if (own.screen === 'webhooks') return route.screen === 'webhooks' || route.screen === 'webhook';
  if (!('schema' in own)) return route.screen === own.screen;
  const isSameScreen = route.screen === own.screen || (own.screen === 'table' && route.screen === 'policies');
  return isSameScreen && 'schema' in route && route.schema === own.schema && route.name === own.name;
}
