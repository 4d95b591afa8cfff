/**
 * The live stream of a user's inbox (docs/notifications/live-streams.md): one iterator of events that opens the stream again after a
 * break, from the position that it has reached.
 */
import type {
  AllNotificationsArchived,
  AllNotificationsChanged,
  AllNotificationsRead,
  AllNotificationsSeen,
  Notification,
  NotificationMarks,
  NotificationPreferences,
  NotificationReference,
  StreamReset,
  StreamTicket,
  TopicReference,
  UnreadCount,
} from 'dbr-client';
import {
  eventsOf,
  isAborted,
  FIRST_PAUSE_MS,
  pauseBefore,
  type Position,
  SILENCE_MS,
} from './event-stream.js';
import { orAborted } from './send.js';

interface EventData {
  'unread-count': UnreadCount;
  'notification.created': Notification;
  'notification.read': NotificationMarks;
  'notification.unread': NotificationMarks;
  'notification.seen': NotificationMarks;
  'notification.interacted': NotificationMarks;
  'notification.archived': Notification;
  'notification.unarchived': Notification;
  'notification.snoozed': Notification;
  'notification.unsnoozed': Notification;
  'notification.deleted': NotificationReference;
  'notification.updated': Notification;
  'notification.recalled': NotificationReference;
  'topic.subscribed': TopicReference;
  'topic.unsubscribed': TopicReference;
  'notification.expired': NotificationReference;
  'notifications.all-read': AllNotificationsRead;
  'notifications.all-unread': AllNotificationsChanged;
  'notifications.all-seen': AllNotificationsSeen;
  'notifications.all-archived': AllNotificationsArchived;
  'notifications.all-unarchived': AllNotificationsChanged;
  'preferences.changed': NotificationPreferences;
  /** Events were lost: the client reads the list again. */
  reset: StreamReset;
}

/** An event with its position; services that are newer than the client send further ones. */
export type InboxEvent = {
  readonly [E in keyof EventData]: { readonly event: E; readonly data: EventData[E]; readonly id: string };
}[keyof EventData];

export type InboxState = 'connecting' | 'open' | 'waiting';

export interface SubscribeOptions {
  /** The token of the next connection. */
  readonly token?: string | (() => string | Promise<string>);
  /** Asks a server of your own for a ticket, where the page has no token. */
  readonly ticket?: () => Promise<StreamTicket>;
  /** The position after which the events begin: the `id` of an earlier event. Absent means now. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
  /** Called when the connection changes its state, for example to show that a page is offline. */
  readonly onState?: (state: InboxState) => void;
}

/** Why the stream cannot be opened by trying again. */
export type InboxRefusal = Error & { readonly status: number };

/**
 * Yields the events until the signal is aborted or the loop is left. A lost connection is opened again after a pause that
 * doubles, with the last position; a token or a ticket is asked for each time.
 * @param url the address of the service
 * @throws InboxRefusal with the status if the service refuses: 400, 401 and 403 for two times in a row
 */
export async function* subscribe(url: string, options: SubscribeOptions): AsyncGenerator<InboxEvent> {
  const { signal, onState } = options;
  const at: Position = { id: options.lastEventId, pause: FIRST_PAUSE_MS };
  let refused = 0;
  while (!isAborted(signal)) {
    onState?.('connecting');
    const silence = new AbortController();
    const ended = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
    const head = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const response = await orAborted(open(url, options, at.id, ended), ended);
      clearTimeout(head);
      refused = isFinal(response.status) ? refused + 1 : 0;
      if (refused === 2) throw refusal(response);
      if (response.ok) {
        onState?.('open');
        for await (const { event, data } of eventsOf(response, at, silence)) {
          if (isAborted(signal)) return;
          // The service makes the data of each event by its description.
          yield { event, id: at.id ?? '', data: JSON.parse(data) as unknown } as InboxEvent;
        }
      } else await response.body?.cancel();
    } catch (error) {
      if (isRefusal(error)) throw error;
    } finally {
      clearTimeout(head);
    }
    if (isAborted(signal)) return;
    onState?.('waiting');
    await pauseBefore(at, signal);
  }
}

const isFinal = (status: number): boolean => status === 400 || status === 401 || status === 403;

const refusal = ({ status, statusText }: Response): InboxRefusal =>
  Object.assign(new Error(`The stream was refused: ${String(status)} ${statusText}`), {
    name: 'InboxRefusal',
    status,
  });
const isRefusal = (error: unknown): boolean => error instanceof Error && error.name === 'InboxRefusal';

async function open(
  url: string,
  { token, ticket, fetch: send = (input, init) => fetch(input, init) }: SubscribeOptions,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'text/event-stream' };
  const query = new URLSearchParams();
  if (ticket === undefined)
    headers['Authorization'] = `Bearer ${typeof token === 'function' ? await token() : (token ?? '')}`;
  else query.set('ticket', (await ticket()).ticket);
  if (lastEventId !== undefined) query.set('lastEventId', lastEventId);
  const text = query.toString();
  const path = `${url.replace(/\/+$/, '')}/api/v1/notifications/me/stream${text === '' ? '' : `?${text}`}`;
  return send(path, { headers, signal });
}
