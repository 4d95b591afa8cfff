/** The list of everything that the role may use. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Catalogue } from '../../server/answers.js';
import { EMPTY_VIEW } from './data-request.js';
import { Text } from './parts.js';
import { addressOf, type Route } from './route.js';

interface NavigationProps {
  readonly catalogue: Catalogue;
  readonly areas: readonly string[];
  readonly route: Route;
}

/** Names that are listed at a time; a search finds the others. */
const MOST_LISTED = 300;

export function Navigation({ catalogue, areas, route }: NavigationProps): JSX.Element {
  const [search, setSearch] = useState('');
  const matches = ({ name }: { readonly name: string }): boolean =>
    name.toLowerCase().includes(search.toLowerCase());
  const functions = [
    ...new Map(catalogue.functions.map((each) => [`${each.schema}.${each.name}`, each])).values(),
  ];
  const isAt = (screen: Route['screen'], schema: string, name: string): boolean =>
    route.screen === screen && 'schema' in route && route.schema === schema && route.name === name;
  return (
    <div class="navigation-content">
      <input
        type="search"
        aria-label="Find a table or function"
        placeholder="Find…"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      {catalogue.schemas.map(({ name: schema, comment }) => (
        <div key={schema}>
          <h2 title={comment ?? ''}>
            <Text>{schema}</Text>
          </h2>
          <ul>
            {catalogue.relations
              .filter((each) => each.schema === schema && matches(each))
              .slice(0, MOST_LISTED)
              .map(({ name, kind, rowSecurity }) => (
                <li key={name}>
                  <a
                    href={addressOf({ screen: 'table', schema, name, view: EMPTY_VIEW })}
                    {...(isAt('table', schema, name) || isAt('policies', schema, name)
                      ? { 'aria-current': 'page' }
                      : {})}
                  >
                    <span class="name">
                      <Text>{name}</Text>
                    </span>
                    {kind !== 'table' && <small>{kind === 'materialized view' ? 'mat. view' : kind}</small>}
                    {rowSecurity && <small title="Row security">rls</small>}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
      {functions.length > 0 && <h2>Functions</h2>}
      <ul>
        {functions
          .filter(matches)
          .slice(0, MOST_LISTED)
          .map(({ schema, name }) => (
            <li key={`${schema}.${name}`}>
              <a
                href={addressOf({ screen: 'function', schema, name })}
                {...(isAt('function', schema, name) ? { 'aria-current': 'page' } : {})}
              >
                <span class="name">
                  <Text>{name}</Text>
                </span>
              </a>
            </li>
          ))}
      </ul>
      <h2>Service</h2>
      <ul>
        {SCREENS.filter(({ area }) => area === null || areas.includes(area)).map(({ screen, label }) => (
          <li key={screen}>
            <a
              href={addressOf({ screen })}
              {...(route.screen === screen || `${route.screen}s` === screen
                ? { 'aria-current': 'page' }
                : {})}
            >
              <span class="name">{label}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

const SCREENS = [
  { screen: 'notifications', label: 'Notifications', area: 'notifications' },
  { screen: 'webhooks', label: 'Webhooks', area: 'notifications' },
  { screen: 'signing', label: 'Signing', area: 'signing' },
  { screen: 'lint', label: 'Lint', area: 'data-api' },
  { screen: 'health', label: 'Health', area: null },
] as const;
