/** Values that tests of notifications share. */
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import type { JsonText } from '../../../generated/operations.js';
import type { Notification, NotificationPage } from '../../../generated/types.js';
import type { NotificationStore } from '../../../src/notifications/store.js';
import type {
  Early,
  ListQuery,
  MarkOfAll,
  NotificationDraft,
  Reader,
} from '../../../src/notifications/types.js';

export const draft = (overrides: Partial<NotificationDraft> = {}): NotificationDraft => ({
  tenantId: tenantIdOf('acme'),
  userIds: [userIdOf('ann')],
  type: 'report.ready',
  title: 'Your report is ready',
  category: 'reports',
  severity: 'info',
  body: null,
  data: '{}',
  actor: null,
  actionUrl: null,
  groupKey: null,
  dedupeKey: null,
  expiresAt: null,
  ...overrides,
});

export const query = (overrides: Partial<ListQuery> = {}): ListQuery => ({
  limit: 50,
  offset: 0,
  below: null,
  status: 'all',
  archived: 'exclude',
  snoozed: 'exclude',
  categories: [],
  types: [],
  severity: null,
  data: null,
  ...overrides,
});

/** Options of an area that sends no webhooks. */
export const NO_WEBHOOKS = {
  key: null,
  allowedNetworks: [],
  attempts: 1,
  timeoutMs: 1000,
  retentionDays: 7,
} as const;

export const NEVER = new AbortController().signal;

export const textOf = ({ jsonText }: JsonText): string => Buffer.concat([...jsonText]).toString('utf8');

export async function pageOf(
  store: NotificationStore,
  reader: Reader,
  overrides: Partial<ListQuery> = {},
): Promise<NotificationPage> {
  return JSON.parse(textOf(await store.list(reader, query(overrides), NEVER))) as NotificationPage;
}

export async function titlesOf(
  store: NotificationStore,
  reader: Reader,
  overrides: Partial<ListQuery> = {},
): Promise<readonly string[]> {
  return (await pageOf(store, reader, overrides)).items.map(({ title }) => title);
}

export async function unreadOf(store: NotificationStore, reader: Reader): Promise<number> {
  const { count } = JSON.parse(textOf(await store.unreadCount(reader, query(), NEVER))) as {
    readonly count: number;
  };
  return count;
}

/** The newest notification of the reader with this title. */
export async function idOf(store: NotificationStore, reader: Reader, title: string): Promise<string> {
  const { items } = await pageOf(store, reader, { limit: 100, archived: 'include' });
  const found = items.find((item) => item.title === title);
  if (found === undefined) throw new Error(`no notification is titled ${title}`);
  return found.notificationId;
}

export async function oneOf(
  store: NotificationStore,
  reader: Reader,
  id: string,
): Promise<Notification | null> {
  const found = await store.one(reader, id, NEVER);
  return found === null ? null : (JSON.parse(textOf(found)) as Notification);
}

/** Marks one notification, or all. Returns false if the reader has no such notification. */
export async function markAs(
  store: NotificationStore,
  reader: Reader,
  name: MarkOfAll,
  selection: { readonly notificationId: string } | Early,
): Promise<boolean> {
  if ('notificationId' in selection)
    return (await store.markSome(reader, { mark: name }, [selection.notificationId]))?.size === 1;
  await store.markAll(reader, name, selection);
  return true;
}
