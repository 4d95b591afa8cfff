/** What the screen asked: address, curl, the call of a typed client, and the statement and plan where the role may see them. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { headersOf, onSent, publicAddress, publicPath, send, sentRequests, type Sent } from './api.js';
import { curlOf, openApiFetchOf, type Command } from './commands.js';
import { Code, ErrorBox, Show, useLoaded } from './parts.js';
import { isObject, textOf, type Json } from './json.js';
import type { ApiRequest } from './request.js';
import { currentToken } from './session.js';

const TABS = ['URL', 'curl', 'Typed client', 'SQL', 'Plan'] as const;
type Tab = (typeof TABS)[number];
/** Of what the console answers itself, which is no part of the published documents. */
const TABS_OF_CONSOLE: readonly Tab[] = ['URL', 'curl'];

export function RequestBar(): JSX.Element | null {
  const [, update] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [chosen, choose] = useState<number | null>(null);
  const [chosenTab, setTab] = useState<Tab>('URL');
  useEffect(() => onSent(() => update((count) => count + 1)), []);
  const all = sentRequests();
  const shown =
    all.find(({ id }) => id === chosen) ?? all.find(({ request }) => request.isOfConsole !== true) ?? all[0];
  if (shown === undefined) return null;
  const tabs = shown.request.isOfConsole === true ? TABS_OF_CONSOLE : TABS;
  const tab = tabs.includes(chosenTab) ? chosenTab : 'URL';
  return (
    <section class="requests" aria-label="Requests of this screen">
      <button
        type="button"
        class="request-line"
        aria-expanded={isOpen}
        aria-controls="request-details"
        onClick={() => setOpen(!isOpen)}
      >
        <span class={`status ${shown.status < 400 ? 'good' : 'bad'}`}>{shown.status}</span>
        <b>{shown.request.method}</b>
        <span class="target">{publicPath(shown.request)}</span>
        <span class="quiet">{shown.milliseconds.toFixed(0)} ms</span>
        <span aria-hidden="true">{isOpen ? '▾' : '▴'}</span>
      </button>
      {isOpen && (
        <div id="request-details" class="request-details">
          <div class="bar">
            <div
              role="tablist"
              aria-label="Form of the request"
              onKeyDown={(event) => moveTab(event, tabs, tab, setTab)}
            >
              {tabs.map((name) => (
                <button
                  key={name}
                  type="button"
                  role="tab"
                  id={`tab-${name}`}
                  aria-selected={name === tab}
                  tabIndex={name === tab ? 0 : -1}
                  onClick={() => setTab(name)}
                >
                  {name}
                </button>
              ))}
            </div>
            {all.length > 1 && (
              <select
                aria-label="Request"
                value={String(shown.id)}
                onChange={(event) => choose(Number(event.currentTarget.value))}
              >
                {all.map(({ id, request, status }) => (
                  <option key={id} value={String(id)}>
                    {`${String(status)} ${request.method} ${publicPath(request).slice(0, 60)}`}
                  </option>
                ))}
              </select>
            )}
          </div>
          <div role="tabpanel" aria-labelledby={`tab-${tab}`}>
            <Form key={shown.id} tab={tab} sent={shown} />
          </div>
        </div>
      )}
    </section>
  );
}

function moveTab(event: KeyboardEvent, tabs: readonly Tab[], tab: Tab, setTab: (tab: Tab) => void): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  if (step === 0 || next === undefined) return;
  setTab(next);
  document.getElementById(`tab-${next}`)?.focus();
}

function Form({ tab, sent: { request } }: { readonly tab: Tab; readonly sent: Sent }): JSX.Element {
  switch (tab) {
    case 'URL':
      return <Code label="URL" text={`${request.method} ${publicAddress(request)}`} />;
    case 'curl':
      return <Code label="curl" text={curlOf(commandOf(request))} />;
    case 'Typed client':
      return <Code label="Typed client" text={openApiFetchOf(request)} />;
    case 'SQL':
      return <Explained request={request} />;
    case 'Plan':
      return <Plan request={request} />;
  }
}

const commandOf = (request: ApiRequest): Command => ({
  method: request.method,
  address: publicAddress(request),
  headers: headersOf(request),
  body: request.body === undefined ? undefined : JSON.stringify(request.body),
  hasToken: currentToken() !== null,
});

const isRead = ({ method, area }: ApiRequest): boolean => method === 'GET' && area !== true;

function Explained({ request }: { readonly request: ApiRequest }): JSX.Element {
  const loaded = useLoaded(
    (signal) =>
      isRead(request)
        ? send(withHeaders(request, { Prefer: joined(request.headers?.['Prefer'], 'explain') }), {
            signal,
            quiet: true,
          })
        : Promise.resolve(null),
    [request],
  );
  return (
    <Show of={loaded}>
      {(reply) => {
        if (reply === null) return <p class="quiet">The statement is shown for reads of the data API.</p>;
        const explain = isObject(reply.body) ? reply.body['explain'] : undefined;
        if (!isObject(explain))
          return (
            <p class="quiet">
              The role may not see statements. The settings <code>db-explain-enabled</code> and{' '}
              <code>db-explain-roles</code> permit it.
            </p>
          );
        return <Code label="SQL" text={textOf(explain['sql'])} />;
      }}
    </Show>
  );
}

const joined = (before: string | undefined, more: string): string =>
  before === undefined ? more : `${before}, ${more}`;

const withHeaders = (request: ApiRequest, headers: Readonly<Record<string, string>>): ApiRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

function Plan({ request }: { readonly request: ApiRequest }): JSX.Element {
  const [reply, setReply] = useState<Json | undefined>();
  const [error, setError] = useState<unknown>(null);
  if (!isRead(request)) return <p class="quiet">The plan is shown for reads of the data API.</p>;
  const explain = (options: string): void => {
    const accept = `application/vnd.pgrst.plan+json${options}`;
    send(withHeaders(request, { Accept: accept }), { quiet: true }).then(
      ({ body }) => {
        setReply(body);
        setError(null);
      },
      (reason: unknown) => setError(reason),
    );
  };
  return (
    <div>
      <div class="actions">
        <button type="button" onClick={() => explain('')}>
          Explain
        </button>
        <button type="button" onClick={() => explain('; options=analyze')}>
          Explain and run
        </button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {reply !== undefined && <PlanTree plan={reply} />}
    </div>
  );
}

function PlanTree({ plan }: { readonly plan: Json }): JSX.Element {
  const [top] = Array.isArray(plan) ? (plan as readonly Json[]) : [plan];
  const root = isObject(top) ? top['Plan'] : undefined;
  const time = isObject(top) ? top['Execution Time'] : undefined;
  return (
    <div class="plan" data-plan>
      {time !== undefined && (
        <p>
          Executed in <b>{textOf(time)} ms</b>
        </p>
      )}
      {root !== undefined && (
        <ul>
          <PlanNode node={root} />
        </ul>
      )}
    </div>
  );
}

function PlanNode({ node }: { readonly node: Json }): JSX.Element | null {
  if (!isObject(node)) return null;
  const children = node['Plans'];
  const on = textOf(node['Index Name'] ?? node['Relation Name'] ?? node['Function Name']);
  const condition = textOf(node['Index Cond'] ?? node['Filter'] ?? node['Hash Cond']);
  const took = node['Actual Total Time'];
  return (
    <li>
      <b>{textOf(node['Node Type'])}</b> {on !== '' && <code>{on}</code>}{' '}
      <span class="quiet">
        {textOf(node['Plan Rows'])} rows, cost {textOf(node['Total Cost'])}
        {took !== undefined && `, ${textOf(took)} ms`}
      </span>
      {condition !== '' && <div class="condition">{condition}</div>}
      {Array.isArray(children) && (
        <ul>
          {(children as readonly Json[]).map((child, index) => (
            <PlanNode key={index} node={child} />
          ))}
        </ul>
      )}
    </li>
  );
}
