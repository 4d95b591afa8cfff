/** Notifications: send one, and watch your own arrive. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, open, send } from './api.js';
import { eventsOf, type ServerEvent } from './event-stream.js';
import { isObject, parseJson, rowsOf, textOf, type Json } from './json.js';
import { ErrorBox, Show, Text, useLoaded } from './parts.js';
import { currentToken } from './session.js';
import { claimsOf } from './token.js';

const SEVERITIES = ['info', 'success', 'warning', 'critical'] as const;

export function NotificationsScreen(): JSX.Element {
  const [changes, setChanges] = useState(0);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>Notifications</h1>
      </header>
      <div class="columns">
        <Produce onProduced={() => setChanges(changes + 1)} />
        <Watch />
      </div>
      <Inbox changes={changes} />
    </div>
  );
}

function Produce({ onProduced }: { readonly onProduced: () => void }): JSX.Element {
  const [users, setUsers] = useState(claimsOf(currentToken()).sub ?? '');
  const [type, setType] = useState('console.tried');
  const [title, setTitle] = useState('Hello');
  const [body, setBody] = useState('');
  const [severity, setSeverity] = useState<string>('info');
  const [result, setResult] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);

  async function produce(): Promise<void> {
    setError(null);
    setResult(null);
    try {
      const reply = await send({
        method: 'POST',
        path: '/api/v1/notifications',
        area: true,
        body: {
          userIds: users.split(',').map((user) => user.trim()),
          type,
          title,
          severity,
          ...(body === '' ? {} : { body }),
        },
      });
      const made = isObject(reply.body) ? reply.body : {};
      setResult(
        `${textOf(made['created'])} created, ${textOf(made['duplicates'])} duplicates, ${textOf(made['suppressed'])} suppressed`,
      );
      onProduced();
    } catch (reason) {
      setError(reason);
    }
  }

  const inputs = [
    ['Users', users, setUsers],
    ['Type', type, setType],
    ['Title', title, setTitle],
    ['Text', body, setBody],
  ] as const;
  return (
    <section aria-labelledby="produce">
      <h2 id="produce">Send a notification</h2>
      <form
        class="row-form"
        onSubmit={(event) => {
          event.preventDefault();
          void produce();
        }}
      >
        {inputs.map(([label, value, set]) => (
          <div class="field" key={label}>
            <label for={`produce-${label}`}>{label}</label>
            <div class="field-input">
              <input
                id={`produce-${label}`}
                value={value}
                dir="auto"
                onInput={(event) => set(event.currentTarget.value)}
              />
            </div>
          </div>
        ))}
        <div class="field">
          <label for="produce-severity">Severity</label>
          <div class="field-input">
            <select
              id="produce-severity"
              value={severity}
              onChange={(event) => setSeverity(event.currentTarget.value)}
            >
              {SEVERITIES.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </div>
        </div>
        <div class="actions">
          <button type="submit" class="primary">
            Send
          </button>
        </div>
        {result !== null && <p role="status">{result}</p>}
        {error !== null && <ErrorBox error={error} />}
      </form>
    </section>
  );
}

/** Events that are shown. */
const MOST_EVENTS = 50;

function Watch(): JSX.Element {
  const [isWatching, setWatching] = useState(false);
  const [events, setEvents] = useState<readonly (ServerEvent & { readonly at: string })[]>([]);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (!isWatching) return undefined;
    const abort = new AbortController();
    const follow = async (): Promise<void> => {
      const response = await open(
        {
          method: 'GET',
          path: '/api/v1/notifications/me/stream',
          area: true,
          headers: { Accept: 'text/event-stream' },
        },
        { signal: abort.signal },
      );
      if (!response.ok) throw new ApiError(response.status, bodyOf(await response.text()));
      for await (const event of eventsOf(response))
        setEvents((before) =>
          [{ ...event, at: new Date().toLocaleTimeString('en-GB') }, ...before].slice(0, MOST_EVENTS),
        );
      setWatching(false);
    };
    follow().catch((reason: unknown) => {
      if (abort.signal.aborted) return;
      setError(reason);
      setWatching(false);
    });
    return () => abort.abort();
  }, [isWatching]);
  return (
    <section aria-labelledby="watch">
      <h2 id="watch">Watch</h2>
      <div class="actions">
        <button
          type="button"
          aria-pressed={isWatching}
          onClick={() => {
            setError(null);
            setWatching(!isWatching);
          }}
        >
          {isWatching ? 'Stop watching' : 'Watch the stream'}
        </button>
        {isWatching && (
          <span class="quiet" role="status">
            connected as {claimsOf(currentToken()).sub ?? 'an anonymous user'}
          </span>
        )}
      </div>
      {error !== null && <ErrorBox error={error} />}
      <ol class="events" aria-label="Events">
        {events.map((event, index) => (
          <li key={events.length - index}>
            <span class="quiet">{event.at}</span> <b>{event.type}</b> <EventText data={event.data} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function bodyOf(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function EventText({ data }: { readonly data: string }): JSX.Element {
  const value = bodyOf(data);
  const title = isObject(value) ? value['title'] : undefined;
  const nested =
    isObject(value) && isObject(value['notification']) ? value['notification']['title'] : undefined;
  return <Text>{textOf(title ?? nested ?? value)}</Text>;
}

function Inbox({ changes }: { readonly changes: number }): JSX.Element {
  const page = useLoaded(
    (signal) =>
      send(
        { method: 'GET', path: '/api/v1/notifications/me', area: true, query: [['limit', 20]] },
        { signal },
      ),
    [changes],
  );
  return (
    <section aria-labelledby="inbox">
      <h2 id="inbox">Your inbox</h2>
      <Show of={page}>
        {({ body }) => {
          const items = isObject(body) ? rowsOf(body['items'] ?? body['notifications']) : [];
          if (items.length === 0) return <p class="quiet">Nothing yet.</p>;
          return (
            <ul class="inbox">
              {items.map((item) => (
                <li key={textOf(item['notificationId'])} class={item['isRead'] === true ? '' : 'unread'}>
                  <b>
                    <Text>{textOf(item['title'])}</Text>
                  </b>{' '}
                  <span class="tag">{textOf(item['type'])}</span>{' '}
                  <span class="quiet">
                    {textOf(item['severity'])}, {textOf(item['createdAt'])}
                  </span>
                  <p>
                    <Text>{textOf(item['body'])}</Text>
                  </p>
                </li>
              ))}
            </ul>
          );
        }}
      </Show>
    </section>
  );
}
