/** Decisions of area A: what a checked request means, and what is refused although the document lets it through. */
import type { CreateNotificationsRequest, ListNotificationsRequest } from '../../generated/operations.js';
import type { NotificationSelection } from '../../generated/types.js';
import type { Caller } from '../auth/caller.js';
import { dbrError, type DbrError } from '../errors/dbr-error.js';
import type { ListQuery, NotificationDraft, Reader, Selection, StreamPosition } from './types.js';

/** Bytes of `data` as JSON text. */
export const MAX_DATA_BYTES = 16_384;

/** Who may name another tenant than the token's when producing. */
const ANY_TENANT_SCOPE = 'notifications:write-any';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** PostgreSQL's text cannot hold it; a value with it is therefore nowhere stored. */
const NUL = '\0';

/**
 * Whom the caller reads for: the tenant and the user of the token, and nobody else.
 * @throws DbrError AuthInvalid when the database cannot hold such a name
 */
export function readerOf({ tenantId, userId }: Caller): Reader {
  if (tenantId.includes(NUL) || userId.includes(NUL)) {
    throw dbrError('AuthInvalid', {}, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
  }
  return { tenantId, userId };
}

/** @throws DbrError InvalidParameter for a cursor that was never handed out, and for one together with an offset */
export function listQueryOf(query: ListNotificationsRequest['query']): ListQuery {
  const { limit, offset, cursor, status, archived, category = null, type = null } = query;
  if (category?.includes(NUL) === true) throw invalidParameter('category', 'must not hold a NUL');
  if (type?.includes(NUL) === true) throw invalidParameter('type', 'must not hold a NUL');
  if (cursor !== undefined && offset > 0)
    throw invalidParameter('cursor', 'cannot be used together with offset');
  const below = cursor === undefined ? null : sequenceOf(cursor);
  return { limit, offset, below, status, archived, category, type };
}

/** The cursor is the last item's sequence number, in base64url so that nobody builds upon its form. */
function sequenceOf(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!/^\d{1,18}$/.test(text)) throw invalidParameter('cursor', 'is not one that was handed out');
  return text;
}

/** An identifier of the only form there is; null for every other text, which no notification has. */
export const identifierOf = (text: string): string | null => (UUID.test(text) ? text : null);

/**
 * What a mark applies to. No body means all; only an absent `notificationId` does, so that nobody marks all by accident.
 * @throws DbrError NotificationNotFound for an identifier that none can have; InvalidBody for a time that does not exist
 */
export function selectionOf(body: NotificationSelection | undefined): Selection {
  const { notificationId, before } = body ?? {};
  if (notificationId === undefined) {
    return { notificationId: null, before: before === undefined ? null : timeOf(before, '/before') };
  }
  const identifier = identifierOf(notificationId);
  if (identifier === null) throw dbrError('NotificationNotFound');
  return { notificationId: identifier };
}

/**
 * What to tell, and whom.
 * @throws DbrError Forbidden for a foreign tenant; InvalidBody for what the database cannot hold
 */
export function draftOf(body: CreateNotificationsRequest['body'], caller: Caller): NotificationDraft {
  const tenantId = body.tenantId ?? caller.tenantId;
  if (tenantId !== caller.tenantId && caller.scopes?.has(ANY_TENANT_SCOPE) !== true) {
    throw dbrError('Forbidden', { details: `The token lacks the scope ${ANY_TENANT_SCOPE}.` });
  }
  const data = JSON.stringify(body.data ?? {});
  if (Buffer.byteLength(data) > MAX_DATA_BYTES) {
    throw invalidBody('/data', 'maxBytes', `must not be larger than ${String(MAX_DATA_BYTES)} bytes as JSON`);
  }
  const draft = {
    tenantId,
    userIds: 'userIds' in body ? body.userIds : null,
    type: body.type,
    title: body.title,
    category: body.category ?? 'general',
    severity: body.severity ?? 'info',
    body: body.body ?? null,
    data,
    actor: body.actor === undefined ? null : actorText(body.actor),
    actionUrl: body.actionUrl ?? null,
    groupKey: body.groupKey ?? null,
    dedupeKey: body.dedupeKey ?? null,
    expiresAt: body.expiresAt === undefined ? null : timeOf(body.expiresAt, '/expiresAt'),
  };
  refuseNul(draft);
  return draft;
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

function refuseNul(draft: NotificationDraft): void {
  for (const [member, value] of Object.entries(draft)) {
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (texts.some((text) => typeof text === 'string' && text.includes(NUL))) {
      throw invalidBody(`/${member}`, 'nul', 'must not hold a NUL');
    }
  }
}

/**
 * The member `categories` of the preferences, as JSON text.
 * @throws DbrError InvalidBody for a name that the database cannot hold
 */
export function categoriesText(categories: Readonly<Record<string, { readonly inApp: boolean }>>): string {
  if (Object.keys(categories).some((category) => category.includes(NUL))) {
    throw invalidBody('/categories', 'nul', 'must not hold a NUL');
  }
  return JSON.stringify(categories);
}

/** RFC 3339 with any offset as UTC, in the years that PostgreSQL and JavaScript write alike. */
function timeOf(text: string, path: string): string {
  const time = new Date(text);
  const year = Number.isNaN(time.getTime()) ? 0 : time.getUTCFullYear();
  if (year < 1 || year > 9999) throw invalidBody(path, 'time', 'must be a time of the years 1 to 9999');
  return time.toISOString();
}

/** The resume cursor of a stream (WHATWG HTML §9.2.4); null without one. */
export function resumeFrom(
  lastEventId: string | undefined,
  parse: (text: string) => StreamPosition | null,
): StreamPosition | null {
  if (lastEventId === undefined) return null;
  const position = parse(lastEventId);
  if (position === null) throw invalidParameter('Last-Event-ID', 'is not one that was handed out');
  return position;
}

const invalidParameter = (parameter: string, problem: string): DbrError =>
  dbrError('InvalidParameter', { parameter, problem });

const invalidBody = (path: string, code: string, message: string): DbrError =>
  dbrError('InvalidBody', { details: `'${path}' ${message}` }, { problems: [{ path, code, message }] });
