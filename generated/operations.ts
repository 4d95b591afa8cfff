// Generated from openapi/ by `make generate`. Not edited by hand.
import type { Account, AccountChange, AccountPage, AccountRequest, Acknowledgement, CancelRequest, CancelledNotifications, CeremonyRequest, DelegateKey, DelegateUserShare, FollowedTopics, MessageChange, MessageOutcome, MessageReceipts, NewWebhook, Notification, NotificationNames, NotificationPage, NotificationPreferences, NotificationRequest, NotificationSelection, NotificationSettings, NotificationSnooze, Party, PartyChange, PartyKeyConfirmation, PartyKeys, PartyPage, PartyRequest, ProducedNotifications, QuietHours, QuietHoursList, QuietHoursRequest, RequestSignature, SigningConfig, SigningConfigRequest, SigningSession, SigningSessionBatch, SigningSessionEventPage, SigningSessionList, SigningSessionPage, SigningSessionRequest, StreamTicket, TenantFreeze, TenantFreezeRequest, UnreadCount, UserErasure, Webhook, WebhookDropSelection, WebhookMessageContent, WebhookMessages, WebhookOutcome, WebhookReplaySelection, WebhookReplayed, WebhookRequest, Webhooks } from './types.js';

/** JSON text that is already made, such as a column of the database: sent as it is, never parsed. */
export interface JsonText {
  readonly jsonText: readonly Uint8Array[];
}

/** Headers in addition to those that the document requires. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** The response of a handler of any operation. */
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
  /** Security schemes that are accepted in place of the bearer token. */
  readonly alternatives: readonly string[];
  /** The scope that the caller needs, if any. */
  readonly scope: string | null;
  readonly bodyRequired: boolean;
  /** Media types of the request body; empty without a body. */
  readonly consumes: readonly string[];
}

/** GET /api/v1/notifications/me: List the caller's notifications */
export interface ListNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: {
    /** The maximum number of items to return. Values above 100 are reduced to 100. */
    readonly limit: number;
    /** The number of items to skip. For deep pages use `cursor`, whose cost does not grow with the position. */
    readonly offset: number;
    /** The `nextCursor` of the previous page. */
    readonly cursor?: string;
    /** Lists all, unread or read notifications of the caller. */
    readonly status: 'unread' | 'read' | 'all';
    /** Only notifications of this category, or of one of up to 20 (`category=a&category=b`). */
    readonly category?: readonly string[];
    /** Only notifications of this type, or of one of up to 20 (`type=a&type=b`). */
    readonly type?: readonly string[];
    /** Only notifications of this severity. */
    readonly severity?: 'info' | 'success' | 'warning' | 'critical';
    /**
     * A JSON object. Only notifications whose member `data` contains it, by the rules of operator `@>` of PostgreSQL for jsonb. It
     * searches the newest 10,000 notifications of each place (inbox, archive, snoozed) that match the other filters.
     */
    readonly data?: string;
    /** Excludes archived notifications, lists only those, or lists both. */
    readonly archived: 'exclude' | 'only' | 'include';
    /** Excludes snoozed notifications, lists only those whatever `archived` says, or lists them too. */
    readonly snoozed: 'exclude' | 'only' | 'include';
  };
  readonly headers: {
    /** The ETags that the client has. If the resource still has one of them, the response is 304 without a body. */
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
  readonly query: {
    /** Only notifications of this category, or of one of up to 20 (`category=a&category=b`). */
    readonly category?: readonly string[];
    /** Only notifications of this type, or of one of up to 20 (`type=a&type=b`). */
    readonly type?: readonly string[];
    /** Only notifications of this severity. */
    readonly severity?: 'info' | 'success' | 'warning' | 'critical';
    /**
     * A JSON object. Only notifications whose member `data` contains it, by the rules of operator `@>` of PostgreSQL for jsonb. It
     * searches the newest 10,000 notifications of each place (inbox, archive, snoozed) that match the other filters.
     */
    readonly data?: string;
  };
  readonly headers: {
    /** The ETags that the client has. If the resource still has one of them, the response is 304 without a body. */
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

/** POST /api/v1/notifications/me/unarchive: Take one or all notifications out of the archive */
export interface UnarchiveNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationSelection | undefined;
}
export type UnarchiveNotificationsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Acknowledgement | JsonText };

/** POST /api/v1/notifications/me/mark-interacted: Mark notifications as used */
export interface MarkNotificationsInteractedRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationNames;
}
export type MarkNotificationsInteractedResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Acknowledgement | JsonText };

/** POST /api/v1/notifications/me/snooze: Snooze notifications */
export interface SnoozeNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationSnooze;
}
export type SnoozeNotificationsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Acknowledgement | JsonText };

/** POST /api/v1/notifications/me/unsnooze: Return snoozed notifications at once */
export interface UnsnoozeNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationNames;
}
export type UnsnoozeNotificationsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Acknowledgement | JsonText };

/** POST /api/v1/notifications/me/delete: Delete notifications for the caller */
export interface DeleteNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationNames;
}
export type DeleteNotificationsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Acknowledgement | JsonText };

/** GET /api/v1/notifications/me/topics: List the topics that the caller follows */
export interface ListFollowedTopicsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ListFollowedTopicsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: FollowedTopics | JsonText };

/** PUT /api/v1/notifications/me/topics/{topic}: Follow a topic */
export interface SubscribeToTopicRequest {
  readonly path: {
    /** The name of the topic. */
    readonly topic: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type SubscribeToTopicResponse =
  | { readonly status: 204; readonly headers?: ExtraHeaders; readonly type?: never; readonly body?: never };

/** DELETE /api/v1/notifications/me/topics/{topic}: Follow a topic no longer */
export interface UnsubscribeFromTopicRequest {
  readonly path: {
    /** The name of the topic. */
    readonly topic: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type UnsubscribeFromTopicResponse =
  | { readonly status: 204; readonly headers?: ExtraHeaders; readonly type?: never; readonly body?: never };

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

/** GET /api/v1/notifications/me/quiet-hours: List the caller's quiet hours */
export interface ListQuietHoursRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ListQuietHoursResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: QuietHoursList | JsonText };

/** PUT /api/v1/notifications/me/quiet-hours/{channel}: Set the caller's quiet hours of a channel */
export interface SetQuietHoursRequest {
  readonly path: {
    /** `inApp` for the inbox and its streams, `webhook` for the messages of webhooks. */
    readonly channel: 'inApp' | 'webhook';
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: QuietHoursRequest;
}
export type SetQuietHoursResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: QuietHours | JsonText };

/** DELETE /api/v1/notifications/me/quiet-hours/{channel}: Remove the caller's quiet hours of a channel */
export interface RemoveQuietHoursRequest {
  readonly path: {
    /** `inApp` for the inbox and its streams, `webhook` for the messages of webhooks. */
    readonly channel: 'inApp' | 'webhook';
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type RemoveQuietHoursResponse =
  | { readonly status: 204; readonly headers?: ExtraHeaders; readonly type?: never; readonly body?: never };

/** GET /api/v1/notifications/me/stream: Follow the caller's notifications live */
export interface StreamNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: {
    /** A ticket of `POST /api/v1/notifications/me/stream-ticket`. It replaces the Authorization header. */
    readonly ticket?: string;
    /** The same as `Last-Event-ID`, for clients that cannot send headers. The header takes precedence: EventSource sends it when it reconnects. */
    readonly lastEventId?: string;
  };
  readonly headers: {
    /** The `id` of the last received event. The stream continues after it, without gaps or repetitions. */
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

/** DELETE /api/v1/notifications/me/stream-ticket: Revoke the caller's stream tickets */
export interface RevokeStreamTicketsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type RevokeStreamTicketsResponse =
  | { readonly status: 204; readonly headers?: ExtraHeaders; readonly type?: never; readonly body?: never };

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

/** DELETE /api/v1/notifications/me/{notificationId}: Delete one notification for the caller */
export interface DeleteNotificationRequest {
  readonly path: {
    /** The notification's identifier. */
    readonly notificationId: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type DeleteNotificationResponse =
  | { readonly status: 204; readonly headers?: ExtraHeaders; readonly type?: never; readonly body?: never };

/** GET /api/v1/notifications/settings: Get the settings of the tenant */
export interface GetNotificationSettingsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type GetNotificationSettingsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: NotificationSettings | JsonText };

/** PUT /api/v1/notifications/settings: Set how long notifications of the tenant are kept */
export interface ReplaceNotificationSettingsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationSettings;
}
export type ReplaceNotificationSettingsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: NotificationSettings | JsonText };

/** DELETE /api/v1/notifications/scheduled/{cancelKey}: Cancel what is scheduled */
export interface CancelScheduledNotificationsRequest {
  readonly path: {
    /** The `cancelKey` of the creation. */
    readonly cancelKey: string;
  };
  readonly query: {
    /** The tenant. Absent means that of the token; another tenant needs scope `notifications:write-any`. */
    readonly tenantId?: string;
  };
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type CancelScheduledNotificationsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: CancelledNotifications | JsonText };

/** PATCH /api/v1/notifications/messages/{messageId}: Change what was sent */
export interface UpdateMessageRequest {
  readonly path: {
    /** The `messageId` of the response to the creation. */
    readonly messageId: string;
  };
  readonly query: {
    /** The tenant. Absent means that of the token; another tenant needs scope `notifications:write-any`. */
    readonly tenantId?: string;
  };
  readonly headers: Readonly<Record<string, never>>;
  readonly body: MessageChange;
}
export type UpdateMessageResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: MessageOutcome | JsonText };

/** DELETE /api/v1/notifications/messages/{messageId}: Recall what was sent */
export interface RecallMessageRequest {
  readonly path: {
    /** The `messageId` of the response to the creation. */
    readonly messageId: string;
  };
  readonly query: {
    /** The tenant. Absent means that of the token; another tenant needs scope `notifications:write-any`. */
    readonly tenantId?: string;
  };
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type RecallMessageResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: MessageOutcome | JsonText };

/** GET /api/v1/notifications/messages/{messageId}/receipts: See who has seen, read and used what was sent */
export interface ListMessageReceiptsRequest {
  readonly path: {
    /** The `messageId` of the response to the creation. */
    readonly messageId: string;
  };
  readonly query: {
    /** The tenant. Absent means that of the token; another tenant needs scope `notifications:write-any`. */
    readonly tenantId?: string;
    /** The maximum number of items to return. Values above 100 are reduced to 100. */
    readonly limit: number;
    /** The `nextCursor` of the previous page. */
    readonly cursor?: string;
  };
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ListMessageReceiptsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: MessageReceipts | JsonText };

/** POST /api/v1/notifications: Notify users, the followers of a topic, or a whole tenant */
export interface CreateNotificationsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: NotificationRequest;
}
export type CreateNotificationsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: ProducedNotifications | JsonText }
  | { readonly status: 201; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: ProducedNotifications | JsonText }
  | { readonly status: 202; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: ProducedNotifications | JsonText };

/** GET /accounts/{id}/signing-config: Get the signing parties of an account */
export interface GetSigningConfigRequest {
  readonly path: {
    /** The account's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** The ETags that the client has. If the resource still has one of them, the response is 304 without a body. */
    readonly 'if-none-match'?: string;
  };
  readonly body: undefined;
}
export type GetSigningConfigResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: SigningConfig | JsonText }
  | { readonly status: 304; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly type?: never; readonly body?: never };

/** POST /accounts/{id}/signing-config: Set the signing parties for the first time */
export interface CreateSigningConfigRequest {
  readonly path: {
    /** The account's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412. */
    readonly 'if-match'?: string;
  };
  readonly body: SigningConfigRequest;
}
export type CreateSigningConfigResponse =
  | { readonly status: 201; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly Location: string; readonly ETag: string }; readonly body: SigningConfig | JsonText };

/** PUT /accounts/{id}/signing-config: Change the signing parties */
export interface UpdateSigningConfigRequest {
  readonly path: {
    /** The account's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412. */
    readonly 'if-match'?: string;
  };
  readonly body: SigningConfigRequest;
}
export type UpdateSigningConfigResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: SigningConfig | JsonText };

/** DELETE /accounts/{id}/signing-config: Clear the signing parties */
export interface ClearSigningConfigRequest {
  readonly path: {
    /** The account's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412. */
    readonly 'if-match'?: string;
  };
  readonly body: undefined;
}
export type ClearSigningConfigResponse =
  | { readonly status: 204; readonly headers?: ExtraHeaders; readonly type?: never; readonly body?: never };

/** POST /accounts/{id}/signing-sessions: Create a signing session */
export interface CreateSigningSessionRequest {
  readonly path: {
    /** The account's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** A repeated request with the same key returns the session that the first request created. An alternative to `sessionId`. */
    readonly 'idempotency-key'?: string;
  };
  readonly body: SigningSessionRequest;
}
export type CreateSigningSessionResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: SigningSession | JsonText }
  | { readonly status: 201; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly Location: string; readonly ETag: string }; readonly body: SigningSession | JsonText };

/** POST /accounts/{id}/signing-sessions:batch: Create several signing sessions */
export interface CreateSigningSessionsRequest {
  readonly path: {
    /** The account's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** A repeated request with the same key returns the session that the first request created. An alternative to `sessionId`. */
    readonly 'idempotency-key'?: string;
  };
  readonly body: SigningSessionBatch;
}
export type CreateSigningSessionsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: SigningSessionList | JsonText }
  | { readonly status: 201; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: SigningSessionList | JsonText };

/** POST /accounts/{id}/ceremonies: Create a ceremony */
export interface CreateCeremonyRequest {
  readonly path: {
    /** The account's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: CeremonyRequest;
}
export type CreateCeremonyResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: SigningSession | JsonText }
  | { readonly status: 201; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly Location: string; readonly ETag: string }; readonly body: SigningSession | JsonText };

/** POST /accounts/{id}/delegate-keys/claim: Claim a key to encrypt a share to */
export interface ClaimDelegateKeyRequest {
  readonly path: {
    /** The account's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ClaimDelegateKeyResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly 'Cache-Control': string }; readonly body: DelegateKey | JsonText };

/** GET /api/v1/signing-sessions: List signing sessions */
export interface ListSigningSessionsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: {
    /** The maximum number of items to return. Values above 100 are reduced to 100. */
    readonly limit: number;
    /** The `nextCursor` of the previous page. */
    readonly cursor?: string;
    /** Lists only sessions of this account. */
    readonly accountId?: string;
    /** Lists only sessions in this state. */
    readonly state?: 'created' | 'awaiting_parties' | 'in_progress' | 'completed' | 'failed' | 'expired' | 'cancelled';
  };
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ListSigningSessionsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: SigningSessionPage | JsonText };

/** GET /api/v1/signing-sessions/{id}: Get a signing session */
export interface GetSigningSessionRequest {
  readonly path: {
    /** The session's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** The ETags that the client has. If the resource still has one of them, the response is 304 without a body. */
    readonly 'if-none-match'?: string;
  };
  readonly body: undefined;
}
export type GetSigningSessionResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: SigningSession | JsonText }
  | { readonly status: 304; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly type?: never; readonly body?: never };

/** POST /api/v1/signing-sessions/{id}/cancel: Cancel a signing session */
export interface CancelSigningSessionRequest {
  readonly path: {
    /** The session's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: CancelRequest | undefined;
}
export type CancelSigningSessionResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: SigningSession | JsonText };

/** POST /api/v1/signing-sessions/{id}/approvals: Approve the request of a session */
export interface ApproveSigningSessionRequest {
  readonly path: {
    /** The session's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: RequestSignature;
}
export type ApproveSigningSessionResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: SigningSession | JsonText };

/** PUT /api/v1/signing-sessions/{id}/delegate-user-share: Supply the share for the delegate */
export interface SupplyDelegateUserShareRequest {
  readonly path: {
    /** The session's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: DelegateUserShare;
}
export type SupplyDelegateUserShareResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: SigningSession | JsonText };

/** GET /api/v1/signing-sessions/{id}/events: Get or follow the events of a session */
export interface ListSigningSessionEventsRequest {
  readonly path: {
    /** The session's identifier. */
    readonly id: string;
  };
  readonly query: {
    /** Returns only events after this position. */
    readonly after: number;
  };
  readonly headers: {
    /** The `id` of the last received event. The stream continues after it, without gaps or repetitions. */
    readonly 'last-event-id'?: string;
  };
  readonly body: undefined;
}
export type ListSigningSessionEventsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly 'Cache-Control': string; readonly 'X-Accel-Buffering': string }; readonly body: SigningSessionEventPage | JsonText }
  | { readonly status: 200; readonly type: 'text/event-stream'; readonly headers: ExtraHeaders & { readonly 'Cache-Control': string; readonly 'X-Accel-Buffering': string }; readonly body: AsyncIterable<string> };

/** GET /api/v1/accounts: List accounts */
export interface ListAccountsRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: {
    /** The maximum number of items to return. Values above 100 are reduced to 100. */
    readonly limit: number;
    /** The `nextCursor` of the previous page. */
    readonly cursor?: string;
    /** Lists only accounts of this status. */
    readonly status?: 'pending' | 'active' | 'frozen' | 'archived';
  };
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ListAccountsResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: AccountPage | JsonText };

/** POST /api/v1/accounts: Set up an account */
export interface CreateAccountRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: AccountRequest;
}
export type CreateAccountResponse =
  | { readonly status: 201; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly Location: string; readonly ETag: string }; readonly body: Account | JsonText };

/** GET /api/v1/accounts/{id}: Get an account */
export interface GetAccountRequest {
  readonly path: {
    /** The account's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** The ETags that the client has. If the resource still has one of them, the response is 304 without a body. */
    readonly 'if-none-match'?: string;
  };
  readonly body: undefined;
}
export type GetAccountResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: Account | JsonText }
  | { readonly status: 304; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly type?: never; readonly body?: never };

/** PATCH /api/v1/accounts/{id}: Change an account */
export interface UpdateAccountRequest {
  readonly path: {
    /** The account's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412. */
    readonly 'if-match'?: string;
  };
  readonly body: AccountChange;
}
export type UpdateAccountResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: Account | JsonText };

/** GET /api/v1/parties: List parties */
export interface ListPartiesRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: {
    /** The maximum number of items to return. Values above 100 are reduced to 100. */
    readonly limit: number;
    /** The `nextCursor` of the previous page. */
    readonly cursor?: string;
    /** Lists only parties of this status. */
    readonly status?: 'active' | 'suspended' | 'revoked';
    /** Lists only parties of this role. */
    readonly role?: 'server' | 'user' | 'delegate';
  };
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ListPartiesResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: PartyPage | JsonText };

/** POST /api/v1/parties: Register a party */
export interface CreatePartyRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: PartyRequest;
}
export type CreatePartyResponse =
  | { readonly status: 201; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly Location: string; readonly ETag: string }; readonly body: Party | JsonText };

/** GET /api/v1/parties/{id}: Get a party */
export interface GetPartyRequest {
  readonly path: {
    /** The party's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** The ETags that the client has. If the resource still has one of them, the response is 304 without a body. */
    readonly 'if-none-match'?: string;
  };
  readonly body: undefined;
}
export type GetPartyResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: Party | JsonText }
  | { readonly status: 304; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly type?: never; readonly body?: never };

/** PATCH /api/v1/parties/{id}: Change a party */
export interface UpdatePartyRequest {
  readonly path: {
    /** The party's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: {
    /** The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412. */
    readonly 'if-match'?: string;
  };
  readonly body: PartyChange;
}
export type UpdatePartyResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: Party | JsonText }
  | { readonly status: 202; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: PartyKeys | JsonText };

/** GET /api/v1/parties/{id}/keys: List the keys of a party */
export interface ListPartyKeysRequest {
  readonly path: {
    /** The party's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ListPartyKeysResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: PartyKeys | JsonText };

/** POST /api/v1/parties/{id}/keys/confirm: Confirm the proposed keys of a party */
export interface ConfirmPartyKeysRequest {
  readonly path: {
    /** The party's identifier. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: PartyKeyConfirmation;
}
export type ConfirmPartyKeysResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly ETag: string }; readonly body: Party | JsonText };

/** DELETE /api/v1/parties/{id}/keys/{sha256}: Revoke a key of a party */
export interface RevokePartyKeyRequest {
  readonly path: {
    /** The party's identifier. */
    readonly id: string;
    /** SHA-256 of the key, as `listPartyKeys` shows it. */
    readonly sha256: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type RevokePartyKeyResponse =
  | { readonly status: 204; readonly headers?: ExtraHeaders; readonly type?: never; readonly body?: never };

/** GET /api/v1/tenants/self/freeze: Get the freeze of the tenant */
export interface GetTenantFreezeRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type GetTenantFreezeResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: TenantFreeze | JsonText };

/** POST /api/v1/tenants/self/freeze: Freeze the tenant */
export interface FreezeTenantRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: TenantFreezeRequest;
}
export type FreezeTenantResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: TenantFreeze | JsonText };

/** POST /api/v1/tenants/self/unfreeze: Release the tenant from its freeze */
export interface UnfreezeTenantRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type UnfreezeTenantResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: TenantFreeze | JsonText };

/** GET /api/v1/audit-log: Export the audit log */
export interface ExportAuditLogRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: {
    /** Returns only entries after this `sequence`, for example that of the last line of the previous export. */
    readonly after: number;
    /** Returns only entries that were sealed at this time or later. */
    readonly sealedFrom?: string;
    /** Returns only entries that were sealed before this time. */
    readonly sealedTo?: string;
  };
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ExportAuditLogResponse =
  | { readonly status: 200; readonly type: 'application/x-ndjson'; readonly headers: ExtraHeaders & { readonly 'Cache-Control': string }; readonly body: AsyncIterable<string> };

/** DELETE /api/v1/users/{id}: Erase a user */
export interface EraseUserRequest {
  readonly path: {
    /** The user, as claim `sub` of tokens names it. */
    readonly id: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type EraseUserResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly 'Cache-Control': string }; readonly body: UserErasure | JsonText };

/** GET /api/v1/notifications/webhooks: List the webhooks of the tenant */
export interface ListWebhooksRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ListWebhooksResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Webhooks | JsonText };

/** POST /api/v1/notifications/webhooks: Register a webhook */
export interface CreateWebhookRequest {
  readonly path: Readonly<Record<string, never>>;
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: WebhookRequest;
}
export type CreateWebhookResponse =
  | { readonly status: 201; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly 'Cache-Control': string }; readonly body: NewWebhook | JsonText };

/** PUT /api/v1/notifications/webhooks/{webhookId}: Change a webhook */
export interface ReplaceWebhookRequest {
  readonly path: {
    /** The webhook's identifier. */
    readonly webhookId: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: WebhookRequest;
}
export type ReplaceWebhookResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: Webhook | JsonText };

/** DELETE /api/v1/notifications/webhooks/{webhookId}: Delete a webhook */
export interface DeleteWebhookRequest {
  readonly path: {
    /** The webhook's identifier. */
    readonly webhookId: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type DeleteWebhookResponse =
  | { readonly status: 204; readonly headers?: ExtraHeaders; readonly type?: never; readonly body?: never };

/** POST /api/v1/notifications/webhooks/{webhookId}/secret: Rotate the secret of a webhook */
export interface RotateWebhookSecretRequest {
  readonly path: {
    /** The webhook's identifier. */
    readonly webhookId: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type RotateWebhookSecretResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers: ExtraHeaders & { readonly 'Cache-Control': string }; readonly body: NewWebhook | JsonText };

/** GET /api/v1/notifications/webhooks/{webhookId}/messages: List messages of a webhook */
export interface ListWebhookMessagesRequest {
  readonly path: {
    /** The webhook's identifier. */
    readonly webhookId: string;
  };
  readonly query: {
    /** Lists only messages in this state. A message that waits for its first or another attempt is `waiting`. */
    readonly state: 'waiting' | 'sent' | 'dead' | 'all';
    /** The maximum number of items to return. Values above 100 are reduced to 100. */
    readonly limit: number;
    /** The `nextCursor` of the previous page. */
    readonly cursor?: string;
  };
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type ListWebhookMessagesResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: WebhookMessages | JsonText };

/** GET /api/v1/notifications/webhooks/{webhookId}/messages/{messageId}: Read a message of a webhook */
export interface GetWebhookMessageRequest {
  readonly path: {
    /** The webhook's identifier. */
    readonly webhookId: string;
    /** The message's identifier, which is the `webhook-id` of its requests. */
    readonly messageId: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: undefined;
}
export type GetWebhookMessageResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: WebhookMessageContent | JsonText };

/** POST /api/v1/notifications/webhooks/{webhookId}/replay: Send messages of a webhook again */
export interface ReplayWebhookMessagesRequest {
  readonly path: {
    /** The webhook's identifier. */
    readonly webhookId: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: WebhookReplaySelection;
}
export type ReplayWebhookMessagesResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: WebhookReplayed | JsonText };

/** POST /api/v1/notifications/webhooks/{webhookId}/drop: Drop dead messages of a webhook */
export interface DropWebhookMessagesRequest {
  readonly path: {
    /** The webhook's identifier. */
    readonly webhookId: string;
  };
  readonly query: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, never>>;
  readonly body: WebhookDropSelection;
}
export type DropWebhookMessagesResponse =
  | { readonly status: 200; readonly type: 'application/json'; readonly headers?: ExtraHeaders; readonly body: WebhookOutcome | JsonText };

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
  /** POST /api/v1/notifications/me/unarchive: Take one or all notifications out of the archive */
  unarchiveNotifications(request: UnarchiveNotificationsRequest, context: C): Promise<UnarchiveNotificationsResponse>;
  /** POST /api/v1/notifications/me/mark-interacted: Mark notifications as used */
  markNotificationsInteracted(request: MarkNotificationsInteractedRequest, context: C): Promise<MarkNotificationsInteractedResponse>;
  /** POST /api/v1/notifications/me/snooze: Snooze notifications */
  snoozeNotifications(request: SnoozeNotificationsRequest, context: C): Promise<SnoozeNotificationsResponse>;
  /** POST /api/v1/notifications/me/unsnooze: Return snoozed notifications at once */
  unsnoozeNotifications(request: UnsnoozeNotificationsRequest, context: C): Promise<UnsnoozeNotificationsResponse>;
  /** POST /api/v1/notifications/me/delete: Delete notifications for the caller */
  deleteNotifications(request: DeleteNotificationsRequest, context: C): Promise<DeleteNotificationsResponse>;
  /** GET /api/v1/notifications/me/topics: List the topics that the caller follows */
  listFollowedTopics(request: ListFollowedTopicsRequest, context: C): Promise<ListFollowedTopicsResponse>;
  /** PUT /api/v1/notifications/me/topics/{topic}: Follow a topic */
  subscribeToTopic(request: SubscribeToTopicRequest, context: C): Promise<SubscribeToTopicResponse>;
  /** DELETE /api/v1/notifications/me/topics/{topic}: Follow a topic no longer */
  unsubscribeFromTopic(request: UnsubscribeFromTopicRequest, context: C): Promise<UnsubscribeFromTopicResponse>;
  /** GET /api/v1/notifications/me/preferences: Get which categories reach the caller */
  getNotificationPreferences(request: GetNotificationPreferencesRequest, context: C): Promise<GetNotificationPreferencesResponse>;
  /** PUT /api/v1/notifications/me/preferences: Choose which categories reach the caller */
  replaceNotificationPreferences(request: ReplaceNotificationPreferencesRequest, context: C): Promise<ReplaceNotificationPreferencesResponse>;
  /** GET /api/v1/notifications/me/quiet-hours: List the caller's quiet hours */
  listQuietHours(request: ListQuietHoursRequest, context: C): Promise<ListQuietHoursResponse>;
  /** PUT /api/v1/notifications/me/quiet-hours/{channel}: Set the caller's quiet hours of a channel */
  setQuietHours(request: SetQuietHoursRequest, context: C): Promise<SetQuietHoursResponse>;
  /** DELETE /api/v1/notifications/me/quiet-hours/{channel}: Remove the caller's quiet hours of a channel */
  removeQuietHours(request: RemoveQuietHoursRequest, context: C): Promise<RemoveQuietHoursResponse>;
  /** GET /api/v1/notifications/me/stream: Follow the caller's notifications live */
  streamNotifications(request: StreamNotificationsRequest, context: C): Promise<StreamNotificationsResponse>;
  /** POST /api/v1/notifications/me/stream-ticket: Get a ticket for the live stream */
  createStreamTicket(request: CreateStreamTicketRequest, context: C): Promise<CreateStreamTicketResponse>;
  /** DELETE /api/v1/notifications/me/stream-ticket: Revoke the caller's stream tickets */
  revokeStreamTickets(request: RevokeStreamTicketsRequest, context: C): Promise<RevokeStreamTicketsResponse>;
  /** GET /api/v1/notifications/me/{notificationId}: Get one notification */
  getNotification(request: GetNotificationRequest, context: C): Promise<GetNotificationResponse>;
  /** DELETE /api/v1/notifications/me/{notificationId}: Delete one notification for the caller */
  deleteNotification(request: DeleteNotificationRequest, context: C): Promise<DeleteNotificationResponse>;
  /** GET /api/v1/notifications/settings: Get the settings of the tenant */
  getNotificationSettings(request: GetNotificationSettingsRequest, context: C): Promise<GetNotificationSettingsResponse>;
  /** PUT /api/v1/notifications/settings: Set how long notifications of the tenant are kept */
  replaceNotificationSettings(request: ReplaceNotificationSettingsRequest, context: C): Promise<ReplaceNotificationSettingsResponse>;
  /** DELETE /api/v1/notifications/scheduled/{cancelKey}: Cancel what is scheduled */
  cancelScheduledNotifications(request: CancelScheduledNotificationsRequest, context: C): Promise<CancelScheduledNotificationsResponse>;
  /** PATCH /api/v1/notifications/messages/{messageId}: Change what was sent */
  updateMessage(request: UpdateMessageRequest, context: C): Promise<UpdateMessageResponse>;
  /** DELETE /api/v1/notifications/messages/{messageId}: Recall what was sent */
  recallMessage(request: RecallMessageRequest, context: C): Promise<RecallMessageResponse>;
  /** GET /api/v1/notifications/messages/{messageId}/receipts: See who has seen, read and used what was sent */
  listMessageReceipts(request: ListMessageReceiptsRequest, context: C): Promise<ListMessageReceiptsResponse>;
  /** POST /api/v1/notifications: Notify users, the followers of a topic, or a whole tenant */
  createNotifications(request: CreateNotificationsRequest, context: C): Promise<CreateNotificationsResponse>;
  /** GET /api/v1/notifications/webhooks: List the webhooks of the tenant */
  listWebhooks(request: ListWebhooksRequest, context: C): Promise<ListWebhooksResponse>;
  /** POST /api/v1/notifications/webhooks: Register a webhook */
  createWebhook(request: CreateWebhookRequest, context: C): Promise<CreateWebhookResponse>;
  /** PUT /api/v1/notifications/webhooks/{webhookId}: Change a webhook */
  replaceWebhook(request: ReplaceWebhookRequest, context: C): Promise<ReplaceWebhookResponse>;
  /** DELETE /api/v1/notifications/webhooks/{webhookId}: Delete a webhook */
  deleteWebhook(request: DeleteWebhookRequest, context: C): Promise<DeleteWebhookResponse>;
  /** POST /api/v1/notifications/webhooks/{webhookId}/secret: Rotate the secret of a webhook */
  rotateWebhookSecret(request: RotateWebhookSecretRequest, context: C): Promise<RotateWebhookSecretResponse>;
  /** GET /api/v1/notifications/webhooks/{webhookId}/messages: List messages of a webhook */
  listWebhookMessages(request: ListWebhookMessagesRequest, context: C): Promise<ListWebhookMessagesResponse>;
  /** GET /api/v1/notifications/webhooks/{webhookId}/messages/{messageId}: Read a message of a webhook */
  getWebhookMessage(request: GetWebhookMessageRequest, context: C): Promise<GetWebhookMessageResponse>;
  /** POST /api/v1/notifications/webhooks/{webhookId}/replay: Send messages of a webhook again */
  replayWebhookMessages(request: ReplayWebhookMessagesRequest, context: C): Promise<ReplayWebhookMessagesResponse>;
  /** POST /api/v1/notifications/webhooks/{webhookId}/drop: Drop dead messages of a webhook */
  dropWebhookMessages(request: DropWebhookMessagesRequest, context: C): Promise<DropWebhookMessagesResponse>;
}

/** The operations of the tag 'signing'; `C` is the application's own context of a request. */
export interface SigningHandlers<C> {
  /** GET /accounts/{id}/signing-config: Get the signing parties of an account */
  getSigningConfig(request: GetSigningConfigRequest, context: C): Promise<GetSigningConfigResponse>;
  /** POST /accounts/{id}/signing-config: Set the signing parties for the first time */
  createSigningConfig(request: CreateSigningConfigRequest, context: C): Promise<CreateSigningConfigResponse>;
  /** PUT /accounts/{id}/signing-config: Change the signing parties */
  updateSigningConfig(request: UpdateSigningConfigRequest, context: C): Promise<UpdateSigningConfigResponse>;
  /** DELETE /accounts/{id}/signing-config: Clear the signing parties */
  clearSigningConfig(request: ClearSigningConfigRequest, context: C): Promise<ClearSigningConfigResponse>;
  /** POST /accounts/{id}/signing-sessions: Create a signing session */
  createSigningSession(request: CreateSigningSessionRequest, context: C): Promise<CreateSigningSessionResponse>;
  /** POST /accounts/{id}/signing-sessions:batch: Create several signing sessions */
  createSigningSessions(request: CreateSigningSessionsRequest, context: C): Promise<CreateSigningSessionsResponse>;
  /** POST /accounts/{id}/ceremonies: Create a ceremony */
  createCeremony(request: CreateCeremonyRequest, context: C): Promise<CreateCeremonyResponse>;
  /** POST /accounts/{id}/delegate-keys/claim: Claim a key to encrypt a share to */
  claimDelegateKey(request: ClaimDelegateKeyRequest, context: C): Promise<ClaimDelegateKeyResponse>;
  /** GET /api/v1/signing-sessions: List signing sessions */
  listSigningSessions(request: ListSigningSessionsRequest, context: C): Promise<ListSigningSessionsResponse>;
  /** GET /api/v1/signing-sessions/{id}: Get a signing session */
  getSigningSession(request: GetSigningSessionRequest, context: C): Promise<GetSigningSessionResponse>;
  /** POST /api/v1/signing-sessions/{id}/cancel: Cancel a signing session */
  cancelSigningSession(request: CancelSigningSessionRequest, context: C): Promise<CancelSigningSessionResponse>;
  /** POST /api/v1/signing-sessions/{id}/approvals: Approve the request of a session */
  approveSigningSession(request: ApproveSigningSessionRequest, context: C): Promise<ApproveSigningSessionResponse>;
  /** PUT /api/v1/signing-sessions/{id}/delegate-user-share: Supply the share for the delegate */
  supplyDelegateUserShare(request: SupplyDelegateUserShareRequest, context: C): Promise<SupplyDelegateUserShareResponse>;
  /** GET /api/v1/signing-sessions/{id}/events: Get or follow the events of a session */
  listSigningSessionEvents(request: ListSigningSessionEventsRequest, context: C): Promise<ListSigningSessionEventsResponse>;
  /** GET /api/v1/accounts: List accounts */
  listAccounts(request: ListAccountsRequest, context: C): Promise<ListAccountsResponse>;
  /** POST /api/v1/accounts: Set up an account */
  createAccount(request: CreateAccountRequest, context: C): Promise<CreateAccountResponse>;
  /** GET /api/v1/accounts/{id}: Get an account */
  getAccount(request: GetAccountRequest, context: C): Promise<GetAccountResponse>;
  /** PATCH /api/v1/accounts/{id}: Change an account */
  updateAccount(request: UpdateAccountRequest, context: C): Promise<UpdateAccountResponse>;
  /** GET /api/v1/parties: List parties */
  listParties(request: ListPartiesRequest, context: C): Promise<ListPartiesResponse>;
  /** POST /api/v1/parties: Register a party */
  createParty(request: CreatePartyRequest, context: C): Promise<CreatePartyResponse>;
  /** GET /api/v1/parties/{id}: Get a party */
  getParty(request: GetPartyRequest, context: C): Promise<GetPartyResponse>;
  /** PATCH /api/v1/parties/{id}: Change a party */
  updateParty(request: UpdatePartyRequest, context: C): Promise<UpdatePartyResponse>;
  /** GET /api/v1/parties/{id}/keys: List the keys of a party */
  listPartyKeys(request: ListPartyKeysRequest, context: C): Promise<ListPartyKeysResponse>;
  /** POST /api/v1/parties/{id}/keys/confirm: Confirm the proposed keys of a party */
  confirmPartyKeys(request: ConfirmPartyKeysRequest, context: C): Promise<ConfirmPartyKeysResponse>;
  /** DELETE /api/v1/parties/{id}/keys/{sha256}: Revoke a key of a party */
  revokePartyKey(request: RevokePartyKeyRequest, context: C): Promise<RevokePartyKeyResponse>;
  /** GET /api/v1/tenants/self/freeze: Get the freeze of the tenant */
  getTenantFreeze(request: GetTenantFreezeRequest, context: C): Promise<GetTenantFreezeResponse>;
  /** POST /api/v1/tenants/self/freeze: Freeze the tenant */
  freezeTenant(request: FreezeTenantRequest, context: C): Promise<FreezeTenantResponse>;
  /** POST /api/v1/tenants/self/unfreeze: Release the tenant from its freeze */
  unfreezeTenant(request: UnfreezeTenantRequest, context: C): Promise<UnfreezeTenantResponse>;
  /** GET /api/v1/audit-log: Export the audit log */
  exportAuditLog(request: ExportAuditLogRequest, context: C): Promise<ExportAuditLogResponse>;
}

/** The operations of the tag 'users'; `C` is the application's own context of a request. */
export interface UsersHandlers<C> {
  /** DELETE /api/v1/users/{id}: Erase a user */
  eraseUser(request: EraseUserRequest, context: C): Promise<EraseUserResponse>;
}

/** A handler for every operation: a missing one does not compile. */
export interface Handlers<C> extends NotificationsHandlers<C>, SigningHandlers<C>, UsersHandlers<C> {}

export type OperationId = keyof Handlers<never>;

/** A handler that takes any request of its operation, once that was checked. */
export type BoundHandler<C> = (request: CheckedRequest, context: C) => Promise<HandlerResponse>;

/** Handlers by operation, with one type for all. An area that is switched off has none. */
export type BoundHandlers<C> = Readonly<Partial<Record<OperationId, BoundHandler<C>>>>;

/** The handlers of the tag 'notifications' by operation. Their requests have been checked against the document. */
export function bindNotificationsHandlers<C>(handlers: NotificationsHandlers<C>): BoundHandlers<C> {
  return {
    listNotifications: (request, context) => handlers.listNotifications(request as ListNotificationsRequest, context),
    getUnreadCount: (request, context) => handlers.getUnreadCount(request as GetUnreadCountRequest, context),
    markNotificationsRead: (request, context) => handlers.markNotificationsRead(request as MarkNotificationsReadRequest, context),
    markNotificationsUnread: (request, context) => handlers.markNotificationsUnread(request as MarkNotificationsUnreadRequest, context),
    markNotificationsSeen: (request, context) => handlers.markNotificationsSeen(request as MarkNotificationsSeenRequest, context),
    archiveNotifications: (request, context) => handlers.archiveNotifications(request as ArchiveNotificationsRequest, context),
    unarchiveNotifications: (request, context) => handlers.unarchiveNotifications(request as UnarchiveNotificationsRequest, context),
    markNotificationsInteracted: (request, context) => handlers.markNotificationsInteracted(request as MarkNotificationsInteractedRequest, context),
    snoozeNotifications: (request, context) => handlers.snoozeNotifications(request as SnoozeNotificationsRequest, context),
    unsnoozeNotifications: (request, context) => handlers.unsnoozeNotifications(request as UnsnoozeNotificationsRequest, context),
    deleteNotifications: (request, context) => handlers.deleteNotifications(request as DeleteNotificationsRequest, context),
    listFollowedTopics: (request, context) => handlers.listFollowedTopics(request as ListFollowedTopicsRequest, context),
    subscribeToTopic: (request, context) => handlers.subscribeToTopic(request as SubscribeToTopicRequest, context),
    unsubscribeFromTopic: (request, context) => handlers.unsubscribeFromTopic(request as UnsubscribeFromTopicRequest, context),
    getNotificationPreferences: (request, context) => handlers.getNotificationPreferences(request as GetNotificationPreferencesRequest, context),
    replaceNotificationPreferences: (request, context) => handlers.replaceNotificationPreferences(request as ReplaceNotificationPreferencesRequest, context),
    listQuietHours: (request, context) => handlers.listQuietHours(request as ListQuietHoursRequest, context),
    setQuietHours: (request, context) => handlers.setQuietHours(request as SetQuietHoursRequest, context),
    removeQuietHours: (request, context) => handlers.removeQuietHours(request as RemoveQuietHoursRequest, context),
    streamNotifications: (request, context) => handlers.streamNotifications(request as StreamNotificationsRequest, context),
    createStreamTicket: (request, context) => handlers.createStreamTicket(request as CreateStreamTicketRequest, context),
    revokeStreamTickets: (request, context) => handlers.revokeStreamTickets(request as RevokeStreamTicketsRequest, context),
    getNotification: (request, context) => handlers.getNotification(request as GetNotificationRequest, context),
    deleteNotification: (request, context) => handlers.deleteNotification(request as DeleteNotificationRequest, context),
    getNotificationSettings: (request, context) => handlers.getNotificationSettings(request as GetNotificationSettingsRequest, context),
    replaceNotificationSettings: (request, context) => handlers.replaceNotificationSettings(request as ReplaceNotificationSettingsRequest, context),
    cancelScheduledNotifications: (request, context) => handlers.cancelScheduledNotifications(request as CancelScheduledNotificationsRequest, context),
    updateMessage: (request, context) => handlers.updateMessage(request as UpdateMessageRequest, context),
    recallMessage: (request, context) => handlers.recallMessage(request as RecallMessageRequest, context),
    listMessageReceipts: (request, context) => handlers.listMessageReceipts(request as ListMessageReceiptsRequest, context),
    createNotifications: (request, context) => handlers.createNotifications(request as CreateNotificationsRequest, context),
    listWebhooks: (request, context) => handlers.listWebhooks(request as ListWebhooksRequest, context),
    createWebhook: (request, context) => handlers.createWebhook(request as CreateWebhookRequest, context),
    replaceWebhook: (request, context) => handlers.replaceWebhook(request as ReplaceWebhookRequest, context),
    deleteWebhook: (request, context) => handlers.deleteWebhook(request as DeleteWebhookRequest, context),
    rotateWebhookSecret: (request, context) => handlers.rotateWebhookSecret(request as RotateWebhookSecretRequest, context),
    listWebhookMessages: (request, context) => handlers.listWebhookMessages(request as ListWebhookMessagesRequest, context),
    getWebhookMessage: (request, context) => handlers.getWebhookMessage(request as GetWebhookMessageRequest, context),
    replayWebhookMessages: (request, context) => handlers.replayWebhookMessages(request as ReplayWebhookMessagesRequest, context),
    dropWebhookMessages: (request, context) => handlers.dropWebhookMessages(request as DropWebhookMessagesRequest, context),
  };
}

/** The handlers of the tag 'signing' by operation. Their requests have been checked against the document. */
export function bindSigningHandlers<C>(handlers: SigningHandlers<C>): BoundHandlers<C> {
  return {
    getSigningConfig: (request, context) => handlers.getSigningConfig(request as GetSigningConfigRequest, context),
    createSigningConfig: (request, context) => handlers.createSigningConfig(request as CreateSigningConfigRequest, context),
    updateSigningConfig: (request, context) => handlers.updateSigningConfig(request as UpdateSigningConfigRequest, context),
    clearSigningConfig: (request, context) => handlers.clearSigningConfig(request as ClearSigningConfigRequest, context),
    createSigningSession: (request, context) => handlers.createSigningSession(request as CreateSigningSessionRequest, context),
    createSigningSessions: (request, context) => handlers.createSigningSessions(request as CreateSigningSessionsRequest, context),
    createCeremony: (request, context) => handlers.createCeremony(request as CreateCeremonyRequest, context),
    claimDelegateKey: (request, context) => handlers.claimDelegateKey(request as ClaimDelegateKeyRequest, context),
    listSigningSessions: (request, context) => handlers.listSigningSessions(request as ListSigningSessionsRequest, context),
    getSigningSession: (request, context) => handlers.getSigningSession(request as GetSigningSessionRequest, context),
    cancelSigningSession: (request, context) => handlers.cancelSigningSession(request as CancelSigningSessionRequest, context),
    approveSigningSession: (request, context) => handlers.approveSigningSession(request as ApproveSigningSessionRequest, context),
    supplyDelegateUserShare: (request, context) => handlers.supplyDelegateUserShare(request as SupplyDelegateUserShareRequest, context),
    listSigningSessionEvents: (request, context) => handlers.listSigningSessionEvents(request as ListSigningSessionEventsRequest, context),
    listAccounts: (request, context) => handlers.listAccounts(request as ListAccountsRequest, context),
    createAccount: (request, context) => handlers.createAccount(request as CreateAccountRequest, context),
    getAccount: (request, context) => handlers.getAccount(request as GetAccountRequest, context),
    updateAccount: (request, context) => handlers.updateAccount(request as UpdateAccountRequest, context),
    listParties: (request, context) => handlers.listParties(request as ListPartiesRequest, context),
    createParty: (request, context) => handlers.createParty(request as CreatePartyRequest, context),
    getParty: (request, context) => handlers.getParty(request as GetPartyRequest, context),
    updateParty: (request, context) => handlers.updateParty(request as UpdatePartyRequest, context),
    listPartyKeys: (request, context) => handlers.listPartyKeys(request as ListPartyKeysRequest, context),
    confirmPartyKeys: (request, context) => handlers.confirmPartyKeys(request as ConfirmPartyKeysRequest, context),
    revokePartyKey: (request, context) => handlers.revokePartyKey(request as RevokePartyKeyRequest, context),
    getTenantFreeze: (request, context) => handlers.getTenantFreeze(request as GetTenantFreezeRequest, context),
    freezeTenant: (request, context) => handlers.freezeTenant(request as FreezeTenantRequest, context),
    unfreezeTenant: (request, context) => handlers.unfreezeTenant(request as UnfreezeTenantRequest, context),
    exportAuditLog: (request, context) => handlers.exportAuditLog(request as ExportAuditLogRequest, context),
  };
}

/** The handlers of the tag 'users' by operation. Their requests have been checked against the document. */
export function bindUsersHandlers<C>(handlers: UsersHandlers<C>): BoundHandlers<C> {
  return {
    eraseUser: (request, context) => handlers.eraseUser(request as EraseUserRequest, context),
  };
}

/** Operations with a typed handler, in document order; paths in the form of the router. */
export const ROUTES = [
  { id: 'listNotifications', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'getUnreadCount', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me/unread-count', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'markNotificationsRead', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/mark-read', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'] },
  { id: 'markNotificationsUnread', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/mark-unread', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'] },
  { id: 'markNotificationsSeen', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/mark-seen', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'] },
  { id: 'archiveNotifications', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/archive', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'] },
  { id: 'unarchiveNotifications', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/unarchive', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'] },
  { id: 'markNotificationsInteracted', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/mark-interacted', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'snoozeNotifications', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/snooze', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'unsnoozeNotifications', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/unsnooze', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'deleteNotifications', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/delete', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'listFollowedTopics', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me/topics', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'subscribeToTopic', tag: 'notifications', method: 'put', path: '/api/v1/notifications/me/topics/:topic', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'unsubscribeFromTopic', tag: 'notifications', method: 'delete', path: '/api/v1/notifications/me/topics/:topic', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'getNotificationPreferences', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me/preferences', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'replaceNotificationPreferences', tag: 'notifications', method: 'put', path: '/api/v1/notifications/me/preferences', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'listQuietHours', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me/quiet-hours', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'setQuietHours', tag: 'notifications', method: 'put', path: '/api/v1/notifications/me/quiet-hours/:channel', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'removeQuietHours', tag: 'notifications', method: 'delete', path: '/api/v1/notifications/me/quiet-hours/:channel', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'streamNotifications', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me/stream', security: 'bearer', alternatives: ['streamTicket'], scope: null, bodyRequired: false, consumes: [] },
  { id: 'createStreamTicket', tag: 'notifications', method: 'post', path: '/api/v1/notifications/me/stream-ticket', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'revokeStreamTickets', tag: 'notifications', method: 'delete', path: '/api/v1/notifications/me/stream-ticket', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'getNotification', tag: 'notifications', method: 'get', path: '/api/v1/notifications/me/:notificationId', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'deleteNotification', tag: 'notifications', method: 'delete', path: '/api/v1/notifications/me/:notificationId', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'getNotificationSettings', tag: 'notifications', method: 'get', path: '/api/v1/notifications/settings', security: 'bearer', alternatives: [], scope: 'notifications:admin', bodyRequired: false, consumes: [] },
  { id: 'replaceNotificationSettings', tag: 'notifications', method: 'put', path: '/api/v1/notifications/settings', security: 'bearer', alternatives: [], scope: 'notifications:admin', bodyRequired: true, consumes: ['application/json'] },
  { id: 'cancelScheduledNotifications', tag: 'notifications', method: 'delete', path: '/api/v1/notifications/scheduled/:cancelKey', security: 'bearer', alternatives: [], scope: 'notifications:write', bodyRequired: false, consumes: [] },
  { id: 'updateMessage', tag: 'notifications', method: 'patch', path: '/api/v1/notifications/messages/:messageId', security: 'bearer', alternatives: [], scope: 'notifications:write', bodyRequired: true, consumes: ['application/json'] },
  { id: 'recallMessage', tag: 'notifications', method: 'delete', path: '/api/v1/notifications/messages/:messageId', security: 'bearer', alternatives: [], scope: 'notifications:write', bodyRequired: false, consumes: [] },
  { id: 'listMessageReceipts', tag: 'notifications', method: 'get', path: '/api/v1/notifications/messages/:messageId/receipts', security: 'bearer', alternatives: [], scope: 'notifications:receipts', bodyRequired: false, consumes: [] },
  { id: 'createNotifications', tag: 'notifications', method: 'post', path: '/api/v1/notifications', security: 'bearer', alternatives: [], scope: 'notifications:write', bodyRequired: true, consumes: ['application/json'] },
  { id: 'getSigningConfig', tag: 'signing', method: 'get', path: '/accounts/:id/signing-config', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'createSigningConfig', tag: 'signing', method: 'post', path: '/accounts/:id/signing-config', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'updateSigningConfig', tag: 'signing', method: 'put', path: '/accounts/:id/signing-config', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'clearSigningConfig', tag: 'signing', method: 'delete', path: '/accounts/:id/signing-config', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'createSigningSession', tag: 'signing', method: 'post', path: '/accounts/:id/signing-sessions', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'createSigningSessions', tag: 'signing', method: 'post', path: '/accounts/:id/signing-sessions\\:batch', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'createCeremony', tag: 'signing', method: 'post', path: '/accounts/:id/ceremonies', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'claimDelegateKey', tag: 'signing', method: 'post', path: '/accounts/:id/delegate-keys/claim', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'listSigningSessions', tag: 'signing', method: 'get', path: '/api/v1/signing-sessions', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'getSigningSession', tag: 'signing', method: 'get', path: '/api/v1/signing-sessions/:id', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'cancelSigningSession', tag: 'signing', method: 'post', path: '/api/v1/signing-sessions/:id/cancel', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: ['application/json'] },
  { id: 'approveSigningSession', tag: 'signing', method: 'post', path: '/api/v1/signing-sessions/:id/approvals', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'supplyDelegateUserShare', tag: 'signing', method: 'put', path: '/api/v1/signing-sessions/:id/delegate-user-share', security: 'bearer', alternatives: [], scope: null, bodyRequired: true, consumes: ['application/json'] },
  { id: 'listSigningSessionEvents', tag: 'signing', method: 'get', path: '/api/v1/signing-sessions/:id/events', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'listAccounts', tag: 'signing', method: 'get', path: '/api/v1/accounts', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'createAccount', tag: 'signing', method: 'post', path: '/api/v1/accounts', security: 'bearer', alternatives: [], scope: 'accounts:write', bodyRequired: true, consumes: ['application/json'] },
  { id: 'getAccount', tag: 'signing', method: 'get', path: '/api/v1/accounts/:id', security: 'bearer', alternatives: [], scope: null, bodyRequired: false, consumes: [] },
  { id: 'updateAccount', tag: 'signing', method: 'patch', path: '/api/v1/accounts/:id', security: 'bearer', alternatives: [], scope: 'accounts:write', bodyRequired: true, consumes: ['application/json'] },
  { id: 'listParties', tag: 'signing', method: 'get', path: '/api/v1/parties', security: 'bearer', alternatives: [], scope: 'parties:admin', bodyRequired: false, consumes: [] },
  { id: 'createParty', tag: 'signing', method: 'post', path: '/api/v1/parties', security: 'bearer', alternatives: [], scope: 'parties:admin', bodyRequired: true, consumes: ['application/json'] },
  { id: 'getParty', tag: 'signing', method: 'get', path: '/api/v1/parties/:id', security: 'bearer', alternatives: [], scope: 'parties:admin', bodyRequired: false, consumes: [] },
  { id: 'updateParty', tag: 'signing', method: 'patch', path: '/api/v1/parties/:id', security: 'bearer', alternatives: [], scope: 'parties:admin', bodyRequired: true, consumes: ['application/json'] },
  { id: 'listPartyKeys', tag: 'signing', method: 'get', path: '/api/v1/parties/:id/keys', security: 'bearer', alternatives: [], scope: 'parties:admin', bodyRequired: false, consumes: [] },
  { id: 'confirmPartyKeys', tag: 'signing', method: 'post', path: '/api/v1/parties/:id/keys/confirm', security: 'bearer', alternatives: [], scope: 'parties:admin', bodyRequired: true, consumes: ['application/json'] },
  { id: 'revokePartyKey', tag: 'signing', method: 'delete', path: '/api/v1/parties/:id/keys/:sha256', security: 'bearer', alternatives: [], scope: 'parties:admin', bodyRequired: false, consumes: [] },
  { id: 'getTenantFreeze', tag: 'signing', method: 'get', path: '/api/v1/tenants/self/freeze', security: 'bearer', alternatives: [], scope: 'tenant:freeze', bodyRequired: false, consumes: [] },
  { id: 'freezeTenant', tag: 'signing', method: 'post', path: '/api/v1/tenants/self/freeze', security: 'bearer', alternatives: [], scope: 'tenant:freeze', bodyRequired: true, consumes: ['application/json'] },
  { id: 'unfreezeTenant', tag: 'signing', method: 'post', path: '/api/v1/tenants/self/unfreeze', security: 'bearer', alternatives: [], scope: 'tenant:freeze', bodyRequired: false, consumes: [] },
  { id: 'exportAuditLog', tag: 'signing', method: 'get', path: '/api/v1/audit-log', security: 'bearer', alternatives: [], scope: 'audit:read', bodyRequired: false, consumes: [] },
  { id: 'eraseUser', tag: 'users', method: 'delete', path: '/api/v1/users/:id', security: 'bearer', alternatives: [], scope: 'users:erase', bodyRequired: false, consumes: [] },
  { id: 'listWebhooks', tag: 'notifications', method: 'get', path: '/api/v1/notifications/webhooks', security: 'bearer', alternatives: [], scope: 'notifications:webhooks', bodyRequired: false, consumes: [] },
  { id: 'createWebhook', tag: 'notifications', method: 'post', path: '/api/v1/notifications/webhooks', security: 'bearer', alternatives: [], scope: 'notifications:webhooks', bodyRequired: true, consumes: ['application/json'] },
  { id: 'replaceWebhook', tag: 'notifications', method: 'put', path: '/api/v1/notifications/webhooks/:webhookId', security: 'bearer', alternatives: [], scope: 'notifications:webhooks', bodyRequired: true, consumes: ['application/json'] },
  { id: 'deleteWebhook', tag: 'notifications', method: 'delete', path: '/api/v1/notifications/webhooks/:webhookId', security: 'bearer', alternatives: [], scope: 'notifications:webhooks', bodyRequired: false, consumes: [] },
  { id: 'rotateWebhookSecret', tag: 'notifications', method: 'post', path: '/api/v1/notifications/webhooks/:webhookId/secret', security: 'bearer', alternatives: [], scope: 'notifications:webhooks', bodyRequired: false, consumes: [] },
  { id: 'listWebhookMessages', tag: 'notifications', method: 'get', path: '/api/v1/notifications/webhooks/:webhookId/messages', security: 'bearer', alternatives: [], scope: 'notifications:webhooks', bodyRequired: false, consumes: [] },
  { id: 'getWebhookMessage', tag: 'notifications', method: 'get', path: '/api/v1/notifications/webhooks/:webhookId/messages/:messageId', security: 'bearer', alternatives: [], scope: 'notifications:webhooks', bodyRequired: false, consumes: [] },
  { id: 'replayWebhookMessages', tag: 'notifications', method: 'post', path: '/api/v1/notifications/webhooks/:webhookId/replay', security: 'bearer', alternatives: [], scope: 'notifications:webhooks', bodyRequired: true, consumes: ['application/json'] },
  { id: 'dropWebhookMessages', tag: 'notifications', method: 'post', path: '/api/v1/notifications/webhooks/:webhookId/drop', security: 'bearer', alternatives: [], scope: 'notifications:webhooks', bodyRequired: true, consumes: ['application/json'] },
] as const satisfies readonly Route[];
