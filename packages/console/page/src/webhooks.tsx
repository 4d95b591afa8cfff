/** Webhooks: their states, and the messages that they are due, were sent, or have given up. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { send } from './api.js';
import { isObject, textOf, type Json, type JsonRow } from './json.js';
import { column, itemsOf, Listed, Pairs, usePages } from './listed.js';
import { Panel } from './panel.js';
import { Code, ErrorBox, type Outcome, Said, Show, Text, useLoaded } from './parts.js';
import type { ApiRequest } from './request.js';
import { addressOf } from './route.js';
import { Delete } from './row/delete-button.js';

const PATH = '/api/v1/notifications/webhooks';
const ONE = `${PATH}/{webhookId}`;
const LIST: ApiRequest = { method: 'GET', path: PATH, area: true };

/** Why an attempt had no response, in words. */
const REASONS: Readonly<Record<string, string>> = {
  timeout: 'The receiver did not respond in time.',
  'certificate-refused': 'The certificate of the receiver is not valid.',
  'connection-failed': 'The connection to the receiver failed.',
  'name-not-found': 'The name of the receiver is not in DNS.',
  'address-refused': 'The address of the receiver is private, and the settings do not allow its network.',
  'http-refused': 'The address has http, which the settings allow for some networks only.',
  'secret-unreadable': 'The service has another key than the one that encrypted the secret.',
};

/** What the last attempt came to, of a message or of the last failure of a webhook. */
function outcomeOf(of: Json | undefined): string {
  if (!isObject(of)) return '';
  const [status, error] = [textOf(of['status']), textOf(of['error'])];
  if (error !== '') return REASONS[error] ?? error;
  return status === '' ? '' : `Responded with status ${status}.`;
}

const STATES: Readonly<Record<string, string>> = {
  active: 'active',
  paused: 'paused after failures',
  full: 'full: new messages are not stored',
  off: 'switched off',
};
const stateOf = (webhook: JsonRow): string => STATES[textOf(webhook['status'])] ?? textOf(webhook['status']);

/** More messages than this are not counted. */
const MAX_COUNTED = 10_000;
const countOf = (count: Json | undefined): string =>
  Number(count) > MAX_COUNTED ? `more than ${MAX_COUNTED.toLocaleString('en')}` : textOf(count);

export function WebhooksScreen(): JSX.Element {
  const loaded = useLoaded((signal) => send(LIST, { signal }), []);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>Webhooks</h1>
      </header>
      <Show of={loaded}>
        {({ body }) => (
          <Listed
            label="Webhooks"
            rows={itemsOf(body)}
            empty="The tenant has no webhooks."
            columns={[
              column('url', 'Address', (row) => (
                <a href={addressOf({ screen: 'webhook', id: textOf(row['webhookId']) })}>
                  <Text>{textOf(row['url'])}</Text>
                </a>
              )),
              column('status', 'State', stateOf),
              column('waiting', 'Waiting', (row) => countOf(row['waiting'])),
              column('dead', 'Dead', (row) => countOf(row['dead'])),
              column('lastFailure', 'Last failure', (row) => <Text>{outcomeOf(row['lastFailure'])}</Text>),
            ]}
          />
        )}
      </Show>
    </div>
  );
}

export function WebhookScreen({ id }: { readonly id: string }): JSX.Element {
  const [changes, setChanges] = useState(0);
  const loaded = useLoaded((signal) => send(LIST, { signal }), [changes]);
  return (
    <div class="screen">
      <Show of={loaded}>
        {({ body }) => {
          const webhook = itemsOf(body).find((row) => row['webhookId'] === id);
          return webhook === undefined ? (
            <>
              <h1>Webhook</h1>
              <p class="empty">The tenant has no webhook with this identifier.</p>
            </>
          ) : (
            <Webhook webhook={webhook} changes={changes} onChange={() => setChanges(changes + 1)} />
          );
        }}
      </Show>
    </div>
  );
}

interface WebhookProps {
  readonly webhook: JsonRow;
  readonly changes: number;
  /** Something was changed, or is to be read again. */
  readonly onChange: () => void;
}

const listOf = (value: Json | undefined): string =>
  Array.isArray(value) ? (value as readonly Json[]).map(textOf).join(', ') : 'all';

function Webhook({ webhook, changes, onChange }: WebhookProps): JSX.Element {
  const webhookId = textOf(webhook['webhookId']);
  const failure = webhook['lastFailure'];
  return (
    <>
      <header class="screen-head">
        <h1>
          <Text>{textOf(webhook['url'])}</Text> <span class="tag">{stateOf(webhook)}</span>
        </h1>
        <p class="comment">
          <Text>{textOf(webhook['description'])}</Text>
        </p>
      </header>
      <Pairs
        of={[
          ['Waiting', countOf(webhook['waiting'])],
          ['Dead', countOf(webhook['dead'])],
          ['Failures in a row', textOf(webhook['failures'])],
          ['Last failure', isObject(failure) ? `${textOf(failure['at'])}: ${outcomeOf(failure)}` : 'none'],
          ['Events', listOf(webhook['eventTypes'])],
          ['Categories', listOf(webhook['categories'])],
          ['Created', textOf(webhook['createdAt'])],
        ]}
      />
      <Actions webhook={webhook} webhookId={webhookId} onChange={onChange} />
      <Messages webhookId={webhookId} changes={changes} onChange={onChange} />
    </>
  );
}

const post = (action: 'replay' | 'drop', webhookId: string, body: JsonRow): ApiRequest => ({
  method: 'POST',
  path: `${ONE}/${action}`,
  parameters: { webhookId },
  area: true,
  body,
});

const messages = (count: Json | undefined): string =>
  `${textOf(count)} ${textOf(count) === '1' ? 'message' : 'messages'}`;

/** Sends a replay and describes its outcome. */
async function replayed(webhookId: string, body: JsonRow): Promise<{ said: string; next: string }> {
  const reply = await send(post('replay', webhookId, body));
  const outcome = isObject(reply.body) ? reply.body : {};
  const next = textOf(outcome['nextCursor']);
  const more = next === '' ? '' : ' There are more: send again for the next ones.';
  return { said: `Sends ${messages(outcome['messages'])} again.${more}`, next };
}

/** What a change of a webhook sends again. */
const SETTINGS = ['url', 'description', 'eventTypes', 'categories', 'delaySeconds', 'unlessRead'] as const;

function Actions({
  webhook,
  webhookId,
  onChange,
}: {
  readonly webhook: JsonRow;
  readonly webhookId: string;
  readonly onChange: () => void;
}): JSX.Element {
  const [after, setAfter] = useState('');
  const [outcome, setOutcome] = useState<Outcome>(null);
  const run = (work: () => Promise<string>): void => {
    work().then(
      (said) => {
        setOutcome({ said });
        onChange();
      },
      (error: unknown) => setOutcome({ error }),
    );
  };
  /** The settings are those that the service has by now; only the switch changes. A change ends a pause. */
  const put = async (enabled: boolean): Promise<string> => {
    const { body } = await send(LIST, { quiet: true });
    const present = itemsOf(body).find((row) => row['webhookId'] === webhookId) ?? webhook;
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, present[name] ?? null]));
    await send({
      method: 'PUT',
      path: ONE,
      parameters: { webhookId },
      area: true,
      body: { ...settings, enabled },
    });
    return enabled ? 'The webhook sends.' : 'The webhook sends nothing, and new messages are not stored.';
  };
  const isOn = webhook['enabled'] === true;
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={webhook['dead'] === 0}
          onClick={() => run(async () => (await replayed(webhookId, { dead: true })).said)}
        >
          Send all dead ones again
        </button>
        {webhook['status'] === 'paused' && (
          <button type="button" onClick={() => run(() => put(true))}>
            End the pause
          </button>
        )}
        <button type="button" onClick={() => run(() => put(!isOn))}>
          {isOn ? 'Switch off' : 'Switch on'}
        </button>
        <button type="button" onClick={onChange}>
          Refresh
        </button>
      </div>
      <form
        class="filter-form"
        onSubmit={(event) => {
          event.preventDefault();
          run(async () => {
            const { said, next } = await replayed(webhookId, { after });
            if (next !== '') setAfter(next);
            return said;
          });
        }}
      >
        <label for="after">All that were sent or are dead after</label>
        <input
          id="after"
          value={after}
          placeholder="msg_0"
          onInput={(event) => setAfter(event.currentTarget.value)}
        />
        <button type="submit">Send again</button>
      </form>
      <Said outcome={outcome} />
    </>
  );
}

const PAGE = 50;

interface MessagesProps {
  readonly webhookId: string;
  readonly changes: number;
  readonly onChange: () => void;
}

function Messages({ webhookId, changes, onChange }: MessagesProps): JSX.Element {
  const [state, setState] = useState('dead');
  const pages = usePages();
  const [opened, setOpened] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome>(null);
  const page = useLoaded(
    (signal) =>
      send(
        {
          method: 'GET',
          path: `${ONE}/messages`,
          parameters: { webhookId },
          query: [['state', state], ['limit', PAGE], ...pages.query],
          area: true,
        },
        { signal },
      ),
    [webhookId, state, String(pages.query), changes],
  );
  return (
    <section aria-labelledby="messages">
      <div class="toolbar">
        <h2 id="messages">Messages</h2>
        <select
          aria-label="State of the messages"
          value={state}
          onChange={(event) => {
            setState(event.currentTarget.value);
            pages.first();
          }}
        >
          {['dead', 'waiting', 'sent', 'all'].map((each) => (
            <option key={each} value={each}>
              {each === 'all' ? 'all states' : each}
            </option>
          ))}
        </select>
      </div>
      <Show of={page}>
        {({ body }) => (
          <>
            <Listed
              label="Messages"
              rows={itemsOf(body)}
              empty={state === 'all' ? 'No messages.' : `No messages are ${state}.`}
              columns={[
                column('messageId', 'Message'),
                column('type', 'Event'),
                column('userId', 'User'),
                ...(state === 'all' ? [column('state', 'State')] : []),
                column('createdAt', 'Created'),
                column('attempts', 'Attempts'),
                column('error', 'Last outcome', outcomeOf),
              ]}
              action={(row) => (
                <button
                  type="button"
                  class="small"
                  aria-label={`Open ${textOf(row['messageId'])}`}
                  onClick={() => setOpened(textOf(row['messageId']))}
                >
                  Open
                </button>
              )}
            />
            {pages.buttons(body, 'the messages')}
          </>
        )}
      </Show>
      <Said outcome={outcome} />
      {opened !== null && (
        <Panel title={<Text>{opened}</Text>} label="Message" onClose={() => setOpened(null)}>
          <Message
            webhookId={webhookId}
            id={opened}
            onDone={(said) => {
              setOpened(null);
              setOutcome({ said });
              onChange();
            }}
          />
        </Panel>
      )}
    </section>
  );
}

function Message({
  webhookId,
  id,
  onDone,
}: {
  readonly webhookId: string;
  readonly id: string;
  readonly onDone: (said: string) => void;
}): JSX.Element {
  const [error, setError] = useState<unknown>(null);
  const loaded = useLoaded(
    (signal) =>
      send(
        {
          method: 'GET',
          path: `${ONE}/messages/{messageId}`,
          parameters: { webhookId, messageId: id },
          area: true,
        },
        { signal },
      ),
    [id],
  );
  const act = (work: Promise<string>): void => void work.then(onDone, setError);
  const drop = async (): Promise<string> => {
    const body = { messageIds: [id] };
    const reply = await send(post('drop', webhookId, body));
    return `${messages(isObject(reply.body) ? reply.body['messages'] : 0)} deleted.`;
  };
  return (
    <Show of={loaded}>
      {({ body }) => {
        const message = isObject(body) ? body : {};
        const payload = message['payload'];
        return (
          <>
            <Pairs
              of={[
                ['Event', textOf(message['type'])],
                ['Notification', textOf(message['notificationId'])],
                ['User', textOf(message['userId']) || 'many readers'],
                ['State', textOf(message['state'])],
                ['Created', textOf(message['createdAt'])],
                ['Attempts', textOf(message['attempts'])],
                ['Last attempt', textOf(message['attemptedAt'])],
                ['Last outcome', outcomeOf(message)],
              ]}
            />
            <h3>Body of the request</h3>
            {payload === null ? (
              <p class="quiet">The notification is gone: the message is not sent any more.</p>
            ) : (
              <Code label="Body of the request" text={textOf(payload)} />
            )}
            <div class="actions">
              {message['state'] !== 'waiting' && (
                <button
                  type="button"
                  class="primary"
                  onClick={() => act(replayed(webhookId, { messageIds: [id] }).then(({ said }) => said))}
                >
                  Send again
                </button>
              )}
              {message['state'] === 'dead' && <Delete what="this message" onDelete={() => act(drop())} />}
            </div>
            {error !== null && <ErrorBox error={error} />}
          </>
        );
      }}
    </Show>
  );
}
