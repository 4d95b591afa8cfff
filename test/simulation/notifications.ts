/** Clients of notifications, and what their histories allow: lists, counts and streams are computed here, without SQL. */
import type { Follower } from './event-client.js';
import type { Answer } from './http-client.js';
import { bearer, json, type Context, type Plan, type PlannedRequest } from './requests.js';
import type { Write } from './audit.js';

export interface Item {
  readonly notificationId: string;
  readonly tenantId: string;
  readonly userId: string | null;
  readonly title: string;
  readonly isRead: boolean;
}

interface Page {
  readonly items: readonly Item[];
  readonly total: number;
  readonly unreadCount: number;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isItem = (value: unknown): value is Item =>
  isObject(value) && 'notificationId' in value && 'title' in value && 'isRead' in value;

const isPage = (value: unknown): value is Page =>
  isObject(value) && Array.isArray(value['items']) && value['items'].every(isItem);

export const MINE = '/api/v1/notifications/me';

/** Returns the unread count; null if there is none. */
export function countOf(body: string): number | null {
  const value: unknown = JSON.parse(body);
  const count = isObject(value) ? value['count'] : null;
  return typeof count === 'number' ? count : null;
}

export function pageOf(body: string): Page | null {
  const page: unknown = JSON.parse(body);
  return isPage(page) ? page : null;
}

/** A page agrees with itself, and has rows of its reader alone. */
function checkPage({ claims }: Pick<Context, 'claims'>, { body }: Answer): string | null {
  const page = pageOf(body);
  if (page === null) return `no page of notifications: ${body.slice(0, 100)}`;
  const foreign = page.items.find(
    ({ tenantId, userId }) => tenantId !== claims.tenantId || (userId !== null && userId !== claims.sub),
  );
  if (foreign !== undefined) return `a notification of another: ${JSON.stringify(foreign)}`;
  if (page.total !== page.items.length)
    return `total is ${String(page.total)}, and there are ${String(page.items.length)}`;
  const unread = page.items.filter(({ isRead }) => !isRead).length;
  return page.unreadCount === unread
    ? null
    : `unreadCount is ${String(page.unreadCount)}, and ${String(unread)} are unread`;
}

function checkProduced(readers: number, { body }: Answer): string | null {
  const produced: unknown = JSON.parse(body);
  if (!isObject(produced)) return `the body is ${body.slice(0, 100)}`;
  const [created, duplicates] = [Number(produced['created']), Number(produced['duplicates'])];
  if (created + duplicates !== readers) return `${body.slice(0, 100)} for ${String(readers)} readers`;
  return created === 0 || duplicates === 0
    ? null
    : `a part of the readers was notified: ${body.slice(0, 100)}`;
}

const produce = (context: Context, to: object, readers: readonly string[] | null): PlannedRequest => ({
  wire: {
    method: 'POST',
    path: '/api/v1/notifications',
    headers: json(context),
    body: JSON.stringify({ ...to, type: 'simulated.event', title: context.mark, dedupeKey: context.mark }),
  },
  statuses: [200, 201],
  check: (answer) => checkProduced(readers?.length ?? 1, answer),
  effect: { kind: 'notify', title: context.mark, readers },
  isKeyed: 'effect',
});

const notify: Plan = (context) => {
  const own = context.random.pick([context.claims.sub, ...context.peers]);
  const readers = context.random.chance(0.7) ? [own] : [...new Set([context.claims.sub, ...context.peers])];
  return produce(context, { userIds: readers }, readers);
};

const notifyTenant: Plan = (context) => produce(context, { audience: 'tenant' }, null);

const inbox: Plan = (context) => ({
  wire: { method: 'GET', path: `${MINE}?limit=100`, headers: bearer(context) },
  statuses: [200],
  check: (answer) => checkPage(context, answer),
});

const unread: Plan = (context) => ({
  wire: { method: 'GET', path: `${MINE}/unread-count`, headers: bearer(context) },
  statuses: [200],
  check: ({ body }) => (countOf(body) === null ? `the body is ${body.slice(0, 100)}` : null),
});

const markAll: Plan = (context) => ({
  wire: { method: 'POST', path: `${MINE}/mark-read`, headers: json(context), body: '{}' },
  statuses: [200],
  check: () => null,
  effect: { kind: 'mark', titles: null },
});

/** Lists, and marks the newest that is unread. */
const markNewest: Plan = (context) => ({
  ...inbox(context),
  next({ body }) {
    const newest = pageOf(body)?.items.find(({ isRead }) => !isRead);
    if (newest === undefined) return null;
    return {
      wire: {
        method: 'POST',
        path: `${MINE}/mark-read`,
        headers: json(context),
        body: JSON.stringify({ notificationId: newest.notificationId }),
      },
      statuses: [200],
      check: () => null,
      effect: { kind: 'mark', titles: [newest.title] },
    };
  },
});

export const NOTIFICATION_OPERATIONS = { notify, notifyTenant, inbox, unread, markAll, markNewest } as const;

/** A user with what the service answers at the end. */
export interface Inbox {
  readonly tenant: number;
  readonly user: string;
  readonly items: readonly Item[];
  readonly count: number;
}

interface Sent extends Write {
  readonly title: string;
}

/** What was sent to a user. */
const sentTo = (
  { tenant, user }: Pick<Inbox, 'tenant' | 'user'>,
  writes: readonly Write[],
): readonly Sent[] =>
  writes.flatMap((write) => {
    const { effect } = write;
    const isReader =
      effect.kind === 'notify' &&
      write.tenant === tenant &&
      (effect.readers === null || effect.readers.includes(user));
    return isReader ? [{ ...write, title: effect.title }] : [];
  });

/** Finds titles in another order than that in which they were acknowledged. @param newestFirst titles */
function outOfOrder(newestFirst: readonly string[], sent: readonly Sent[]): string | null {
  const times = new Map(sent.map((each) => [each.title, each]));
  for (const [at, title] of newestFirst.entries())
    for (const older of newestFirst.slice(at + 1)) {
      const [newerSent, olderSent] = [times.get(title), times.get(older)];
      if (newerSent !== undefined && olderSent !== undefined && newerSent.doneAt < olderSent.sentAt)
        return `${older} comes before ${title}, which was acknowledged before it was sent`;
    }
  return null;
}

function auditTitles(owner: string, titles: readonly string[], sent: readonly Sent[]): readonly string[] {
  const problems: string[] = [];
  const known = new Set(sent.map(({ title }) => title));
  for (const { title, outcome, name } of sent) {
    const times = titles.filter((each) => each === title).length;
    if (times > 1) problems.push(`${owner} has ${title} ${String(times)} times`);
    if (outcome === 'acknowledged' && times === 0)
      problems.push(`${owner} lacks ${title}, which was acknowledged (${name})`);
    if (outcome === 'refused' && times > 0) problems.push(`${owner} has ${title}, which was refused`);
  }
  for (const title of titles)
    if (!known.has(title)) problems.push(`${owner} has ${title}, which was not sent to them`);
  const order = outOfOrder(titles, sent);
  return order === null ? problems : [...problems, `${owner}: ${order}`];
}

/** Whether a notification must be read, must be unread, or may be either: null. */
function readState(sent: Sent, marks: readonly Write[]): boolean | null {
  let mayBeRead = false;
  for (const { effect, outcome, sentAt, doneAt } of marks) {
    if (effect.kind !== 'mark' || outcome === 'refused') continue;
    if (effect.titles !== null && !effect.titles.includes(sent.title)) continue;
    if (effect.titles !== null || (outcome === 'acknowledged' && sentAt > sent.doneAt)) {
      if (outcome === 'acknowledged') return true;
      mayBeRead = true;
    }
    if (outcome === 'unknown' || doneAt > sent.sentAt) mayBeRead = true;
  }
  return mayBeRead ? null : false;
}

export function auditInbox(inboxOf: Inbox, writes: readonly Write[]): readonly string[] {
  const { tenant, user, items, count } = inboxOf;
  const owner = `the inbox of ${user} of tenant ${String(tenant)}`;
  const sent = sentTo(inboxOf, writes);
  const marks = writes.filter((write) => write.tenant === tenant && write.user === user);
  const problems = [
    ...auditTitles(
      owner,
      items.map(({ title }) => title),
      sent,
    ),
  ];
  for (const { title, isRead } of items) {
    const own = sent.find((each) => each.title === title);
    const expected = own === undefined ? null : readState(own, marks);
    if (expected !== null && expected !== isRead)
      problems.push(`${owner}: ${title} is ${isRead ? 'read' : 'unread'}, against its marks`);
  }
  const unreadItems = items.filter(({ isRead }) => !isRead).length;
  if (count !== unreadItems)
    problems.push(`${owner}: unread-count is ${String(count)}, and ${String(unreadItems)} are unread`);
  return problems;
}

/**
 * What a user has received live: each notification that was sent after the stream began, once and in order, and at last the
 * unread count.
 * @param since when the stream began
 * @param promptMs longest time from the acknowledgement of a notification to its event, in milliseconds
 */
export function auditStream(
  inboxOf: Inbox,
  { events, reopenings }: Pick<Follower, 'events' | 'reopenings'>,
  since: number,
  writes: readonly Write[],
  promptMs: number,
): readonly string[] {
  const { tenant, user, count } = inboxOf;
  const owner = `the stream of ${user} of tenant ${String(tenant)}`;
  if (events.some(({ event }) => event === 'reset')) return [];
  const created = events.flatMap(({ event, data, at }) => {
    const value: unknown = event === 'notification.created' ? JSON.parse(data) : null;
    return isItem(value) ? [{ title: value.title, at }] : [];
  });
  const titles = created.map(({ title }) => title);
  const all = sentTo(inboxOf, writes);
  const problems = [
    ...auditTitles(
      owner,
      titles.toReversed(),
      // What was sent while the stream began may be in it or in the list alone.
      all.map((sent) =>
        sent.outcome === 'acknowledged' && sent.sentAt <= since ? { ...sent, outcome: 'unknown' } : sent,
      ),
    ),
  ];
  for (const { title, at } of created) {
    const sent = all.find((each) => each.title === title);
    const late = at - Math.max(sent?.doneAt ?? at, since, ...reopenings.filter((time) => time <= at));
    if (late > promptMs)
      problems.push(`${owner} has ${title} ${String(Math.round(late))} ms after its acknowledgement`);
  }
  const last = countOf(events.findLast(({ event }) => event === 'unread-count')?.data ?? 'null');
  if (last !== count)
    problems.push(`${owner}: the last count is ${String(last)}, and ${String(count)} are unread`);
  return problems;
}
