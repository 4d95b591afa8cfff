/**
 * What an inbox shows, as a pure fold of a list and the events after it (docs/notifications/live-streams.md): after each
 * event it has what a new list would have.
 */
import type { Notification, NotificationMarks, NotificationPage } from 'dbr-client';
import type { InboxEvent } from '../../client/src/inbox.js';

/** Which notifications are shown: those of one place, of one category or of all. */
export interface View {
  readonly place: 'inbox' | 'snoozed' | 'archive';
  readonly category: string | null;
}

export interface InboxState {
  readonly view: View;
  /** Newest first, without gaps down to `cursor`. */
  readonly items: readonly Notification[];
  /** Where the next page begins; null at the end of the list. */
  readonly cursor: string | null;
  /** Creation of the last notification that was read from the list, in milliseconds since the epoch; null before the first. */
  readonly oldest: number | null;
  /** Null before the first event. */
  readonly unread: number | null;
}

export const emptyState = (view: View, unread: number | null = null): InboxState => ({
  view,
  items: [],
  cursor: null,
  oldest: null,
  unread,
});

export const placeOf = ({ archivedAt, snoozedUntil }: Notification): View['place'] =>
  snoozedUntil !== null ? 'snoozed' : archivedAt !== null ? 'archive' : 'inbox';

const isIn = ({ place, category }: View, item: Notification): boolean =>
  placeOf(item) === place && (category === null || item.category === category);

const timeOf = ({ createdAt }: Notification): number => Date.parse(createdAt);

/** Adds a page behind the items. An item that an event has brought meanwhile is newer than the page. */
export function withPage(state: InboxState, { items, nextCursor }: NotificationPage): InboxState {
  const known = new Set(state.items.map(({ notificationId }) => notificationId));
  const added = items.filter(({ notificationId }) => !known.has(notificationId));
  const last = items.at(-1);
  const oldest = last === undefined ? state.oldest : timeOf(last);
  return { ...state, items: [...state.items, ...added], cursor: nextCursor, oldest };
}

/**
 * Removes the item, and puts it in its place if the view shows it and its list is read that far. One that stays in the view keeps
 * its place: the time of creation does not order those of one millisecond.
 */
function placed(state: InboxState, item: Notification): InboxState {
  const known = state.items.findIndex(({ notificationId }) => notificationId === item.notificationId);
  if (known !== -1 && isIn(state.view, item)) return { ...state, items: state.items.with(known, item) };
  const others = without(state, item.notificationId);
  // The end of what was read, not of what is left: no further page has what lies between the two.
  const isBeyond = others.cursor !== null && others.oldest !== null && timeOf(item) < others.oldest;
  if (!isIn(state.view, item) || isBeyond) return others;
  const at = others.items.findIndex((other) => timeOf(other) <= timeOf(item));
  return { ...others, items: others.items.toSpliced(at === -1 ? others.items.length : at, 0, item) };
}

const without = (state: InboxState, id: string): InboxState => ({
  ...state,
  items: state.items.filter(({ notificationId }) => notificationId !== id),
});

const marked = (state: InboxState, marks: NotificationMarks): InboxState => ({
  ...state,
  items: state.items.map((item) =>
    item.notificationId === marks.notificationId ? { ...item, ...marks } : item,
  ),
});

interface Scope {
  readonly before: string | null;
  readonly excluded: readonly string[];
}

/** Changes the items that a mark of all has reached; those that leave the view are removed. */
function allMarked(
  state: InboxState,
  { before, excluded }: Scope,
  change: (item: Notification) => Notification,
): InboxState {
  const changed = state.items.map((item) =>
    (before === null || timeOf(item) < Date.parse(before)) && !excluded.includes(item.notificationId)
      ? change(item)
      : item,
  );
  return { ...state, items: changed.filter((item) => isIn(state.view, item)) };
}

/** Whether a mark of all may bring notifications that the client does not know into the view. */
export const needsList = ({ view }: InboxState, { event }: InboxEvent): boolean =>
  event === 'reset' ||
  event === 'preferences.changed' ||
  (event === 'notifications.all-archived' && view.place === 'archive') ||
  (event === 'notifications.all-unarchived' && view.place === 'inbox');

/** Returns the state after an event; the same object if the view does not change. */
export function afterEvent(state: InboxState, { event, data }: InboxEvent): InboxState {
  switch (event) {
    case 'unread-count':
      return { ...state, unread: data.count };
    case 'notification.created':
    case 'notification.archived':
    case 'notification.unarchived':
    case 'notification.snoozed':
    case 'notification.unsnoozed':
    case 'notification.updated':
      return placed(state, data);
    case 'notification.read':
    case 'notification.unread':
    case 'notification.seen':
    case 'notification.interacted':
      return marked(state, data);
    case 'notification.deleted':
    case 'notification.recalled':
    case 'notification.expired':
      return without(state, data.notificationId);
    case 'notifications.all-read':
      return allMarked(state, data, (item) => ({
        ...item,
        isRead: true,
        readAt: item.readAt ?? data.readAt,
        seenAt: item.seenAt ?? data.readAt,
      }));
    case 'notifications.all-unread':
      return allMarked(state, data, (item) => ({ ...item, isRead: false, readAt: null }));
    case 'notifications.all-seen':
      return allMarked(state, data, (item) => ({ ...item, seenAt: item.seenAt ?? data.seenAt }));
    case 'notifications.all-archived':
      return allMarked(state, data, (item) =>
        placeOf(item) === 'inbox' ? { ...item, archivedAt: data.archivedAt } : item,
      );
    case 'notifications.all-unarchived':
      return allMarked(state, data, (item) =>
        placeOf(item) === 'archive' ? { ...item, archivedAt: null } : item,
      );
    case 'preferences.changed':
    case 'topic.subscribed':
    case 'topic.unsubscribed':
    case 'reset':
      return state;
    default:
      // A service that is newer than this client has further events.
      return state;
  }
}
