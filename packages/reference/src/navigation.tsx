/** The list of all operations, tables and functions. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Text } from '../../console/page/src/parts.js';
import { resourceOf, type Operation } from './description.js';
import { addressOf, type Route } from './route.js';

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly label: string;
  readonly detail: string;
  readonly route: Omit<Route, 'method'>;
  /** What the search looks in. */
  readonly words: string;
}

/** Names that are listed at a time in a group; a search finds the others. */
const MOST_LISTED = 1000;

export function groupsOf(
  service: readonly Operation[],
  tags: readonly string[],
  database: readonly Operation[],
  schema: string,
): readonly Group[] {
  const groups = tags.map((tag) => ({
    title: tag,
    entries: service.filter((operation) => operation.tag === tag).map((each) => operationEntry(each, schema)),
  }));
  const resources = new Map<string, Entry>();
  for (const { path, summary } of database) {
    const resource = resourceOf(path);
    if (resource !== null && !resources.has(path))
      resources.set(path, {
        ...{ label: resource.name, detail: '', route: { ...resource, schema } },
        words: `${resource.name} ${summary}`.toLowerCase(),
      });
  }
  const ofKind = (kind: Route['kind']): readonly Entry[] =>
    [...resources.values()]
      .filter(({ route }) => route.kind === kind)
      .toSorted((one, other) => one.label.localeCompare(other.label));
  return [
    ...groups,
    { title: 'Your tables and views', entries: ofKind('table') },
    { title: 'Your functions', entries: ofKind('function') },
  ].filter(({ entries }) => entries.length > 0);
}

const operationEntry = ({ id, method, path, summary }: Operation, schema: string): Entry => ({
  ...{ label: summary || path, detail: method, route: { kind: 'operation', name: id, schema } },
  words: `${summary} ${method} ${path} ${id}`.toLowerCase(),
});

export function Navigation({
  groups,
  route,
}: {
  readonly groups: readonly Group[];
  readonly route: Route;
}): JSX.Element {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = groups
    .map(({ title, entries }) => ({ title, entries: entries.filter(({ words }) => words.includes(wanted)) }))
    .filter(({ entries }) => entries.length > 0);
  return (
    <>
      <input
        type="search"
        aria-label="Find an operation, table or function"
        placeholder="Find…"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 && <p class="quiet">Nothing has this name.</p>}
      {found.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {entries.slice(0, MOST_LISTED).map((entry) => (
              <li key={`${entry.detail} ${entry.route.name}`}>
                <a href={addressOf(entry.route)} {...(isAt(route, entry) ? { 'aria-current': 'page' } : {})}>
                  <span class="name">
                    <Text>{entry.label}</Text>
                  </span>
                  <small>{entry.detail}</small>
                </a>
              </li>
            ))}
          </ul>
          {entries.length > MOST_LISTED && (
            <p class="quiet">{`${String(entries.length - MOST_LISTED)} more: search for them.`}</p>
          )}
        </section>
      ))}
    </>
  );
}

const isAt = ({ kind, name }: Route, { route }: Entry): boolean => route.kind === kind && route.name === name;
