/** The requests of an inbox, with the token of its user. */
import type {
  Notification,
  NotificationChannel,
  NotificationPage,
  NotificationPreferences,
  QuietHours,
  QuietHoursList,
} from 'dbr-client';
import { orAborted } from '../../client/src/send.js';
import type { View } from './state.js';

export type Token = () => string | Promise<string>;

/** Changes of notifications, by the last part of their path. */
export type Change =
  | 'mark-read'
  | 'mark-unread'
  | 'mark-seen'
  | 'mark-interacted'
  | 'archive'
  | 'unarchive'
  | 'unsnooze'
  | 'delete';

export interface InboxApi {
  /** The time of the service, in milliseconds since the epoch, by the `Date` of its last response: the clock of a page may be wrong. */
  now(): number;
  /** Reads a page of a view. @param cursor where it begins; null for the newest */
  list(view: View, cursor: string | null, limit: number): Promise<NotificationPage>;
  /** Changes notifications; without identifiers all of them, which `mark-read` and others of all allow. */
  change(change: Change, ids: readonly string[] | null): Promise<void>;
  snooze(ids: readonly string[], until: Date): Promise<void>;
  preferences(): Promise<NotificationPreferences>;
  savePreferences(preferences: NotificationPreferences): Promise<NotificationPreferences>;
  quietHours(): Promise<readonly QuietHours[]>;
  saveQuietHours(channel: NotificationChannel, hours: Omit<QuietHours, 'channel'>): Promise<void>;
  removeQuietHours(channel: NotificationChannel): Promise<void>;
}

/** A refusal of the service. */
export type RequestFailure = Error & { readonly status: number };

const ROOT = 'api/v1/notifications/me';

/** A request without a response ends after this time, its token included. */
const LONGEST_MS = 45_000;

/** @param base the address of the service @param send `fetch`, or what takes its place in a test @param closed ends all requests */
export function createApi(base: string, token: Token, send: typeof fetch, closed: AbortSignal): InboxApi {
  const root = `${base.replace(/\/+$/, '')}/${ROOT}`;

  /** Milliseconds that the clock of the service is ahead of that of the page. */
  let ahead = 0;

  /** A token that has expired between two requests is asked for once more. */
  async function request(method: string, path: string, body?: object, again = true): Promise<unknown> {
    const signal = AbortSignal.any([closed, AbortSignal.timeout(LONGEST_MS)]);
    const response = await send(`${root}${path}`, {
      method,
      signal,
      headers: {
        Authorization: `Bearer ${await orAborted(token(), signal)}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const date = Date.parse(response.headers.get('Date') ?? '');
    if (!Number.isNaN(date)) ahead = date - Date.now();
    if (response.status === 401 && again) return request(method, path, body, false);
    if (!response.ok)
      throw Object.assign(new Error(`${method} ${path}: ${String(response.status)}`), {
        status: response.status,
      });
    return response.status === 204 ? null : response.json();
  }

  return {
    now: () => Date.now() + ahead,
    list: async ({ place, category }, cursor, limit) => {
      const query = new URLSearchParams({ limit: String(limit) });
      if (place === 'archive') query.set('archived', 'only');
      if (place === 'snoozed') query.set('snoozed', 'only');
      if (category !== null) query.set('category', category);
      if (cursor !== null) query.set('cursor', cursor);
      return (await request('GET', `?${query.toString()}`)) as NotificationPage;
    },
    change: async (change, ids) => {
      await request('POST', `/${change}`, ids === null ? {} : { notificationIds: ids });
    },
    snooze: async (ids, until) => {
      await request('POST', '/snooze', { notificationIds: ids, until: until.toISOString() });
    },
    preferences: async () => (await request('GET', '/preferences')) as NotificationPreferences,
    savePreferences: async (preferences) =>
      (await request('PUT', '/preferences', preferences)) as NotificationPreferences,
    quietHours: async () => ((await request('GET', '/quiet-hours')) as QuietHoursList).quietHours,
    saveQuietHours: async (channel, hours) => {
      await request('PUT', `/quiet-hours/${channel}`, hours);
    },
    removeQuietHours: async (channel) => {
      await request('DELETE', `/quiet-hours/${channel}`);
    },
  };
}

/** Returns the address that a click opens: http, https or relative; null for any other. */
export function safeAddress({ actionUrl }: Notification, base: string): URL | null {
  if (actionUrl === null || !URL.canParse(actionUrl, base)) return null;
  const url = new URL(actionUrl, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}
