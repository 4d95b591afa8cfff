/** Tools for the notifications of the caller, by the operations of their area and under their limits. */
import type { BoundHandlers, OperationId } from '../../generated/operations.js';
import { type JsonObject, listOf, objectOf } from '../base/json.js';
import { headerOf } from '../contract/request.js';
import type { Principal, RequestContext } from '../contract/principal.js';
import { dbrError } from '../errors/dbr-error.js';
import { type Call, optionalNumber, optionalText } from './ask.js';
import { dataAnswer, type Tool } from './tool.js';

/** The area of notifications. */
export interface Inbox {
  readonly handlers: BoundHandlers<RequestContext>;
  /** @throws DbrError */
  readonly authenticate: (authorization: string | undefined) => Principal | Promise<Principal>;
}

const STATUS = { enum: ['unread', 'read', 'all'], default: 'unread' };
const IDS = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 200 },
};

/** None if the area does not run. */
export function inboxTools({ handlers, authenticate }: Inbox): readonly Tool[] {
  if (handlers.listNotifications === undefined) return [];

  async function operate(id: OperationId, query: JsonObject, body: unknown, { request }: Call) {
    const received = request.headers.received;
    const { client, signal } = request.caller;
    const handle = handlers[id];
    if (handle === undefined || signal === null) throw dbrError('InvalidPath');
    const principal = await authenticate(headerOf(received, 'authorization'));
    const context = { principal, signal, headers: {}, remoteAddress: client };
    const { body: made } = await handle({ path: {}, query, headers: {}, body }, context);
    const pieces = listOf(objectOf(made)['jsonText']).filter((piece) => piece instanceof Uint8Array);
    const text = pieces.length > 0 ? Buffer.concat(pieces).toString('utf8') : JSON.stringify(made);
    return dataAnswer({ tenant: principal.tenantId }, text);
  }

  return [
    {
      name: 'list_notifications',
      title: 'List notifications',
      description: 'Notifications of the caller, the newest first',
      inputSchema: {
        type: 'object',
        properties: {
          status: STATUS,
          limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          cursor: { type: 'string', maxLength: 500, description: '`nextCursor` of the page before' },
        },
      },
      kind: 'reads',
      run(args, call) {
        const cursor = optionalText(args, 'cursor');
        const query = {
          ...{ limit: optionalNumber(args, 'limit') ?? 20, offset: 0 },
          ...{ status: optionalText(args, 'status') ?? 'unread', archived: 'exclude', snoozed: 'exclude' },
          ...(cursor === null ? {} : { cursor }),
        };
        return operate('listNotifications', query, undefined, call);
      },
    },
    {
      name: 'count_unread',
      title: 'Count unread notifications',
      description: 'How many notifications the caller has not read',
      inputSchema: { type: 'object', properties: {} },
      kind: 'reads',
      run: (_, call) => operate('getUnreadCount', {}, undefined, call),
    },
    {
      name: 'mark_read',
      title: 'Mark notifications as read',
      description: 'Marks notifications of the caller as read, by their ids',
      inputSchema: { type: 'object', properties: { ids: IDS }, required: ['ids'] },
      kind: 'marks',
      run: (args, call) =>
        operate('markNotificationsRead', {}, { notificationIds: listOf(args['ids']) }, call),
    },
  ];
}
