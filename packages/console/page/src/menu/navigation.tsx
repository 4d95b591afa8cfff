/** The menu: a search, the tables and functions by schema, and the screens of the service, which stay in view. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Catalogue } from '../../../server/answers.js';
import { Text } from '../parts.js';
import type { Route } from '../route.js';
import { found, groupsOf, isAt, screensOf, type Entry } from './entries.js';
import { EntryLink } from './entry-link.js';
import { Fold } from './fold.js';
import { SEARCH_ID } from './shortcuts.js';

interface NavigationProps {
  readonly catalogue: Catalogue;
  readonly areas: readonly string[];
  readonly hasProposals: boolean;
  readonly route: Route;
}

/** Names that are listed at a time; a search finds the others. */
const MOST_LISTED = 300;

export function Navigation({ catalogue, areas, hasProposals, route }: NavigationProps): JSX.Element {
  const [search, setSearch] = useState('');
  const groups = useMemo(() => groupsOf(catalogue), [catalogue]);
  const screens = useMemo(() => screensOf(areas, hasProposals), [areas, hasProposals]);
  const named = groups.flatMap(({ tables, functions }) => [...tables, ...functions]);
  const hits = search.trim() === '' ? null : found([...named, ...screens], search).slice(0, MOST_LISTED);
  const longest = Math.max(0, ...named.map(({ label, tag }) => label.length + tag.length));

  useEffect(() => {
    document.querySelector('#navigation .entries [aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [route]);

  function onKeyDown(event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }): void {
    const [first] = hits ?? [];
    if (event.key === 'Enter' && first !== undefined) {
      event.preventDefault();
      location.hash = first.address;
      setSearch('');
      event.currentTarget.blur();
    }
    if (event.key === 'Escape') setSearch('');
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      document.querySelector<HTMLElement>('#navigation .entries a')?.focus();
    }
  }

  return (
    <div class="navigation-content" style={{ '--longest': longest }} onKeyDown={moveInList}>
      <div class="find">
        <input
          type="search"
          id={SEARCH_ID}
          aria-label="Find a table or function"
          aria-keyshortcuts="Control+K Meta+K /"
          placeholder="Find…  Ctrl K"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="entries">
        {hits === null ? (
          groups.map((group, index) => (
            <Fold
              key={group.schema}
              id={group.schema}
              title={group.comment ?? ''}
              isFirst={index === 0}
              count={group.tables.length}
              entries={named.length}
              holdsCurrent={group.tables.some((each) => isAt(route, each))}
              label={<Text>{group.schema}</Text>}
            >
              <Entries entries={group.tables} route={route} />
              {group.functions.length > 0 && (
                <Fold
                  id={`${group.schema}()`}
                  title=""
                  isFirst={index === 0}
                  count={group.functions.length}
                  entries={named.length}
                  holdsCurrent={group.functions.some((each) => isAt(route, each))}
                  label="Functions"
                >
                  <Entries entries={group.functions} route={route} />
                </Fold>
              )}
            </Fold>
          ))
        ) : (
          <Hits hits={hits} route={route} hasSchemas={groups.length > 1} />
        )}
      </div>
      <ul class="pinned" aria-label="Service">
        {screens.map((each) => (
          <li key={each.label}>
            <EntryLink entry={each} isCurrent={isAt(route, each)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const Entries = ({
  entries,
  route,
}: {
  readonly entries: readonly Entry[];
  readonly route: Route;
}): JSX.Element => (
  <ul>
    {entries.slice(0, MOST_LISTED).map((each) => (
      <li key={each.label}>
        <EntryLink entry={each} isCurrent={isAt(route, each)} />
      </li>
    ))}
    {entries.length > MOST_LISTED && (
      <li class="quiet">{entries.length - MOST_LISTED} more: search for them</li>
    )}
  </ul>
);

/** What a search has found; Enter opens the first one. */
function Hits({
  hits,
  route,
  hasSchemas,
}: {
  readonly hits: readonly Entry[];
  readonly route: Route;
  readonly hasSchemas: boolean;
}): JSX.Element {
  if (hits.length === 0)
    return (
      <p class="quiet" role="status">
        Nothing has this name.
      </p>
    );
  return (
    <ul class="hits">
      {hits.map((each) => (
        <li key={each.address}>
          <EntryLink
            entry={each}
            isCurrent={isAt(route, each)}
            {...(hasSchemas && each.schema !== null ? { schema: each.schema } : {})}
          />
        </li>
      ))}
    </ul>
  );
}

/** Arrows move from entry to entry; the first one leads back to the search. */
function moveInList(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !(event.target instanceof HTMLElement) || event.target.id === SEARCH_ID) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('input, summary, a')].filter(
    (element) => element.offsetParent !== null,
  );
  const to = all[all.indexOf(event.target) + step];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}
