/** The rules of area A: maps validated requests to calls of the store, and refuses what the schema cannot express. */
import type {
  CreateNotificationsRequest,
  GetUnreadCountRequest,
  ListNotificationsRequest,
  SetQuietHoursRequest,
  UpdateMessageRequest,
} from '../../generated/operations.js';
import type { Principal } from '../contract/principal.js';
import { dbrError, type DbrError, invalidBody } from '../errors/dbr-error.js';
import { tenantIdOf, userIdOf, parseUuid, type TenantId } from '../base/identifiers.js';
import { decodeCursor } from '../operations/cursor.js';
import {
  requireStorableBody,
  requireStorablePrincipal,
  requireStorableParameter,
  wellFormedText,
} from '../operations/storable-text.js';

import { parsePosition, type EventPosition } from '../postgres/event-position.js';
import type {
  DigestWindow,
  Early,
  Filters,
  ListQuery,
  MarkChange,
  MessageChange,
  MessageName,
  NotificationDraft,
  QuietHours,
  Reader,
  Schedule,
} from './types.js';

/** Bytes of member `data` as JSON text. */
const MAX_DATA_BYTES = 16_384;

/** The scope of producers for other tenants than that of their token. */
const ANY_TENANT_SCOPE = 'notifications:write-any';

/**
 * Returns the reader of a principal: the tenant and the user of the token.
 * @throws DbrError AuthInvalid for names that the database cannot store
 */
export function readerOf(principal: Principal): Reader {
  const { tenantId, userId } = requireStorablePrincipal(principal);
  return { tenantId, userId };
}

/** @throws DbrError InvalidParameter for an invalid cursor, a cursor together with an offset, and text that the database cannot store */
export function listQueryOf(query: ListNotificationsRequest['query']): ListQuery {
  const { limit, offset, cursor, status, archived, snoozed } = query;
  const filters = filtersOf(query);
  if (cursor !== undefined && offset > 0)
    throw invalidParameter('cursor', 'cannot be used together with offset');
  const [below = null] = cursor === undefined ? [] : decodeCursor(cursor, [SEQUENCE]);
  return { limit, offset, below, status, archived, snoozed, ...filters };
}

/** @throws DbrError InvalidParameter for text that the database cannot store */
export function filtersOf(query: GetUnreadCountRequest['query']): Filters {
  const { category: categories = [], type: types = [], severity = null, data } = query;
  for (const category of categories) requireStorableParameter('category', category);
  for (const type of types) requireStorableParameter('type', type);
  return { categories, types, severity, data: data === undefined ? null : dataFilterOf(data) };
}

/** Returns the text itself, whose numbers may be longer than those of JavaScript. @throws DbrError InvalidParameter for text that is not a JSON object */
function dataFilterOf(text: string): string {
  requireStorableParameter('data', text);
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidParameter('data', 'is not a JSON object');
  const part = JSON.stringify(value);
  if (UNSTORABLE_ESCAPE.test(part))
    throw invalidParameter('data', 'must not hold a NUL or half a surrogate pair');
  if (LARGE_EXPONENT.test(text.replaceAll(JSON_STRING, '')))
    throw invalidParameter('data', 'must not hold a number with an exponent beyond 999');
  // Of a name that is there twice, the first value may be one that jsonb cannot hold.
  return UNSTORABLE_ESCAPE.test(text) ? part : text;
}

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
/** Numbers of jsonb end beyond 131,072 digits. */
const LARGE_EXPONENT = /e[+-]?\d{4}/i;

/** Only what jsonb cannot hold is escaped in this way by JSON.stringify: control characters and halves of surrogate pairs. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidParameter('data', 'is not JSON');
  }
}

/** The sequence number of a notification. */
const SEQUENCE = /^\d{1,18}$/;

/** @throws DbrError InvalidBody for a time that does not exist */
export const earlyOf = ({ before }: { readonly before?: string }): Early => ({
  before: before === undefined ? null : timeOf(before, '/before'),
});

/** The notifications that a body names. */
export interface Named {
  /** UUIDs. */
  readonly known: readonly string[];
  /** As the client wrote them: a set of several may hold some that do not exist. */
  readonly ids: readonly string[];
  readonly isOne: boolean;
}

/**
 * Returns the notifications that a body names; null if it names none, which selects all where the operation has such a form.
 * @throws DbrError InvalidBody for a time beside identifiers, and for one identifier beside several
 */
export function namedOf(body: {
  readonly notificationId?: string;
  readonly notificationIds?: readonly string[];
  readonly before?: string;
}): Named | null {
  const { notificationId, notificationIds, before } = body;
  if (notificationId === undefined && notificationIds === undefined) return null;
  if (before !== undefined)
    throw invalidBody(
      '/before',
      'exclusive',
      `cannot be used together with ${notificationId === undefined ? 'notificationIds' : 'notificationId'}`,
    );
  if (notificationId !== undefined && notificationIds !== undefined)
    throw invalidBody('/notificationIds', 'exclusive', 'cannot be used together with notificationId');
  const ids = notificationIds ?? (notificationId === undefined ? [] : [notificationId]);
  return { known: knownOf(ids), ids, isOne: notificationId !== undefined };
}

/** Returns the notifications that a body names. @throws DbrError InvalidBody as `namedOf`, and if the body names none */
export function requireNamed(body: Parameters<typeof namedOf>[0]): Named {
  const named = namedOf(body);
  if (named !== null) return named;
  throw invalidBody('/notificationId', 'required', 'or notificationIds is missing');
}

const knownOf = (ids: readonly string[]): readonly string[] => ids.flatMap((id) => parseUuid(id) ?? []);

/** @throws DbrError InvalidBody for a text that is not a time */
export const snoozeOf = (until: string): MarkChange => ({ mark: 'snoozed', until: timeOf(until, '/until') });

/**
 * Returns the notification to create.
 * @throws DbrError Forbidden for another tenant without the scope; InvalidBody for what the database cannot store, and what would
 * never be visible
 */
export function draftOf(body: CreateNotificationsRequest['body'], principal: Principal): NotificationDraft {
  const draft = {
    tenantId: tenantFor(principal, body.tenantId),
    userIds: 'userIds' in body ? body.userIds.map(userIdOf) : null,
    ...('topic' in body ? { topic: body.topic } : {}),
    type: body.type,
    title: wellFormedText(body.title),
    category: body.category ?? 'general',
    severity: body.severity ?? 'info',
    body: typeof body.body === 'string' ? wellFormedText(body.body) : null,
    data: dataText(body.data ?? {}),
    actor: body.actor === undefined ? null : actorText(body.actor),
    actionUrl: body.actionUrl === undefined ? null : actionUrlOf(body.actionUrl),
    groupKey: body.groupKey ?? null,
    dedupeKey: body.dedupeKey ?? null,
    expiresAt: body.expiresAt === undefined ? null : futureTimeOf(body.expiresAt, '/expiresAt'),
  };
  requireStorableBody(draft);
  return draft;
}

/** Returns the digest of a notification; null for one of its own. @throws DbrError InvalidBody for a key that cannot be stored */
export function digestOf(body: CreateNotificationsRequest['body']): DigestWindow | null {
  if (!('digest' in body) || body.digest === undefined) return null;
  requireStorableBody(body.digest, '/digest');
  const { key, windowSeconds, sliding = false } = body.digest;
  return { key, windowSeconds, sliding };
}

/**
 * Returns when a notification is sent; null for at once.
 * @throws DbrError InvalidBody for a key without a time, a time beside a digest or not before the expiry, and a key that cannot be stored
 */
export function scheduleOf(body: CreateNotificationsRequest['body']): Schedule | null {
  const { sendAt, cancelKey = null, expiresAt } = body;
  if (sendAt === undefined) {
    if (cancelKey !== null) throw invalidBody('/cancelKey', 'exclusive', 'cannot be used without sendAt');
    return null;
  }
  if ('digest' in body) throw invalidBody('/sendAt', 'exclusive', 'cannot be used together with digest');
  const schedule = { sendAt: timeOf(sendAt, '/sendAt'), cancelKey };
  if (expiresAt !== undefined && timeOf(expiresAt, '/expiresAt') <= schedule.sendAt)
    throw invalidBody('/expiresAt', 'range', 'must be later than sendAt');
  requireStorableBody(schedule);
  return schedule;
}

/**
 * The tenant that a producer names; its own if it names none.
 * @throws DbrError Forbidden for another one without the scope, or outside of the tenants of the issuer
 */
function tenantFor(principal: Principal, named: string | undefined): TenantId {
  const tenantId = named === undefined ? principal.tenantId : tenantIdOf(named);
  if (tenantId === principal.tenantId) return tenantId;
  if (principal.scopes?.has(ANY_TENANT_SCOPE) !== true)
    throw dbrError('Forbidden', { details: `The token lacks the scope ${ANY_TENANT_SCOPE}.` });
  if (principal.tenants?.has(tenantId) === false)
    throw dbrError('Forbidden', { details: 'The issuer of the token may not name this tenant.' });
  return tenantId;
}

/** The tenant that a parameter names. @throws DbrError Forbidden; InvalidParameter for a name that cannot be stored */
export function tenantNamed(principal: Principal, tenantId: string | undefined): TenantId {
  if (tenantId !== undefined) requireStorableParameter('tenantId', tenantId);
  return tenantFor(requireStorablePrincipal(principal), tenantId);
}

/** @throws DbrError MessageNotFound for text that is not an identifier; and as `tenantNamed` */
export function messageOf(
  messageId: string,
  principal: Principal,
  tenantId: string | undefined,
): MessageName {
  const tenant = tenantNamed(principal, tenantId);
  const identifier = parseUuid(messageId);
  if (identifier === null) throw dbrError('MessageNotFound');
  return { tenantId: tenant, messageId: identifier };
}

/** @throws DbrError InvalidBody for what the database cannot store */
export function messageChangeOf(body: UpdateMessageRequest['body']): MessageChange {
  const { title, body: text, severity, data, actor, actionUrl, expiresAt } = body;
  const change = {
    ...(title === undefined ? {} : { title: wellFormedText(title) }),
    ...(text === undefined ? {} : { body: text === null ? null : wellFormedText(text) }),
    ...(severity === undefined ? {} : { severity }),
    ...(data === undefined ? {} : { data: dataText(data) }),
    ...(actor === undefined ? {} : { actor: actor === null ? null : actorText(actor) }),
    ...(actionUrl === undefined ? {} : { actionUrl: actionUrl === null ? null : actionUrlOf(actionUrl) }),
    ...(expiresAt === undefined
      ? {}
      : { expiresAt: expiresAt === null ? null : timeOf(expiresAt, '/expiresAt') }),
  };
  requireStorableBody(change);
  return change;
}

function dataText(data: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text) > MAX_DATA_BYTES)
    throw invalidBody('/data', 'maxBytes', `must not be larger than ${String(MAX_DATA_BYTES)} bytes as JSON`);
  return text;
}

/** Relative URLs are resolved against the page, of which the origin must not matter. */
const ANY_PAGE = 'https://page.invalid';
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** A colon in the first segment, or an authority (RFC 3986, section 4.2): the constraint of the table refuses both. */
const NOT_RELATIVE = /^[^/?#]*:|^\/\//;

/** Refuses what runs code or leaves the origin without naming it (WHATWG URL), also in parsers that skip characters. */
function actionUrlOf(text: string): string {
  const isSafe = SCHEME.test(text)
    ? /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)
    : !NOT_RELATIVE.test(text) && URL.canParse(text, ANY_PAGE) && new URL(text, ANY_PAGE).origin === ANY_PAGE;
  if (isSafe && !/[\s\p{Cc}\\]/u.test(text)) return text;
  const problem =
    'must be a relative URL or one of http or https, without blanks, control characters and backslashes';
  throw invalidBody('/actionUrl', 'url', problem);
}

const actorText = ({
  type,
  id,
  name,
}: {
  readonly type: string;
  readonly id: string;
  readonly name: string | null;
}): string => JSON.stringify({ type, id, name });

/**
 * Returns member `categories` of the preferences as JSON text.
 * @throws DbrError InvalidBody for a name that the database cannot store
 */
export function categoriesText(categories: Readonly<Record<string, { readonly inApp: boolean }>>): string {
  requireStorableBody(categories, '/categories');
  return JSON.stringify(categories);
}

/** @throws DbrError InvalidBody for hours without length, and a text that the database cannot store */
export function quietHoursOf({ path, body }: SetQuietHoursRequest): QuietHours {
  requireStorableBody(body);
  if (body.starts === body.ends) throw invalidBody('/ends', 'range', 'must be another time than starts');
  return { ...path, ...body };
}

export const unknownTimeZone = (): DbrError =>
  invalidBody('/timeZone', 'timeZone', 'is not the name of a time zone that the database knows');

/** Converts RFC 3339 with any offset to UTC, in the years that PostgreSQL and JavaScript print in the same form. */
function timeOf(text: string, path: string): string {
  const time = new Date(text);
  const year = Number.isNaN(time.getTime()) ? 0 : time.getUTCFullYear();
  if (year < 1 || year > 9999) throw invalidBody(path, 'time', 'must be a time of the years 1 to 9999');
  return time.toISOString();
}

/** By the clock of the service. */
function futureTimeOf(text: string, path: string): string {
  const time = timeOf(text, path);
  if (Date.parse(time) > Date.now()) return time;
  throw invalidBody(path, 'range', 'must be in the future');
}

/** Returns the resume cursor of a stream (WHATWG HTML §9.2.4); null for a new stream. @throws DbrError InvalidParameter */
export function resumeFrom(lastEventId: string | undefined): EventPosition | null {
  if (lastEventId === undefined) return null;
  const position = parsePosition(lastEventId);
  if (position === null) throw invalidParameter('Last-Event-ID', 'is not one that was handed out');
  return position;
}

const invalidParameter = (parameter: string, problem: string): DbrError =>
  dbrError('InvalidParameter', { parameter, problem });
