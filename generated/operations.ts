// Generated from openapi/ by `make generate`. Not edited by hand.
import type { Acknowledgement, Notification, NotificationPage, NotificationPreferences, NotificationRequest, NotificationSelection, ProducedNotifications, StreamTicket, UnreadCount } from './types.js';

/** JSON text that is already made, such as a column of the database: sent as it is, never parsed. */
export interface JsonText {
  readonly jsonText: readonly Uint8Array[];
}

/** Headers beyond those that the document demands. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** What a handler returns, whatever its operation. */
export interface HandlerResponse {
  readonly status: number;
  readonly type?: string;
  readonly headers?: ExtraHeaders;
  readonly body?: unknown;
}

/** A request whose parameters and body were checked against the document. */
export interface CheckedRequest {
  readonly path: object;
  readonly query: object;
  readonly headers: object;
  readonly body: unknown;
}

export interface Route {
  readonly id: string;
  readonly tag: string;
  readonly method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';
  readonly path: string;
  readonly security: 'bearer' | 'optional' | 'none';
  /** Security schemes of which one may stand in for the bearer token. */
  readonly alternatives: readonly string[];
  /** The scope that the caller needs, if any. */
  readonly scope: string | null;
  readonly bodyRequired: boolean;
  /** Media types of the request body; none where there is no body. */
  readonly consumes: readonly string[];
  /** Media types of the answers, errors among them. */
  readonly produces: readonly string[];
}

/** GET /api/v1/notifications/me: List the caller's notifications */
export interface ListNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: {
    /** At most how many items to return; more than 100 are reduced to 100. */
    readonly limit: number;
    /** How many items to skip. For deep pages use `cursor`, which does not become slower. */
    readonly offset: number;
    /** The `nextCursor` of the page before. Not together with `offset`. */
    readonly cursor?: string;
    /** Which notifications to list by whether the caller has read them. */
    readonly status: 'unread' | 'read' | 'all';
    /** Only notifications of this category. */
    readonly category?: string;
    /** Only notifications of this type. */
    readonly type?: string;
    /** Whether to leave out what the caller archived, to list only that, or to list both. */
    readonly archived: 'exclude' | 'only' | 'include';
  };
  readonly headers: {
    /** ETags the client has; when the state is still one of them, the answer is 304 without a body. */
    readonly 'if-none-match'?: string;
  };
  readonly body: undefined;
}
export type ListNotificationsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: NotificationPage | JsonText }
  | { readonly status: 304; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly type?: never; readonly body?: never };

/** GET /api/v1/notifications/me/unread-count: Count the caller's unread notifications */
export interface GetUnreadCountRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** ETags the client has; when the state is still one of them, the answer is 304 without a body. */
    readonly 'if-none-match'?: string;
  };
  readonly body: undefined;
}
export type GetUnreadCountResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: UnreadCount | JsonText }
  | { readonly status: 304; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly type?: never; readonly body?: never };

/** POST /api/v1/notifications/me/mark-read: Mark one or all notifications as read */
export interface MarkNotificationsReadRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationSelection | undefined;
}
export type MarkNotificationsReadResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Acknowledgement | JsonText };

/** POST /api/v1/notifications/me/mark-unread: Mark one or all notifications as unread */
export interface MarkNotificationsUnreadRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationSelection | undefined;
}
export type MarkNotificationsUnreadResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Acknowledgement | JsonText };

/** POST /api/v1/notifications/me/mark-seen: Mark one or all notifications as seen */
export interface MarkNotificationsSeenRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationSelection | undefined;
}
export type MarkNotificationsSeenResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Acknowledgement | JsonText };

/** POST /api/v1/notifications/me/archive: Archive one or all notifications */
export interface ArchiveNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationSelection | undefined;
}
export type ArchiveNotificationsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Acknowledgement | JsonText };

/** GET /api/v1/notifications/me/preferences: Get which categories reach the caller */
export interface GetNotificationPreferencesRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type GetNotificationPreferencesResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: NotificationPreferences | JsonText };

/** PUT /api/v1/notifications/me/preferences: Choose which categories reach the caller */
export interface ReplaceNotificationPreferencesRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationPreferences;
}
export type ReplaceNotificationPreferencesResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: NotificationPreferences | JsonText };

/** GET /api/v1/notifications/me/stream: Follow the caller's notifications live */
export interface StreamNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: {
    /** A ticket of `POST /api/v1/notifications/me/stream-ticket`, in place of the Authorization header. */
    readonly ticket?: string;
  };
  readonly headers: {
    /** The `id` of the last event received; the stream goes on after it, with nothing lost and nothing twice. */
    readonly 'last-event-id'?: string;
  };
  readonly body: undefined;
}
export type StreamNotificationsResponse =
  | { readonly status: 200; readonly type: 'text/event-stream'; readonly headers: ExtraHeaders & { readonly 'Cache-Control': string; readonly 'X-Accel-Buffering': string }; readonly body: AsyncIterable<string> };

/** POST /api/v1/notifications/me/stream-ticket: Get a ticket for the live stream */
export interface CreateStreamTicketRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type CreateStreamTicketResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly 'Cache-Control': string }; readonly body: StreamTicket | JsonText };

/** GET /api/v1/notifications/me/{notificationId}: Get one notification */
export interface GetNotificationRequest {
  readonly path: {
    /** The notification's identifier. */
    readonly notificationId: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type GetNotificationResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Notification | JsonText };

/** POST /api/v1/notifications: Notify users or a whole tenant */
export interface CreateNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationRequest;
}
export type CreateNotificationsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: ProducedNotifications | JsonText }
  | { readonly status: 201; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: ProducedNotifications | JsonText };

/** The operations of the tag 'notifications'; `C` is the application's own context of a request. */
export interface NotificationsHandlers<C> {
  /** GET /api/v1/notifications/me: List the caller's notifications */
  listNotifications(request: ListNotificationsRequest, context: C): Promise<ListNotificationsResponse>;
  /** GET /api/v1/notifications/me/unread-count: Count the caller's unread notifications */
  getUnreadCount(request: GetUnreadCountRequest, context: C): Promise<GetUnreadCountResponse>;
  /** POST /api/v1/notifications/me/mark-read: Mark one or all notifications as read */
  markNotificationsRead(request: MarkNotificationsReadRequest, context: C): Promise<MarkNotificationsReadResponse>;
  /** POST /api/v1/notifications/me/mark-unread: Mark one or all notifications as unread */
  markNotificationsUnread(request: MarkNotificationsUnreadRequest, context: C): Promise<MarkNotificationsUnreadResponse>;
  /** POST /api/v1/notifications/me/mark-seen: Mark one or all notifications as seen */
  markNotificationsSeen(request: MarkNotificationsSeenRequest, context: C): Promise<MarkNotificationsSeenResponse>;
  /** POST /api/v1/notifications/me/archive: Archive one or all notifications */
  archiveNotifications(request: ArchiveNotificationsRequest, context: C): Promise<ArchiveNotificationsResponse>;
  /** GET /api/v1/notifications/me/preferences: Get which categories reach the caller */
  getNotificationPreferences(request: GetNotificationPreferencesRequest, context: C): Promise<GetNotificationPreferencesResponse>;
  /** PUT /api/v1/notifications/me/preferences: Choose which categories reach the caller */
  replaceNotificationPreferences(request: ReplaceNotificationPreferencesRequest, context: C): Promise<ReplaceNotificationPreferencesResponse>;
  /** GET /api/v1/notifications/me/stream: Follow the caller's notifications live */
  streamNotifications(request: StreamNotificationsRequest, context: C): Promise<StreamNotificationsResponse>;
  /** POST /api/v1/notifications/me/stream-ticket: Get a ticket for the live stream */
  createStreamTicket(request: CreateStreamTicketRequest, context: C): Promise<CreateStreamTicketResponse>;
  /** GET /api/v1/notifications/me/{notificationId}: Get one notification */
  getNotification(request: GetNotificationRequest, context: C): Promise<GetNotificationResponse>;
  /** POST /api/v1/notifications: Notify users or a whole tenant */
  createNotifications(request: CreateNotificationsRequest, context: C): Promise<CreateNotificationsResponse>;
}

/** A handler for every operation: one missing or wrong is an error of the compiler. */
export interface Handlers<C> extends NotificationsHandlers<C> {}

export type OperationId = keyof Handlers<never>;

/** A handler that takes any request of its operation, once that was checked. */
export type BoundHandler<C> = (request: CheckedRequest, context: C) => Promise<HandlerResponse>;

/** The handlers by operation, for a mount that treats all alike. The requests given to them were checked against the document. */
export function bindHandlers<C>(handlers: Handlers<C>): Readonly<Record<OperationId, BoundHandler<C>>> {
  return {
    listNotifications: (request, context) => handlers.listNotifications(request as ListNotificationsRequest, context),
    getUnreadCount: (request, context) => handlers.getUnreadCount(request as GetUnreadCountRequest, context),
    markNotificationsRead: (request, context) => handlers.markNotificationsRead(request as MarkNotificationsReadRequest, context),
    markNotificationsUnread: (request, context) => handlers.markNotificationsUnread(request as MarkNotificationsUnreadRequest, context),
    markNotificationsSeen: (request, context) => handlers.markNotificationsSeen(request as MarkNotificationsSeenRequest, context),
    archiveNotifications: (request, context) => handlers.archiveNotifications(request as ArchiveNotificationsRequest, context),
    getNotificationPreferences: (request, context) => handlers.getNotificationPreferences(request as GetNotificationPreferencesRequest, context),
    replaceNotificationPreferences: (request, context) => handlers.replaceNotificationPreferences(request as ReplaceNotificationPreferencesRequest, context),
    streamNotifications: (request, context) => handlers.streamNotifications(request as StreamNotificationsRequest, context),
    createStreamTicket: (request, context) => handlers.createStreamTicket(request as CreateStreamTicketRequest, context),
    getNotification: (request, context) => handlers.getNotification(request as GetNotificationRequest, context),
    createNotifications: (request, context) => handlers.createNotifications(request as CreateNotificationsRequest, context),
  };
}

/** Operations with a typed handler, in document order; paths in the form of the router. */
export const ROUTES = [
  { id: 'listNotifications', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json', 'application/problem+json'] },
  { id: 'getUnreadCount', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me/unread-count', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json', 'application/problem+json'] },
  { id: 'markNotificationsRead', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/mark-read', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'], produces: ['application/json', 'application/problem+json'] },
  { id: 'markNotificationsUnread', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/mark-unread', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'], produces: ['application/json', 'application/problem+json'] },
  { id: 'markNotificationsSeen', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/mark-seen', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'], produces: ['application/json', 'application/problem+json'] },
  { id: 'archiveNotifications', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/archive', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'], produces: ['application/json', 'application/problem+json'] },
  { id: 'getNotificationPreferences', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me/preferences', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json', 'application/problem+json'] },
  { id: 'replaceNotificationPreferences', tag: 'notifications', method: 'put', path: '/api/v1/notifications/me/preferences', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'], produces: ['application/json', 'application/problem+json'] },
  { id: 'streamNotifications', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me/stream', security: 'bearer', alternatives: ['streamTicket'], scope: null, bodyRequired: false, consumes: [], produces: ['text/event-stream', 'application/json', 'application/problem+json'] },
  { id: 'createStreamTicket', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/stream-ticket', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json', 'application/problem+json'] },
  { id: 'getNotification', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me/:notificationId', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json', 'application/problem+json'] },
  { id: 'createNotifications', tag: 'notifications', method: 'post', path: '/api/v1/notifications', security: 'bearer', alternatives: [], scope: 'notifications:write', bodyRequired: true, consumes: ['application/json'], produces: ['application/json', 'application/problem+json'] },
] as const satisfies readonly Route[];

/** Operations that are mounted by hand. */
export const RAW_ROUTES = [
  { id: 'getDatabaseDocument', tag: 'data-api', method: 'get', path: '/', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/openapi+json', 'application/json'] },
  { id: 'headDatabaseDocument', tag: 'data-api', method: 'head', path: '/', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json'] },
  { id: 'getDatabaseOptions', tag: 'data-api', method: 'options', path: '/', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json'] },
  { id: 'callReadOnlyFunction', tag: 'data-api', method: 'get', path: '/rpc/:function', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv', 'application/octet-stream'] },
  { id: 'headFunction', tag: 'data-api', method: 'head', path: '/rpc/:function', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json'] },
  { id: 'callFunction', tag: 'data-api', method: 'post', path: '/rpc/:function', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json', 'application/x-www-form-urlencoded', 'text/csv', 'text/plain', 'text/xml', 'application/octet-stream'], produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv', 'application/octet-stream'] },
  { id: 'getFunctionOptions', tag: 'data-api', method: 'options', path: '/rpc/:function', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json'] },
  { id: 'readRows', tag: 'data-api', method: 'get', path: '/:resource', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json', 'application/vnd.pgrst.object+json', 'application/vnd.pgrst.array+json', 'application/vnd.pgrst.plan+json', 'application/geo+json', 'text/csv'] },
  { id: 'headRows', tag: 'data-api', method: 'head', path: '/:resource', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json'] },
  { id: 'insertRows', tag: 'data-api', method: 'post', path: '/:resource', security: 'optional', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json', 'text/csv', 'application/x-www-form-urlencoded'], produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'] },
  { id: 'putRow', tag: 'data-api', method: 'put', path: '/:resource', security: 'optional', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json', 'text/csv', 'application/x-www-form-urlencoded'], produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'] },
  { id: 'updateRows', tag: 'data-api', method: 'patch', path: '/:resource', security: 'optional', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json', 'text/csv', 'application/x-www-form-urlencoded'], produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'] },
  { id: 'deleteRows', tag: 'data-api', method: 'delete', path: '/:resource', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'] },
  { id: 'getResourceOptions', tag: 'data-api', method: 'options', path: '/:resource', security: 'optional', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json'] },
  { id: 'getOpenApiDocument', tag: 'service', method: 'get', path: '/api/v1/openapi.json', security: 'none', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['application/json', 'application/problem+json'] },
  { id: 'getReferencePage', tag: 'service', method: 'get', path: '/api/v1/docs', security: 'none', alternatives: [], scope: null, bodyRequired: false, consumes: [], produces: ['text/html', 'application/json', 'application/problem+json'] },
] as const satisfies readonly Route[];
