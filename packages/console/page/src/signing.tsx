/** Signing: parties, sessions with their events, and the audit log. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { textLines } from '../../../client/src/send.js';
import { open, readJson, send } from './api.js';
import { isObject, parseJson, rowsOf, textOf, type JsonRow } from './json.js';
import { column, itemsOf, Listed, Pairs, usePages } from './listed.js';
import { Panel } from './panel.js';
import { Show, Text, useLoaded } from './parts.js';

export function SigningScreen(): JSX.Element {
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>Signing</h1>
      </header>
      <Parties />
      <Sessions />
      <Audit />
    </div>
  );
}

function Parties(): JSX.Element {
  const pages = usePages();
  const loaded = useLoaded(
    (signal) => send({ method: 'GET', path: '/api/v1/parties', area: true, query: pages.query }, { signal }),
    [String(pages.query)],
  );
  return (
    <section aria-labelledby="parties">
      <h2 id="parties">Parties</h2>
      <Show of={loaded}>
        {({ body }) => (
          <>
            <Listed
              label="Parties"
              rows={itemsOf(body)}
              empty="No parties are registered."
              columns={[
                column('partyId', 'Party'),
                column('name', 'Name'),
                column('role', 'Role'),
                column('status', 'Status'),
                column('online', 'Online'),
                column('lastSeenAt', 'Last seen'),
              ]}
            />
            {pages.buttons(body, 'the parties')}
          </>
        )}
      </Show>
    </section>
  );
}

const STATES = [
  '',
  'created',
  'awaiting_parties',
  'in_progress',
  'completed',
  'failed',
  'expired',
  'cancelled',
] as const;

function Sessions(): JSX.Element {
  const [state, setState] = useState('');
  const [opened, setOpened] = useState<JsonRow | null>(null);
  const pages = usePages();
  const loaded = useLoaded(
    (signal) =>
      send(
        {
          method: 'GET',
          path: '/api/v1/signing-sessions',
          area: true,
          query: [...(state === '' ? [] : [['state', state] as const]), ...pages.query],
        },
        { signal },
      ),
    [state, String(pages.query)],
  );
  return (
    <section aria-labelledby="sessions">
      <div class="toolbar">
        <h2 id="sessions">Sessions</h2>
        <select
          aria-label="State of the sessions"
          value={state}
          onChange={(event) => {
            setState(event.currentTarget.value);
            pages.first();
          }}
        >
          {STATES.map((each) => (
            <option key={each} value={each}>
              {each === '' ? 'all states' : each}
            </option>
          ))}
        </select>
      </div>
      <Show of={loaded}>
        {({ body }) => (
          <>
            <Listed
              label="Sessions"
              rows={itemsOf(body)}
              empty="No sessions."
              columns={[
                column('state', 'State'),
                column('accountId', 'Account'),
                column('createdBy', 'Created by'),
                column('threshold', 'Threshold'),
                column('failureReason', 'Failure'),
                column('createdAt', 'Created'),
                column('endedAt', 'Ended'),
              ]}
              action={(row) => (
                <button type="button" class="small" onClick={() => setOpened(row)}>
                  Events
                </button>
              )}
            />
            {pages.buttons(body, 'the sessions')}
          </>
        )}
      </Show>
      {opened !== null && (
        <Panel title="Session" label="Session" onClose={() => setOpened(null)}>
          <SessionEvents session={opened} />
        </Panel>
      )}
    </section>
  );
}

function SessionEvents({ session }: { readonly session: JsonRow }): JSX.Element {
  const id = textOf(session['sessionId']);
  const loaded = useLoaded(
    (signal) =>
      send(
        { method: 'GET', path: '/api/v1/signing-sessions/{id}/events', parameters: { id }, area: true },
        { signal },
      ),
    [id],
  );
  return (
    <>
      <Pairs of={Object.entries(session).map(([name, value]) => [name, textOf(value)])} />
      <h3>Events</h3>
      <Show of={loaded}>
        {({ body }) => (
          <Listed
            label="Events"
            rows={itemsOf(body)}
            empty="No events."
            columns={[
              column('type', 'Event'),
              column('state', 'State'),
              column('occurredAt', 'At'),
              column('data', 'Data'),
            ]}
          />
        )}
      </Show>
    </>
  );
}

/** Lines that are shown, and kept while the export is read, which has all of them. */
const AUDIT_LINES = 200;
/** The whole log is read only where this time has fewer entries. */
const RECENT_MS = 7 * 86_400_000;

function Audit(): JSX.Element {
  const loaded = useLoaded(latestEntries, []);
  return (
    <section aria-labelledby="audit">
      <h2 id="audit">Audit log</h2>
      <Show of={loaded}>
        {(rows) => (
          <Listed
            label="Audit log"
            rows={rows}
            empty="No entries."
            columns={[
              column('at', 'At'),
              column('actor', 'Actor', (row) => <Text>{actorOf(row)}</Text>),
              column('action', 'Action'),
              column('subject', 'Subject'),
              column('remoteAddress', 'Address'),
            ]}
          />
        )}
      </Show>
    </section>
  );
}

/** The user whom the pseudonym stands for, until the user is erased. */
function actorOf({ actor, names }: JsonRow): string {
  const name = isObject(names) ? names[textOf(actor)] : undefined;
  return isObject(name) ? textOf(name['userId']) : textOf(actor);
}

/** The last entries, newest first. @throws ApiError */
async function latestEntries(signal: AbortSignal): Promise<readonly JsonRow[]> {
  const recent = new Date(Date.now() - RECENT_MS).toISOString();
  const lines = await lastLines([['sealedFrom', recent]], signal);
  const all = lines.length < AUDIT_LINES ? await lastLines([], signal) : lines;
  return all.flatMap((line) => rowsOf(parseJson(line))).reverse();
}

async function lastLines(
  query: readonly (readonly [name: string, value: string])[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const response = await open({ method: 'GET', path: '/api/v1/audit-log', area: true, query }, { signal });
  if (!response.ok) await readJson(response);
  const lines: string[] = [];
  for await (const line of textLines(response)) {
    lines.push(line);
    if (lines.length > AUDIT_LINES) lines.shift();
  }
  return lines;
}
