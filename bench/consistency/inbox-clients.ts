/** Producers of notifications, and users who follow their live streams and mark what they read. */
import { setMaxListeners } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Notification, NotificationPage, UnreadCount } from '../../generated/types.js';
import { tokenOf } from '../../test/support/service/service-processes.js';
import { readStream, type ReceivedEvent } from '../../test/support/service/stream-reader.js';
import { outcomeOf, persevere, type Run } from './requests.js';

/** A stream that is silent for so long is opened again. */
const SILENCE_MS = 40_000;
const PAUSE_MS = 300;
const PRODUCERS = 4;
/** One notification in so many is marked as read. */
const MARKED = 3;

export interface Inboxes {
  /** Sends notifications until the run is over. */
  readonly produce: () => Promise<void>;
  /** Waits until the streams have what the lists have, at most so long, then records the inboxes. */
  readonly settle: (seconds: number) => Promise<void>;
}

interface User {
  readonly number: number;
  readonly token: string;
  readonly known: Set<number>;
  lastEventId: string;
  streamed: number | null;
}

export async function openInboxes(run: Run, users: number, rate: number): Promise<Inboxes> {
  const producer = `Bearer ${await tokenOf({ sub: 'producer', scope: 'notifications:write' })}`;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const all = await Promise.all(
    Array.from({ length: users }, async (_, number): Promise<User> => {
      const token = `Bearer ${await tokenOf({ sub: `user-${String(number)}` })}`;
      return { number, token, known: new Set(), lastEventId: '', streamed: null };
    }),
  );
  const following = all.map((user) => follow(run, user, stopping.signal));
  // A stream without a place to resume from begins with what comes later.
  while (all.some(({ lastEventId }) => lastEventId === '')) await delay(PAUSE_MS);
  let last = 0;
  return {
    async produce() {
      const one = async (): Promise<void> => {
        while (!run.isOver()) {
          await delay(run.random((2000 * PRODUCERS) / rate));
          await notify(run, producer, run.random(users), ++last);
        }
      };
      await Promise.all(Array.from({ length: PRODUCERS }, one));
    },
    async settle(seconds) {
      const deadline = run.now() + seconds * 1e6;
      for (const user of all) await recordAtRest(run, user, deadline);
      stopping.abort();
      await Promise.all(following);
    },
  };
}

async function notify(run: Run, token: string, user: number, notification: number): Promise<void> {
  const begin = run.now();
  const { status } = await persevere(run, () =>
    run.send('POST', '/api/v1/notifications', {
      headers: { Authorization: token },
      body: {
        ...{ userIds: [`user-${String(user)}`], type: 'run.event', title: 'n', data: { notification } },
        dedupeKey: String(notification),
      },
    }),
  );
  const call = { client: 1000, begin, end: run.now() };
  run.record({ kind: 'notify', user, notification, outcome: outcomeOf(status), ...call });
}

/** Follows the stream of a user over lost connections, each time at an instance of chance. */
async function follow(run: Run, user: User, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const response = await openStream(run, user, signal);
    if (response !== null) await readEvents(run, user, response).catch(() => undefined);
    await delay(run.random(PAUSE_MS), undefined, { signal }).catch(() => undefined);
  }
}

function openStream(
  { instances, random }: Run,
  { token, lastEventId }: User,
  signal: AbortSignal,
): Promise<IncomingMessage | null> {
  const url = new URL('/api/v1/notifications/me/stream', instances[random(instances.length)]?.url);
  const resume = lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId };
  const headers = { Authorization: token, Accept: 'text/event-stream', ...resume };
  return new Promise((resolve) => {
    const request = get(url, { headers, signal, agent: false, timeout: SILENCE_MS }, (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      resolve(null);
    });
    request.on('timeout', () => request.destroy(new Error('silent'))).on('error', () => resolve(null));
  });
}

async function readEvents(run: Run, user: User, response: IncomingMessage): Promise<void> {
  response.setEncoding('utf8');
  const stream = readStream(response as AsyncIterable<string>, () => response.destroy());
  for (let event = await stream.next(); event !== null; event = await stream.next()) {
    if (event.id !== '') user.lastEventId = event.id;
    take(run, user, event);
  }
}

function take(run: Run, user: User, { event, data }: ReceivedEvent): void {
  const at = run.now();
  if (event === 'reset') run.record({ kind: 'reset', at, user: user.number });
  if (event === 'unread-count') user.streamed = (data as UnreadCount).count;
  if (event !== 'notification.created') return;
  const notification = numberOf(data as Notification);
  user.known.add(notification);
  run.record({ kind: 'created', at, user: user.number, notification });
  if (run.random(MARKED) === 0 && !run.isOver())
    void mark(run, user, notification, (data as Notification).notificationId);
}

const numberOf = ({ data }: Notification): number => Number(data?.['notification']);

async function mark(run: Run, user: User, notification: number, notificationId: string): Promise<void> {
  const begin = run.now();
  const { status } = await persevere(run, () =>
    run.send('POST', '/api/v1/notifications/me/mark-read', {
      headers: { Authorization: user.token },
      body: { notificationId },
    }),
  );
  const call = { client: 2000 + user.number, begin, end: run.now() };
  run.record({ kind: 'mark', user: user.number, notification, outcome: outcomeOf(status), ...call });
}

async function recordAtRest(run: Run, user: User, deadline: number): Promise<void> {
  for (;;) {
    const listed = await list(run, user);
    const { body } = await persevere(run, () =>
      run.send('GET', '/api/v1/notifications/me/unread-count', { headers: { Authorization: user.token } }),
    );
    const unread = (JSON.parse(body) as UnreadCount).count;
    const isQuiet =
      user.streamed === unread && listed.every(([notification]) => user.known.has(notification));
    if (isQuiet || run.now() > deadline) {
      const { number, streamed } = user;
      run.record({ kind: 'inbox-at-rest', user: number, listed, unread, streamed: streamed ?? -1 });
      return;
    }
    await delay(PAUSE_MS);
  }
}

async function list(run: Run, user: User): Promise<readonly (readonly [number, boolean])[]> {
  const listed: (readonly [number, boolean])[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await persevere(run, () =>
      run.send('GET', `/api/v1/notifications/me?limit=100${more}`, {
        headers: { Authorization: user.token },
      }),
    );
    const page = JSON.parse(body) as NotificationPage;
    for (const item of page.items) listed.push([numberOf(item), item.isRead]);
    cursor = page.nextCursor;
  }
  return listed;
}
