// Generated from openapi/ by `make generate`. Not edited by hand.
export interface paths {
    readonly "/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Describe the database
         * @description An OpenAPI document of the tables, views and functions of one schema, as far as the caller's role may use them; the setting
         *     `openapi-mode` decides. Where `db-root-spec` is set, that function makes the answer.
         */
        readonly get: operations["getDatabaseDocument"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        /**
         * List the methods of the root
         * @description Which methods the root takes.
         */
        readonly options: operations["getDatabaseOptions"];
        /**
         * Get the headers of the description
         * @description The headers that GET would answer with.
         */
        readonly head: operations["headDatabaseDocument"];
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/{resource}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description A table or a view. */
                readonly resource: components["parameters"]["Resource"];
            };
            readonly cookie?: never;
        };
        /**
         * Read rows
         * @description The rows of a table or view that the filters let through, with related rows embedded as `select` says. Limits come from
         *     `limit` and `offset`, from `Range`, or from both, which then narrow each other; the service may return fewer rows than asked
         *     for (`db-max-rows`). A `limit`, `offset`, `order`, `and` or `or` for an embedded resource has its path in front:
         *     `cities.order=name`.
         *
         *     Filters stand in `and`, for example `and=(population.gte.1000000,name.like.A*)`. In a URL written by hand a filter is also a
         *     query parameter of its own, `population=gte.1000000`; the description of a schema at `/` has one parameter for each column.
         */
        readonly get: operations["readRows"];
        /**
         * Insert or replace one row
         * @description The row that the primary key in the query names becomes what the body says. The query has one parameter `<column>=eq.<value>`
         *     for each column of the primary key, and the body has the same key. The names of these columns depend on the table: the
         *     description of a schema at `/` has them, and a client generated from it can send this request.
         */
        readonly put: operations["putRow"];
        /**
         * Insert rows
         * @description Inserts one row or many at once, all or none. With `resolution=merge-duplicates` or `ignore-duplicates`, rows that are there
         *     are changed or left. `select` chooses what `return=representation` returns.
         */
        readonly post: operations["insertRows"];
        /**
         * Delete rows
         * @description Deletes every row that the filters let through; without filters, every row of the table. A `limit` needs an `order` on unique
         *     columns.
         */
        readonly delete: operations["deleteRows"];
        /**
         * List the methods of a table or view
         * @description Which methods the table or view takes, whatever the privileges of the caller.
         */
        readonly options: operations["getResourceOptions"];
        /**
         * Get the headers of a read
         * @description The headers that GET would answer with, such as the total, without the rows.
         */
        readonly head: operations["headRows"];
        /**
         * Change rows
         * @description Sets the columns of the body in every row that the filters let through; without filters, in every row of the table. A `limit`
         *     needs an `order` on unique columns.
         */
        readonly patch: operations["updateRows"];
        readonly trace?: never;
    };
    readonly "/accounts/{id}/delegate-keys/claim": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Claim a key to encrypt a share to
         * @description Hands out a public key of the account's delegate, one that is used once where there is one left, else its lasting one. Check
         *     the signature before use. Only those may claim who may create sessions.
         */
        readonly post: operations["claimDelegateKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/accounts/{id}/signing-config": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get who signs for the account
         * @description The configured parties, who takes part in effect, and whether sessions can be created. An account without configuration is a
         *     normal one: all its active parties sign.
         */
        readonly get: operations["getSigningConfig"];
        /**
         * Change the signing parties
         * @description Sessions created from now on use exactly these parties. The same set again changes nothing, not even the version.
         *     Only the owner may, with scope `signing-config:write` where the token has scopes, or an administrator of the tenant.
         */
        readonly put: operations["updateSigningConfig"];
        /**
         * Set the signing parties for the first time
         * @description From now on sessions of the account use exactly these parties. Sessions that are there keep theirs.
         *     Only the owner may, with scope `signing-config:write` where the token has scopes, or an administrator of the tenant.
         */
        readonly post: operations["createSigningConfig"];
        /**
         * Clear the signing parties
         * @description Sessions created from now on use all active parties. Clearing what is not set is no error.
         *     Only the owner may, with scope `signing-config:write` where the token has scopes, or an administrator of the tenant.
         */
        readonly delete: operations["clearSigningConfig"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/accounts/{id}/signing-sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Create a signing session
         * @description The configured parties take part, or all active ones where nothing is configured; fewer than needed, and there is no session.
         *     A delegate takes part only with a share that the user supplies, encrypted to a key of it, here or later.
         *
         *     The same `sessionId` or `Idempotency-Key` with the same request gives the session that is there. Only the owner may, or a
         *     caller with scope `sign:create`; the share only the owner.
         */
        readonly post: operations["createSigningSession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/accounts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List accounts
         * @description The caller's own accounts; with scope `accounts:read`, those of the whole tenant.
         */
        readonly get: operations["listAccounts"];
        readonly put?: never;
        /**
         * Set up an account
         * @description Notes which parties hold which shares of a key. The key itself, and the shares, never reach the service. Needs scope
         *     `accounts:write`.
         */
        readonly post: operations["createAccount"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/accounts/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get an account
         * @description An account that the caller owns; with scope `accounts:read`, any of the tenant.
         */
        readonly get: operations["getAccount"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an account
         * @description Renames an account, makes its public key known, or changes its status. Freezing cancels its open sessions. Needs scope
         *     `accounts:write`.
         */
        readonly patch: operations["updateAccount"];
        readonly trace?: never;
    };
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
         *     expired. Page by `limit` and `offset`, or by `limit` and `cursor`, which stays correct while new notifications come in; `cursor` and
         *     `offset` together are refused.
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
         *     open at a time. Clients that cannot send headers use a ticket in place of the token; a ticket
         *     has one stream, and opens it again after a break.
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
         * @description The ticket opens a stream for the caller within 30 seconds, and opens it again while the stream lives and for a minute after it
         *     broke off: EventSource connects again under the same URL. Each opening ends the one before. The stream ends when the caller's
         *     token does, and after 12 hours. A user has at most ten tickets.
         */
        readonly post: operations["createStreamTicket"];
        /**
         * Revoke the caller's stream tickets
         * @description No ticket of the caller opens a stream any more. Streams that they opened end within a minute; those of tokens go on.
         */
        readonly delete: operations["revokeStreamTickets"];
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
    readonly "/api/v1/parties": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List parties
         * @description The registered parties of the caller's tenant. Needs scope `parties:admin`.
         */
        readonly get: operations["listParties"];
        readonly put?: never;
        /**
         * Register a party
         * @description Makes a party known, which may then hold shares and connect to the router. The key of its certificate signs the tenant, the
         *     party and its identity key, so that no certificate is registered by those who do not hold it. Needs scope `parties:admin`.
         */
        readonly post: operations["createParty"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/parties/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The party's identifier.
                 * @example node-a
                 */
                readonly id: components["parameters"]["PartyId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get a party
         * @description A party of the caller's tenant. Needs scope `parties:admin`.
         */
        readonly get: operations["getParty"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a party
         * @description Renames, suspends, activates or revokes a party, or replaces its keys. Revoking is final and cancels the open sessions that the
         *     party takes part in. A suspended party stays in configurations, and sessions that need it are refused until it is active
         *     again. Needs scope `parties:admin`.
         */
        readonly patch: operations["updateParty"];
        readonly trace?: never;
    };
    readonly "/api/v1/signing-sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List signing sessions
         * @description The sessions of the caller's accounts, newest first; with scope `accounts:read`, those of the whole tenant.
         */
        readonly get: operations["listSigningSessions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/signing-sessions/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The session's identifier.
                 * @example 0199a2f1-7d3c-7b12-8e45-1a2b3c4d5e6f
                 */
                readonly id: components["parameters"]["SessionId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get a signing session
         * @description A session of an account that the caller may see. One whose time has passed is shown as expired, even if nobody has noted it.
         */
        readonly get: operations["getSigningSession"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/signing-sessions/{id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The session's identifier.
                 * @example 0199a2f1-7d3c-7b12-8e45-1a2b3c4d5e6f
                 */
                readonly id: components["parameters"]["SessionId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel a signing session
         * @description Ends the session without a signature. Cancelling again is no error. The creator, the owner of the account and callers with
         *     scope `sign:create` may.
         */
        readonly post: operations["cancelSigningSession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/signing-sessions/{id}/delegate-user-share": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The session's identifier.
                 * @example 0199a2f1-7d3c-7b12-8e45-1a2b3c4d5e6f
                 */
                readonly id: components["parameters"]["SessionId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Supply the share for the delegate
         * @description Gives the delegate the user's share after the session was created, once, before it begins. Only the owner of the account may.
         *     The service keeps the ciphertext until the delegate has it, or the session ends, and shows it to nobody else.
         */
        readonly put: operations["supplyDelegateUserShare"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/signing-sessions/{id}/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The session's identifier.
                 * @example 0199a2f1-7d3c-7b12-8e45-1a2b3c4d5e6f
                 */
                readonly id: components["parameters"]["SessionId"];
            };
            readonly cookie?: never;
        };
        /**
         * Get or follow the events of a session
         * @description As JSON what has happened so far; as server-sent events also what happens from now on. `Last-Event-ID` takes the place of
         *     `after` when a stream is resumed.
         */
        readonly get: operations["listSigningSessionEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/rpc/{functionName}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description A function of the database.
                 * @example nearest_airports
                 */
                readonly functionName: components["parameters"]["FunctionName"];
            };
            readonly cookie?: never;
        };
        /**
         * Call a function that only reads
         * @description Each argument is a query parameter with the name of the function's parameter; a repeated one fills a variadic parameter. The
         *     names depend on the function: the description of a schema at `/` has them. The transaction is read-only, whatever the function
         *     is declared to be.
         */
        readonly get: operations["callReadOnlyFunction"];
        readonly put?: never;
        /**
         * Call a function
         * @description Arguments are the members of the body. Query parameters filter, order and page a result that has rows. The transaction may
         *     write where the function is volatile.
         */
        readonly post: operations["callFunction"];
        readonly delete?: never;
        /**
         * List the methods of a function
         * @description Which methods the function takes.
         */
        readonly options: operations["getFunctionOptions"];
        /**
         * Get the headers of a call
         * @description The headers that GET would answer with.
         */
        readonly head: operations["headFunction"];
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A key whose shares are held by parties. The service stores no key material. */
        readonly Account: {
            readonly accountId: string;
            /** Format: date-time */
            readonly createdAt: string;
            readonly keyType: components["schemas"]["KeyType"];
            readonly name: string;
            /** @description The user who owns the account. */
            readonly ownerUserId: string;
            /** @description As hexadecimal; null until the parties have made the key. */
            readonly publicKey: string | null;
            readonly shares: readonly components["schemas"]["AccountShare"][];
            /** @description The parties configured to sign; null when none are, and then all active ones do. */
            readonly signingParties: components["schemas"]["SigningParties"] | null;
            readonly status: components["schemas"]["AccountStatus"];
            readonly tenantId: string;
            /** @description How many shares sign together. */
            readonly threshold: number;
            /** Format: date-time */
            readonly updatedAt: string;
            /** @description Counts the changes; the ETag of the account. */
            readonly version: number;
        };
        /** @description What is to become different; absent members stay as they are. */
        readonly AccountChange: {
            readonly name?: string;
            /** @description Set once, when the parties have made the key. */
            readonly publicKey?: components["schemas"]["HexKey"];
            readonly status?: components["schemas"]["AccountStatus"];
        };
        /** @description Accounts, newest first. */
        readonly AccountPage: {
            readonly hasMore: components["schemas"]["HasMore"];
            readonly items: readonly components["schemas"]["Account"][];
            readonly nextCursor: components["schemas"]["NextCursor"];
        };
        /** @description An account to set up. */
        readonly AccountRequest: {
            readonly keyType: components["schemas"]["KeyType"];
            readonly name: string;
            /** @description The user who is to own it. Absent means the caller. */
            readonly ownerUserId?: string;
            /** @description Absent while the parties have not made the key; the account is `pending` until it is known. */
            readonly publicKey?: components["schemas"]["HexKey"];
            readonly shares: readonly components["schemas"]["AccountShareRequest"][];
            readonly threshold: number;
        };
        /** @description Which party holds which share. */
        readonly AccountShare: {
            readonly partyId: components["schemas"]["PartyId"];
            /** @description The index of the share in the key; stable for the life of the key. */
            readonly shareIndex: number;
            readonly shareType: components["schemas"]["ShareType"];
            /**
             * @description A retired share signs no more.
             * @enum {string}
             */
            readonly status: "active" | "retired";
        };
        /** @description Which party holds which share. */
        readonly AccountShareRequest: {
            readonly partyId: string;
            readonly shareIndex: number;
            readonly shareType: components["schemas"]["ShareType"];
        };
        /**
         * @description Only an active account signs; freezing it cancels its open sessions. Nothing leads out of `archived`.
         * @enum {string}
         */
        readonly AccountStatus: "pending" | "active" | "frozen" | "archived";
        /** @description It is done. */
        readonly Acknowledgement: {
            /** @constant */
            readonly ok: true;
        };
        /** @description All notifications were read, or all that were created before a time. */
        readonly AllNotificationsRead: {
            /**
             * Format: date-time
             * @description What was created at this time or later stays as it is; null when all were read.
             */
            readonly before: string | null;
            /** Format: date-time */
            readonly readAt: string;
        };
        /** @description Why. */
        readonly CancelRequest: {
            readonly reason?: string;
        };
        /** @description How notifications of one category reach the user. */
        readonly CategoryPreference: {
            /** @description Whether they are put into the list at all. Cannot be false for a critical category. */
            readonly inApp: boolean;
        };
        /** @description An error of the service, or one of the database. */
        readonly DataApiError: components["schemas"]["DbrError"] | components["schemas"]["DatabaseError"];
        /** @description The tables, views and functions of one schema of the database as an OpenAPI document. */
        readonly DatabaseDocument: {
            readonly [key: string]: unknown;
        };
        /** @description An error of PostgreSQL, or one that a function of the database raised. */
        readonly DatabaseError: {
            /** @description The SQLSTATE, or the code that the function chose. */
            readonly code: string;
            /** @description The detail that PostgreSQL or the function gave. */
            readonly details: string | null;
            /** @description The hint that PostgreSQL or the function gave. */
            readonly hint: string | null;
            /** @description What is wrong. */
            readonly message: string;
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
        readonly DbrErrorCode: "DBR000" | "DBR001" | "DBR002" | "DBR003" | "DBR100" | "DBR101" | "DBR102" | "DBR103" | "DBR105" | "DBR106" | "DBR107" | "DBR108" | "DBR109" | "DBR110" | "DBR111" | "DBR112" | "DBR114" | "DBR115" | "DBR116" | "DBR117" | "DBR118" | "DBR119" | "DBR120" | "DBR121" | "DBR122" | "DBR123" | "DBR124" | "DBR125" | "DBR130" | "DBR131" | "DBR200" | "DBR201" | "DBR202" | "DBR203" | "DBR204" | "DBR205" | "DBR300" | "DBR301" | "DBR302" | "DBR400" | "DBR401" | "DBR402" | "DBR403" | "DBR404" | "DBR406" | "DBR407" | "DBR408" | "DBR409" | "DBR410" | "DBR411" | "DBR412" | "DBR413" | "DBR420" | "DBR421" | "DBR422" | "DBR430" | "DBR431" | "DBR432" | "DBR433" | "DBR500" | "DBR501" | "DBR502" | "DBR503" | "DBR504" | "DBR505" | "DBR506" | "DBR507" | "DBR508" | "DBR509" | "DBR510" | "DBR511" | "DBR512" | "DBR513" | "DBR514" | "DBR515" | "DBR516" | "DBR517" | "DBR518" | "DBR519" | "DBRX00" | "DBR520" | "DBR521";
        /** @description A public key of the delegate to encrypt one share to. */
        readonly DelegateKey: {
            readonly delegatePartyId: components["schemas"]["PartyId"];
            /** @description Send it back as `recipientKeyId`. */
            readonly keyId: string;
            /**
             * Format: date-time
             * @description When the delegate ceases to accept it.
             */
            readonly notAfter: string | null;
            /** @description Whether the key was handed out to this caller alone. False where the delegate has run out of such keys. */
            readonly oneTime: boolean;
            /** @description As hexadecimal. */
            readonly publicKey: string;
            /** @description By the identity key of the delegate, over the members above, as hexadecimal. */
            readonly signature: string;
            readonly suite: components["schemas"]["EncryptionSuite"];
        };
        /**
         * @description The share that the user gives the delegate for one session, encrypted to a key of the delegate. The service cannot read it. The
         *     associated data, which both ends build, is `dus/v1`, tenant, account, session, delegate, key, digest, derivation path and
         *     expiry, each with its length in front; so one envelope is good for one digest in one session.
         */
        readonly DelegateUserShare: {
            readonly aadSha256: components["schemas"]["Sha256"];
            /** @description With its authentication tag appended, as base64url; at most 256 KiB. */
            readonly ciphertext: string;
            readonly delegatePartyId: components["schemas"]["PartyId"];
            /** @description The ephemeral public key of HPKE, or the wrapped key of RSA, as base64url. */
            readonly encapsulatedKey: string;
            /** Format: date-time */
            readonly expiresAt: string;
            /** @description Only with the RSA suite, as base64url. */
            readonly nonce?: string;
            /** @constant */
            readonly purpose: "signing";
            readonly recipientKeyId: string;
            /** @constant */
            readonly shareType: "delegate";
            readonly suite: components["schemas"]["EncryptionSuite"];
        };
        /** @description What everybody but the delegate sees of a share. The ciphertext goes to the delegate alone. */
        readonly DelegateUserShareReceipt: {
            readonly ciphertextSha256: components["schemas"]["Sha256"];
            readonly delegatePartyId: components["schemas"]["PartyId"];
            readonly recipientKeyId: string;
            readonly suite: components["schemas"]["EncryptionSuite"];
            /** Format: date-time */
            readonly suppliedAt: string;
        };
        /** @description A party that takes part in signing. */
        readonly EffectiveParty: {
            readonly online: boolean;
            readonly partyId: components["schemas"]["PartyId"];
            readonly shareIndex: number;
            readonly shareType: components["schemas"]["ShareType"];
            readonly status: components["schemas"]["PartyStatus"];
        };
        /**
         * @description How a share is encrypted to the delegate. The first is RFC 9180 in base mode.
         * @enum {string}
         */
        readonly EncryptionSuite: "HPKE-X25519-SHA256-AES256GCM" | "RSA-OAEP-SHA256-AES256GCM";
        /** @description The arguments by name. */
        readonly FunctionArguments: {
            readonly [key: string]: unknown;
        };
        /** @description What the function returns, as JSON; a list where it returns a set. */
        readonly FunctionResult: unknown;
        /** @description Whether another page follows. */
        readonly HasMore: boolean;
        /** @description A public key as lower-case hexadecimal. */
        readonly HexKey: string;
        /**
         * @description The curve of the key.
         * @enum {string}
         */
        readonly KeyType: "secp256k1" | "ed25519" | "p256";
        /** @description Send it as `cursor` for the next page; null when there is none. */
        readonly NextCursor: string | null;
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
        /** @description A registered holder of shares. */
        readonly Party: {
            /** @description SHA-256 of the public key of the certificate that the party connects with, as hexadecimal; null while it has none. */
            readonly certificateSha256: string | null;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description The key that the party signs its messages and encryption keys with, as hexadecimal. */
            readonly identityPublicKey: string;
            /**
             * Format: date-time
             * @description When an instance of the party was last heard of.
             */
            readonly lastSeenAt: string | null;
            readonly name: string;
            /** @description Whether an instance of the party has been heard of within 45 seconds. Says nothing about whether it may sign. */
            readonly online: boolean;
            readonly partyId: components["schemas"]["PartyId"];
            readonly role: components["schemas"]["PartyRole"];
            readonly status: components["schemas"]["PartyStatus"];
            /** @description Counts the changes; the ETag of the party. */
            readonly version: number;
        };
        /**
         * @description The key of the certificate that the party connects with, and the proof that the party holds it. The proof is a signature over
         *     the UTF-8 text of four lines, without a line end after the last: `dbr-party-certificate-v1`, the party's identifier, its
         *     identity key as in `identityPublicKey`, the tenant. Ed25519 signs the text itself; P-256 and P-384 (ECDSA in DER) and RSA of
         *     2048 bits or more (PKCS #1 v1.5) sign its SHA-256.
         */
        readonly PartyCertificate: {
            /** @description The SubjectPublicKeyInfo of the certificate in DER, as hexadecimal. */
            readonly publicKey: components["schemas"]["HexKey"];
            /** @description By this key, as lower-case hexadecimal. */
            readonly signature: string;
        };
        /** @description What is to become different; absent members stay as they are. */
        readonly PartyChange: {
            /**
             * @description Another certificate, or the same one proven for another identity key; null takes it away. A party that keeps a certificate
             *     gets another identity key only together with a new proof.
             */
            readonly certificate?: components["schemas"]["PartyCertificate"] | null;
            readonly identityPublicKey?: components["schemas"]["HexKey"];
            readonly name?: string;
            readonly status?: components["schemas"]["PartyStatus"];
        };
        /** @description Identifies the party in its tenant. */
        readonly PartyId: string;
        /** @description Parties of the tenant, by identifier. */
        readonly PartyPage: {
            readonly hasMore: components["schemas"]["HasMore"];
            readonly items: readonly components["schemas"]["Party"][];
            readonly nextCursor: components["schemas"]["NextCursor"];
        };
        /** @description A party to register. It is active at once. */
        readonly PartyRequest: {
            readonly certificate?: components["schemas"]["PartyCertificate"];
            readonly identityPublicKey: components["schemas"]["HexKey"];
            readonly name: string;
            readonly partyId: components["schemas"]["PartyId"];
            readonly role: components["schemas"]["PartyRole"];
        };
        /**
         * @description What the party is to the keys it holds shares of.
         * @enum {string}
         */
        readonly PartyRole: "server" | "user" | "delegate";
        /**
         * @description Whether the party may take part in sessions. Nothing leads out of `revoked`.
         * @enum {string}
         */
        readonly PartyStatus: "active" | "suspended" | "revoked";
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
        /** @description One row; its members are the columns, embedded resources and aggregates that `select` names. */
        readonly Row: {
            readonly [key: string]: unknown;
        };
        /** @description Rows, in the order asked for. */
        readonly Rows: readonly components["schemas"]["Row"][];
        /** @description Rows; one row alone where a singular media type asks for it. */
        readonly RowsOrRow: components["schemas"]["Rows"] | components["schemas"]["Row"];
        /** @description A SHA-256 digest as lower-case hexadecimal. */
        readonly Sha256: string;
        /**
         * @description What kind of holder a share belongs to. `delegate` (`ShareTypeDelegate`): not kept by its party; the user supplies it, encrypted,
         *     for each session. `backup` never signs.
         * @enum {string}
         */
        readonly ShareType: "server" | "user" | "backup" | "delegate";
        /** @description Who signs for the account. */
        readonly SigningConfig: {
            readonly accountId: string;
            /** @description Whether parties are configured. If not, all active ones sign. */
            readonly configured: boolean;
            /** @description Who would take part in a session created now. */
            readonly effectiveParties: readonly components["schemas"]["EffectiveParty"][];
            /** @description Why not. */
            readonly problems: readonly components["schemas"]["SigningConfigProblem"][];
            /** @description Whether a session can be created now. */
            readonly ready: boolean;
            /** @description The configured parties; null when none are. */
            readonly signingParties: components["schemas"]["SigningParties"] | null;
            readonly threshold: number;
            /**
             * Format: date-time
             * @description When it was last set, changed or cleared.
             */
            readonly updatedAt: string | null;
            /** @description The user who did. */
            readonly updatedBy: string | null;
            /** @description Counts the changes, from 0 for an account never configured; the ETag of the configuration. */
            readonly version: number;
        };
        /** @description Something that keeps sessions from being created. */
        readonly SigningConfigProblem: {
            /** @enum {string} */
            readonly code: "party_not_active" | "party_has_no_share" | "below_threshold" | "account_not_active";
            readonly message: string;
            /** @description The party concerned; null where it is the account. */
            readonly partyId: string | null;
        };
        /**
         * @description Which parties are to sign: between 1 and 64 different ones, each registered, active, and with an active share of this account
         *     that is no backup; at least as many as the threshold.
         */
        readonly SigningConfigRequest: {
            readonly signingParties: components["schemas"]["SigningParties"];
        };
        /**
         * @description Why a session failed.
         * @enum {string}
         */
        readonly SigningFailureReason: "party_aborted" | "party_timeout" | "invalid_signature" | "share_unusable" | "equivocation" | "policy_denied" | "internal";
        /** @description A party's part in a session. */
        readonly SigningParticipant: {
            /** Format: date-time */
            readonly joinedAt: string | null;
            readonly partyId: components["schemas"]["PartyId"];
            readonly shareIndex: number;
            readonly shareType: components["schemas"]["ShareType"];
        };
        /** @description Identifiers of parties, in the order given; the order has no meaning. */
        readonly SigningParties: readonly string[];
        /**
         * @description The kind of signature, by which the service verifies what parties report.
         *
         *     | Protocol | Key | Signature |
         *     | --- | --- | --- |
         *     | `ed25519` | ed25519 | RFC 8032 over the digest as the message |
         *     | `ecdsa-secp256k1` | secp256k1 | ECDSA over the digest as it is |
         *     | `bip340` | secp256k1 | Schnorr (BIP 340) over the digest as the message, under the key's x coordinate |
         *     | `ecdsa-p256` | p256 | ECDSA over the digest as it is |
         * @enum {string}
         */
        readonly SigningProtocol: "ed25519" | "ecdsa-secp256k1" | "bip340" | "ecdsa-p256";
        /** @description One signing. Parties, threshold and their source are those of the moment it was created. */
        readonly SigningSession: {
            readonly accountId: string;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description The user who created it. */
            readonly createdBy: string;
            /** @description Parties that are to blame, as far as is known. */
            readonly culpritPartyIds: readonly components["schemas"]["PartyId"][];
            /** @description That a share was supplied; null when none was. */
            readonly delegateUserShare: components["schemas"]["DelegateUserShareReceipt"] | null;
            readonly derivationPath: readonly number[];
            /** Format: date-time */
            readonly endedAt: string | null;
            /**
             * Format: date-time
             * @description When it expires at the latest.
             */
            readonly expiresAt: string;
            /** @description More about it, for people. */
            readonly failureDetail: string | null;
            /** @description Why the session failed. */
            readonly failureReason: components["schemas"]["SigningFailureReason"] | null;
            readonly messageDigest: components["schemas"]["Sha256"];
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly participants: readonly components["schemas"]["SigningParticipant"][];
            /**
             * @description Whether the parties are the configured ones or all that were active.
             * @enum {string}
             */
            readonly partySource: "configured" | "all_active";
            readonly protocol: components["schemas"]["SigningProtocol"];
            /** @description The key that the signature verifies with, as hexadecimal. */
            readonly publicKey: string | null;
            /**
             * Format: date-time
             * @description When it expires unless all parties have joined and the share is there.
             */
            readonly readyBy: string;
            readonly sessionId: string;
            /**
             * @description Once the session is completed: 64 bytes as hexadecimal, whatever form the parties reported. ECDSA: R and S side by side, with
             *     the lower of the two values that S can have.
             */
            readonly signature: string | null;
            readonly state: components["schemas"]["SigningSessionState"];
            /** @description Counts the changes; the ETag of the session. */
            readonly stateVersion: number;
            readonly tenantId: string;
            readonly threshold: number;
        };
        /** @description One event of a session; each change of state has exactly one. */
        readonly SigningSessionEvent: {
            readonly accountId: string;
            /** @description What belongs to this type of event, such as the signature, the reason, or the missing parties. */
            readonly data: {
                readonly [key: string]: unknown;
            };
            /** @description With the event of the supply. Only the delegate itself, through the router, is given the share. */
            readonly DelegateUserShare?: components["schemas"]["DelegateUserShareReceipt"];
            readonly eventId: string;
            /** Format: date-time */
            readonly occurredAt: string;
            /** @description The party it is about, where there is one. */
            readonly partyId?: components["schemas"]["PartyId"];
            /** @description The position in the session, from 1 without gaps. */
            readonly sequence: number;
            readonly sessionId: string;
            /** @description The state after it. */
            readonly state: components["schemas"]["SigningSessionState"];
            readonly type: components["schemas"]["SigningSessionEventType"];
        };
        /** @description The events of a session so far. */
        readonly SigningSessionEventPage: {
            readonly items: readonly components["schemas"]["SigningSessionEvent"][];
            /** @description The position of the last event of the session; send it as `after` to get only later ones. */
            readonly lastSequence: number;
        };
        /**
         * @description What happened.
         * @enum {string}
         */
        readonly SigningSessionEventType: "created" | "party-joined" | "delegate-share-supplied" | "started" | "party-reported" | "completed" | "failed" | "expired" | "cancelled";
        /** @description Sessions, newest first. */
        readonly SigningSessionPage: {
            readonly hasMore: components["schemas"]["HasMore"];
            readonly items: readonly components["schemas"]["SigningSession"][];
            readonly nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description What to sign. Which parties sign is decided by the account's configuration alone: a list of parties in the request is refused,
         *     as is any other unknown member.
         */
        readonly SigningSessionRequest: {
            readonly delegateUserShare?: components["schemas"]["DelegateUserShare"];
            /** @description Which child key signs. Absent means the account's own key. */
            readonly derivationPath?: readonly number[];
            /** @description The digest to sign, already hashed as the protocol expects. */
            readonly messageDigest: components["schemas"]["Sha256"];
            /** @description Kept with the session for its creator; at most 4 KiB as JSON. */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            /** @description Which kind of signature the parties make. Absent means the usual one of the account's kind of key. */
            readonly protocol?: components["schemas"]["SigningProtocol"];
            /**
             * Format: uuid
             * @description Chosen by the caller, which must do so to encrypt a share for the session. Absent means that the service chooses.
             */
            readonly sessionId?: string;
            /** @description How long the session may take. Absent means 300. */
            readonly ttlSeconds?: number;
        };
        /**
         * @description Where the session stands. The last four are final.
         * @enum {string}
         */
        readonly SigningSessionState: "created" | "awaiting_parties" | "in_progress" | "completed" | "failed" | "expired" | "cancelled";
        /** @description The stream lost events. */
        readonly StreamReset: Record<string, never>;
        /** @description Opens a live stream, and opens it again after a break. */
        readonly StreamTicket: {
            /**
             * Format: date-time
             * @description When it ceases to be accepted, unless it has opened its stream by then.
             */
            readonly expiresAt: string;
            /** @description Send it as the query parameter `ticket`. */
            readonly ticket: string;
        };
        /** @description A notification for all users of the tenant. Naming users as well is refused. */
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
            /** @description Where, as a JSON pointer into the body (RFC 6901), empty for the body as a whole; or the name of a parameter. */
            readonly path: string;
        };
    };
    responses: {
        /** @description The account. */
        readonly Account: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Account"];
            };
        };
        /** @description The account was set up. */
        readonly AccountCreated: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly Location: components["headers"]["Location"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Account"];
            };
        };
        /** @description The shares, or the change, do not fit. Nothing was done; `errors` names every problem. */
        readonly AccountInvalid: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such account, or it is not visible to the caller. */
        readonly AccountNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such account, or it has no configuration to change. */
        readonly AccountOrConfigNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A page of accounts. */
        readonly AccountPage: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["AccountPage"];
            };
        };
        /** @description It is done. */
        readonly Acknowledged: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Acknowledgement"];
            };
        };
        /** @description Several functions or relationships are meant by the request. */
        readonly AmbiguousCall: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description Several relationships connect the tables; `details` lists them. */
        readonly AmbiguousRelationship: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The body is larger than the service takes. The connection is closed without reading the rest. */
        readonly BodyTooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
            };
        };
        /** @description The query or the arguments cannot be understood or done, or the function raised an error. */
        readonly CallRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
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
        /** @description The key of the certificate is not proven for this party; `errors` names the member. Nothing was done. */
        readonly CertificateProofInvalid: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A unique or foreign key forbids it. */
        readonly Conflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description Who signs for the account, whether that is configured or not. */
        readonly CurrentSigningConfig: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningConfig"];
            };
        };
        /** @description The database is away, has no room, or the schema cache is not there yet. */
        readonly DatabaseAway: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The document, with what the caller's role may use. */
        readonly DatabaseDocument: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseDocument"];
                readonly "application/openapi+json": components["schemas"]["DatabaseDocument"];
            };
        };
        /** @description What the headers of the same GET are. */
        readonly DatabaseDocumentHead: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The service lacks a setting, a function of the database misbehaved, or PostgreSQL failed. */
        readonly DatabaseFault: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The key. */
        readonly DelegateKey: {
            headers: {
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DelegateKey"];
            };
        };
        /** @description There is no key to hand out. */
        readonly DelegateKeyUnavailable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The rows as they were, with `return=representation`. */
        readonly Deleted: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly Location: components["headers"]["RowLocation"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Rows"];
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description The query cannot be understood or done. Nothing was deleted. */
        readonly DeleteRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The document is switched off. */
        readonly DocumentDisabled: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
            };
        };
        /** @description The session that was created by the same request before. */
        readonly ExistingSigningSession: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningSession"];
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
        /** @description What the headers of the same GET are. */
        readonly FunctionHead: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The function returns nothing. */
        readonly FunctionNoContent: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description There is no such function with these parameters. */
        readonly FunctionNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /**
         * @description What the function returns. A function that returns rows can be filtered, ordered, paged and counted like a table. The function
         *     may set the status and headers of the answer.
         */
        readonly FunctionResult: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FunctionResult"];
                readonly "application/octet-stream": string;
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description The rows were inserted; with `return=representation` they are the body, with `return=headers-only` `Location` names the one. */
        readonly Inserted: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly Location: components["headers"]["RowLocation"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Rows"];
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description The query or the body cannot be understood or done. */
        readonly InsertRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
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
        /** @description The filters are not the whole primary key, or the table cannot be written. */
        readonly InvalidPut: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description A parameter or the body is not of its form. */
        readonly InvalidRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The session takes no share, or this one cannot be accepted. */
        readonly LateShareRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `Accept` excludes every media type that the operation answers with. */
        readonly NotAcceptable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The token is not accepted, there is none and no anonymous role, or the anonymous role may not do this. */
        readonly NotAuthenticated: {
            headers: {
                readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
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
        /** @description The caller's role lacks a privilege. */
        readonly NotPermitted: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description The methods of the resource. */
        readonly Options: {
            headers: {
                readonly Allow: components["headers"]["Allow"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A part of the rows that the function returns, and how many there are. */
        readonly PartialFunctionResult: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FunctionResult"];
                readonly "application/octet-stream": string;
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description A part of the rows, and how many there are. */
        readonly PartialRows: {
            headers: {
                readonly "Content-Location": components["headers"]["Content-Location"];
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/geo+json": {
                    readonly [key: string]: unknown;
                };
                readonly "application/json": components["schemas"]["Rows"];
                readonly "application/vnd.pgrst.array+json": components["schemas"]["Rows"];
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "application/vnd.pgrst.plan+json": readonly {
                    readonly [key: string]: unknown;
                }[];
                readonly "text/csv": string;
            };
        };
        /** @description The party. */
        readonly Party: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Party"];
            };
        };
        /** @description The party is revoked, or the certificate belongs to another. */
        readonly PartyConflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The party was registered. */
        readonly PartyCreated: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly Location: components["headers"]["Location"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Party"];
            };
        };
        /** @description The identifier or the certificate belongs to another party. */
        readonly PartyExists: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such party in the caller's tenant. */
        readonly PartyNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A page of parties. */
        readonly PartyPage: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["PartyPage"];
            };
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
        /** @description No connection came free in time. */
        readonly PoolTimeout: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
            };
        };
        /** @description The row was inserted; with `return=representation` it is the body. */
        readonly PutInserted: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Rows"];
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description The row is as the body says. */
        readonly PutNoContent: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The query or the body cannot be understood or done. */
        readonly PutRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The row was there and was replaced; with `return=representation` it is the body. */
        readonly PutReplaced: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Rows"];
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description What a function of the database raised with a status of its own choice. */
        readonly Raised: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description The range is not one, or begins beyond the last row. */
        readonly RangeNotSatisfiable: {
            headers: {
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
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
        /** @description Something tried to write in a transaction that only reads, such as a function called by GET. */
        readonly ReadOnly: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description The query cannot be understood or done. */
        readonly ReadRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description There is no such table or view. */
        readonly RelationNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /**
         * @description The rows. `206` where a total was asked for and not all rows are here. Other media types on request: one row
         *     (`application/vnd.pgrst.object+json`), rows without their nulls (`application/vnd.pgrst.array+json;nulls=stripped`), the
         *     plan of the query, where that is allowed (`application/vnd.pgrst.plan+json`), and what the database has a handler of.
         */
        readonly Rows: {
            headers: {
                readonly "Content-Location": components["headers"]["Content-Location"];
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/geo+json": {
                    readonly [key: string]: unknown;
                };
                readonly "application/json": components["schemas"]["Rows"];
                readonly "application/vnd.pgrst.array+json": components["schemas"]["Rows"];
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "application/vnd.pgrst.plan+json": readonly {
                    readonly [key: string]: unknown;
                }[];
                readonly "text/csv": string;
            };
        };
        /** @description What the headers of the same GET are. */
        readonly RowsHead: {
            headers: {
                readonly "Content-Location": components["headers"]["Content-Location"];
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description There is no such session, or it is not visible to the caller. */
        readonly SessionNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The account or its parties cannot sign now, or the session is there with another request. Nobody takes the place of a party. */
        readonly SessionNotPossible: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The session has ended otherwise. */
        readonly SessionTerminal: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Who signs for the account. */
        readonly SigningConfig: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningConfig"];
            };
        };
        /** @description Nothing is configured (any more); all active parties sign. */
        readonly SigningConfigCleared: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The configuration was set. */
        readonly SigningConfigCreated: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly Location: components["headers"]["Location"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningConfig"];
            };
        };
        /** @description The account is configured already. */
        readonly SigningConfigExists: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The parties cannot sign for the account. Nothing was changed; `errors` names every problem, such as `empty`, `too_many`, `duplicate_party`, `unknown_party`, `party_not_active`, `party_has_no_share`, `below_threshold`. */
        readonly SigningConfigInvalid: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The session. */
        readonly SigningSession: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningSession"];
            };
        };
        /** @description The session is cancelled. */
        readonly SigningSessionCancelled: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningSession"];
            };
        };
        /** @description The session was created; its parties are told. */
        readonly SigningSessionCreated: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly Location: components["headers"]["Location"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningSession"];
            };
        };
        /**
         * @description The events so far as JSON; or, where `Accept` names `text/event-stream`, those and all that follow until the session has ended.
         *     In the stream `event:` is the type and `id:` the sequence.
         */
        readonly SigningSessionEvents: {
            headers: {
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly "X-Accel-Buffering": components["headers"]["X-Accel-Buffering"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningSessionEventPage"];
                readonly "text/event-stream": components["schemas"]["SigningSessionEvent"];
            };
        };
        /** @description A page of sessions. */
        readonly SigningSessionPage: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningSessionPage"];
            };
        };
        /** @description The share for the delegate is missing or cannot be accepted, or the protocol does not fit the account's key. */
        readonly SigningSessionRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such table or view. */
        readonly TableNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
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
        /** @description No media type of `Accept` can be made, the schema is not exposed, or one row was asked for and there is none or several. */
        readonly Unacceptable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The body is of a media type that cannot be read. */
        readonly UnacceptableContentType: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
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
        /** @description The query or the body cannot be understood or done. Nothing was changed. */
        readonly UpdateRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The state is not that of `If-Match` any more. Nothing was changed. */
        readonly VersionMismatch: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The rows were there and were changed; with `return=representation` they are the body as they are now. */
        readonly Written: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly Location: components["headers"]["RowLocation"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Rows"];
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description Done, and nothing was asked for in return. */
        readonly WrittenNoContent: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly Location: components["headers"]["RowLocation"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description The schema to read from; the first exposed one where absent.
         * @example geo
         */
        readonly AcceptProfile: string;
        /**
         * @description The account's identifier.
         * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
         */
        readonly AccountId: string;
        /**
         * @description Only accounts of this status.
         * @example active
         */
        readonly AccountStatus: "pending" | "active" | "frozen" | "archived";
        /**
         * @description Only events after this position.
         * @example 3
         */
        readonly After: number;
        /**
         * @description Filters that must all hold, `(column.operator.value,…)`; `or(…)`, `and(…)` and `not.` nest. Also as `not.and`.
         *
         *     Operators: `eq`, `neq`, `gt`, `gte`, `lt`, `lte`, `like`, `ilike`, `match`, `imatch`, `in`, `is`, `isdistinct`, `fts`, `plfts`,
         *     `phfts`, `wfts`, `cs`, `cd`, `ov`, `sl`, `sr`, `nxr`, `nxl`, `adj`. The column may be a JSON path in a column. A value with a
         *     comma or a parenthesis stands in double quotes.
         */
        readonly And: string;
        /**
         * @description Whether to leave out what the caller archived, to list only that, or to list both.
         * @example exclude
         */
        readonly Archived: "exclude" | "only" | "include";
        /** @description Which members of the body to write, comma-separated; others are ignored, absent ones are null. */
        readonly Columns: string;
        /**
         * @description The schema to write to; the first exposed one where absent.
         * @example geo
         */
        readonly ContentProfile: string;
        /**
         * @description The `nextCursor` of the page before.
         * @example MTAyNA
         */
        readonly Cursor: string;
        /**
         * @description A function of the database.
         * @example nearest_airports
         */
        readonly FunctionName: string;
        /**
         * @description The same key with the same request gives the session that was created the first time. An alternative to `sessionId`.
         * @example order-19-signature
         */
        readonly IdempotencyKey: string;
        /**
         * @description The ETag that the change is based on, or `*`; when the state is another by now, the answer is 412.
         * @example "1"
         */
        readonly IfMatch: string;
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
         * @description The same as `Last-Event-ID`, for clients that cannot send headers. The header wins: EventSource sends it when it connects again.
         * @example MTAyNA
         */
        readonly LastEventIdQuery: string;
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
         * @description The unique columns by which `resolution=…` decides that a row is there; the primary key where absent.
         * @example user_id,country_code
         */
        readonly OnConflict: string;
        /** @description Filters of which one must hold, in the form of `and`. Also as `not.or`. */
        readonly Or: string;
        /** @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row. */
        readonly Order: string;
        /**
         * @description The party's identifier.
         * @example node-a
         */
        readonly PartyId: string;
        /**
         * @description Only parties of this role.
         * @example delegate
         */
        readonly PartyRole: "server" | "user" | "delegate";
        /**
         * @description Only parties of this status.
         * @example active
         */
        readonly PartyStatus: "active" | "suspended" | "revoked";
        /**
         * @description Preferences (RFC 7240), comma-separated.
         *
         *     | Preference | Meaning |
         *     | --- | --- |
         *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
         *     | `count=exact`, `planned`, `estimated` | how to find the total |
         *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
         *     | `missing=default`, `null` | what members stand for that the body lacks |
         *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
         *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
         *     | `timezone=<name>` | the time zone of the transaction |
         *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
         *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
         * @example return=representation, count=exact
         */
        readonly Prefer: string;
        /**
         * @description The positions of the rows to return, `<first>-<last>` or `<first>-`.
         * @example 0-14
         */
        readonly Range: string;
        /**
         * @description What the range counts.
         * @example items
         */
        readonly RangeUnit: string;
        /**
         * @description Which notifications to list by whether the caller has read them.
         * @example unread
         */
        readonly ReadStatus: "unread" | "read" | "all";
        /** @description A table or a view. */
        readonly Resource: string;
        /**
         * @description At most how many rows to return, or to change.
         * @example 15
         */
        readonly RowLimit: number;
        /**
         * @description How many rows to skip.
         * @example 30
         */
        readonly RowOffset: number;
        /**
         * @description Which columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
         *     `column.sum()`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread ones
         *     `...relation(columns)`.
         */
        readonly Select: string;
        /**
         * @description Only sessions of this account.
         * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
         */
        readonly SessionAccount: string;
        /**
         * @description The session's identifier.
         * @example 0199a2f1-7d3c-7b12-8e45-1a2b3c4d5e6f
         */
        readonly SessionId: string;
        /**
         * @description Only sessions in this state.
         * @example in_progress
         */
        readonly SessionState: "created" | "awaiting_parties" | "in_progress" | "completed" | "failed" | "expired" | "cancelled";
        /**
         * @description A ticket of `POST /api/v1/notifications/me/stream-ticket`, in place of the Authorization header.
         * @example 4mJ2mVxgk1l2hZ0mR7xQ0w
         */
        readonly Ticket: string;
    };
    requestBodies: {
        /** @description What is to become different. */
        readonly AccountChange: {
            readonly content: {
                readonly "application/json": components["schemas"]["AccountChange"];
            };
        };
        /** @description The account. */
        readonly AccountRequest: {
            readonly content: {
                readonly "application/json": components["schemas"]["AccountRequest"];
            };
        };
        /** @description Why. No body means without a reason. */
        readonly CancelRequest: {
            readonly content: {
                readonly "application/json": components["schemas"]["CancelRequest"];
            };
        };
        /** @description The columns to set, in every row that the filters let through. */
        readonly Changes: {
            readonly content: {
                readonly "application/json": components["schemas"]["Row"];
                readonly "application/x-www-form-urlencoded": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description The encrypted share. */
        readonly DelegateUserShare: {
            readonly content: {
                readonly "application/json": components["schemas"]["DelegateUserShare"];
            };
        };
        /** @description The arguments by name. A function with one unnamed parameter takes the whole body as it is. */
        readonly FunctionArguments: {
            readonly content: {
                readonly "application/json": components["schemas"]["FunctionArguments"];
                readonly "application/octet-stream": string;
                readonly "application/x-www-form-urlencoded": components["schemas"]["FunctionArguments"];
                readonly "text/csv": string;
                readonly "text/plain": string;
                readonly "text/xml": string;
            };
        };
        /** @description One row or several. All rows have the same members; CSV begins with a line of column names. */
        readonly NewRows: {
            readonly content: {
                readonly "application/json": components["schemas"]["RowsOrRow"];
                readonly "application/x-www-form-urlencoded": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
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
        /** @description One row. */
        readonly OneRow: {
            readonly content: {
                readonly "application/json": components["schemas"]["Row"];
                readonly "application/x-www-form-urlencoded": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description What is to become different. */
        readonly PartyChange: {
            readonly content: {
                readonly "application/json": components["schemas"]["PartyChange"];
            };
        };
        /** @description The party. */
        readonly PartyRequest: {
            readonly content: {
                readonly "application/json": components["schemas"]["PartyRequest"];
            };
        };
        /** @description Which parties are to sign. */
        readonly SigningConfigRequest: {
            readonly content: {
                readonly "application/json": components["schemas"]["SigningConfigRequest"];
            };
        };
        /** @description What to sign. */
        readonly SigningSessionRequest: {
            readonly content: {
                readonly "application/json": components["schemas"]["SigningSessionRequest"];
            };
        };
    };
    headers: {
        /**
         * @description The methods that the resource takes.
         * @example OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE
         */
        readonly Allow: string;
        /**
         * @description `no-store`: the answer is for one connection and one time.
         * @example no-store
         */
        readonly "Cache-Control": "no-store";
        /**
         * @description The path and query that the rows stand for, in canonical form.
         * @example /countries?order=name
         */
        readonly "Content-Location": string;
        /**
         * @description The schema that was used; absent where the service exposes one only and none was asked for.
         * @example geo
         */
        readonly "Content-Profile": string;
        /**
         * @description The positions of the first and last row and the total, `*` where it was not asked for; `*\/…` when there is no row.
         * @example 0-14/250
         */
        readonly "Content-Range": string;
        /**
         * @description Names the state that the answer shows (RFC 9110 §8.8.3). Send it as `If-None-Match` or `If-Match`.
         * @example "1"
         */
        readonly ETag: string;
        /**
         * @description The path of what was created.
         * @example /accounts/0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e/signing-config
         */
        readonly Location: string;
        /**
         * @description The preferences that took effect (RFC 7240 §3).
         * @example count=exact
         */
        readonly "Preference-Applied": string;
        /**
         * @description What ranges count: `items`.
         * @example items
         */
        readonly "Range-Unit": "items";
        /**
         * @description After how many seconds to try again.
         * @example 1
         */
        readonly "Retry-After": number;
        /**
         * @description The path of the one row that was written, with `return=headers-only`.
         * @example /ratings?user_id=eq.ada&country_code=eq.CH
         */
        readonly RowLocation: string;
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
export type Account = components['schemas']['Account'];
export type AccountChange = components['schemas']['AccountChange'];
export type AccountPage = components['schemas']['AccountPage'];
export type AccountRequest = components['schemas']['AccountRequest'];
export type AccountShare = components['schemas']['AccountShare'];
export type AccountShareRequest = components['schemas']['AccountShareRequest'];
export type AccountStatus = components['schemas']['AccountStatus'];
export type Acknowledgement = components['schemas']['Acknowledgement'];
export type AllNotificationsRead = components['schemas']['AllNotificationsRead'];
export type CancelRequest = components['schemas']['CancelRequest'];
export type CategoryPreference = components['schemas']['CategoryPreference'];
export type DataApiError = components['schemas']['DataApiError'];
export type DatabaseDocument = components['schemas']['DatabaseDocument'];
export type DatabaseError = components['schemas']['DatabaseError'];
export type DbrError = components['schemas']['DbrError'];
export type DbrErrorCode = components['schemas']['DbrErrorCode'];
export type DelegateKey = components['schemas']['DelegateKey'];
export type DelegateUserShare = components['schemas']['DelegateUserShare'];
export type DelegateUserShareReceipt = components['schemas']['DelegateUserShareReceipt'];
export type EffectiveParty = components['schemas']['EffectiveParty'];
export type EncryptionSuite = components['schemas']['EncryptionSuite'];
export type FunctionArguments = components['schemas']['FunctionArguments'];
export type FunctionResult = components['schemas']['FunctionResult'];
export type HasMore = components['schemas']['HasMore'];
export type HexKey = components['schemas']['HexKey'];
export type KeyType = components['schemas']['KeyType'];
export type NextCursor = components['schemas']['NextCursor'];
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
export type Party = components['schemas']['Party'];
export type PartyCertificate = components['schemas']['PartyCertificate'];
export type PartyChange = components['schemas']['PartyChange'];
export type PartyId = components['schemas']['PartyId'];
export type PartyPage = components['schemas']['PartyPage'];
export type PartyRequest = components['schemas']['PartyRequest'];
export type PartyRole = components['schemas']['PartyRole'];
export type PartyStatus = components['schemas']['PartyStatus'];
export type Problem = components['schemas']['Problem'];
export type ProducedNotifications = components['schemas']['ProducedNotifications'];
export type RelationshipChoice = components['schemas']['RelationshipChoice'];
export type Row = components['schemas']['Row'];
export type Rows = components['schemas']['Rows'];
export type RowsOrRow = components['schemas']['RowsOrRow'];
export type Sha256 = components['schemas']['Sha256'];
export type ShareType = components['schemas']['ShareType'];
export type SigningConfig = components['schemas']['SigningConfig'];
export type SigningConfigProblem = components['schemas']['SigningConfigProblem'];
export type SigningConfigRequest = components['schemas']['SigningConfigRequest'];
export type SigningFailureReason = components['schemas']['SigningFailureReason'];
export type SigningParticipant = components['schemas']['SigningParticipant'];
export type SigningParties = components['schemas']['SigningParties'];
export type SigningProtocol = components['schemas']['SigningProtocol'];
export type SigningSession = components['schemas']['SigningSession'];
export type SigningSessionEvent = components['schemas']['SigningSessionEvent'];
export type SigningSessionEventPage = components['schemas']['SigningSessionEventPage'];
export type SigningSessionEventType = components['schemas']['SigningSessionEventType'];
export type SigningSessionPage = components['schemas']['SigningSessionPage'];
export type SigningSessionRequest = components['schemas']['SigningSessionRequest'];
export type SigningSessionState = components['schemas']['SigningSessionState'];
export type StreamReset = components['schemas']['StreamReset'];
export type StreamTicket = components['schemas']['StreamTicket'];
export type TenantNotificationRequest = components['schemas']['TenantNotificationRequest'];
export type UnreadCount = components['schemas']['UnreadCount'];
export type UserNotificationRequest = components['schemas']['UserNotificationRequest'];
export type ValidationProblem = components['schemas']['ValidationProblem'];
export type ResponseAccount = components['responses']['Account'];
export type ResponseAccountCreated = components['responses']['AccountCreated'];
export type ResponseAccountInvalid = components['responses']['AccountInvalid'];
export type ResponseAccountNotFound = components['responses']['AccountNotFound'];
export type ResponseAccountOrConfigNotFound = components['responses']['AccountOrConfigNotFound'];
export type ResponseAccountPage = components['responses']['AccountPage'];
export type ResponseAcknowledged = components['responses']['Acknowledged'];
export type ResponseAmbiguousCall = components['responses']['AmbiguousCall'];
export type ResponseAmbiguousRelationship = components['responses']['AmbiguousRelationship'];
export type ResponseBodyTooLarge = components['responses']['BodyTooLarge'];
export type ResponseCallRefused = components['responses']['CallRefused'];
export type ResponseCategoryCritical = components['responses']['CategoryCritical'];
export type ResponseCertificateProofInvalid = components['responses']['CertificateProofInvalid'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseCurrentSigningConfig = components['responses']['CurrentSigningConfig'];
export type ResponseDatabaseAway = components['responses']['DatabaseAway'];
export type ResponseDatabaseDocument = components['responses']['DatabaseDocument'];
export type ResponseDatabaseDocumentHead = components['responses']['DatabaseDocumentHead'];
export type ResponseDatabaseFault = components['responses']['DatabaseFault'];
export type ResponseDelegateKey = components['responses']['DelegateKey'];
export type ResponseDelegateKeyUnavailable = components['responses']['DelegateKeyUnavailable'];
export type ResponseDeleted = components['responses']['Deleted'];
export type ResponseDeleteRefused = components['responses']['DeleteRefused'];
export type ResponseDocumentDisabled = components['responses']['DocumentDisabled'];
export type ResponseExistingSigningSession = components['responses']['ExistingSigningSession'];
export type ResponseFault = components['responses']['Fault'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseFunctionHead = components['responses']['FunctionHead'];
export type ResponseFunctionNoContent = components['responses']['FunctionNoContent'];
export type ResponseFunctionNotFound = components['responses']['FunctionNotFound'];
export type ResponseFunctionResult = components['responses']['FunctionResult'];
export type ResponseInserted = components['responses']['Inserted'];
export type ResponseInsertRefused = components['responses']['InsertRefused'];
export type ResponseInvalidBody = components['responses']['InvalidBody'];
export type ResponseInvalidParameter = components['responses']['InvalidParameter'];
export type ResponseInvalidPut = components['responses']['InvalidPut'];
export type ResponseInvalidRequest = components['responses']['InvalidRequest'];
export type ResponseLateShareRefused = components['responses']['LateShareRefused'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseNotAuthenticated = components['responses']['NotAuthenticated'];
export type ResponseNotificationNotFound = components['responses']['NotificationNotFound'];
export type ResponseNotificationPreferences = components['responses']['NotificationPreferences'];
export type ResponseNotModified = components['responses']['NotModified'];
export type ResponseNotPermitted = components['responses']['NotPermitted'];
export type ResponseOptions = components['responses']['Options'];
export type ResponsePartialFunctionResult = components['responses']['PartialFunctionResult'];
export type ResponsePartialRows = components['responses']['PartialRows'];
export type ResponseParty = components['responses']['Party'];
export type ResponsePartyConflict = components['responses']['PartyConflict'];
export type ResponsePartyCreated = components['responses']['PartyCreated'];
export type ResponsePartyExists = components['responses']['PartyExists'];
export type ResponsePartyNotFound = components['responses']['PartyNotFound'];
export type ResponsePartyPage = components['responses']['PartyPage'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponsePoolTimeout = components['responses']['PoolTimeout'];
export type ResponsePutInserted = components['responses']['PutInserted'];
export type ResponsePutNoContent = components['responses']['PutNoContent'];
export type ResponsePutRefused = components['responses']['PutRefused'];
export type ResponsePutReplaced = components['responses']['PutReplaced'];
export type ResponseRaised = components['responses']['Raised'];
export type ResponseRangeNotSatisfiable = components['responses']['RangeNotSatisfiable'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseReadOnly = components['responses']['ReadOnly'];
export type ResponseReadRefused = components['responses']['ReadRefused'];
export type ResponseRelationNotFound = components['responses']['RelationNotFound'];
export type ResponseRows = components['responses']['Rows'];
export type ResponseRowsHead = components['responses']['RowsHead'];
export type ResponseSessionNotFound = components['responses']['SessionNotFound'];
export type ResponseSessionNotPossible = components['responses']['SessionNotPossible'];
export type ResponseSessionTerminal = components['responses']['SessionTerminal'];
export type ResponseSigningConfig = components['responses']['SigningConfig'];
export type ResponseSigningConfigCleared = components['responses']['SigningConfigCleared'];
export type ResponseSigningConfigCreated = components['responses']['SigningConfigCreated'];
export type ResponseSigningConfigExists = components['responses']['SigningConfigExists'];
export type ResponseSigningConfigInvalid = components['responses']['SigningConfigInvalid'];
export type ResponseSigningSession = components['responses']['SigningSession'];
export type ResponseSigningSessionCancelled = components['responses']['SigningSessionCancelled'];
export type ResponseSigningSessionCreated = components['responses']['SigningSessionCreated'];
export type ResponseSigningSessionEvents = components['responses']['SigningSessionEvents'];
export type ResponseSigningSessionPage = components['responses']['SigningSessionPage'];
export type ResponseSigningSessionRefused = components['responses']['SigningSessionRefused'];
export type ResponseTableNotFound = components['responses']['TableNotFound'];
export type ResponseTooManyStreams = components['responses']['TooManyStreams'];
export type ResponseUnacceptable = components['responses']['Unacceptable'];
export type ResponseUnacceptableContentType = components['responses']['UnacceptableContentType'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseUpdateRefused = components['responses']['UpdateRefused'];
export type ResponseVersionMismatch = components['responses']['VersionMismatch'];
export type ResponseWritten = components['responses']['Written'];
export type ResponseWrittenNoContent = components['responses']['WrittenNoContent'];
export type ParameterAcceptProfile = components['parameters']['AcceptProfile'];
export type ParameterAccountId = components['parameters']['AccountId'];
export type ParameterAccountStatus = components['parameters']['AccountStatus'];
export type ParameterAfter = components['parameters']['After'];
export type ParameterAnd = components['parameters']['And'];
export type ParameterArchived = components['parameters']['Archived'];
export type ParameterColumns = components['parameters']['Columns'];
export type ParameterContentProfile = components['parameters']['ContentProfile'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterFunctionName = components['parameters']['FunctionName'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type ParameterLastEventId = components['parameters']['LastEventId'];
export type ParameterLastEventIdQuery = components['parameters']['LastEventIdQuery'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterNotificationCategory = components['parameters']['NotificationCategory'];
export type ParameterNotificationId = components['parameters']['NotificationId'];
export type ParameterNotificationType = components['parameters']['NotificationType'];
export type ParameterOffset = components['parameters']['Offset'];
export type ParameterOnConflict = components['parameters']['OnConflict'];
export type ParameterOr = components['parameters']['Or'];
export type ParameterOrder = components['parameters']['Order'];
export type ParameterPartyId = components['parameters']['PartyId'];
export type ParameterPartyRole = components['parameters']['PartyRole'];
export type ParameterPartyStatus = components['parameters']['PartyStatus'];
export type ParameterPrefer = components['parameters']['Prefer'];
export type ParameterRange = components['parameters']['Range'];
export type ParameterRangeUnit = components['parameters']['RangeUnit'];
export type ParameterReadStatus = components['parameters']['ReadStatus'];
export type ParameterResource = components['parameters']['Resource'];
export type ParameterRowLimit = components['parameters']['RowLimit'];
export type ParameterRowOffset = components['parameters']['RowOffset'];
export type ParameterSelect = components['parameters']['Select'];
export type ParameterSessionAccount = components['parameters']['SessionAccount'];
export type ParameterSessionId = components['parameters']['SessionId'];
export type ParameterSessionState = components['parameters']['SessionState'];
export type ParameterTicket = components['parameters']['Ticket'];
export type RequestBodyAccountChange = components['requestBodies']['AccountChange'];
export type RequestBodyAccountRequest = components['requestBodies']['AccountRequest'];
export type RequestBodyCancelRequest = components['requestBodies']['CancelRequest'];
export type RequestBodyChanges = components['requestBodies']['Changes'];
export type RequestBodyDelegateUserShare = components['requestBodies']['DelegateUserShare'];
export type RequestBodyFunctionArguments = components['requestBodies']['FunctionArguments'];
export type RequestBodyNewRows = components['requestBodies']['NewRows'];
export type RequestBodyNotificationPreferences = components['requestBodies']['NotificationPreferences'];
export type RequestBodyNotificationRequest = components['requestBodies']['NotificationRequest'];
export type RequestBodyNotificationSelection = components['requestBodies']['NotificationSelection'];
export type RequestBodyOneRow = components['requestBodies']['OneRow'];
export type RequestBodyPartyChange = components['requestBodies']['PartyChange'];
export type RequestBodyPartyRequest = components['requestBodies']['PartyRequest'];
export type RequestBodySigningConfigRequest = components['requestBodies']['SigningConfigRequest'];
export type RequestBodySigningSessionRequest = components['requestBodies']['SigningSessionRequest'];
export type HeaderAllow = components['headers']['Allow'];
export type HeaderCacheControl = components['headers']['Cache-Control'];
export type HeaderContentLocation = components['headers']['Content-Location'];
export type HeaderContentProfile = components['headers']['Content-Profile'];
export type HeaderContentRange = components['headers']['Content-Range'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderLocation = components['headers']['Location'];
export type HeaderPreferenceApplied = components['headers']['Preference-Applied'];
export type HeaderRangeUnit = components['headers']['Range-Unit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderRowLocation = components['headers']['RowLocation'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderXAccelBuffering = components['headers']['X-Accel-Buffering'];
export type $defs = Record<string, never>;
export interface operations {
    readonly getDatabaseDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The schema to read from; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["DatabaseDocument"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["DocumentDisabled"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly getDatabaseOptions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Options"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly headDatabaseDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The schema to read from; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["DatabaseDocumentHead"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["DocumentDisabled"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly readRows: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Filters that must all hold, `(column.operator.value,…)`; `or(…)`, `and(…)` and `not.` nest. Also as `not.and`.
                 *
                 *     Operators: `eq`, `neq`, `gt`, `gte`, `lt`, `lte`, `like`, `ilike`, `match`, `imatch`, `in`, `is`, `isdistinct`, `fts`, `plfts`,
                 *     `phfts`, `wfts`, `cs`, `cd`, `ov`, `sl`, `sr`, `nxr`, `nxl`, `adj`. The column may be a JSON path in a column. A value with a
                 *     comma or a parenthesis stands in double quotes.
                 */
                readonly and?: components["parameters"]["And"];
                /**
                 * @description At most how many rows to return, or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description How many rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /** @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row. */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description Which columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread ones
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to read from; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description The positions of the rows to return, `<first>-<last>` or `<first>-`.
                 * @example 0-14
                 */
                readonly Range?: components["parameters"]["Range"];
                /**
                 * @description What the range counts.
                 * @example items
                 */
                readonly "Range-Unit"?: components["parameters"]["RangeUnit"];
            };
            readonly path: {
                /** @description A table or a view. */
                readonly resource: components["parameters"]["Resource"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Rows"];
            readonly 206: components["responses"]["PartialRows"];
            readonly 300: components["responses"]["AmbiguousRelationship"];
            readonly 400: components["responses"]["ReadRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["RelationNotFound"];
            readonly 405: components["responses"]["ReadOnly"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly putRow: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Which columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread ones
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to write to; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Content-Profile"?: components["parameters"]["ContentProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path: {
                /** @description A table or a view. */
                readonly resource: components["parameters"]["Resource"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["OneRow"];
        readonly responses: {
            readonly 200: components["responses"]["PutReplaced"];
            readonly 201: components["responses"]["PutInserted"];
            readonly 204: components["responses"]["PutNoContent"];
            readonly 300: components["responses"]["AmbiguousRelationship"];
            readonly 400: components["responses"]["PutRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["TableNotFound"];
            readonly 405: components["responses"]["InvalidPut"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnacceptableContentType"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly insertRows: {
        readonly parameters: {
            readonly query?: {
                /** @description Which members of the body to write, comma-separated; others are ignored, absent ones are null. */
                readonly columns?: components["parameters"]["Columns"];
                /**
                 * @description The unique columns by which `resolution=…` decides that a row is there; the primary key where absent.
                 * @example user_id,country_code
                 */
                readonly on_conflict?: components["parameters"]["OnConflict"];
                /**
                 * @description Which columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread ones
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to write to; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Content-Profile"?: components["parameters"]["ContentProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path: {
                /** @description A table or a view. */
                readonly resource: components["parameters"]["Resource"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["NewRows"];
        readonly responses: {
            readonly 200: components["responses"]["Written"];
            readonly 201: components["responses"]["Inserted"];
            readonly 300: components["responses"]["AmbiguousRelationship"];
            readonly 400: components["responses"]["InsertRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["TableNotFound"];
            readonly 405: components["responses"]["ReadOnly"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnacceptableContentType"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly deleteRows: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Filters that must all hold, `(column.operator.value,…)`; `or(…)`, `and(…)` and `not.` nest. Also as `not.and`.
                 *
                 *     Operators: `eq`, `neq`, `gt`, `gte`, `lt`, `lte`, `like`, `ilike`, `match`, `imatch`, `in`, `is`, `isdistinct`, `fts`, `plfts`,
                 *     `phfts`, `wfts`, `cs`, `cd`, `ov`, `sl`, `sr`, `nxr`, `nxl`, `adj`. The column may be a JSON path in a column. A value with a
                 *     comma or a parenthesis stands in double quotes.
                 */
                readonly and?: components["parameters"]["And"];
                /**
                 * @description At most how many rows to return, or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description How many rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /** @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row. */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description Which columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread ones
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to write to; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Content-Profile"?: components["parameters"]["ContentProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path: {
                /** @description A table or a view. */
                readonly resource: components["parameters"]["Resource"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Deleted"];
            readonly 204: components["responses"]["WrittenNoContent"];
            readonly 300: components["responses"]["AmbiguousRelationship"];
            readonly 400: components["responses"]["DeleteRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["TableNotFound"];
            readonly 405: components["responses"]["ReadOnly"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 409: components["responses"]["Conflict"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly getResourceOptions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The schema to read from; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
            };
            readonly path: {
                /** @description A table or a view. */
                readonly resource: components["parameters"]["Resource"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Options"];
            readonly 400: components["responses"]["ReadRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 404: components["responses"]["TableNotFound"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly headRows: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Filters that must all hold, `(column.operator.value,…)`; `or(…)`, `and(…)` and `not.` nest. Also as `not.and`.
                 *
                 *     Operators: `eq`, `neq`, `gt`, `gte`, `lt`, `lte`, `like`, `ilike`, `match`, `imatch`, `in`, `is`, `isdistinct`, `fts`, `plfts`,
                 *     `phfts`, `wfts`, `cs`, `cd`, `ov`, `sl`, `sr`, `nxr`, `nxl`, `adj`. The column may be a JSON path in a column. A value with a
                 *     comma or a parenthesis stands in double quotes.
                 */
                readonly and?: components["parameters"]["And"];
                /**
                 * @description At most how many rows to return, or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description How many rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /** @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row. */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description Which columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread ones
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to read from; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path: {
                /** @description A table or a view. */
                readonly resource: components["parameters"]["Resource"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["RowsHead"];
            readonly 206: components["responses"]["RowsHead"];
            readonly 300: components["responses"]["AmbiguousRelationship"];
            readonly 400: components["responses"]["ReadRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["RelationNotFound"];
            readonly 405: components["responses"]["ReadOnly"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly updateRows: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Filters that must all hold, `(column.operator.value,…)`; `or(…)`, `and(…)` and `not.` nest. Also as `not.and`.
                 *
                 *     Operators: `eq`, `neq`, `gt`, `gte`, `lt`, `lte`, `like`, `ilike`, `match`, `imatch`, `in`, `is`, `isdistinct`, `fts`, `plfts`,
                 *     `phfts`, `wfts`, `cs`, `cd`, `ov`, `sl`, `sr`, `nxr`, `nxl`, `adj`. The column may be a JSON path in a column. A value with a
                 *     comma or a parenthesis stands in double quotes.
                 */
                readonly and?: components["parameters"]["And"];
                /** @description Which members of the body to write, comma-separated; others are ignored, absent ones are null. */
                readonly columns?: components["parameters"]["Columns"];
                /**
                 * @description At most how many rows to return, or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description How many rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /** @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row. */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description Which columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread ones
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to write to; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Content-Profile"?: components["parameters"]["ContentProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path: {
                /** @description A table or a view. */
                readonly resource: components["parameters"]["Resource"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["Changes"];
        readonly responses: {
            readonly 200: components["responses"]["Written"];
            readonly 204: components["responses"]["WrittenNoContent"];
            readonly 300: components["responses"]["AmbiguousRelationship"];
            readonly 400: components["responses"]["UpdateRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["TableNotFound"];
            readonly 405: components["responses"]["ReadOnly"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnacceptableContentType"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly claimDelegateKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["DelegateKey"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["AccountNotFound"];
            readonly 409: components["responses"]["DelegateKeyUnavailable"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly getSigningConfig: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description ETags the client has; when the state is still one of them, the answer is 304 without a body.
                 * @example "1"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["CurrentSigningConfig"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["AccountNotFound"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly updateSigningConfig: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that the change is based on, or `*`; when the state is another by now, the answer is 412.
                 * @example "1"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["SigningConfigRequest"];
        readonly responses: {
            readonly 200: components["responses"]["SigningConfig"];
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["AccountOrConfigNotFound"];
            readonly 412: components["responses"]["VersionMismatch"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["SigningConfigInvalid"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly createSigningConfig: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that the change is based on, or `*`; when the state is another by now, the answer is 412.
                 * @example "1"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["SigningConfigRequest"];
        readonly responses: {
            readonly 201: components["responses"]["SigningConfigCreated"];
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["AccountNotFound"];
            readonly 409: components["responses"]["SigningConfigExists"];
            readonly 412: components["responses"]["VersionMismatch"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["SigningConfigInvalid"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly clearSigningConfig: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that the change is based on, or `*`; when the state is another by now, the answer is 412.
                 * @example "1"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: components["responses"]["SigningConfigCleared"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["AccountNotFound"];
            readonly 412: components["responses"]["VersionMismatch"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly createSigningSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The same key with the same request gives the session that was created the first time. An alternative to `sessionId`.
                 * @example order-19-signature
                 */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["SigningSessionRequest"];
        readonly responses: {
            readonly 200: components["responses"]["ExistingSigningSession"];
            readonly 201: components["responses"]["SigningSessionCreated"];
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["AccountNotFound"];
            readonly 409: components["responses"]["SessionNotPossible"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["SigningSessionRefused"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly listAccounts: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example MTAyNA
                 */
                readonly cursor?: components["parameters"]["Cursor"];
                /**
                 * @description At most how many items to return; more than 100 are reduced to 100.
                 * @example 20
                 */
                readonly limit?: components["parameters"]["Limit"];
                /**
                 * @description Only accounts of this status.
                 * @example active
                 */
                readonly status?: components["parameters"]["AccountStatus"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["AccountPage"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly createAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["AccountRequest"];
        readonly responses: {
            readonly 201: components["responses"]["AccountCreated"];
            readonly 400: components["responses"]["InvalidBody"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["AccountInvalid"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly getAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description ETags the client has; when the state is still one of them, the answer is 304 without a body.
                 * @example "1"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Account"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["AccountNotFound"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly updateAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that the change is based on, or `*`; when the state is another by now, the answer is 412.
                 * @example "1"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                /**
                 * @description The account's identifier.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly id: components["parameters"]["AccountId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["AccountChange"];
        readonly responses: {
            readonly 200: components["responses"]["Account"];
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["AccountNotFound"];
            readonly 412: components["responses"]["VersionMismatch"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["AccountInvalid"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
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
                 * @description The `nextCursor` of the page before.
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
            readonly 400: components["responses"]["InvalidParameter"];
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
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly streamNotifications: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The same as `Last-Event-ID`, for clients that cannot send headers. The header wins: EventSource sends it when it connects again.
                 * @example MTAyNA
                 */
                readonly lastEventId?: components["parameters"]["LastEventIdQuery"];
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
            readonly 429: components["responses"]["RateLimited"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly revokeStreamTickets: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description There are no tickets. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 503: components["responses"]["Unavailable"];
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
    readonly listParties: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example MTAyNA
                 */
                readonly cursor?: components["parameters"]["Cursor"];
                /**
                 * @description At most how many items to return; more than 100 are reduced to 100.
                 * @example 20
                 */
                readonly limit?: components["parameters"]["Limit"];
                /**
                 * @description Only parties of this role.
                 * @example delegate
                 */
                readonly role?: components["parameters"]["PartyRole"];
                /**
                 * @description Only parties of this status.
                 * @example active
                 */
                readonly status?: components["parameters"]["PartyStatus"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["PartyPage"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly createParty: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["PartyRequest"];
        readonly responses: {
            readonly 201: components["responses"]["PartyCreated"];
            readonly 400: components["responses"]["InvalidBody"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 409: components["responses"]["PartyExists"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["CertificateProofInvalid"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly getParty: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description ETags the client has; when the state is still one of them, the answer is 304 without a body.
                 * @example "1"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description The party's identifier.
                 * @example node-a
                 */
                readonly id: components["parameters"]["PartyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Party"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["PartyNotFound"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly updateParty: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETag that the change is based on, or `*`; when the state is another by now, the answer is 412.
                 * @example "1"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                /**
                 * @description The party's identifier.
                 * @example node-a
                 */
                readonly id: components["parameters"]["PartyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["PartyChange"];
        readonly responses: {
            readonly 200: components["responses"]["Party"];
            readonly 400: components["responses"]["InvalidRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["PartyNotFound"];
            readonly 409: components["responses"]["PartyConflict"];
            readonly 412: components["responses"]["VersionMismatch"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["CertificateProofInvalid"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly listSigningSessions: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Only sessions of this account.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly accountId?: components["parameters"]["SessionAccount"];
                /**
                 * @description The `nextCursor` of the page before.
                 * @example MTAyNA
                 */
                readonly cursor?: components["parameters"]["Cursor"];
                /**
                 * @description At most how many items to return; more than 100 are reduced to 100.
                 * @example 20
                 */
                readonly limit?: components["parameters"]["Limit"];
                /**
                 * @description Only sessions in this state.
                 * @example in_progress
                 */
                readonly state?: components["parameters"]["SessionState"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["SigningSessionPage"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly getSigningSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description ETags the client has; when the state is still one of them, the answer is 304 without a body.
                 * @example "1"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /**
                 * @description The session's identifier.
                 * @example 0199a2f1-7d3c-7b12-8e45-1a2b3c4d5e6f
                 */
                readonly id: components["parameters"]["SessionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["SigningSession"];
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["SessionNotFound"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly cancelSigningSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The session's identifier.
                 * @example 0199a2f1-7d3c-7b12-8e45-1a2b3c4d5e6f
                 */
                readonly id: components["parameters"]["SessionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["CancelRequest"];
        readonly responses: {
            readonly 200: components["responses"]["SigningSessionCancelled"];
            readonly 400: components["responses"]["InvalidBody"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["SessionNotFound"];
            readonly 409: components["responses"]["SessionTerminal"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly supplyDelegateUserShare: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The session's identifier.
                 * @example 0199a2f1-7d3c-7b12-8e45-1a2b3c4d5e6f
                 */
                readonly id: components["parameters"]["SessionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["DelegateUserShare"];
        readonly responses: {
            readonly 200: components["responses"]["SigningSession"];
            readonly 400: components["responses"]["InvalidBody"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["SessionNotFound"];
            readonly 409: components["responses"]["SessionTerminal"];
            readonly 413: components["responses"]["PayloadTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["LateShareRefused"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly listSigningSessionEvents: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Only events after this position.
                 * @example 3
                 */
                readonly after?: components["parameters"]["After"];
            };
            readonly header?: {
                /**
                 * @description The `id` of the last event received; the stream goes on after it, with nothing lost and nothing twice.
                 * @example MTAyNA
                 */
                readonly "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            readonly path: {
                /**
                 * @description The session's identifier.
                 * @example 0199a2f1-7d3c-7b12-8e45-1a2b3c4d5e6f
                 */
                readonly id: components["parameters"]["SessionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["SigningSessionEvents"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["SessionNotFound"];
            readonly 406: components["responses"]["NotAcceptable"];
            readonly 429: components["responses"]["TooManyStreams"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly callReadOnlyFunction: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Filters that must all hold, `(column.operator.value,…)`; `or(…)`, `and(…)` and `not.` nest. Also as `not.and`.
                 *
                 *     Operators: `eq`, `neq`, `gt`, `gte`, `lt`, `lte`, `like`, `ilike`, `match`, `imatch`, `in`, `is`, `isdistinct`, `fts`, `plfts`,
                 *     `phfts`, `wfts`, `cs`, `cd`, `ov`, `sl`, `sr`, `nxr`, `nxl`, `adj`. The column may be a JSON path in a column. A value with a
                 *     comma or a parenthesis stands in double quotes.
                 */
                readonly and?: components["parameters"]["And"];
                /**
                 * @description At most how many rows to return, or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description How many rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /** @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row. */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description Which columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread ones
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to read from; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description The positions of the rows to return, `<first>-<last>` or `<first>-`.
                 * @example 0-14
                 */
                readonly Range?: components["parameters"]["Range"];
                /**
                 * @description What the range counts.
                 * @example items
                 */
                readonly "Range-Unit"?: components["parameters"]["RangeUnit"];
            };
            readonly path: {
                /**
                 * @description A function of the database.
                 * @example nearest_airports
                 */
                readonly functionName: components["parameters"]["FunctionName"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["FunctionResult"];
            readonly 204: components["responses"]["FunctionNoContent"];
            readonly 206: components["responses"]["PartialFunctionResult"];
            readonly 300: components["responses"]["AmbiguousCall"];
            readonly 400: components["responses"]["CallRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["FunctionNotFound"];
            readonly 405: components["responses"]["ReadOnly"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 409: components["responses"]["Conflict"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly callFunction: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Filters that must all hold, `(column.operator.value,…)`; `or(…)`, `and(…)` and `not.` nest. Also as `not.and`.
                 *
                 *     Operators: `eq`, `neq`, `gt`, `gte`, `lt`, `lte`, `like`, `ilike`, `match`, `imatch`, `in`, `is`, `isdistinct`, `fts`, `plfts`,
                 *     `phfts`, `wfts`, `cs`, `cd`, `ov`, `sl`, `sr`, `nxr`, `nxl`, `adj`. The column may be a JSON path in a column. A value with a
                 *     comma or a parenthesis stands in double quotes.
                 */
                readonly and?: components["parameters"]["And"];
                /** @description Which members of the body to write, comma-separated; others are ignored, absent ones are null. */
                readonly columns?: components["parameters"]["Columns"];
                /**
                 * @description At most how many rows to return, or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description How many rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /** @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row. */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description Which columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread ones
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to write to; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Content-Profile"?: components["parameters"]["ContentProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path: {
                /**
                 * @description A function of the database.
                 * @example nearest_airports
                 */
                readonly functionName: components["parameters"]["FunctionName"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: components["requestBodies"]["FunctionArguments"];
        readonly responses: {
            readonly 200: components["responses"]["FunctionResult"];
            readonly 204: components["responses"]["FunctionNoContent"];
            readonly 206: components["responses"]["PartialFunctionResult"];
            readonly 300: components["responses"]["AmbiguousCall"];
            readonly 400: components["responses"]["CallRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["FunctionNotFound"];
            readonly 405: components["responses"]["ReadOnly"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 409: components["responses"]["Conflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnacceptableContentType"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly getFunctionOptions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The schema to read from; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
            };
            readonly path: {
                /**
                 * @description A function of the database.
                 * @example nearest_airports
                 */
                readonly functionName: components["parameters"]["FunctionName"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Options"];
            readonly 400: components["responses"]["ReadRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 404: components["responses"]["FunctionNotFound"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
    readonly headFunction: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Filters that must all hold, `(column.operator.value,…)`; `or(…)`, `and(…)` and `not.` nest. Also as `not.and`.
                 *
                 *     Operators: `eq`, `neq`, `gt`, `gte`, `lt`, `lte`, `like`, `ilike`, `match`, `imatch`, `in`, `is`, `isdistinct`, `fts`, `plfts`,
                 *     `phfts`, `wfts`, `cs`, `cd`, `ov`, `sl`, `sr`, `nxr`, `nxl`, `adj`. The column may be a JSON path in a column. A value with a
                 *     comma or a parenthesis stands in double quotes.
                 */
                readonly and?: components["parameters"]["And"];
                /**
                 * @description At most how many rows to return, or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description How many rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /** @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row. */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description Which columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread ones
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to read from; the first exposed one where absent.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what to answer a write with |
                 *     | `count=exact`, `planned`, `estimated` | how to find the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with rows that are there |
                 *     | `missing=default`, `null` | what members stand for that the body lacks |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `tx=commit`, `rollback` | how to end the transaction, where the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: refuse to change more rows |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path: {
                /**
                 * @description A function of the database.
                 * @example nearest_airports
                 */
                readonly functionName: components["parameters"]["FunctionName"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["FunctionHead"];
            readonly 204: components["responses"]["FunctionNoContent"];
            readonly 206: components["responses"]["FunctionHead"];
            readonly 300: components["responses"]["AmbiguousCall"];
            readonly 400: components["responses"]["CallRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["FunctionNotFound"];
            readonly 405: components["responses"]["ReadOnly"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 409: components["responses"]["Conflict"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 500: components["responses"]["DatabaseFault"];
            readonly 503: components["responses"]["DatabaseAway"];
            readonly 504: components["responses"]["PoolTimeout"];
            readonly default: components["responses"]["Raised"];
        };
    };
}
