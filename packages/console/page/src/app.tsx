/** The page: who is signed in, what there is, and one screen. */
import './style.css';
import { render, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Catalogue } from '../../server/answers.js';
import { ApiError, ask, forgetSent, loadInformation, type Information } from './api.js';
import { FunctionScreen } from './function.js';
import { Navigation } from './navigation.js';
import { HealthScreen } from './health.js';
import { LintScreen } from './lint.js';
import { NotificationsScreen } from './notifications.js';
import { Comment, Show, Text, useLoaded } from './parts.js';
import { PoliciesScreen } from './policies.js';
import { RequestBar } from './request-bar.js';
import { readRoute, type Route } from './route.js';
import {
  claimsOf,
  currentToken,
  ownToken,
  signOut,
  takeTokenFromAddress,
  viewAs,
  viewAsToken,
} from './session.js';
import { SignIn, ViewAsPanel } from './sign-in.js';
import { SigningScreen } from './signing.js';
import { TableScreen } from './table.js';
import { mayDiscard } from './unsaved.js';
import { WebhookScreen, WebhooksScreen } from './webhooks.js';

function App(): JSX.Element {
  const [changes, setChanges] = useState(0);
  const information = useLoaded(() => loadInformation(), []);
  const onIdentity = (): void => {
    forgetSent();
    setChanges((before) => before + 1);
  };
  // An address that changes behind its `#` alone leaves the page open.
  useEffect(() => {
    const take = (): void => {
      if (takeTokenFromAddress()) onIdentity();
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  if (ownToken() === null) return <SignIn onSignedIn={onIdentity} />;
  return (
    <Show of={information}>
      {(loaded) => <Console key={String(changes)} information={loaded} onIdentity={onIdentity} />}
    </Show>
  );
}

interface ConsoleProps {
  readonly information: Information;
  /** The token has changed. */
  readonly onIdentity: () => void;
}

function Console({ information, onIdentity }: ConsoleProps): JSX.Element {
  const [route, setRoute] = useState<Route>(() => readRoute(location.hash));
  const [isMenuOpen, setMenuOpen] = useState(false);
  const hasData = information.areas.includes('data-api');
  const catalogue = useLoaded(
    () => (hasData ? ask<Catalogue>({ kind: 'catalogue' }, { quiet: true }) : Promise.resolve(NOTHING)),
    [],
  );
  useEffect(() => {
    const read = (): void => {
      setRoute(readRoute(location.hash));
      setMenuOpen(false);
    };
    const leave = ({ oldURL }: HashChangeEvent): void => {
      if (mayDiscard()) read();
      else history.pushState(null, '', oldURL);
    };
    addEventListener('hashchange', leave);
    // The address may have changed since the first render.
    read();
    return () => removeEventListener('hashchange', leave);
  }, []);
  const place = JSON.stringify([route.screen, 'name' in route ? route.name : 'id' in route ? route.id : '']);
  useEffect(() => {
    forgetSent();
    document.title = 'name' in route ? `${route.name} · dbr` : 'dbr console';
  }, [place]);
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <TopBar
        information={information}
        isMenuOpen={isMenuOpen}
        onMenu={() => setMenuOpen(!isMenuOpen)}
        onIdentity={onIdentity}
      />
      <div class="layout">
        <nav
          class={isMenuOpen ? 'navigation open' : 'navigation'}
          aria-label="Tables, functions and service"
          id="navigation"
        >
          {catalogue.state !== 'loading' && (
            <Navigation
              catalogue={catalogue.state === 'loaded' ? catalogue.value : NOTHING}
              areas={information.areas}
              route={route}
            />
          )}
        </nav>
        <main id="main" tabIndex={-1}>
          {OF_SERVICE.has(route.screen) ? (
            <Screen route={route} catalogue={NOTHING} />
          ) : (
            <Show of={catalogue} title="Overview">
              {(value) => <Screen route={route} catalogue={value} />}
            </Show>
          )}
          {catalogue.state === 'failed' && <Refused error={catalogue.error} onIdentity={onIdentity} />}
          <RequestBar />
        </main>
      </div>
    </>
  );
}

/** What a caller may use of the data API where it is switched off or refuses the token. */
const NOTHING: Catalogue = {
  role: '',
  authenticated: false,
  claims: {},
  schemas: [],
  relations: [],
  functions: [],
};

/** Screens that do not need the data API. */
const OF_SERVICE: ReadonlySet<Route['screen']> = new Set([
  'notifications',
  'webhooks',
  'webhook',
  'signing',
  'health',
]);

function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Refused({
  error,
  onIdentity,
}: {
  readonly error: unknown;
  readonly onIdentity: () => void;
}): JSX.Element | null {
  if (!(error instanceof ApiError) || error.status !== 401) return null;
  return (
    <p>
      The token is refused or has ended.{' '}
      <button
        type="button"
        onClick={() => {
          signOut();
          onIdentity();
        }}
      >
        Sign in again
      </button>
    </p>
  );
}

function Screen({ route, catalogue }: { readonly route: Route; readonly catalogue: Catalogue }): JSX.Element {
  switch (route.screen) {
    case 'table':
      return <TableScreen catalogue={catalogue} schema={route.schema} name={route.name} view={route.view} />;
    case 'function':
      return (
        <FunctionScreen
          key={`${route.schema}.${route.name}`}
          catalogue={catalogue}
          schema={route.schema}
          name={route.name}
        />
      );
    case 'policies':
      return <PoliciesScreen schema={route.schema} name={route.name} />;
    case 'lint':
      return <LintScreen />;
    case 'notifications':
      return <NotificationsScreen />;
    case 'webhooks':
      return <WebhooksScreen />;
    case 'webhook':
      return <WebhookScreen key={route.id} id={route.id} />;
    case 'signing':
      return <SigningScreen />;
    case 'health':
      return <HealthScreen />;
    case 'start':
      return <Start catalogue={catalogue} />;
  }
}

function Start({ catalogue }: { readonly catalogue: Catalogue }): JSX.Element {
  return (
    <div class="screen" tabIndex={0}>
      <header class="screen-head">
        <h1>Overview</h1>
        {catalogue !== NOTHING && (
          <p>
            The role <b>{catalogue.role}</b> may use {catalogue.relations.length} relations and{' '}
            {catalogue.functions.length} functions.
          </p>
        )}
      </header>
      {catalogue.schemas.map(({ name, comment }) => (
        <section key={name}>
          <h2>
            <Text>{name}</Text>
          </h2>
          <Comment>{comment}</Comment>
        </section>
      ))}
    </div>
  );
}

function TopBar({
  information,
  isMenuOpen,
  onMenu,
  onIdentity,
}: ConsoleProps & { readonly isMenuOpen: boolean; readonly onMenu: () => void }): JSX.Element {
  const [isChoosing, setChoosing] = useState(false);
  const claims = claimsOf(currentToken());
  const isOther = viewAsToken() !== null;
  const who = claims.sub ?? (currentToken() === '' ? 'no token' : 'unnamed');
  return (
    <header class={isOther ? 'top other' : 'top'}>
      <button
        type="button"
        class="icon menu"
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        aria-controls="navigation"
        onClick={onMenu}
      >
        ☰
      </button>
      <a class="brand" href="#/">
        dbr
      </a>
      <span class="spread" />
      {isOther && (
        <strong class="viewing-as" role="status">
          Development: viewing as <Text>{who}</Text>
        </strong>
      )}
      {!isOther && (
        <span class="who">
          <Text>{who}</Text>
          {claims.role !== undefined && (
            <span class="quiet">
              {' '}
              as <Text>{claims.role}</Text>
            </span>
          )}
        </span>
      )}
      {information.development && !isOther && (
        <button type="button" onClick={() => setChoosing(true)}>
          View as…
        </button>
      )}
      {isOther && (
        <button
          type="button"
          onClick={() => {
            viewAs(null);
            onIdentity();
          }}
        >
          Back to yourself
        </button>
      )}
      <button
        type="button"
        onClick={() => {
          signOut();
          onIdentity();
        }}
      >
        Sign out
      </button>
      {isChoosing && <ViewAsPanel onClose={() => setChoosing(false)} onChanged={onIdentity} />}
    </header>
  );
}

takeTokenFromAddress();
const root = document.getElementById('console');
if (root !== null) render(<App />, root);
