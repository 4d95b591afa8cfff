/** The page: who is signed in, what there is, and one screen. */
import './style.css';
import { render, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Catalogue } from '../../server/answers.js';
import { ApiError, ask, beginScreen, forgetSent, loadInformation, type Information } from './api.js';
import { FunctionScreen } from './function.js';
import { Navigation } from './menu/navigation.js';
import { useShortcuts } from './menu/shortcuts.js';
import { HealthScreen } from './health.js';
import { LintScreen } from './lint.js';
import { NotificationsScreen } from './notifications.js';
import { Show, useLoaded } from './parts.js';
import { PoliciesScreen } from './policies.js';
import { ProposalsScreen } from './proposals.js';
import { RequestBar } from './requests/request-bar.js';
import { readRoute, type Route } from './route.js';
import { ownToken, signOut, takeTokenFromAddress } from './session.js';
import { SignIn } from './sign-in.js';
import { SigningScreen } from './signing.js';
import { OverviewScreen } from './start/overview.js';
import { TableScreen } from './table/table-screen.js';
import { TopBar } from './top-bar.js';
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
    beginScreen();
    document.title = 'name' in route ? `${route.name} · dbr` : 'dbr console';
  }, [place]);
  useShortcuts(() => setMenuOpen(true));
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <TopBar
        information={information}
        role={catalogue.state === 'loaded' && hasData ? catalogue.value.role : null}
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
              hasProposals={information.proposals}
              route={route}
            />
          )}
        </nav>
        <main id="main" tabIndex={-1}>
          {OF_SERVICE.has(route.screen) ? (
            <Screen route={route} catalogue={NOTHING} information={information} />
          ) : (
            <Show of={catalogue} title="Overview">
              {(value) => <Screen route={route} catalogue={value} information={information} />}
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

function Screen({
  route,
  catalogue,
  information,
}: {
  readonly route: Route;
  readonly catalogue: Catalogue;
  readonly information: Information;
}): JSX.Element {
  switch (route.screen) {
    case 'table':
      return <TableScreen catalogue={catalogue} {...route} />;
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
    case 'proposals':
      return <ProposalsScreen />;
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
      return <OverviewScreen catalogue={catalogue} information={information} />;
  }
}

takeTokenFromAddress();
const root = document.getElementById('console');
if (root !== null) render(<App />, root);
