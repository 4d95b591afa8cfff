// Generated from openapi/ by `make generate`. Not edited by hand.
export interface paths {
    readonly "/api/v1/docs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read this document as a page
         * @description The reference as a web page. It loads nothing from another host and works without a network.
         */
        readonly get: operations["getReferencePage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Notify users or a whole tenant
         * @description For the users named, one notification each; for a tenant, one that all its users see. Needs scope `notifications:write`.
         *     Sent again with the same `dedupeKey`, it creates nothing for those who have it.
         */
        readonly post: operations["createNotifications"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/me": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the caller's notifications
         * @description The notifications visible to the caller: their own and those for the whole tenant, newest first, without those that have
         *     expired. Page by `limit` and `offset`, or by `cursor`, which stays correct while new notifications come in.
         */
        readonly get: operations["listNotifications"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/me/{notificationId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get one notification
         * @description A notification visible to the caller, archived or not.
         */
        readonly get: operations["getNotification"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/me/archive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Archive one or all notifications
         * @description Puts one notification, or all of them, away. Archived ones are listed only on request and count as read.
         */
        readonly post: operations["archiveNotifications"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/me/mark-read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Mark one or all notifications as read
         * @description With `notificationId`, that notification is marked as read for the caller; without it, or without a body, all are. Marking
         *     again changes nothing: the first `readAt` stays.
         */
        readonly post: operations["markNotificationsRead"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/me/mark-seen": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Mark one or all notifications as seen
         * @description Notes that one notification, or all of them, were shown to the caller; they stay unread. The first `seenAt` stays.
         */
        readonly post: operations["markNotificationsSeen"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/me/mark-unread": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Mark one or all notifications as unread
         * @description Takes back that one notification, or all of them, were read. What was never read stays as it is.
         */
        readonly post: operations["markNotificationsUnread"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/me/preferences": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get which categories reach the caller
         * @description What the caller chose. Categories that are not listed reach the caller.
         */
        readonly get: operations["getNotificationPreferences"];
        /**
         * Choose which categories reach the caller
         * @description Replaces the caller's choice; categories that are not listed reach the caller again. It holds for notifications produced
         *     from now on. A critical category cannot be switched off.
         */
        readonly put: operations["replaceNotificationPreferences"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/me/stream": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Follow the caller's notifications live
         * @description Server-sent events (WHATWG HTML §9.2): what is created and read from now on, or since `Last-Event-ID`. The first event is
         *     the unread count. Comments keep the connection alive; the stream ends when the token does. A user may have five streams
         *     open at a time. Clients that cannot send headers use a ticket in place of the token.
         */
        readonly get: operations["streamNotifications"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/me/stream-ticket": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Get a ticket for the live stream
         * @description The ticket opens one stream for the caller within 30 seconds. The stream ends when the caller's token does.
         */
        readonly post: operations["createStreamTicket"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/me/unread-count": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Count the caller's unread notifications
         * @description How many of the notifications visible to the caller are unread, archived ones left out.
         */
        readonly get: operations["getUnreadCount"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get this document
         * @description The OpenAPI 3.1 document of the service, from which a client can be generated. It describes the data API by its general
         *     form; `GET /` describes the tables and functions of this very database.
         */
        readonly get: operations["getOpenApiDocument"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description It is done. */
        readonly Acknowledgement: {
            /** @constant */
            readonly ok: true;
        };
        /** @description All notifications were read. */
        readonly AllNotificationsRead: {
            /** Format: date-time */
            readonly readAt: string;
        };
        /** @description How notifications of one category reach the user. */
        readonly CategoryPreference: {
            /** @description Whether they are put into the list at all. Cannot be false for a critical category. */
            readonly inApp: boolean;
        };
        /** @description The body of every error of the service itself. */
        readonly DbrError: {
            readonly code: components["schemas"]["DbrErrorCode"];
            /** @description More about this very case. A list in `DBR201`, which names the relationships to choose from. */
            readonly details: (string | null) | readonly components["schemas"]["RelationshipChoice"][];
            /** @description Everything that is wrong with the request, where several things can be. */
            readonly errors?: readonly components["schemas"]["ValidationProblem"][];
            /** @description What to do about it. */
            readonly hint: string | null;
            /** @description What is wrong, for people. */
            readonly message: string;
        };
        /**
         * @description The code of one of the service's own errors.
         * @enum {string}
         */
        readonly DbrErrorCode: "DBR000" | "DBR001" | "DBR002" | "DBR003" | "DBR100" | "DBR101" | "DBR102" | "DBR103" | "DBR105" | "DBR106" | "DBR107" | "DBR108" | "DBR109" | "DBR110" | "DBR111" | "DBR112" | "DBR114" | "DBR115" | "DBR116" | "DBR117" | "DBR118" | "DBR119" | "DBR120" | "DBR121" | "DBR122" | "DBR123" | "DBR124" | "DBR125" | "DBR200" | "DBR201" | "DBR202" | "DBR203" | "DBR204" | "DBR205" | "DBR300" | "DBR301" | "DBR302" | "DBR400" | "DBR401" | "DBR402" | "DBR403" | "DBR404" | "DBR405" | "DBR406" | "DBR407" | "DBR408" | "DBR409" | "DBR410" | "DBR411" | "DBR412" | "DBR413" | "DBR414" | "DBR420" | "DBR421" | "DBR422" | "DBR500" | "DBR501" | "DBR502" | "DBR503" | "DBR504" | "DBR505" | "DBR506" | "DBR507" | "DBR508" | "DBR509" | "DBR510" | "DBR511" | "DBR512" | "DBR513" | "DBR514" | "DBRX00";
        /** @description One notification as its reader sees it. The times of reading are the caller's own, also where many readers share it. */
        readonly Notification: {
            /** @description Where a click leads. */
            readonly actionUrl: string | null;
            /** @description Who caused it. */
            readonly actor: components["schemas"]["NotificationActor"] | null;
            /**
             * Format: date-time
             * @description When the caller put it away.
             */
            readonly archivedAt: string | null;
            readonly audience: components["schemas"]["NotificationAudience"];
            /** @description The text. */
            readonly body: string | null;
            /** @description The group in which readers switch it on and off. */
            readonly category: string;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description What programs need to act on it. */
            readonly data: {
                readonly [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it ceases to be visible.
             */
            readonly expiresAt: string | null;
            /** @description The same for notifications to be shown as one. */
            readonly groupKey: string | null;
            /** @description Whether `readAt` is set. */
            readonly isRead: boolean;
            /** @description Identifies the notification. */
            readonly notificationId: string;
            /**
             * Format: date-time
             * @description When the caller first read it.
             */
            readonly readAt: string | null;
            /**
             * Format: date-time
             * @description When it was first shown to the caller.
             */
            readonly seenAt: string | null;
            readonly severity: components["schemas"]["NotificationSeverity"];
            /** @description The tenant it belongs to. */
            readonly tenantId: string;
            /** @description One line. */
            readonly title: string;
            /** @description What happened, as words joined by dots. */
            readonly type: string;
            /** @description The user it is for; null when it is for the whole tenant. */
            readonly userId: string | null;
        };
        /** @description Who or what caused a notification. */
        readonly NotificationActor: {
            readonly id: string;
            readonly name: string | null;
            readonly type: string;
        };
        /**
         * @description For one user, or for everybody of the tenant.
         * @enum {string}
         */
        readonly NotificationAudience: "user" | "tenant";
        /** @description What a notification says. */
        readonly NotificationContent: {
            /** @description Where a click leads. */
            readonly actionUrl?: string;
            readonly actor?: components["schemas"]["NotificationActor"];
            readonly body?: string;
            /** @description The group in which readers switch it on and off. Absent means `general`. */
            readonly category?: string;
            /** @description What programs need to act on it; at most 16 KiB as JSON. */
            readonly data?: {
                readonly [key: string]: unknown;
            };
            /** @description A reader is told once of all that has the same key, however often it is sent. */
            readonly dedupeKey?: string;
            /**
             * Format: date-time
             * @description When it ceases to be visible.
             */
            readonly expiresAt?: string;
            /** @description The same for notifications to be shown as one. */
            readonly groupKey?: string;
            /** @description How much it matters. Absent means `info`. */
            readonly severity?: components["schemas"]["NotificationSeverity"];
            /** @description The tenant of the readers. Absent means that of the token; another one needs scope `notifications:write-any`. */
            readonly tenantId?: string;
            readonly title: string;
            /** @description What happened, as words joined by dots. */
            readonly type: string;
        };
        /** @description A slice of the caller's notifications, newest first. */
        readonly NotificationPage: {
            /** @description Whether another page follows. */
            readonly hasMore: boolean;
            readonly items: readonly components["schemas"]["Notification"][];
            /** @description The limit that was applied. */
            readonly limit: number;
            /** @description Send it as `cursor` for the next page; null when there is none. */
            readonly nextCursor: string | null;
            /** @description The offset that was applied; 0 with a cursor. */
            readonly offset: number;
            /** @description How many notifications the filters let through. */
            readonly total: number;
            /** @description How many of the caller's notifications are unread, whatever the filters. */
            readonly unreadCount: number;
        };
        /** @description Which categories reach the caller. A category that is not listed does. */
        readonly NotificationPreferences: {
            readonly categories: {
                readonly [key: string]: components["schemas"]["CategoryPreference"];
            };
        };
        /** @description One notification was read, in this client or another. */
        readonly NotificationRead: {
            readonly notificationId: string;
            /** Format: date-time */
            readonly readAt: string;
        };
        /** @description What to tell, and whom. */
        readonly NotificationRequest: components["schemas"]["UserNotificationRequest"] | components["schemas"]["TenantNotificationRequest"];
        /** @description One notification, or all of the caller's when `notificationId` is absent. */
        readonly NotificationSelection: {
            /**
             * Format: date-time
             * @description Leaves out of "all" what was created at this time or later, such as what came after the list was shown.
             */
            readonly before?: string;
            /** @description The one notification. Absent means all; null or an empty text never do, they are refused. */
            readonly notificationId?: string;
        };
        /**
         * @description How much it matters.
         * @enum {string}
         */
        readonly NotificationSeverity: "info" | "success" | "warning" | "critical";
        /**
         * @description The `data` of one event, as JSON.
         *
         *     | `event:` | `data:` |
         *     | --- | --- |
         *     | `unread-count` | `UnreadCount`; also the first event of every stream |
         *     | `notification.created` | `Notification` |
         *     | `notification.read` | `NotificationRead` |
         *     | `notifications.all-read` | `AllNotificationsRead` |
         *     | `reset` | `StreamReset`: events were dropped because the client reads too slowly; list again. The stream ends |
         */
        readonly NotificationStreamData: components["schemas"]["UnreadCount"] | components["schemas"]["Notification"] | components["schemas"]["NotificationRead"] | components["schemas"]["AllNotificationsRead"] | components["schemas"]["StreamReset"];
        /** @description An OpenAPI 3.1 document. */
        readonly OpenApiDocument: {
            readonly info: {
                readonly [key: string]: unknown;
            };
            readonly openapi: string;
            readonly paths: {
                readonly [key: string]: unknown;
            };
        } & {
            readonly [key: string]: unknown;
        };
        /** @description An error as RFC 9457 has it, with the members of the service's own error body. */
        readonly Problem: {
            readonly code: components["schemas"]["DbrErrorCode"];
            /** @description The same as `message`. */
            readonly detail: string;
            /** @description More about this very case. */
            readonly details: string | null;
            /** @description Everything that is wrong with the request, where several things can be. */
            readonly errors?: readonly components["schemas"]["ValidationProblem"][];
            /** @description What to do about it. */
            readonly hint: string | null;
            /** @description The path of the request. */
            readonly instance: string;
            /** @description What is wrong, for people. */
            readonly message: string;
            /** @description The status of the answer. */
            readonly status: number;
            /** @description The phrase of the status. */
            readonly title: string;
            /** @description `urn:dbr:error:` and the code. */
            readonly type: string;
        };
        /** @description What became of the request; the three add up to the number of readers named, or to one for a tenant. */
        readonly ProducedNotifications: {
            /** @description New notifications. */
            readonly created: number;
            /** @description Not created, since one with the same `dedupeKey` is there. */
            readonly duplicates: number;
            /** @description Not created, since the reader switched the category off. */
            readonly suppressed: number;
        };
        /** @description One of several relationships between two tables. */
        readonly RelationshipChoice: {
            /**
             * @description How many rows of either side belong together.
             * @enum {string}
             */
            readonly cardinality: "many-to-one" | "one-to-one" | "one-to-many" | "many-to-many";
            /** @description The two relations. */
            readonly embedding: string;
            /** @description The foreign key or junction with its columns. */
            readonly relationship: string;
        };
        /** @description The stream lost events. */
        readonly StreamReset: Record<string, never>;
        /** @description Opens one live stream. */
        readonly StreamTicket: {
            /**
             * Format: date-time
             * @description When it ceases to be accepted, used or not.
             */
            readonly expiresAt: string;
            /** @description Send it as the query parameter `ticket`. */
            readonly ticket: string;
        };
        /** @description A notification for everybody of the tenant. Naming users as well is refused. */
        readonly TenantNotificationRequest: components["schemas"]["NotificationContent"] & {
            /** @constant */
            readonly audience: "tenant";
        };
        /** @description How many of the caller's notifications are unread. */
        readonly UnreadCount: {
            readonly count: number;
        };
        /** @description A notification for the users named. */
        readonly UserNotificationRequest: components["schemas"]["NotificationContent"] & {
            /** @constant */
            readonly audience?: "user";
            readonly userIds: readonly string[];
        };
        /** @description One of the things that are wrong with a request. */
        readonly ValidationProblem: {
            /** @description What, as a stable word for programs. */
            readonly code: string;
            /** @description What, for people. */
            readonly message: string;
            /** @description Where, as a JSON pointer into the body (RFC 6901); empty for the body as a whole. */
            readonly path: string;
        };
    };
    responses: {
        /** @description It is done. */
        readonly Acknowledged: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Acknowledgement"];
            };
        };
        /** @description A critical category cannot be switched off. Nothing was changed. */
        readonly CategoryCritical: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Anything else that goes wrong, with the status that belongs to its code. */
        readonly Fault: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller may not do this; `details` names what is lacking. */
        readonly Forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not JSON, or not of the form that the operation takes; `errors` lists what is wrong. */
        readonly InvalidBody: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A parameter is not of its form; `details` names it. */
        readonly InvalidParameter: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such notification, or it is not visible to the caller. */
        readonly NotificationNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller's choice. */
        readonly NotificationPreferences: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["NotificationPreferences"];
            };
        };
        /** @description The state is still that of an ETag in `If-None-Match`. */
        readonly NotModified: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The body is larger than 1 MiB. The connection is closed without reading the rest. */
        readonly PayloadTooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller sends more requests than this operation takes. */
        readonly RateLimited: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The user has as many streams open as are allowed. */
        readonly TooManyStreams: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The token is missing or not accepted. Why it is not is never told. */
        readonly Unauthorized: {
            headers: {
                readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The database is away, or the service is stopping. */
        readonly Unavailable: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not `application/json`. */
        readonly UnsupportedMediaType: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Whether to leave out what the caller archived, to list only that, or to list both.
         * @example exclude
         */
        readonly Archived: "exclude" | "only" | "include";
        /**
         * @description The `nextCursor` of the page before. Not together with `offset`.
         * @example MTAyNA
         */
        readonly Cursor: string;
        /**
         * @description ETags the client has; when the state is still one of them, the answer is 304 without a body.
         * @example "1"
         */
        readonly IfNoneMatch: string;
        /**
         * @description The `id` of the last event received; the stream goes on after it, with nothing lost and nothing twice.
         * @example MTAyNA
         */
        readonly LastEventId: string;
        /**
         * @description At most how many items to return; more than 100 are reduced to 100.
         * @example 20
         */
        readonly Limit: number;
        /**
         * @description Only notifications of this category.
         * @example signing
         */
        readonly NotificationCategory: string;
        /**
         * @description The notification's identifier.
         * @example 0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23
         */
        readonly NotificationId: string;
        /**
         * @description Only notifications of this type.
         * @example signing.session.completed
         */
        readonly NotificationType: string;
        /**
         * @description How many items to skip. For deep pages use `cursor`, which does not become slower.
         * @example 0
         */
        readonly Offset: number;
        /**
         * @description Which notifications to list by whether the caller has read them.
         * @example unread
         */
        readonly ReadStatus: "unread" | "read" | "all";
        /**
         * @description A ticket of `POST /api/v1/notifications/me/stream-ticket`, in place of the Authorization header.
         * @example 4mJ2mVxgk1l2hZ0mR7xQ0w
         */
        readonly Ticket: string;
    };
    requestBodies: {
        /** @description The whole choice. */
        readonly NotificationPreferences: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationPreferences"];
            };
        };
        /** @description What to tell, and whom. */
        readonly NotificationRequest: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationRequest"];
            };
        };
        /** @description Which notifications. No body, an empty one and `{}` all mean all of the caller's. */
        readonly NotificationSelection: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationSelection"];
            };
        };
    };
    headers: {
        /**
         * @description `no-store`: the answer is for one connection and one time.
         * @example no-store
         */
        readonly "Cache-Control": "no-store";
        /**
         * @description Names the state that the answer shows (RFC 9110 §8.8.3). Send it as `If-None-Match` or `If-Match`.
         * @example "1"
         */
        readonly ETag: string;
        /**
         * @description After how many seconds to try again.
         * @example 1
         */
        readonly "Retry-After": number;
        /**
         * @description The scheme to authenticate by, and `error="invalid_token"` when a token was sent (RFC 6750 §3).
         * @example Bearer
         */
        readonly "WWW-Authenticate": string;
        /**
         * @description `no`: proxies must hand on every event at once.
         * @example no
         */
        readonly "X-Accel-Buffering": "no";
    };
    pathItems: never;
}
export type Acknowledgement = components['schemas']['Acknowledgement'];
export type AllNotificationsRead = components['schemas']['AllNotificationsRead'];
export type CategoryPreference = components['schemas']['CategoryPreference'];
export type DbrError = components['schemas']['DbrError'];
export type DbrErrorCode = components['schemas']['DbrErrorCode'];
export type Notification = components['schemas']['Notification'];
export type NotificationActor = components['schemas']['NotificationActor'];
export type NotificationAudience = components['schemas']['NotificationAudience'];
export type NotificationContent = components['schemas']['NotificationContent'];
export type NotificationPage = components['schemas']['NotificationPage'];
export type NotificationPreferences = components['schemas']['NotificationPreferences'];
export type NotificationRead = components['schemas']['NotificationRead'];
export type NotificationRequest = components['schemas']['NotificationRequest'];
export type NotificationSelection = components['schemas']['NotificationSelection'];
export type NotificationSeverity = components['schemas']['NotificationSeverity'];
export type NotificationStreamData = components['schemas']['NotificationStreamData'];
export type OpenApiDocument = components['schemas']['OpenApiDocument'];
export type Problem = components['schemas']['Problem'];
export type ProducedNotifications = components['schemas']['ProducedNotifications'];
export type RelationshipChoice = components['schemas']['RelationshipChoice'];
export type StreamReset = components['schemas']['StreamReset'];
export type StreamTicket = components['schemas']['StreamTicket'];
export type TenantNotificationRequest = components['schemas']['TenantNotificationRequest'];
export type UnreadCount = components['schemas']['UnreadCount'];
export type UserNotificationRequest = components['schemas']['UserNotificationRequest'];
export type ValidationProblem = components['schemas']['ValidationProblem'];
export type ResponseAcknowledged = components['responses']['Acknowledged'];
export type ResponseCategoryCritical = components['responses']['CategoryCritical'];
export type ResponseFault = components['responses']['Fault'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInvalidBody = components['responses']['InvalidBody'];
export type ResponseInvalidParameter = components['responses']['InvalidParameter'];
export type ResponseNotificationNotFound = components['responses']['NotificationNotFound'];
export type ResponseNotificationPreferences = components['responses']['NotificationPreferences'];
export type ResponseNotModified = components['responses']['NotModified'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseTooManyStreams = components['responses']['TooManyStreams'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ParameterArchived = components['parameters']['Archived'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type ParameterLastEventId = components['parameters']['LastEventId'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterNotificationCategory = components['parameters']['NotificationCategory'];
export type ParameterNotificationId = components['parameters']['NotificationId'];
export type ParameterNotificationType = components['parameters']['NotificationType'];
export type ParameterOffset = components['parameters']['Offset'];
export type ParameterReadStatus = components['parameters']['ReadStatus'];
export type ParameterTicket = components['parameters']['Ticket'];
export type RequestBodyNotificationPreferences = components['requestBodies']['NotificationPreferences'];
export type RequestBodyNotificationRequest = components['requestBodies']['NotificationRequest'];
export type RequestBodyNotificationSelection = components['requestBodies']['NotificationSelection'];
export type HeaderCacheControl = components['headers']['Cache-Control'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderXAccelBuffering = components['headers']['X-Accel-Buffering'];
export type $defs = Record<string, never>;
export interface operations {
    readonly getReferencePage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description ETags the client has; when the state is still one of them, the answer is 304 without a body.
                 * @example "1"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly createNotifications: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["NotificationRequest"];
        readonly responses: {
            /** @description Nothing was created, every reader has it or does not want it. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ProducedNotifications"];
                };
            };
            /** @description Notifications were created. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ProducedNotifications"];
                };
            };
            readonly 400: components["responses"]["InvalidBody"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly listNotifications: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Whether to leave out what the caller archived, to list only that, or to list both.
                 * @example exclude
                 */
                readonly archived?: components["parameters"]["Archived"];
                /**
                 * @description Only notifications of this category.
                 * @example signing
                 */
                readonly category?: components["parameters"]["NotificationCategory"];
                /**
                 * @description The `nextCursor` of the page before. Not together with `offset`.
                 * @example MTAyNA
                 */
                readonly cursor?: components["parameters"]["Cursor"];
                /**
                 * @description At most how many items to return; more than 100 are reduced to 100.
                 * @example 20
                 */
                readonly limit?: components["parameters"]["Limit"];
                /**
                 * @description How many items to skip. For deep pages use `cursor`, which does not become slower.
                 * @example 0
                 */
                readonly offset?: components["parameters"]["Offset"];
                /**
                 * @description Which notifications to list by whether the caller has read them.
                 * @example unread
                 */
                readonly status?: components["parameters"]["ReadStatus"];
                /**
                 * @description Only notifications of this type.
                 * @example signing.session.completed
                 */
                readonly type?: components["parameters"]["NotificationType"];
            };
            readonly header?: {
                /**
                 * @description ETags the client has; when the state is still one of them, the answer is 304 without a body.
                 * @example "1"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of notifications. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationPage"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly getNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The notification's identifier.
                 * @example 0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23
                 */
                readonly notificationId: components["parameters"]["NotificationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The notification. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Notification"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotificationNotFound"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly archiveNotifications: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["NotificationSelection"];
        readonly responses: {
            readonly 200: components["responses"]["Acknowledged"];
            readonly 400: components["responses"]["InvalidBody"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotificationNotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly markNotificationsRead: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["NotificationSelection"];
        readonly responses: {
            readonly 200: components["responses"]["Acknowledged"];
            readonly 400: components["responses"]["InvalidBody"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotificationNotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly markNotificationsSeen: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["NotificationSelection"];
        readonly responses: {
            readonly 200: components["responses"]["Acknowledged"];
            readonly 400: components["responses"]["InvalidBody"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotificationNotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly markNotificationsUnread: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["NotificationSelection"];
        readonly responses: {
            readonly 200: components["responses"]["Acknowledged"];
            readonly 400: components["responses"]["InvalidBody"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotificationNotFound"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly getNotificationPreferences: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["NotificationPreferences"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly replaceNotificationPreferences: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["NotificationPreferences"];
        readonly responses: {
            readonly 200: components["responses"]["NotificationPreferences"];
            readonly 400: components["responses"]["InvalidBody"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["CategoryCritical"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly streamNotifications: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description A ticket of `POST /api/v1/notifications/me/stream-ticket`, in place of the Authorization header.
                 * @example 4mJ2mVxgk1l2hZ0mR7xQ0w
                 */
                readonly ticket?: components["parameters"]["Ticket"];
            };
            readonly header?: {
                /**
                 * @description The `id` of the last event received; the stream goes on after it, with nothing lost and nothing twice.
                 * @example MTAyNA
                 */
                readonly "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The stream. */
            readonly 200: {
                headers: {
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "X-Accel-Buffering": components["headers"]["X-Accel-Buffering"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": components["schemas"]["NotificationStreamData"];
                };
            };
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooManyStreams"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly createStreamTicket: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The ticket. */
            readonly 200: {
                headers: {
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StreamTicket"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly getUnreadCount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description ETags the client has; when the state is still one of them, the answer is 304 without a body.
                 * @example "1"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The count. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UnreadCount"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly getOpenApiDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description ETags the client has; when the state is still one of them, the answer is 304 without a body.
                 * @example "1"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The document. */
            readonly 200: {
                headers: {
                    readonly ETag: components["headers"]["ETag"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly default: components["responses"]["Fault"];
        };
    };
}
