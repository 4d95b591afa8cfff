/** The rules of area A: maps validated requests to calls of the store, and refuses what the schema cannot express. */
import type { CreateNotificationsRequest, ListNotificationsRequest } from '../../generated/operations.js';
import type { NotificationSelection } from '../../generated/types.js';
import type { Principal } from '../contract/principal.js';
import { dbrError, type DbrError } from '../errors/dbr-error.js';
import { tenantIdOf, userIdOf, parseUuid } from '../base/identifiers.js';
import { decodeCursor } from '../operations/cursor.js';
import {
  requireStorableBody,
  requireStorablePrincipal,
  requireStorableParameter,
  wellFormedText,
} from '../operations/storable-text.js';

import { parsePosition, type EventPosition } from '../postgres/event-position.js';
import type { ListQuery, NotificationDraft, Reader, Selection } from './types.js';

/** Bytes of member `data` as JSON text. */
export const MAX_DATA_BYTES = 16_384;

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
  const { limit, offset, cursor, status, archived, category = null, type = null } = query;
  if (category !== null) requireStorableParameter('category', category);
  if (type !== null) requireStorableParameter('type', type);
  if (cursor !== undefined && offset > 0)
    throw invalidParameter('cursor', 'cannot be used together with offset');
  const [below = null] = cursor === undefined ? [] : decodeCursor(cursor, [SEQUENCE]);
  return { limit, offset, below, status, archived, category, type };
}

/** The sequence number of a notification. */
const SEQUENCE = /^\d{1,18}$/;

/**
 * Returns the notifications to mark: without a `notificationId`, all of them.
 * @throws DbrError NotificationNotFound for text that is not an identifier; InvalidBody for a time that does not exist, and for a
 *   time beside an identifier
 */
export function selectionOf(body: NotificationSelection | undefined): Selection {
  const { notificationId, before } = body ?? {};
  if (notificationId === undefined) {
    return { notificationId: null, before: before === undefined ? null : timeOf(before, '/before') };
  }
  if (before !== undefined)
    throw invalidBody('/before', 'exclusive', 'cannot be used together with notificationId');
  const identifier = parseUuid(notificationId);
  if (identifier === null) throw dbrError('NotificationNotFound');
  return { notificationId: identifier };
}

/**
 * Returns the notification to create.
 * @throws DbrError Forbidden for another tenant without the scope; InvalidBody for what the database cannot store
 */
export function draftOf(body: CreateNotificationsRequest['body'], principal: Principal): NotificationDraft {
  const tenantId = body.tenantId === undefined ? principal.tenantId : tenantIdOf(body.tenantId);
  if (tenantId !== principal.tenantId && principal.scopes?.has(ANY_TENANT_SCOPE) !== true) {
    throw dbrError('Forbidden', { details: `The token lacks the scope ${ANY_TENANT_SCOPE}.` });
  }
  const data = JSON.stringify(body.data ?? {});
  if (Buffer.byteLength(data) > MAX_DATA_BYTES) {
    throw invalidBody('/data', 'maxBytes', `must not be larger than ${String(MAX_DATA_BYTES)} bytes as JSON`);
  }
  const draft = {
    tenantId,
    userIds: 'userIds' in body ? body.userIds.map(userIdOf) : null,
    type: body.type,
    title: wellFormedText(body.title),
    category: body.category ?? 'general',
    severity: body.severity ?? 'info',
    body: typeof body.body === 'string' ? wellFormedText(body.body) : null,
    data,
    actor: body.actor === undefined ? null : actorText(body.actor),
    actionUrl: body.actionUrl === undefined ? null : actionUrlOf(body.actionUrl),
    groupKey: body.groupKey ?? null,
    dedupeKey: body.dedupeKey ?? null,
    expiresAt: body.expiresAt === undefined ? null : timeOf(body.expiresAt, '/expiresAt'),
  };
  requireStorableBody(draft);
  return draft;
}

/** Relative URLs are resolved against the page, of which the origin must not matter. */
const ANY_PAGE = 'https://page.invalid';
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** Refuses what runs code or leaves the origin without naming it (WHATWG URL), also in parsers that skip characters. */
function actionUrlOf(text: string): string {
  const isSafe = SCHEME.test(text)
    ? /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)
    : URL.canParse(text, ANY_PAGE) && new URL(text, ANY_PAGE).origin === ANY_PAGE;
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

/** Converts RFC 3339 with any offset to UTC, in the years that PostgreSQL and JavaScript print in the same form. */
function timeOf(text: string, path: string): string {
  const time = new Date(text);
  const year = Number.isNaN(time.getTime()) ? 0 : time.getUTCFullYear();
  if (year < 1 || year > 9999) throw invalidBody(path, 'time', 'must be a time of the years 1 to 9999');
  return time.toISOString();
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

const invalidBody = (path: string, code: string, message: string): DbrError =>
  dbrError('InvalidBody', { details: `'${path}' ${message}` }, { problems: [{ path, code, message }] });
