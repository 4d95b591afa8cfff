/** The reference page: the operations of the service, and the tables and functions of the caller. */
import './style.css';
import { render, type JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { objectOf, listOf, operationsOf, resourceOf, type Operation } from './description.js';
import { Icon } from '../../console/page/src/icon.js';
import { textOf, type JsonRow } from '../../console/page/src/json.js';
import { ErrorBox, Loading, Show, Text, useLoaded, type Loaded } from '../../console/page/src/parts.js';
import { readFacts, type Facts } from './facts.js';
import { Markdown } from './markdown.js';
import { groupsOf, Navigation } from './navigation.js';
import { OperationView } from './operation.js';
import { loadDescription, loadServiceDocument, loadSwagger, type Caller } from './request.js';
import { Resource } from './resource.js';
import { addressOf, readRoute, type Route } from './route.js';

function App({ facts }: { readonly facts: Facts }): JSX.Element {
  const route = useRoute();
  const [token, setToken] = useState('');
  const [isMenuOpen, setMenuOpen] = useState(false);
  const schema = route.schema === facts.schemas[0] ? '' : route.schema;
  const caller = useMemo(() => ({ facts, token, schema }), [token, schema]);
  const document = useLoaded(loadServiceDocument, []);
  const asks = facts.description === 'served' || (facts.description === 'token' && token !== '');
  const description = useLoaded(
    (signal) => (asks ? loadDescription(caller, signal) : Promise.resolve(null)),
    [caller, asks],
  );
  const isTable = route.kind === 'table' && asks;
  const swagger = useLoaded(
    (signal) => (isTable ? loadSwagger(caller, signal).catch(() => null) : Promise.resolve(null)),
    [caller, isTable],
  );
  const service = useMemo(() => servedOperations(document, facts), [document]);
  const database = useMemo(
    () =>
      description.state === 'loaded' && description.value !== null
        ? operationsOf(description.value, true)
        : [],
    [description],
  );
  const tags = document.state === 'loaded' ? tagsOf(document.value) : [];
  const groups = useMemo(() => groupsOf(service, tags, database, schema), [service, database, schema]);
  useEffect(() => setMenuOpen(false), [route]);
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <TopBar
        {...{ facts, route, token, isMenuOpen }}
        onToken={setToken}
        onMenu={() => setMenuOpen(!isMenuOpen)}
      />
      <div class="layout">
        <nav
          class={isMenuOpen ? 'navigation open' : 'navigation'}
          aria-label="Operations, tables and functions"
          id="navigation"
        >
          <Navigation groups={groups} route={route} />
        </nav>
        <main id="main" tabIndex={-1}>
          <div class="screen" key={addressOf(route)} tabIndex={0} role="region" aria-label="Reference">
            {description.state === 'failed' && <ErrorBox error={description.error} />}
            <Show of={document}>
              {(value) => (
                <Screen
                  {...{ caller, route, service, database, description }}
                  document={value}
                  swagger={swagger.state === 'loaded' ? swagger.value : null}
                />
              )}
            </Show>
          </div>
        </main>
      </div>
    </>
  );
}

function useRoute(): Route {
  const [route, setRoute] = useState<Route>(() => readRoute(location.hash));
  useEffect(() => {
    const read = (): void => setRoute(readRoute(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return route;
}

function skipToMain(event: Event): void {
  event.preventDefault();
  globalThis.document.getElementById('main')?.focus();
}

/** The operations of areas that are served. Those of other tags are always. */
function servedOperations(document: Loaded<JsonRow>, { areas }: Facts): readonly Operation[] {
  if (document.state !== 'loaded') return [];
  const isServed = (tag: string): boolean => !AREAS.includes(tag) || areas.includes(tag);
  return operationsOf(document.value, false).filter(({ tag }) => isServed(tag));
}

const AREAS = ['notifications', 'signing', 'data-api'];

const tagsOf = (document: JsonRow): readonly string[] =>
  listOf(document['tags']).map((tag) => textOf(objectOf(tag)['name']));

interface ScreenProps {
  readonly caller: Caller;
  readonly route: Route;
  readonly document: JsonRow;
  readonly service: readonly Operation[];
  readonly database: readonly Operation[];
  readonly description: Loaded<JsonRow | null>;
  readonly swagger: JsonRow | null;
}

function Screen(props: ScreenProps): JSX.Element {
  const { caller, route, service, database, description, swagger } = props;
  // The page of `#/operations/…` is that of an operation of either document.
  const operation = [...service, ...database].find(
    ({ id }) => route.kind === 'operation' && id === route.name,
  );
  const title = route.kind === 'start' ? '' : (operation?.summary ?? route.name);
  useEffect(() => {
    globalThis.document.title = title === '' ? 'dbr reference' : `${title} · dbr reference`;
  }, [title]);
  switch (route.kind) {
    case 'start':
      return <Start {...props} />;
    case 'operation':
      return (
        <>
          <h1>
            <Text>{title}</Text>
          </h1>
          {operation === undefined ? (
            <p class="empty">The service has no operation of this name.</p>
          ) : (
            <OperationView caller={caller} operation={operation} />
          )}
        </>
      );
    case 'table':
    case 'function':
      return description.state === 'loading' ? (
        <Loading />
      ) : (
        <Resource {...{ caller, route, swagger }} operations={database} />
      );
  }
}

function Start({ caller, document, database, description }: ScreenProps): JSX.Element {
  const info = objectOf(document['info']);
  return (
    <>
      <header class="screen-head">
        <h1>
          <Text>{`${textOf(info['title'])} ${textOf(info['version'])}`}</Text>
        </h1>
      </header>
      <h2>Your tables and functions</h2>
      <p>{tablesNote(caller, database, description)}</p>
      <h2>The service</h2>
      <Markdown text={textOf(info['description'])} />
      <p>
        The whole document: <a href="openapi.json">openapi.json</a>
      </p>
    </>
  );
}

/** What the page has of the database. */
function tablesNote(
  { facts, token }: Caller,
  database: readonly Operation[],
  { state }: Loaded<JsonRow | null>,
): string {
  switch (facts.description) {
    case 'absent':
      return 'This service has no data API.';
    case 'disabled':
      return 'This service does not describe its database: openapi-mode is disabled.';
    case 'token':
    case 'served':
      if (facts.description === 'token' && token === '')
        return 'Requests without a token are refused. Enter a token to see the tables and functions of its role.';
      if (state === 'failed') return 'The description of the database was refused.';
      if (state === 'loading') return 'They are being loaded.';
      return `The list has the ${String(countOf(database))} tables, views and functions that ${token === '' ? 'a request without a token' : 'the role of the token'} may use.`;
  }
}

const countOf = (database: readonly Operation[]): number =>
  new Set(database.map(({ path }) => path).filter((path) => resourceOf(path) !== null)).size;

function TopBar({
  facts,
  route,
  token,
  isMenuOpen,
  onToken,
  onMenu,
}: {
  readonly facts: Facts;
  readonly route: Route;
  readonly token: string;
  readonly isMenuOpen: boolean;
  readonly onToken: (token: string) => void;
  readonly onMenu: () => void;
}): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <header class="top">
      <button
        type="button"
        class="icon menu"
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        aria-controls="navigation"
        onClick={onMenu}
      >
        <Icon name="menu" />
      </button>
      <a class="brand" href={addressOf({ kind: 'start', name: '', schema: route.schema })}>
        dbr
      </a>
      <span class="spread" />
      {facts.schemas.length > 1 && (
        <select
          aria-label="Schema"
          value={route.schema || (facts.schemas[0] ?? '')}
          onChange={({ currentTarget: { value } }) => {
            location.hash = addressOf({ kind: 'start', name: '', schema: value });
          }}
        >
          {facts.schemas.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <form
        class="token"
        onSubmit={(event) => {
          event.preventDefault();
          onToken(input.current?.value.trim() ?? '');
        }}
      >
        <input
          ref={input}
          type="password"
          aria-label="Token"
          placeholder={token === '' ? 'Token' : 'A token is in use'}
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit">Use</button>
      </form>
    </header>
  );
}

const root = globalThis.document.getElementById('reference');
if (root !== null) {
  const facts = readFacts(root.dataset['facts'] ?? '');
  root.replaceChildren();
  render(<App facts={facts} />, root);
}
