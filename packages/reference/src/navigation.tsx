/** The list of all operations, tables and functions. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Text } from '../../console/page/src/parts.js';
import { textOf } from '../../console/page/src/json.js';
import {
  entriesOf,
  jsonOf,
  mediaTypesOf,
  parametersOf,
  resolve,
  resourceOf,
  type Operation,
} from './description.js';
import { membersOf } from './json-schema.js';
import { addressOf, type Route } from './route.js';

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly label: string;
  readonly detail: string;
  readonly route: Omit<Route, 'method'>;
  /** What the search looks in first. */
  readonly words: string;
  /** What the search looks in as well: descriptions, columns and their comments. */
  readonly text: string;
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
  for (const operation of database) {
    const resource = resourceOf(operation.path);
    if (resource === null) continue;
    const known = resources.get(operation.path);
    resources.set(operation.path, {
      ...{ label: resource.name, detail: '', route: { ...resource, schema } },
      words: `${resource.name} ${operation.summary}`.toLowerCase(),
      text: `${known?.text ?? ''} ${textIn(operation)}`,
    });
  }
  const ofKind = (kind: Route['kind']): readonly Entry[] =>
    [...resources.values()]
      .filter(({ route }) => route.kind === kind)
      .toSorted((one, other) => byName(one.label, other.label));
  return [
    { title: 'Your tables and views', entries: ofKind('table') },
    { title: 'Your functions', entries: ofKind('function') },
    ...groups,
  ].filter(({ entries }) => entries.length > 0);
}

/** Names in the order that people expect: `item2` before `item10`. */
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;

function operationEntry(operation: Operation, schema: string): Entry {
  const { id, method, path, summary } = operation;
  return {
    ...{ label: summary || path, detail: method, route: { kind: 'operation', name: id, schema } },
    words: `${summary} ${method} ${path} ${id}`.toLowerCase(),
    text: textIn(operation),
  };
}

/** The descriptions of an operation, of its parameters, and of the members of its bodies and answers. */
function textIn(operation: Operation): string {
  const { document, description, value } = operation;
  const bodies = [value['requestBody'], ...entriesOf(value['responses']).map(([, each]) => each)];
  const members = bodies.flatMap((body) => {
    const schema = jsonOf(mediaTypesOf(document, resolve(document, body)))?.schema;
    const inner = resolve(document, schema);
    return [...membersOf(document, schema), ...membersOf(document, inner['items'])];
  });
  return [
    description,
    ...parametersOf(operation).map((each) => `${each.name} ${each.description}`),
    ...members.map(({ name, schema }) => `${name} ${textOf(resolve(document, schema)['description'])}`),
  ]
    .join(' ')
    .toLowerCase();
}

export function Navigation({
  groups,
  route,
}: {
  readonly groups: readonly Group[];
  readonly route: Route;
}): JSX.Element {
  const [search, setSearch] = useState('');
  const wanted = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = groups
    .map(({ title, entries }) => ({ title, entries: foundIn(entries, wanted) }))
    .filter(({ entries }) => entries.length > 0);
  return (
    <>
      <input
        type="search"
        aria-label="Find an operation, table or function"
        placeholder="Find in names and descriptions…"
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
                  {entry.detail !== '' && (
                    <small class={`method ${entry.detail.toLowerCase()}`}>{entry.detail}</small>
                  )}
                  <span class="name">
                    <Text>{entry.label}</Text>
                  </span>
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

/** Entries with all words of the search: those that have them in their names before those that have them in descriptions. */
function foundIn(entries: readonly Entry[], wanted: readonly string[]): readonly Entry[] {
  const hasAll = (text: string): boolean => wanted.every((word) => text.includes(word));
  const named = entries.filter(({ words }) => hasAll(words));
  const described = entries.filter(({ words, text }) => !hasAll(words) && hasAll(`${words} ${text}`));
  return [...named, ...described];
}

const isAt = ({ kind, name }: Route, { route }: Entry): boolean => route.kind === kind && route.name === name;
