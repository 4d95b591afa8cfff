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
         * @description Returns an OpenAPI document of the tables, views and functions of one schema, limited to those that the caller's role may use,
         *     as the setting `openapi-mode` determines. If `db-root-spec` is set, that function returns the document instead.
         */
        readonly get: operations["getDatabaseDocument"];
        readonly put?: never;
        /**
         * Send several requests in one transaction
         * @description Runs the items in their order in one transaction, as one role: each sees what those before it did, and if one fails, none has an
         *     effect. The error of the whole is that of the item, with its `index` and `id`. At most `db-max-batch` items.
         *
         *     A value of an earlier answer is `{"$from": "<id>", "path": "<JSON pointer>"}` in the body of an item, and `{<id>/<pointer>}` in its
         *     query, where it is always one value.
         *
         *     `Prefer: isolation=serializable`, `repeatable-read` or `read-committed` sets the isolation; `retry=<n>` (at most 10) repeats the
         *     transaction after a serialisation failure or a deadlock; `tx=rollback` undoes it, if the settings allow that.
         */
        readonly post: operations["sendBatch"];
        readonly delete?: never;
        /**
         * List the methods of the root
         * @description Returns the methods that the root supports.
         */
        readonly options: operations["getDatabaseOptions"];
        /**
         * Get the headers of the description
         * @description Returns the headers of the same GET.
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
         * @description Returns the rows of a table or view that match the filters, with related rows embedded as `select` specifies. `limit` and
         *     `offset`, or `Range`, select a part of the rows; if both are given, the result is their intersection. The setting `db-max-rows`
         *     may reduce the number of rows. A `limit`, `offset`, `order`, `and` or `or` of an embedded resource has the path as a prefix:
         *     `cities.order=name`.
         *
         *     Filters are given in `and`, for example `and=(population.gte.1000000,name.like.A*)`. In a URL written by hand a filter is also a
         *     query parameter of its own, `population=gte.1000000`; the description of a schema at `/` has one parameter for each column.
         *
         *     `QUERY` (RFC 10008) reads the same with the query in the body, as a form or as a JSON object of strings and arrays of strings;
         *     a client that cannot send this method sends `POST` with `X-HTTP-Method-Override: QUERY`. OpenAPI 3.1 cannot describe the method.
         */
        readonly get: operations["readRows"];
        /**
         * Insert or replace one row
         * @description Inserts or replaces the row that the primary key in the query identifies. The query has one parameter `<column>=eq.<value>`
         *     for each column of the primary key, and the body has the same key. The names of these columns depend on the table: the
         *     description of a schema at `/` lists them, and a client generated from it can send this request. With `If-None-Match: *`, the
         *     row is inserted only.
         *
         *     The object may contain related objects and arrays: rows with a key are updated, or inserted with it, others are inserted,
         *     and with `Prefer: missing-rows=delete` those that an array does not contain are deleted.
         */
        readonly put: operations["putRow"];
        /**
         * Insert rows
         * @description Inserts one or more rows, all or none of them. Existing rows are changed with `resolution=merge-duplicates`, and left unchanged with
         *     `ignore-duplicates`. `select` chooses the columns that `return=representation` returns.
         *
         *     Objects may contain related objects and arrays of them, as `select` returns them: they are inserted as well, and their keys
         *     link the rows.
         */
        readonly post: operations["insertRows"];
        /**
         * Delete rows
         * @description Deletes every row that matches the filters; without filters, every row of the table. A `limit` needs an `order` on unique
         *     columns. With `application/vnd.dbr.mutation+json`, the body contains the query; any other body is ignored.
         */
        readonly delete: operations["deleteRows"];
        /**
         * List the methods of a table or view
         * @description Returns the methods that the table or view supports, regardless of the privileges of the caller.
         */
        readonly options: operations["getResourceOptions"];
        /**
         * Get the headers of a read
         * @description Returns the headers of the same GET, such as the total, without the rows.
         */
        readonly head: operations["headRows"];
        /**
         * Change rows
         * @description Sets the columns of the body in every row that matches the filters; without filters, in every row of the table. A `limit`
         *     needs an `order` on unique columns. With `application/vnd.dbr.mutation+json`, the body also contains the query.
         *
         *     With `Prefer: match=keys`, each object of the body changes the row with its key, in one statement.
         *
         *     One object may contain related objects and arrays: rows with a key are updated, others are inserted, and with
         *     `Prefer: missing-rows=delete` those that an array does not contain are deleted.
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
         * @description Returns a public key of the account's delegate: a one-time key if one is left, otherwise the reusable key. Check the signature
         *     before use. Callers who may create sessions may claim keys.
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
         * Get the signing parties of an account
         * @description Returns the configured parties, the effective parties, and whether sessions can be created. For an account without configuration
         *     all active parties sign.
         */
        readonly get: operations["getSigningConfig"];
        /**
         * Change the signing parties
         * @description Sessions that are created afterwards use exactly these parties. An identical set changes nothing, including the version.
         *     Only the owner may change them, with scope `signing-config:write` if the token has scopes, or an administrator of the tenant.
         */
        readonly put: operations["updateSigningConfig"];
        /**
         * Set the signing parties for the first time
         * @description Sessions of the account that are created afterwards use exactly these parties. Existing sessions keep their parties.
         *     Only the owner may set them, with scope `signing-config:write` if the token has scopes, or an administrator of the tenant.
         */
        readonly post: operations["createSigningConfig"];
        /**
         * Clear the signing parties
         * @description Sessions that are created afterwards use all active parties. Clearing a configuration that is not set is not an error.
         *     Only the owner may clear it, with scope `signing-config:write` if the token has scopes, or an administrator of the tenant.
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
         * @description The configured parties take part, or all active parties if none are configured. The request is refused if there are fewer parties
         *     than the threshold. A delegate takes part only with a share that the user encrypts to one of its keys and supplies here or later.
         *
         *     The same `sessionId` or `Idempotency-Key` with the same request returns the existing session. Only the owner, or a caller
         *     with scope `sign:create`, may create sessions; only the owner may supply the share.
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
         * @description Returns the caller's own accounts; with scope `accounts:read`, those of the whole tenant.
         */
        readonly get: operations["listAccounts"];
        readonly put?: never;
        /**
         * Set up an account
         * @description Records which parties hold which shares of a key. The service never receives the key or the shares. Needs scope
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
         * @description Returns an account that the caller owns; with scope `accounts:read`, any account of the tenant.
         */
        readonly get: operations["getAccount"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an account
         * @description Renames an account, sets its public key, or changes its status. Freezing cancels its open sessions. Needs scope
         *     `accounts:write`.
         */
        readonly patch: operations["updateAccount"];
        readonly trace?: never;
    };
    readonly "/api/v1/audit-log": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Export the audit log
         * @description Returns the changes of parties, accounts, configurations and sessions of the caller's tenant, each with its actor, in the
         *     order of their seals: one JSON object a line. The lines form a hash chain, in which a line that was removed or altered
         *     later shows; `dbr audit verify` checks it. The export ends with the last entry of its begin; a response that is not
         *     complete ends without the end of its transfer coding, and `after` continues it. Needs scope `audit:read`.
         */
        readonly get: operations["exportAuditLog"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
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
         * @description Returns the reference as a web page. The page loads nothing from other hosts and works offline.
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
         * @description Creates one notification for each listed user, or one for a tenant that all its users see. Needs scope `notifications:write`.
         *     A repeated request with the same `dedupeKey` creates nothing for readers who already have the notification.
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
         * @description Returns the notifications visible to the caller, newest first: those for the caller and those for the whole tenant, without
         *     expired ones. Page by `limit` and `offset`, or by `limit` and `cursor`, which stays correct while new notifications arrive; `cursor` and
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
         * @description Returns a notification visible to the caller, archived or not.
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
         * @description Archives one notification, or all of them. Archived notifications are listed only on request and are not counted as unread.
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
         * @description With `notificationId`, marks that notification as read for the caller; without it, or without a body, marks all. Repeating the
         *     request changes nothing: the first `readAt` is kept.
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
         * @description Records that one notification, or all of them, were shown to the caller. They stay unread. The first `seenAt` is kept.
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
         * @description Marks one notification, or all of them, as unread. Notifications that are unread are unchanged.
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
         * @description Returns the caller's preferences. Categories that are not listed reach the caller.
         */
        readonly get: operations["getNotificationPreferences"];
        /**
         * Choose which categories reach the caller
         * @description Replaces the caller's preferences; categories that are not listed reach the caller again. The preferences apply to notifications
         *     that are produced afterwards. A critical category cannot be switched off.
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
         * @description Streams server-sent events (WHATWG HTML §9.2) for notifications that are created and read from now on, or since `Last-Event-ID`.
         *     The first event is the unread count. Comments keep the connection alive; the stream ends when the token expires. A user may have
         *     five streams open at a time. Clients that cannot send headers use a ticket instead of the token; a ticket has one open stream, and
         *     opens it again after an interruption.
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
         * @description The ticket opens a stream for the caller within 30 seconds, and opens it again while the stream is open and for a minute after
         *     it was interrupted: EventSource reconnects with the same URL. Each new stream ends the previous one. The stream ends when the
         *     caller's token expires, and after 12 hours at the latest. A user has at most ten tickets.
         */
        readonly post: operations["createStreamTicket"];
        /**
         * Revoke the caller's stream tickets
         * @description Revokes all stream tickets of the caller. Streams that were opened by tickets end within a minute; streams that were opened by tokens
         *     continue.
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
         * @description Returns the number of unread notifications visible to the caller, without archived ones.
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
         * @description Returns the OpenAPI 3.1 document of the service, from which a client can be generated. It describes the data API in its general
         *     form; `GET /` describes the tables and functions of the connected database.
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
         * @description Returns the registered parties of the caller's tenant. Needs scope `parties:admin`.
         */
        readonly get: operations["listParties"];
        readonly put?: never;
        /**
         * Register a party
         * @description Registers a party, which may then hold shares and connect to the router. The key of its certificate signs the tenant, the
         *     party and its identity key, which proves that the party holds the certificate. Needs scope `parties:admin`.
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
         *     party takes part in. A suspended party stays in configurations; sessions that need it are refused until it is active
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
         * @description Returns the sessions of the caller's accounts, newest first; with scope `accounts:read`, those of the whole tenant.
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
         * @description Returns a session of an account that is visible to the caller. A session whose time has passed is shown as expired, even before
         *     the service has recorded the transition.
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
         * @description Ends the session without a signature. Cancelling again is not an error. The creator, the owner of the account and callers with
         *     scope `sign:create` may cancel a session.
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
         * @description Supplies the user's share for the delegate, once, after the session was created and before it begins. Only the owner of the account
         *     may supply it. The service stores the ciphertext until the delegate has received it or the session ends, and discloses it to the
         *     delegate only.
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
         * @description Returns the events so far as JSON, or streams these and all later events as server-sent events. `Last-Event-ID` replaces `after`
         *     when a client resumes a stream.
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
         * @description Each argument is a query parameter with the name of the function's parameter; a repeated one supplies a variadic parameter. The
         *     names depend on the function: the description of a schema at `/` lists them. The transaction is read-only, regardless of the
         *     volatility of the function.
         */
        readonly get: operations["callReadOnlyFunction"];
        readonly put?: never;
        /**
         * Call a function
         * @description The members of the body are the arguments. Query parameters filter, order and page a result that has rows. The transaction is
         *     read-write if the function is volatile.
         */
        readonly post: operations["callFunction"];
        readonly delete?: never;
        /**
         * List the methods of a function
         * @description Returns the methods that the function supports.
         */
        readonly options: operations["getFunctionOptions"];
        /**
         * Get the headers of a call
         * @description Returns the headers of the same GET.
         */
        readonly head: operations["headFunction"];
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A key whose shares the parties hold. The service stores no key material. */
        readonly Account: {
            readonly accountId: string;
            /** Format: date-time */
            readonly createdAt: string;
            readonly keyType: components["schemas"]["KeyType"];
            readonly name: string;
            /** @description The user who owns the account. */
            readonly ownerUserId: string;
            /** @description The public key, as hexadecimal; null until the parties have generated the key. */
            readonly publicKey: string | null;
            readonly shares: readonly components["schemas"]["AccountShare"][];
            /** @description The parties that are configured to sign; null if none are configured, in which case all active parties sign. */
            readonly signingParties: components["schemas"]["SigningParties"] | null;
            readonly status: components["schemas"]["AccountStatus"];
            readonly tenantId: string;
            /** @description The number of shares that are needed to sign. */
            readonly threshold: number;
            /** Format: date-time */
            readonly updatedAt: string;
            /** @description The version, which counts the changes; the ETag of the account. */
            readonly version: number;
        };
        /** @description The members to change. Absent members are unchanged. */
        readonly AccountChange: {
            readonly name?: string;
            /** @description The public key. It can be set once, after the parties have generated the key. */
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
            /** @description The owner of the account. Absent means the caller. */
            readonly ownerUserId?: string;
            /** @description The public key. Absent if the parties have not generated the key; the account is `pending` until the public key is set. */
            readonly publicKey?: components["schemas"]["HexKey"];
            readonly shares: readonly components["schemas"]["AccountShareRequest"][];
            readonly threshold: number;
        };
        /** @description A share and the party that holds it. */
        readonly AccountShare: {
            readonly partyId: components["schemas"]["PartyId"];
            /** @description The index of the share in the key; stable for the life of the key. */
            readonly shareIndex: number;
            readonly shareType: components["schemas"]["ShareType"];
            /**
             * @description Whether the share signs. A retired share does not sign.
             * @enum {string}
             */
            readonly status: "active" | "retired";
        };
        /** @description A share and the party that holds it. */
        readonly AccountShareRequest: {
            readonly partyId: string;
            readonly shareIndex: number;
            readonly shareType: components["schemas"]["ShareType"];
        };
        /**
         * @description Only an active account signs; freezing it cancels its open sessions. `archived` is final.
         * @enum {string}
         */
        readonly AccountStatus: "pending" | "active" | "frozen" | "archived";
        /** @description The change was made. */
        readonly Acknowledgement: {
            /** @constant */
            readonly ok: true;
        };
        /** @description All notifications were marked as read, or all that were created before a time. */
        readonly AllNotificationsRead: {
            /**
             * Format: date-time
             * @description Notifications that were created at this time or later are unchanged; null if all were marked as read.
             */
            readonly before: string | null;
            /** Format: date-time */
            readonly readAt: string;
        };
        /** @description A change with its actor, at its place in the hash chain of the tenant. */
        readonly AuditEntry: {
            /** @description The change, for example `signing-config.update`. */
            readonly action: string;
            /** @description The user or party that made the change. */
            readonly actor: string;
            /** @description The subject after the change; null if it no longer exists. */
            readonly after: {
                readonly [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description The time of the change.
             */
            readonly at: string;
            /** @description The subject before the change; null if it did not exist. */
            readonly before: {
                readonly [key: string]: unknown;
            } | null;
            /** @description SHA-256 of the other members, as a JSON object in the canonical form of RFC 8785. */
            readonly hash: string;
            /** @description The `hash` of the entry before; 64 zeros for the first entry. */
            readonly previousHash: string;
            /** @description The address of the client. */
            readonly remoteAddress: string | null;
            /**
             * Format: date-time
             * @description The time at which the entry got its place in the chain, usually within a second of the change.
             */
            readonly sealedAt: string;
            /** @description Numbers the entries of the tenant from 1 without gaps. */
            readonly sequence: number;
            /** @description What was changed, for example `account:<id>`. */
            readonly subject: string;
            readonly tenantId: string;
        };
        readonly Batch: readonly components["schemas"]["BatchItem"][];
        /** @description The answer to an item. */
        readonly BatchAnswer: {
            /** @description JSON as it is, another text as a string, other bytes as an object with the member `base64`; null without a body. */
            readonly body: unknown;
            /** @description The headers of the answer. One that is there more than once is an array. */
            readonly headers: {
                readonly [key: string]: string | readonly string[];
            };
            /** @description As in the item. */
            readonly id?: string;
            readonly status: number;
        };
        readonly BatchAnswers: readonly components["schemas"]["BatchAnswer"][];
        /** @description The error of an item, or of the batch. With the setting `client-error-verbosity = minimal`, `details` and `hint` are absent. */
        readonly BatchError: {
            /** @description The code of the service, the SQLSTATE, or the code that a function chose. */
            readonly code: string;
            /** @description More about the error. */
            readonly details?: unknown;
            /** @description What to do about it. */
            readonly hint?: string | null;
            /** @description The id of that item, if it has one. */
            readonly id?: string;
            /** @description The item that failed, from 0; absent for an error of the batch, or of its commit. */
            readonly index?: number;
            /** @description The error as text for people. */
            readonly message: string;
        };
        /** @description A request of a batch. */
        readonly BatchItem: {
            /** @description JSON; for another `Content-Type`, a string, or an object with the member `base64`. At any depth, an object of `$from` (an id) and `path` (a JSON pointer) stands for a value of an earlier answer. */
            readonly body?: unknown;
            /** @description Headers of the request itself, such as `Prefer`, `Accept` and `If-Match`. Those of the caller are the headers of the batch. */
            readonly headers?: {
                readonly [key: string]: string;
            };
            /** @description The name of the item in references of later items; unique in the batch. */
            readonly id?: string;
            /** @enum {string} */
            readonly method: "GET" | "HEAD" | "QUERY" | "POST" | "PATCH" | "PUT" | "DELETE";
            /** @description The path of a relation, or of a function after `/rpc`, with its query. `{<id>/<pointer>}` is a value of an earlier answer. */
            readonly path: string;
        };
        /** @description The reason, as text for people. */
        readonly CancelRequest: {
            readonly reason?: string;
        };
        /** @description The delivery of notifications of one category. */
        readonly CategoryPreference: {
            /** @description Whether the user gets notifications of this category. Cannot be false for a critical category. */
            readonly inApp: boolean;
        };
        /** @description An error of the service or of the database. With the setting `client-error-verbosity = minimal`, `details` and `hint` are absent. With `compatibility-level = 16`, the response header `Proxy-Status` (RFC 9209) has the code. */
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
            /** @description The error as text for people. */
            readonly message: string;
        };
        /** @description The body of the service's own errors. */
        readonly DbrError: {
            readonly code: components["schemas"]["DbrErrorCode"];
            /** @description Details of this occurrence. In `DBR201` a list of the relationships to choose from. */
            readonly details: (string | null) | readonly components["schemas"]["RelationshipChoice"][];
            /** @description Every problem of the request, for errors that can have several. */
            readonly errors?: readonly components["schemas"]["ValidationProblem"][];
            /** @description The action that resolves the error. */
            readonly hint: string | null;
            /** @description The error as text for people. */
            readonly message: string;
        };
        /**
         * @description The code of one of the service's own errors.
         * @enum {string}
         */
        readonly DbrErrorCode: "DBR000" | "DBR001" | "DBR002" | "DBR003" | "DBR100" | "DBR101" | "DBR102" | "DBR103" | "DBR105" | "DBR106" | "DBR107" | "DBR108" | "DBR109" | "DBR110" | "DBR111" | "DBR112" | "DBR114" | "DBR115" | "DBR116" | "DBR117" | "DBR118" | "DBR119" | "DBR120" | "DBR121" | "DBR122" | "DBR123" | "DBR124" | "DBR125" | "DBR130" | "DBR131" | "DBR132" | "DBR140" | "DBR141" | "DBR142" | "DBR143" | "DBR144" | "DBR145" | "DBR150" | "DBR151" | "DBR160" | "DBR161" | "DBR162" | "DBR163" | "DBR164" | "DBR165" | "DBR166" | "DBR167" | "DBR170" | "DBR171" | "DBR172" | "DBR173" | "DBR174" | "DBR175" | "DBR176" | "DBR177" | "DBR178" | "DBR179" | "DBR180" | "DBR181" | "DBR182" | "DBR185" | "DBR186" | "DBR187" | "DBR190" | "DBR191" | "DBR192" | "DBR193" | "DBR200" | "DBR201" | "DBR202" | "DBR203" | "DBR204" | "DBR205" | "DBR300" | "DBR301" | "DBR302" | "DBR303" | "DBR310" | "DBR400" | "DBR401" | "DBR402" | "DBR403" | "DBR404" | "DBR406" | "DBR407" | "DBR408" | "DBR409" | "DBR410" | "DBR411" | "DBR412" | "DBR413" | "DBR420" | "DBR421" | "DBR422" | "DBR430" | "DBR431" | "DBR432" | "DBR433" | "DBR500" | "DBR501" | "DBR502" | "DBR503" | "DBR504" | "DBR505" | "DBR506" | "DBR507" | "DBR508" | "DBR509" | "DBR510" | "DBR511" | "DBR512" | "DBR513" | "DBR514" | "DBR515" | "DBR516" | "DBR517" | "DBR518" | "DBR519" | "DBRX00" | "DBR520" | "DBR521";
        /** @description A public key of the delegate to encrypt one share to. */
        readonly DelegateKey: {
            readonly delegatePartyId: components["schemas"]["PartyId"];
            /** @description The identifier to send as `recipientKeyId`. */
            readonly keyId: string;
            /**
             * Format: date-time
             * @description The time from which the delegate refuses the key.
             */
            readonly notAfter: string | null;
            /** @description Whether the key is reserved for this caller. False if the delegate has no one-time keys left. */
            readonly oneTime: boolean;
            /** @description The public key, as hexadecimal. */
            readonly publicKey: string;
            /** @description The signature of the members above by the identity key of the delegate, as hexadecimal. */
            readonly signature: string;
            readonly suite: components["schemas"]["EncryptionSuite"];
        };
        /**
         * @description The share that the user gives the delegate for one session, encrypted to a key of the delegate. The service cannot read it. The
         *     associated data, which both ends build, consists of `dus/v1`, tenant, account, session, delegate, key, digest, derivation path and
         *     expiry, each preceded by its length. An envelope is therefore valid for one digest in one session.
         */
        readonly DelegateUserShare: {
            readonly aadSha256: components["schemas"]["Sha256"];
            /** @description The ciphertext with its authentication tag appended, as base64url; at most 256 KiB. */
            readonly ciphertext: string;
            readonly delegatePartyId: components["schemas"]["PartyId"];
            /** @description The ephemeral public key of HPKE, or the wrapped key of RSA, as base64url. */
            readonly encapsulatedKey: string;
            /** Format: date-time */
            readonly expiresAt: string;
            /** @description The nonce, only with the RSA suite, as base64url. */
            readonly nonce?: string;
            /** @constant */
            readonly purpose: "signing";
            readonly recipientKeyId: string;
            /** @constant */
            readonly shareType: "delegate";
            readonly suite: components["schemas"]["EncryptionSuite"];
        };
        /** @description The visible part of a share. Only the delegate receives the ciphertext. */
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
         * @description The algorithms that encrypt a share to the delegate. The first suite is RFC 9180 in base mode.
         * @enum {string}
         */
        readonly EncryptionSuite: "HPKE-X25519-SHA256-AES256GCM" | "RSA-OAEP-SHA256-AES256GCM";
        /** @description New values, and the query that selects the rows. */
        readonly FilteredChanges: {
            readonly set: components["schemas"]["RowsOrRow"];
            readonly where: components["schemas"]["QueryParameters"];
        };
        /** @description The arguments by name. */
        readonly FunctionArguments: {
            readonly [key: string]: unknown;
        };
        /** @description The result of the function as JSON; a list if the function returns a set. */
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
        /** @description A notification as one reader sees it. The times of seeing, reading and archiving are those of the caller, also for a notification with many readers. */
        readonly Notification: {
            /** @description The address that a click opens. */
            readonly actionUrl: string | null;
            /** @description The actor that caused the notification. */
            readonly actor: components["schemas"]["NotificationActor"] | null;
            /**
             * Format: date-time
             * @description The time at which the caller archived the notification.
             */
            readonly archivedAt: string | null;
            readonly audience: components["schemas"]["NotificationAudience"];
            /** @description The text of the notification. */
            readonly body: string | null;
            /** @description The category that readers can switch off. */
            readonly category: string;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description Data for programs. */
            readonly data: {
                readonly [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The time from which the notification is not visible.
             */
            readonly expiresAt: string | null;
            /** @description Groups notifications that a client shows as one. */
            readonly groupKey: string | null;
            /** @description Whether `readAt` is set. */
            readonly isRead: boolean;
            /** @description Identifies the notification. */
            readonly notificationId: string;
            /**
             * Format: date-time
             * @description The time at which the caller first read the notification.
             */
            readonly readAt: string | null;
            /**
             * Format: date-time
             * @description The time at which the notification was first shown to the caller.
             */
            readonly seenAt: string | null;
            readonly severity: components["schemas"]["NotificationSeverity"];
            /** @description The tenant that the notification belongs to. */
            readonly tenantId: string;
            /** @description The title, one line. */
            readonly title: string;
            /** @description The type of the event, as words joined by dots. */
            readonly type: string;
            /** @description The user that the notification is for; null if it is for the whole tenant. */
            readonly userId: string | null;
        };
        /** @description The actor that caused a notification. */
        readonly NotificationActor: {
            readonly id: string;
            readonly name: string | null;
            readonly type: string;
        };
        /**
         * @description The readers: one user, or all users of the tenant.
         * @enum {string}
         */
        readonly NotificationAudience: "user" | "tenant";
        /** @description The content of a notification. */
        readonly NotificationContent: {
            /** @description The address that a click opens. */
            readonly actionUrl?: string;
            readonly actor?: components["schemas"]["NotificationActor"];
            readonly body?: string;
            /** @description The category that readers can switch off. Absent means `general`. */
            readonly category?: string;
            /** @description Data for programs; at most 16 KiB as JSON. */
            readonly data?: {
                readonly [key: string]: unknown;
            };
            /** @description A reader gets at most one notification with the same key, even if it is sent several times. */
            readonly dedupeKey?: string;
            /**
             * Format: date-time
             * @description The time from which the notification is not visible.
             */
            readonly expiresAt?: string;
            /** @description Groups notifications that a client shows as one. */
            readonly groupKey?: string;
            /** @description The severity. Absent means `info`. */
            readonly severity?: components["schemas"]["NotificationSeverity"];
            /** @description The tenant of the readers. Absent means the tenant of the token; another tenant needs scope `notifications:write-any`. */
            readonly tenantId?: string;
            readonly title: string;
            /** @description The type of the event, as words joined by dots. */
            readonly type: string;
        };
        /** @description A page of the caller's notifications, newest first. */
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
            /** @description The number of notifications that match the filters. */
            readonly total: number;
            /** @description The number of the caller's unread notifications, regardless of the filters. */
            readonly unreadCount: number;
        };
        /** @description The categories that reach the caller. A category that is not listed reaches the caller. */
        readonly NotificationPreferences: {
            readonly categories: {
                readonly [key: string]: components["schemas"]["CategoryPreference"];
            };
        };
        /** @description One notification was marked as read, by this client or another. */
        readonly NotificationRead: {
            readonly notificationId: string;
            /** Format: date-time */
            readonly readAt: string;
        };
        /** @description The notification and its readers. */
        readonly NotificationRequest: components["schemas"]["UserNotificationRequest"] | components["schemas"]["TenantNotificationRequest"];
        /** @description One notification, or all of the caller's when `notificationId` is absent. */
        readonly NotificationSelection: {
            /**
             * Format: date-time
             * @description Excludes notifications that were created at this time or later, for example after the client fetched the list.
             */
            readonly before?: string;
            /** @description The notification to change. Absent means all. Null and an empty text are refused. */
            readonly notificationId?: string;
        };
        /**
         * @description The severity of a notification.
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
         *     | `reset` | `StreamReset`: events were dropped because the client reads too slowly. The stream ends; the client lists again |
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
            /** @description SHA-256 of the public key of the certificate that the party connects with, as hexadecimal; null if it has none. */
            readonly certificateSha256: string | null;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description The key with which the party signs its messages and encryption keys, as hexadecimal. */
            readonly identityPublicKey: string;
            /**
             * Format: date-time
             * @description The time at which an instance of the party last contacted the router.
             */
            readonly lastSeenAt: string | null;
            readonly name: string;
            /** @description Whether an instance of the party has contacted the router within the last 45 seconds. Independent of whether the party may sign. */
            readonly online: boolean;
            readonly partyId: components["schemas"]["PartyId"];
            readonly role: components["schemas"]["PartyRole"];
            readonly status: components["schemas"]["PartyStatus"];
            /** @description The version, which counts the changes; the ETag of the party. */
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
            /** @description The signature by this key, as lower-case hexadecimal. */
            readonly signature: string;
        };
        /** @description The members to change. Absent members are unchanged. */
        readonly PartyChange: {
            /**
             * @description Another certificate, or the same certificate proven for another identity key; null removes the certificate. A change of the
             *     identity key of a party that keeps a certificate needs a new proof.
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
        /** @description A party to register. It is active immediately. */
        readonly PartyRequest: {
            readonly certificate?: components["schemas"]["PartyCertificate"];
            readonly identityPublicKey: components["schemas"]["HexKey"];
            readonly name: string;
            readonly partyId: components["schemas"]["PartyId"];
            readonly role: components["schemas"]["PartyRole"];
        };
        /**
         * @description The role of the party in the custody of keys.
         * @enum {string}
         */
        readonly PartyRole: "server" | "user" | "delegate";
        /**
         * @description Whether the party may take part in sessions. `revoked` is final.
         * @enum {string}
         */
        readonly PartyStatus: "active" | "suspended" | "revoked";
        /** @description An error in the form of RFC 9457, with the members of the service's own error body. */
        readonly Problem: {
            /** @description The code of the service, or the SQLSTATE of an error that reports the state of the database server. */
            readonly code: components["schemas"]["DbrErrorCode"] | string;
            /** @description The same as `message`. */
            readonly detail: string;
            /** @description Details of this occurrence. */
            readonly details: string | null;
            /** @description Every problem of the request, for errors that can have several. */
            readonly errors?: readonly components["schemas"]["ValidationProblem"][];
            /** @description The action that resolves the error. */
            readonly hint: string | null;
            /** @description The path of the request. */
            readonly instance: string;
            /** @description The error as text for people. */
            readonly message: string;
            /** @description The status of the response. */
            readonly status: number;
            /** @description The reason phrase of the status. */
            readonly title: string;
            /** @description `urn:dbr:error:` followed by the code. */
            readonly type: string;
        };
        /** @description The outcome of the request. The three counts add up to the number of listed readers, or to one for a tenant. */
        readonly ProducedNotifications: {
            /** @description The number of created notifications. */
            readonly created: number;
            /** @description The number of notifications that were not created because one with the same `dedupeKey` exists. */
            readonly duplicates: number;
            /** @description The number of notifications that were not created because the reader switched the category off. */
            readonly suppressed: number;
        };
        /** @description Parameters of the query string by name. The strings of an array are the values of a repeated parameter. */
        readonly QueryParameters: {
            readonly [key: string]: string | readonly string[];
        };
        /** @description One of several relationships between two tables. */
        readonly RelationshipChoice: {
            /**
             * @description The cardinality of the relationship.
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
        /** @description Rows, in the requested order. */
        readonly Rows: readonly components["schemas"]["Row"][];
        /** @description Rows; a single row if the media type is singular. */
        readonly RowsOrRow: components["schemas"]["Rows"] | components["schemas"]["Row"];
        /** @description The query that selects the rows. */
        readonly RowsToDelete: {
            readonly where: components["schemas"]["QueryParameters"];
        };
        /** @description An error of the service, or one of PostgreSQL that reports the state of the server, such as a full disk. */
        readonly ServiceError: components["schemas"]["DbrError"] | components["schemas"]["DatabaseError"];
        /** @description A SHA-256 digest as lower-case hexadecimal. */
        readonly Sha256: string;
        /**
         * @description The type of holder that a share belongs to. The party of a `delegate` share (`ShareTypeDelegate`) does not store it; the user supplies
         *     it, encrypted, for each session. A `backup` share never signs.
         * @enum {string}
         */
        readonly ShareType: "server" | "user" | "backup" | "delegate";
        /** @description The parties that sign for the account. */
        readonly SigningConfig: {
            readonly accountId: string;
            /** @description Whether parties are configured. If not, all active parties sign. */
            readonly configured: boolean;
            /** @description The parties that would take part in a session created now. */
            readonly effectiveParties: readonly components["schemas"]["EffectiveParty"][];
            /** @description The reasons why no session can be created now. */
            readonly problems: readonly components["schemas"]["SigningConfigProblem"][];
            /** @description Whether a session can be created now. */
            readonly ready: boolean;
            /** @description The configured parties; null if none are configured. */
            readonly signingParties: components["schemas"]["SigningParties"] | null;
            readonly threshold: number;
            /**
             * Format: date-time
             * @description The time at which the configuration was last set, changed or cleared.
             */
            readonly updatedAt: string | null;
            /** @description The user who last set, changed or cleared the configuration. */
            readonly updatedBy: string | null;
            /** @description The version, which counts the changes, 0 for an account that was never configured; the ETag of the configuration. */
            readonly version: number;
        };
        /** @description A reason why no session can be created. */
        readonly SigningConfigProblem: {
            /** @enum {string} */
            readonly code: "party_not_active" | "party_has_no_share" | "below_threshold" | "account_not_active";
            readonly message: string;
            /** @description The party that has the problem; null if the problem concerns the account. */
            readonly partyId: string | null;
        };
        /**
         * @description The parties that sign: 1 to 64 different parties, at least as many as the threshold. Each is registered and active, and holds an
         *     active share of this account that is not a backup.
         */
        readonly SigningConfigRequest: {
            readonly signingParties: components["schemas"]["SigningParties"];
        };
        /**
         * @description The reason why a session failed.
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
        /** @description Identifiers of parties, in the given order. The order has no meaning. */
        readonly SigningParties: readonly string[];
        /**
         * @description The signature scheme. The service verifies reported signatures by it.
         *
         *     | Protocol | Key | Signature |
         *     | --- | --- | --- |
         *     | `ed25519` | ed25519 | RFC 8032 with the digest as the message |
         *     | `ecdsa-secp256k1` | secp256k1 | ECDSA over the digest, not hashed again |
         *     | `bip340` | secp256k1 | Schnorr (BIP 340) over the digest as the message, under the key's x coordinate |
         *     | `ecdsa-p256` | p256 | ECDSA over the digest, not hashed again |
         * @enum {string}
         */
        readonly SigningProtocol: "ed25519" | "ecdsa-secp256k1" | "bip340" | "ecdsa-p256";
        /** @description A signing session. Parties, threshold and their source are those of the time of its creation. */
        readonly SigningSession: {
            readonly accountId: string;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description The user who created the session. */
            readonly createdBy: string;
            /** @description The parties that caused the failure, as far as known. */
            readonly culpritPartyIds: readonly components["schemas"]["PartyId"][];
            /** @description The visible part of the supplied share; null if none was supplied. */
            readonly delegateUserShare: components["schemas"]["DelegateUserShareReceipt"] | null;
            readonly derivationPath: readonly number[];
            /** Format: date-time */
            readonly endedAt: string | null;
            /**
             * Format: date-time
             * @description The time at which the session expires at the latest.
             */
            readonly expiresAt: string;
            /** @description Details of the failure as text for people. */
            readonly failureDetail: string | null;
            /** @description The reason why the session failed. */
            readonly failureReason: components["schemas"]["SigningFailureReason"] | null;
            readonly messageDigest: components["schemas"]["Sha256"];
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly participants: readonly components["schemas"]["SigningParticipant"][];
            /**
             * @description Whether the parties are the configured parties or all active parties.
             * @enum {string}
             */
            readonly partySource: "configured" | "all_active";
            readonly protocol: components["schemas"]["SigningProtocol"];
            /** @description The key that verifies the signature, as hexadecimal. */
            readonly publicKey: string | null;
            /**
             * Format: date-time
             * @description The time at which the session expires unless all parties have joined and the share was supplied.
             */
            readonly readyBy: string;
            readonly sessionId: string;
            /**
             * @description The signature of a completed session: 64 bytes as hexadecimal, regardless of the form that the parties reported. ECDSA: R and S
             *     concatenated, with the lower of the two possible values of S.
             */
            readonly signature: string | null;
            readonly state: components["schemas"]["SigningSessionState"];
            /** @description The version, which counts the changes; the ETag of the session. */
            readonly stateVersion: number;
            readonly tenantId: string;
            readonly threshold: number;
        };
        /** @description An event of a session. Each state transition has exactly one event. */
        readonly SigningSessionEvent: {
            readonly accountId: string;
            /** @description The data of this type of event, such as the signature, the reason, or the missing parties. */
            readonly data: {
                readonly [key: string]: unknown;
            };
            /** @description The visible part of the supplied share, in the event of its supply. Only the delegate receives the share, through the router. */
            readonly DelegateUserShare?: components["schemas"]["DelegateUserShareReceipt"];
            readonly eventId: string;
            /** Format: date-time */
            readonly occurredAt: string;
            /** @description The party that the event concerns, if any. */
            readonly partyId?: components["schemas"]["PartyId"];
            /** @description The position in the session, from 1 without gaps. */
            readonly sequence: number;
            readonly sessionId: string;
            /** @description The state after the event. */
            readonly state: components["schemas"]["SigningSessionState"];
            readonly type: components["schemas"]["SigningSessionEventType"];
        };
        /** @description The events of a session so far. */
        readonly SigningSessionEventPage: {
            readonly items: readonly components["schemas"]["SigningSessionEvent"][];
            /** @description The position of the last event of the session; send it as `after` to get only later events. */
            readonly lastSequence: number;
        };
        /**
         * @description The type of the event.
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
         * @description The digest to sign, and the options of the session. The account's configuration alone determines the parties: a list of parties in
         *     the request is refused, like any other unknown member.
         */
        readonly SigningSessionRequest: {
            readonly delegateUserShare?: components["schemas"]["DelegateUserShare"];
            /** @description The derivation path of the child key that signs. Absent means the account's own key. */
            readonly derivationPath?: readonly number[];
            /** @description The digest to sign, hashed as the protocol requires. */
            readonly messageDigest: components["schemas"]["Sha256"];
            /** @description Data of the creator, stored with the session; at most 4 KiB as JSON. */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            /** @description The protocol of the signature. Absent means the default of the account's key type. */
            readonly protocol?: components["schemas"]["SigningProtocol"];
            /**
             * Format: uuid
             * @description The identifier of the session. The caller must choose it to encrypt a share for the session. Absent means that the service chooses it.
             */
            readonly sessionId?: string;
            /** @description The maximum duration of the session in seconds. Absent means 300. */
            readonly ttlSeconds?: number;
        };
        /**
         * @description The state of the session. The last four states are final.
         * @enum {string}
         */
        readonly SigningSessionState: "created" | "awaiting_parties" | "in_progress" | "completed" | "failed" | "expired" | "cancelled";
        /** @description The stream lost events. */
        readonly StreamReset: Record<string, never>;
        /** @description Opens a live stream, and opens it again after a break. */
        readonly StreamTicket: {
            /**
             * Format: date-time
             * @description The time from which the ticket is refused, unless it has opened its stream before.
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
        /** @description The number of the caller's unread notifications. */
        readonly UnreadCount: {
            readonly count: number;
        };
        /** @description A notification for the listed users. */
        readonly UserNotificationRequest: components["schemas"]["NotificationContent"] & {
            /** @constant */
            readonly audience?: "user";
            readonly userIds: readonly string[];
        };
        /** @description One problem of a request. */
        readonly ValidationProblem: {
            /** @description The problem as a stable identifier for programs. */
            readonly code: string;
            /** @description The problem as text for people. */
            readonly message: string;
            /** @description The location of the problem, as a JSON pointer into the body (RFC 6901), empty for the whole body; or the name of a parameter. */
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
        /** @description The shares or the change are invalid. No account was created or changed; `errors` lists every problem. */
        readonly AccountInvalid: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The account does not exist, or is not visible to the caller. */
        readonly AccountNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The account does not exist, is not visible to the caller, or has no configuration. */
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
        /** @description The change was made. */
        readonly Acknowledged: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Acknowledgement"];
            };
        };
        /** @description The request matches several functions or relationships. */
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
        /** @description The entries, one JSON object a line. */
        readonly AuditLog: {
            headers: {
                readonly "Cache-Control": components["headers"]["Cache-Control"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/x-ndjson": string;
            };
        };
        /** @description The answers to the items, in their order. The transaction is committed. */
        readonly BatchAnswers: {
            headers: {
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["BatchAnswers"];
                readonly "application/vnd.dbr.batch+json": components["schemas"]["BatchAnswers"];
            };
        };
        /** @description The batch or one of its items is invalid, or cannot be executed. Nothing was written. */
        readonly BatchRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["BatchError"];
            };
        };
        /** @description The body is larger than the limit. The service closes the connection without reading the rest. */
        readonly BodyTooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
            };
        };
        /** @description The query or the arguments are invalid or cannot be executed, or the function raised an error. */
        readonly CallRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description A critical category cannot be switched off. No preference was changed. */
        readonly CategoryCritical: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key of the certificate is not proven for this party; `errors` names the member. No party was registered or changed. */
        readonly CertificateProofInvalid: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The row does not have an entity tag of `If-Match`, or has changed since `If-Unmodified-Since`, or, for `PUT` with `If-None-Match` `*`, the row exists. Nothing was written. */
        readonly ConditionFailed: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description The write violates a unique or foreign key constraint. */
        readonly Conflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description The parties that sign for the account, configured or not. */
        readonly CurrentSigningConfig: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningConfig"];
            };
        };
        /** @description The database is unavailable or overloaded, the memory for request bodies is exhausted, or the schema cache or the keys of the token's issuer are not loaded yet. */
        readonly DatabaseAway: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The document, with the objects that the caller's role may use. */
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
        /** @description The headers of the same GET. */
        readonly DatabaseDocumentHead: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A setting is missing, a database function set an invalid response, or PostgreSQL failed. */
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
        /** @description No key is available. */
        readonly DelegateKeyUnavailable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The deleted rows, with `return=representation`. */
        readonly Deleted: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
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
        /** @description The query is invalid or cannot be executed. No row was deleted. */
        readonly DeleteRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The document is disabled. */
        readonly DocumentDisabled: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
            };
        };
        /** @description The session that an earlier, identical request created. */
        readonly ExistingSigningSession: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningSession"];
            };
        };
        /** @description Any other error, with the status that belongs to its code. */
        readonly Fault: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ServiceError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller is not authorized; `details` names the missing scope. */
        readonly Forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The headers of the same GET. */
        readonly FunctionHead: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
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
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description No function has this name and these parameters. */
        readonly FunctionNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /**
         * @description The result of the function. The result of a function that returns rows can be filtered, ordered, paged and counted like a table.
         *     The function may set the status and headers of the response.
         */
        readonly FunctionResult: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FunctionResult"];
                readonly "application/octet-stream": string;
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "application/x-ndjson": string;
                readonly "text/csv": string;
            };
        };
        /** @description The `Idempotency-Key` belongs to another request. Nothing was written. */
        readonly IdempotencyKeyReused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The write violates a unique or foreign key constraint, or the keys of a graph cannot link its rows, or a request with the same `Idempotency-Key` is in progress. */
        readonly InsertConflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description The rows were inserted; with `return=representation` they are the body, with `return=headers-only`, `Location` names the inserted row. */
        readonly Inserted: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
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
        /** @description The query or the body is invalid or cannot be executed. */
        readonly InsertRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The body is not JSON or does not match the schema of the operation; `errors` lists every problem. */
        readonly InvalidBody: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A parameter has an invalid value; `details` names the parameter. */
        readonly InvalidParameter: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The filters are not exactly the primary key, or the table is read-only. */
        readonly InvalidPut: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description A parameter or the body is invalid. */
        readonly InvalidRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The session accepts no share, or the share is invalid. */
        readonly LateShareRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `Accept` excludes every media type that the operation returns. */
        readonly NotAcceptable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The token is invalid; or it is missing, and there is no anonymous role or the anonymous role lacks a privilege. */
        readonly NotAuthenticated: {
            headers: {
                readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The notification does not exist, or is not visible to the caller. */
        readonly NotificationNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller's preferences. */
        readonly NotificationPreferences: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["NotificationPreferences"];
            };
        };
        /** @description The resource still has an ETag of `If-None-Match`. */
        readonly NotModified: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The caller's role lacks a privilege, or may not send this request. */
        readonly NotPermitted: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The methods of the resource. */
        readonly Options: {
            headers: {
                readonly "Accept-Query": components["headers"]["Accept-Query"];
                readonly Allow: components["headers"]["Allow"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A part of the rows that the function returns, and the total. */
        readonly PartialFunctionResult: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["FunctionResult"];
                readonly "application/octet-stream": string;
                readonly "application/vnd.pgrst.object+json": components["schemas"]["Row"];
                readonly "application/x-ndjson": string;
                readonly "text/csv": string;
            };
        };
        /** @description A part of the rows, and the total. */
        readonly PartialRows: {
            headers: {
                readonly "Accept-Query": components["headers"]["Accept-Query"];
                readonly "Content-Location": components["headers"]["Content-Location"];
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly ETag: components["headers"]["Rows-ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly Link: components["headers"]["Page-Links"];
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
                readonly "application/x-ndjson": string;
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
        /** @description The party is revoked, or the certificate belongs to another party. */
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
        /** @description The caller's tenant has no such party. */
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
        /** @description The body is larger than 1 MiB. The service closes the connection without reading the rest. */
        readonly PayloadTooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No connection became available in time. */
        readonly PoolTimeout: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
            };
        };
        /** @description The write violates a unique or foreign key constraint, or a request with the same `Idempotency-Key` is in progress. */
        readonly PostConflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The write violates a unique or foreign key constraint, or the keys of a graph cannot link its rows. */
        readonly PutConflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description The row was inserted; with `return=representation` it is the body. */
        readonly PutInserted: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
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
        /** @description The row has the values of the body. The response has no body. */
        readonly PutNoContent: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The query or the body is invalid or cannot be executed. */
        readonly PutRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The existing row was replaced; with `return=representation` it is the body. */
        readonly PutReplaced: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
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
        /** @description An error that a function of the database raised with its own status. */
        readonly Raised: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description The range is invalid, or begins after the last row. */
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
        /** @description The caller exceeds the rate limit of this operation. */
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
        /** @description A statement tried to write in a read-only transaction, for example in a function that was called by GET. */
        readonly ReadOnly: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description The query is invalid or cannot be executed. */
        readonly ReadRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The table or view does not exist. */
        readonly RelationNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /**
         * @description The rows. The status is `206` if the request asks for a total and the response has only a part of the rows. Other media types: one row
         *     (`application/vnd.pgrst.object+json`), rows without their nulls (`application/vnd.pgrst.array+json;nulls=stripped`), the
         *     execution plan, if `db-plan-enabled` is set (`application/vnd.pgrst.plan+json`), and those for which the database has a handler.
         */
        readonly Rows: {
            headers: {
                readonly "Accept-Query": components["headers"]["Accept-Query"];
                readonly "Content-Location": components["headers"]["Content-Location"];
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly ETag: components["headers"]["Rows-ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly Link: components["headers"]["Page-Links"];
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
                readonly "application/x-ndjson": string;
                readonly "text/csv": string;
            };
        };
        /** @description The headers of the same GET. */
        readonly RowsHead: {
            headers: {
                readonly "Accept-Query": components["headers"]["Accept-Query"];
                readonly "Content-Location": components["headers"]["Content-Location"];
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly ETag: components["headers"]["Rows-ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly Link: components["headers"]["Page-Links"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly "Range-Unit": components["headers"]["Range-Unit"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The body would be the one that `If-None-Match` names, or the row has not changed since `If-Modified-Since`. */
        readonly RowsNotModified: {
            headers: {
                readonly "Content-Location": components["headers"]["Content-Location"];
                readonly ETag: components["headers"]["Rows-ETag"];
                readonly "Last-Modified": components["headers"]["Last-Modified"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The session does not exist, or is not visible to the caller. */
        readonly SessionNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The account or its parties cannot sign now, or the session exists with another request. An unavailable party is never replaced by another. */
        readonly SessionNotPossible: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The session has already ended in another state. */
        readonly SessionTerminal: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The parties that sign for the account. */
        readonly SigningConfig: {
            headers: {
                readonly ETag: components["headers"]["ETag"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["SigningConfig"];
            };
        };
        /** @description The account has no configuration; all active parties sign. */
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
        /** @description The account already has a configuration. */
        readonly SigningConfigExists: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The parties cannot sign for the account. Nothing was changed; `errors` lists every problem, such as `empty`, `too_many`, `duplicate_party`, `unknown_party`, `party_not_active`, `party_has_no_share`, `below_threshold`. */
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
        /** @description The session was created, and its parties are notified. */
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
         * @description The events so far, as JSON. If `Accept` names `text/event-stream`: a stream of these and all later events, until the session has ended.
         *     In the stream, `event:` is the type and `id:` the sequence.
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
        /** @description The share for the delegate is missing or invalid, or the protocol does not support the account's key. */
        readonly SigningSessionRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The table or view does not exist. */
        readonly TableNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The user has reached the maximum number of open streams. */
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
        /** @description No media type of `Accept` is available, the schema is not exposed, or a single row was requested and the result has none or several. */
        readonly Unacceptable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The media type of the body is not supported. */
        readonly UnacceptableContentType: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The token is missing or invalid. The response does not state why a token is invalid. */
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
        /** @description The database is unavailable or refuses for now, or the service is stopping. */
        readonly Unavailable: {
            headers: {
                readonly "Retry-After": components["headers"]["Retry-After"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ServiceError"];
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
        /** @description The write violates a unique or foreign key constraint, or an object of a graph has a key that no row of its parent has. */
        readonly UpdateConflict: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DatabaseError"];
            };
        };
        /** @description The query or the body is invalid or cannot be executed. No row was changed. */
        readonly UpdateRefused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The table or view does not exist, or the filters of a PATCH with related rows find no row. */
        readonly UpdateTargetNotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DataApiError"];
            };
        };
        /** @description The resource no longer has the ETag of `If-Match`. Nothing was changed. */
        readonly VersionMismatch: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["DbrError"];
                readonly "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The rows were changed; with `return=representation` the body has the changed rows. */
        readonly Written: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
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
        /** @description The write succeeded. The response has no body. */
        readonly WrittenNoContent: {
            headers: {
                readonly "Content-Profile": components["headers"]["Content-Profile"];
                readonly "Content-Range": components["headers"]["Content-Range"];
                readonly "Dbr-Position": components["headers"]["Dbr-Position"];
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
         * @description The schema to read from. Absent means the first exposed schema.
         * @example geo
         */
        readonly AcceptProfile: string;
        /**
         * @description The account's identifier.
         * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
         */
        readonly AccountId: string;
        /**
         * @description Lists only accounts of this status.
         * @example active
         */
        readonly AccountStatus: "pending" | "active" | "frozen" | "archived";
        /**
         * @description Returns only events after this position.
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
         * @description Excludes archived notifications, lists only those, or lists both.
         * @example exclude
         */
        readonly Archived: "exclude" | "only" | "include";
        /**
         * @description Returns only entries after this `sequence`, for example that of the last line of the previous export.
         * @example 1200
         */
        readonly AuditAfter: number;
        /**
         * @description Returns only entries that were sealed at this time or later.
         * @example 2026-03-01T00:00:00Z
         */
        readonly AuditFrom: string;
        /**
         * @description Returns only entries that were sealed before this time.
         * @example 2026-04-01T00:00:00Z
         */
        readonly AuditTo: string;
        /** @description The members of the body to write, comma-separated. Other members are ignored; absent members are null. For POST, related resources have their members in parentheses, as in `select`. */
        readonly Columns: string;
        /**
         * @description The schema to write to. Absent means the first exposed schema.
         * @example geo
         */
        readonly ContentProfile: string;
        /**
         * @description The `nextCursor` of the previous page.
         * @example MTAyNA
         */
        readonly Cursor: string;
        /**
         * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
         * @example 0/403B2A8
         */
        readonly DbrPosition: string;
        /**
         * @description `(*)` leaves out rows whose selected values repeat; `(column,…)` returns the first row, by `order`, for each value of the columns.
         *     Of embedded resources `<path>.distinct`. Any value that does not begin with a parenthesis filters a column of this name.
         */
        readonly Distinct: string;
        /**
         * @description A function of the database.
         * @example nearest_airports
         */
        readonly FunctionName: string;
        /**
         * @description Conditions on groups by the keys of selected values, in the form of `and`: `select=country_code,count()` and
         *     `having=(count.gt.5)`. Of embedded resources `<path>.having`. Any value that does not begin with a parenthesis filters a column
         *     of this name.
         */
        readonly Having: string;
        /**
         * @description A repeated request with the same key returns the session that the first request created. An alternative to `sessionId`.
         * @example order-19-signature
         */
        readonly IdempotencyKey: string;
        /**
         * @description The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412.
         * @example "1"
         */
        readonly IfMatch: string;
        /**
         * @description The Last-Modified that the client has, of a read of one row by its primary key. If the row has not changed since, the response is 304 without a body. `If-None-Match` takes precedence.
         * @example Fri, 02 Jan 2026 03:04:05 GMT
         */
        readonly IfModifiedSince: string;
        /**
         * @description The ETags that the client has. If the resource still has one of them, the response is 304 without a body.
         * @example "1"
         */
        readonly IfNoneMatch: string;
        /**
         * @description The Last-Modified that the change is based on. If the row has changed since, the response is 412. Ignored beside `If-Match`, and for relations without Last-Modified.
         * @example Fri, 02 Jan 2026 03:04:05 GMT
         */
        readonly IfUnmodifiedSince: string;
        /**
         * @description The `id` of the last received event. The stream continues after it, without gaps or repetitions.
         * @example MTAyNA
         */
        readonly LastEventId: string;
        /**
         * @description The same as `Last-Event-ID`, for clients that cannot send headers. The header takes precedence: EventSource sends it when it reconnects.
         * @example MTAyNA
         */
        readonly LastEventIdQuery: string;
        /**
         * @description The maximum number of items to return. Values above 100 are reduced to 100.
         * @example 20
         */
        readonly Limit: number;
        /**
         * @description Lists only notifications of this category.
         * @example signing
         */
        readonly NotificationCategory: string;
        /**
         * @description The notification's identifier.
         * @example 0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23
         */
        readonly NotificationId: string;
        /**
         * @description Lists only notifications of this type.
         * @example signing.session.completed
         */
        readonly NotificationType: string;
        /**
         * @description The number of items to skip. For deep pages use `cursor`, whose cost does not grow with the position.
         * @example 0
         */
        readonly Offset: number;
        /**
         * @description With the setting `db-idempotency`, a repetition of the request with the same key gets the answer of the first one and writes nothing. A string in quotes, such as a UUID; without the setting it is ignored.
         * @example "8e03978e-40d5-43dd-bc93-6894a57f9324"
         */
        readonly OnceKey: string;
        /**
         * @description The columns by which `resolution=…` detects existing rows, and `match=keys` finds the rows to change. Absent means the primary key. For related objects within the body, `<path>.on_conflict`.
         * @example user_id,country_code
         */
        readonly OnConflict: string;
        /** @description Filters of which at least one must hold, in the form of `and`. Also as `not.or`. */
        readonly Or: string;
        /**
         * @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row,
         *     or by an aggregate of related rows that are not returned otherwise. Groups are ordered by the keys of their aggregates, and text
         *     searches by rank: `column.rank(fts.words).desc`.
         */
        readonly Order: string;
        /**
         * @description The party's identifier.
         * @example node-a
         */
        readonly PartyId: string;
        /**
         * @description Lists only parties of this role.
         * @example delegate
         */
        readonly PartyRole: "server" | "user" | "delegate";
        /**
         * @description Lists only parties of this status.
         * @example active
         */
        readonly PartyStatus: "active" | "suspended" | "revoked";
        /**
         * @description Preferences (RFC 7240), comma-separated.
         *
         *     | Preference | Meaning |
         *     | --- | --- |
         *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
         *     | `count=exact`, `planned`, `estimated` | how to determine the total |
         *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
         *     | `missing=default`, `null` | the value of members that the body does not contain |
         *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
         *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
         *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
         *     | `stream` | CSV is sent, or received, row by row, in any length |
         *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
         *     | `timezone=<name>` | the time zone of the transaction |
         *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
         *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
         * @description The unit of the range.
         * @example items
         */
        readonly RangeUnit: string;
        /**
         * @description Lists all, unread or read notifications of the caller.
         * @example unread
         */
        readonly ReadStatus: "unread" | "read" | "all";
        /** @description A table or a view. */
        readonly Resource: string;
        /**
         * @description The maximum number of rows to return or to change.
         * @example 15
         */
        readonly RowLimit: number;
        /**
         * @description The number of rows to skip.
         * @example 30
         */
        readonly RowOffset: number;
        /**
         * @description The columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
         *     `column.sum()`, `column.count(distinct)`, `count().filter(column.operator.value)`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread resources
         *     `...relation(columns)`.
         */
        readonly Select: string;
        /**
         * @description Lists only sessions of this account.
         * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
         */
        readonly SessionAccount: string;
        /**
         * @description The session's identifier.
         * @example 0199a2f1-7d3c-7b12-8e45-1a2b3c4d5e6f
         */
        readonly SessionId: string;
        /**
         * @description Lists only sessions in this state.
         * @example in_progress
         */
        readonly SessionState: "created" | "awaiting_parties" | "in_progress" | "completed" | "failed" | "expired" | "cancelled";
        /**
         * @description A ticket of `POST /api/v1/notifications/me/stream-ticket`. It replaces the Authorization header.
         * @example 4mJ2mVxgk1l2hZ0mR7xQ0w
         */
        readonly Ticket: string;
    };
    requestBodies: {
        /** @description The members to change. */
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
        /** @description The requests, in their order. */
        readonly Batch: {
            readonly content: {
                readonly "application/vnd.dbr.batch+json": components["schemas"]["Batch"];
            };
        };
        /** @description The reason. Without a body, the session is cancelled without a reason. */
        readonly CancelRequest: {
            readonly content: {
                readonly "application/json": components["schemas"]["CancelRequest"];
            };
        };
        /** @description The columns to set in every row that matches the filters; with `match=keys`, the keys and new values of the rows to change. One object may contain related objects and arrays. */
        readonly Changes: {
            readonly content: {
                readonly "application/json": components["schemas"]["RowsOrRow"];
                readonly "application/vnd.dbr.mutation+json": components["schemas"]["FilteredChanges"];
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
        /** @description The arguments by name. A function with one unnamed parameter takes the whole body unchanged. */
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
        /** @description One or more rows. All rows have the same members; CSV begins with a line of column names. A member of JSON that is no column is a related object or an array of related objects, as `select` would return them (`{"last_name":"Scott","films":[{"title":"Alien"}]}`). */
        readonly NewRows: {
            readonly content: {
                readonly "application/json": components["schemas"]["RowsOrRow"];
                readonly "application/x-ndjson": string;
                readonly "application/x-www-form-urlencoded": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description The complete preferences. */
        readonly NotificationPreferences: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationPreferences"];
            };
        };
        /** @description The notification and its readers. */
        readonly NotificationRequest: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationRequest"];
            };
        };
        /** @description The notifications to change. No body, an empty body and `{}` select all notifications of the caller. */
        readonly NotificationSelection: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationSelection"];
            };
        };
        /** @description One row. A member of JSON that is no column is a related object or an array of related objects. */
        readonly OneRow: {
            readonly content: {
                readonly "application/json": components["schemas"]["Row"];
                readonly "application/x-www-form-urlencoded": components["schemas"]["Row"];
                readonly "text/csv": string;
            };
        };
        /** @description The members to change. */
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
        /** @description The filters of the rows to delete, if the URL is too short for them. */
        readonly RowsToDelete: {
            readonly content: {
                readonly "application/vnd.dbr.mutation+json": components["schemas"]["RowsToDelete"];
            };
        };
        /** @description The parties that sign. */
        readonly SigningConfigRequest: {
            readonly content: {
                readonly "application/json": components["schemas"]["SigningConfigRequest"];
            };
        };
        /** @description The digest to sign, and the options of the session. */
        readonly SigningSessionRequest: {
            readonly content: {
                readonly "application/json": components["schemas"]["SigningSessionRequest"];
            };
        };
    };
    headers: {
        /**
         * @description The media types of a query in the body, with the method QUERY (RFC 10008).
         * @example application/x-www-form-urlencoded, application/json
         */
        readonly "Accept-Query": string;
        /**
         * @description The methods that the resource supports.
         * @example OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE
         */
        readonly Allow: string;
        /**
         * @description `no-store`: the response must not be stored.
         * @example no-store
         */
        readonly "Cache-Control": "no-store";
        /**
         * @description The canonical path and query of the returned rows.
         * @example /countries?order=name
         */
        readonly "Content-Location": string;
        /**
         * @description The schema of the response; absent if the service exposes a single schema and the request names none.
         * @example geo
         */
        readonly "Content-Profile": string;
        /**
         * @description The positions of the first and last row and the total, `*` if the request does not ask for it; `*\/…` if there is no row.
         * @example 0-14/250
         */
        readonly "Content-Range": string;
        /**
         * @description A position of the write-ahead log at or after the commit of the write, where replicas serve reads (`db-replica-uri`). Send it with a later read, so that the read shows the write.
         * @example 0/403B2A8
         */
        readonly "Dbr-Position": string;
        /**
         * @description Identifies the version of the returned resource (RFC 9110 §8.8.3). Send it as `If-None-Match` or `If-Match`.
         * @example "1"
         */
        readonly ETag: string;
        /**
         * @description The latest change of the returned rows (RFC 9110 §8.8.2), if the comment of the relation names the column with the time of changes.
         * @example Fri, 02 Jan 2026 03:04:05 GMT
         */
        readonly "Last-Modified": string;
        /**
         * @description The path of the created resource.
         * @example /accounts/0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e/signing-config
         */
        readonly Location: string;
        /**
         * @description The next page and the one before (RFC 8288), with `Prefer` `pagination=keyset`.
         * @example </countries?order=name&limit=2&after=WzI0>; rel="next"
         */
        readonly "Page-Links": string;
        /**
         * @description The preferences that took effect (RFC 7240 §3).
         * @example count=exact
         */
        readonly "Preference-Applied": string;
        /**
         * @description The unit of ranges: `items`.
         * @example items
         */
        readonly "Range-Unit": "items";
        /**
         * @description The number of seconds to wait before trying again.
         * @example 1
         */
        readonly "Retry-After": number;
        /**
         * @description The path of the written row, with `return=headers-only`.
         * @example /ratings?user_id=eq.ada&country_code=eq.CH
         */
        readonly RowLocation: string;
        /**
         * @description Identifies the body of a read of up to 64 kB (RFC 9110 §8.8.3). Send it as `If-None-Match`.
         * @example "5cba627330ffb38f20456bea65ff6afa.5441f3db"
         */
        readonly "Rows-ETag": string;
        /**
         * @description The authentication scheme, and `error="invalid_token"` when a token was sent (RFC 6750 §3).
         * @example Bearer
         */
        readonly "WWW-Authenticate": string;
        /**
         * @description `no`: proxies must forward every event without buffering.
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
export type AuditEntry = components['schemas']['AuditEntry'];
export type Batch = components['schemas']['Batch'];
export type BatchAnswer = components['schemas']['BatchAnswer'];
export type BatchAnswers = components['schemas']['BatchAnswers'];
export type BatchError = components['schemas']['BatchError'];
export type BatchItem = components['schemas']['BatchItem'];
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
export type FilteredChanges = components['schemas']['FilteredChanges'];
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
export type QueryParameters = components['schemas']['QueryParameters'];
export type RelationshipChoice = components['schemas']['RelationshipChoice'];
export type Row = components['schemas']['Row'];
export type Rows = components['schemas']['Rows'];
export type RowsOrRow = components['schemas']['RowsOrRow'];
export type RowsToDelete = components['schemas']['RowsToDelete'];
export type ServiceError = components['schemas']['ServiceError'];
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
export type ResponseAuditLog = components['responses']['AuditLog'];
export type ResponseBatchAnswers = components['responses']['BatchAnswers'];
export type ResponseBatchRefused = components['responses']['BatchRefused'];
export type ResponseBodyTooLarge = components['responses']['BodyTooLarge'];
export type ResponseCallRefused = components['responses']['CallRefused'];
export type ResponseCategoryCritical = components['responses']['CategoryCritical'];
export type ResponseCertificateProofInvalid = components['responses']['CertificateProofInvalid'];
export type ResponseConditionFailed = components['responses']['ConditionFailed'];
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
export type ResponseIdempotencyKeyReused = components['responses']['IdempotencyKeyReused'];
export type ResponseInsertConflict = components['responses']['InsertConflict'];
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
export type ResponsePostConflict = components['responses']['PostConflict'];
export type ResponsePutConflict = components['responses']['PutConflict'];
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
export type ResponseRowsNotModified = components['responses']['RowsNotModified'];
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
export type ResponseUpdateConflict = components['responses']['UpdateConflict'];
export type ResponseUpdateRefused = components['responses']['UpdateRefused'];
export type ResponseUpdateTargetNotFound = components['responses']['UpdateTargetNotFound'];
export type ResponseVersionMismatch = components['responses']['VersionMismatch'];
export type ResponseWritten = components['responses']['Written'];
export type ResponseWrittenNoContent = components['responses']['WrittenNoContent'];
export type ParameterAcceptProfile = components['parameters']['AcceptProfile'];
export type ParameterAccountId = components['parameters']['AccountId'];
export type ParameterAccountStatus = components['parameters']['AccountStatus'];
export type ParameterAfter = components['parameters']['After'];
export type ParameterAnd = components['parameters']['And'];
export type ParameterArchived = components['parameters']['Archived'];
export type ParameterAuditAfter = components['parameters']['AuditAfter'];
export type ParameterAuditFrom = components['parameters']['AuditFrom'];
export type ParameterAuditTo = components['parameters']['AuditTo'];
export type ParameterColumns = components['parameters']['Columns'];
export type ParameterContentProfile = components['parameters']['ContentProfile'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterDbrPosition = components['parameters']['DbrPosition'];
export type ParameterDistinct = components['parameters']['Distinct'];
export type ParameterFunctionName = components['parameters']['FunctionName'];
export type ParameterHaving = components['parameters']['Having'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterIfModifiedSince = components['parameters']['IfModifiedSince'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type ParameterIfUnmodifiedSince = components['parameters']['IfUnmodifiedSince'];
export type ParameterLastEventId = components['parameters']['LastEventId'];
export type ParameterLastEventIdQuery = components['parameters']['LastEventIdQuery'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterNotificationCategory = components['parameters']['NotificationCategory'];
export type ParameterNotificationId = components['parameters']['NotificationId'];
export type ParameterNotificationType = components['parameters']['NotificationType'];
export type ParameterOffset = components['parameters']['Offset'];
export type ParameterOnceKey = components['parameters']['OnceKey'];
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
export type RequestBodyBatch = components['requestBodies']['Batch'];
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
export type RequestBodyRowsToDelete = components['requestBodies']['RowsToDelete'];
export type RequestBodySigningConfigRequest = components['requestBodies']['SigningConfigRequest'];
export type RequestBodySigningSessionRequest = components['requestBodies']['SigningSessionRequest'];
export type HeaderAcceptQuery = components['headers']['Accept-Query'];
export type HeaderAllow = components['headers']['Allow'];
export type HeaderCacheControl = components['headers']['Cache-Control'];
export type HeaderContentLocation = components['headers']['Content-Location'];
export type HeaderContentProfile = components['headers']['Content-Profile'];
export type HeaderContentRange = components['headers']['Content-Range'];
export type HeaderDbrPosition = components['headers']['Dbr-Position'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderLastModified = components['headers']['Last-Modified'];
export type HeaderLocation = components['headers']['Location'];
export type HeaderPageLinks = components['headers']['Page-Links'];
export type HeaderPreferenceApplied = components['headers']['Preference-Applied'];
export type HeaderRangeUnit = components['headers']['Range-Unit'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderRowLocation = components['headers']['RowLocation'];
export type HeaderRowsETag = components['headers']['Rows-ETag'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderXAccelBuffering = components['headers']['X-Accel-Buffering'];
export type $defs = Record<string, never>;
export interface operations {
    readonly getDatabaseDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The schema to read from. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
    readonly sendBatch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description With the setting `db-idempotency`, a repetition of the request with the same key gets the answer of the first one and writes nothing. A string in quotes, such as a UUID; without the setting it is ignored.
                 * @example "8e03978e-40d5-43dd-bc93-6894a57f9324"
                 */
                readonly "Idempotency-Key"?: components["parameters"]["OnceKey"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
                 *     | `params=single-object` | the whole body as the one argument of a function (deprecated) |
                 * @example return=representation, count=exact
                 */
                readonly Prefer?: components["parameters"]["Prefer"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: components["requestBodies"]["Batch"];
        readonly responses: {
            readonly 200: components["responses"]["BatchAnswers"];
            readonly 400: components["responses"]["BatchRefused"];
            readonly 401: components["responses"]["NotAuthenticated"];
            readonly 403: components["responses"]["NotPermitted"];
            readonly 404: components["responses"]["RelationNotFound"];
            readonly 405: components["responses"]["ReadOnly"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 409: components["responses"]["PostConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnacceptableContentType"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
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
                 * @description The schema to read from. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
                 * @description `(*)` leaves out rows whose selected values repeat; `(column,…)` returns the first row, by `order`, for each value of the columns.
                 *     Of embedded resources `<path>.distinct`. Any value that does not begin with a parenthesis filters a column of this name.
                 */
                readonly distinct?: components["parameters"]["Distinct"];
                /**
                 * @description Conditions on groups by the keys of selected values, in the form of `and`: `select=country_code,count()` and
                 *     `having=(count.gt.5)`. Of embedded resources `<path>.having`. Any value that does not begin with a parenthesis filters a column
                 *     of this name.
                 */
                readonly having?: components["parameters"]["Having"];
                /**
                 * @description The maximum number of rows to return or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description The number of rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which at least one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /**
                 * @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row,
                 *     or by an aggregate of related rows that are not returned otherwise. Groups are ordered by the keys of their aggregates, and text
                 *     searches by rank: `column.rank(fts.words).desc`.
                 */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description The columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, `column.count(distinct)`, `count().filter(column.operator.value)`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread resources
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to read from. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description The Last-Modified that the client has, of a read of one row by its primary key. If the row has not changed since, the response is 304 without a body. `If-None-Match` takes precedence.
                 * @example Fri, 02 Jan 2026 03:04:05 GMT
                 */
                readonly "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /**
                 * @description The ETags that the client has. If the resource still has one of them, the response is 304 without a body.
                 * @example "1"
                 */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
                 * @description The unit of the range.
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
            readonly 304: components["responses"]["RowsNotModified"];
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
                 * @description The columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, `column.count(distinct)`, `count().filter(column.operator.value)`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread resources
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to write to. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Content-Profile"?: components["parameters"]["ContentProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412.
                 * @example "1"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description The Last-Modified that the change is based on. If the row has changed since, the response is 412. Ignored beside `If-Match`, and for relations without Last-Modified.
                 * @example Fri, 02 Jan 2026 03:04:05 GMT
                 */
                readonly "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
            readonly 409: components["responses"]["PutConflict"];
            readonly 412: components["responses"]["ConditionFailed"];
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
                /** @description The members of the body to write, comma-separated. Other members are ignored; absent members are null. For POST, related resources have their members in parentheses, as in `select`. */
                readonly columns?: components["parameters"]["Columns"];
                /**
                 * @description The columns by which `resolution=…` detects existing rows, and `match=keys` finds the rows to change. Absent means the primary key. For related objects within the body, `<path>.on_conflict`.
                 * @example user_id,country_code
                 */
                readonly on_conflict?: components["parameters"]["OnConflict"];
                /**
                 * @description The columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, `column.count(distinct)`, `count().filter(column.operator.value)`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread resources
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to write to. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Content-Profile"?: components["parameters"]["ContentProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description With the setting `db-idempotency`, a repetition of the request with the same key gets the answer of the first one and writes nothing. A string in quotes, such as a UUID; without the setting it is ignored.
                 * @example "8e03978e-40d5-43dd-bc93-6894a57f9324"
                 */
                readonly "Idempotency-Key"?: components["parameters"]["OnceKey"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
            readonly 409: components["responses"]["InsertConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnacceptableContentType"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
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
                 * @description The maximum number of rows to return or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description The number of rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which at least one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /**
                 * @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row,
                 *     or by an aggregate of related rows that are not returned otherwise. Groups are ordered by the keys of their aggregates, and text
                 *     searches by rank: `column.rank(fts.words).desc`.
                 */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description The columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, `column.count(distinct)`, `count().filter(column.operator.value)`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread resources
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to write to. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Content-Profile"?: components["parameters"]["ContentProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412.
                 * @example "1"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description The Last-Modified that the change is based on. If the row has changed since, the response is 412. Ignored beside `If-Match`, and for relations without Last-Modified.
                 * @example Fri, 02 Jan 2026 03:04:05 GMT
                 */
                readonly "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
        readonly requestBody?: components["requestBodies"]["RowsToDelete"];
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
            readonly 412: components["responses"]["ConditionFailed"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnacceptableContentType"];
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
                 * @description The schema to read from. Absent means the first exposed schema.
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
                 * @description `(*)` leaves out rows whose selected values repeat; `(column,…)` returns the first row, by `order`, for each value of the columns.
                 *     Of embedded resources `<path>.distinct`. Any value that does not begin with a parenthesis filters a column of this name.
                 */
                readonly distinct?: components["parameters"]["Distinct"];
                /**
                 * @description Conditions on groups by the keys of selected values, in the form of `and`: `select=country_code,count()` and
                 *     `having=(count.gt.5)`. Of embedded resources `<path>.having`. Any value that does not begin with a parenthesis filters a column
                 *     of this name.
                 */
                readonly having?: components["parameters"]["Having"];
                /**
                 * @description The maximum number of rows to return or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description The number of rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which at least one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /**
                 * @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row,
                 *     or by an aggregate of related rows that are not returned otherwise. Groups are ordered by the keys of their aggregates, and text
                 *     searches by rank: `column.rank(fts.words).desc`.
                 */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description The columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, `column.count(distinct)`, `count().filter(column.operator.value)`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread resources
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to read from. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
                /** @description The members of the body to write, comma-separated. Other members are ignored; absent members are null. For POST, related resources have their members in parentheses, as in `select`. */
                readonly columns?: components["parameters"]["Columns"];
                /**
                 * @description The maximum number of rows to return or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description The number of rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /**
                 * @description The columns by which `resolution=…` detects existing rows, and `match=keys` finds the rows to change. Absent means the primary key. For related objects within the body, `<path>.on_conflict`.
                 * @example user_id,country_code
                 */
                readonly on_conflict?: components["parameters"]["OnConflict"];
                /** @description Filters of which at least one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /**
                 * @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row,
                 *     or by an aggregate of related rows that are not returned otherwise. Groups are ordered by the keys of their aggregates, and text
                 *     searches by rank: `column.rank(fts.words).desc`.
                 */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description The columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, `column.count(distinct)`, `count().filter(column.operator.value)`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread resources
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to write to. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Content-Profile"?: components["parameters"]["ContentProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412.
                 * @example "1"
                 */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description The Last-Modified that the change is based on. If the row has changed since, the response is 412. Ignored beside `If-Match`, and for relations without Last-Modified.
                 * @example Fri, 02 Jan 2026 03:04:05 GMT
                 */
                readonly "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
            readonly 404: components["responses"]["UpdateTargetNotFound"];
            readonly 405: components["responses"]["ReadOnly"];
            readonly 406: components["responses"]["Unacceptable"];
            readonly 409: components["responses"]["UpdateConflict"];
            readonly 412: components["responses"]["ConditionFailed"];
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
                 * @description The ETags that the client has. If the resource still has one of them, the response is 304 without a body.
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
                 * @description The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412.
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
                 * @description The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412.
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
                 * @description The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412.
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
                 * @description A repeated request with the same key returns the session that the first request created. An alternative to `sessionId`.
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
                 * @description The `nextCursor` of the previous page.
                 * @example MTAyNA
                 */
                readonly cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of items to return. Values above 100 are reduced to 100.
                 * @example 20
                 */
                readonly limit?: components["parameters"]["Limit"];
                /**
                 * @description Lists only accounts of this status.
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
                 * @description The ETags that the client has. If the resource still has one of them, the response is 304 without a body.
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
                 * @description The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412.
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
    readonly exportAuditLog: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Returns only entries after this `sequence`, for example that of the last line of the previous export.
                 * @example 1200
                 */
                readonly after?: components["parameters"]["AuditAfter"];
                /**
                 * @description Returns only entries that were sealed at this time or later.
                 * @example 2026-03-01T00:00:00Z
                 */
                readonly sealedFrom?: components["parameters"]["AuditFrom"];
                /**
                 * @description Returns only entries that were sealed before this time.
                 * @example 2026-04-01T00:00:00Z
                 */
                readonly sealedTo?: components["parameters"]["AuditTo"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["AuditLog"];
            readonly 400: components["responses"]["InvalidParameter"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooManyStreams"];
            readonly 503: components["responses"]["Unavailable"];
            readonly default: components["responses"]["Fault"];
        };
    };
    readonly getReferencePage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The ETags that the client has. If the resource still has one of them, the response is 304 without a body.
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
            /** @description Nothing was created. Every reader already has the notification or switched the category off. */
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
                 * @description Excludes archived notifications, lists only those, or lists both.
                 * @example exclude
                 */
                readonly archived?: components["parameters"]["Archived"];
                /**
                 * @description Lists only notifications of this category.
                 * @example signing
                 */
                readonly category?: components["parameters"]["NotificationCategory"];
                /**
                 * @description The `nextCursor` of the previous page.
                 * @example MTAyNA
                 */
                readonly cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of items to return. Values above 100 are reduced to 100.
                 * @example 20
                 */
                readonly limit?: components["parameters"]["Limit"];
                /**
                 * @description The number of items to skip. For deep pages use `cursor`, whose cost does not grow with the position.
                 * @example 0
                 */
                readonly offset?: components["parameters"]["Offset"];
                /**
                 * @description Lists all, unread or read notifications of the caller.
                 * @example unread
                 */
                readonly status?: components["parameters"]["ReadStatus"];
                /**
                 * @description Lists only notifications of this type.
                 * @example signing.session.completed
                 */
                readonly type?: components["parameters"]["NotificationType"];
            };
            readonly header?: {
                /**
                 * @description The ETags that the client has. If the resource still has one of them, the response is 304 without a body.
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
                 * @description The same as `Last-Event-ID`, for clients that cannot send headers. The header takes precedence: EventSource sends it when it reconnects.
                 * @example MTAyNA
                 */
                readonly lastEventId?: components["parameters"]["LastEventIdQuery"];
                /**
                 * @description A ticket of `POST /api/v1/notifications/me/stream-ticket`. It replaces the Authorization header.
                 * @example 4mJ2mVxgk1l2hZ0mR7xQ0w
                 */
                readonly ticket?: components["parameters"]["Ticket"];
            };
            readonly header?: {
                /**
                 * @description The `id` of the last received event. The stream continues after it, without gaps or repetitions.
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
            /** @description The tickets were revoked. */
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
                 * @description The ETags that the client has. If the resource still has one of them, the response is 304 without a body.
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
                 * @description The ETags that the client has. If the resource still has one of them, the response is 304 without a body.
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
                 * @description The `nextCursor` of the previous page.
                 * @example MTAyNA
                 */
                readonly cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of items to return. Values above 100 are reduced to 100.
                 * @example 20
                 */
                readonly limit?: components["parameters"]["Limit"];
                /**
                 * @description Lists only parties of this role.
                 * @example delegate
                 */
                readonly role?: components["parameters"]["PartyRole"];
                /**
                 * @description Lists only parties of this status.
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
                 * @description The ETags that the client has. If the resource still has one of them, the response is 304 without a body.
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
                 * @description The ETag that the change is based on, or `*`. If the resource has another ETag, the response is 412.
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
                 * @description Lists only sessions of this account.
                 * @example 0199a2f0-5b0e-7cc1-9a54-6f3c2b1a0d9e
                 */
                readonly accountId?: components["parameters"]["SessionAccount"];
                /**
                 * @description The `nextCursor` of the previous page.
                 * @example MTAyNA
                 */
                readonly cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The maximum number of items to return. Values above 100 are reduced to 100.
                 * @example 20
                 */
                readonly limit?: components["parameters"]["Limit"];
                /**
                 * @description Lists only sessions in this state.
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
                 * @description The ETags that the client has. If the resource still has one of them, the response is 304 without a body.
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
                 * @description Returns only events after this position.
                 * @example 3
                 */
                readonly after?: components["parameters"]["After"];
            };
            readonly header?: {
                /**
                 * @description The `id` of the last received event. The stream continues after it, without gaps or repetitions.
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
                 * @description The maximum number of rows to return or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description The number of rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which at least one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /**
                 * @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row,
                 *     or by an aggregate of related rows that are not returned otherwise. Groups are ordered by the keys of their aggregates, and text
                 *     searches by rank: `column.rank(fts.words).desc`.
                 */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description The columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, `column.count(distinct)`, `count().filter(column.operator.value)`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread resources
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to read from. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
                 * @description The unit of the range.
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
                /** @description The members of the body to write, comma-separated. Other members are ignored; absent members are null. For POST, related resources have their members in parentheses, as in `select`. */
                readonly columns?: components["parameters"]["Columns"];
                /**
                 * @description The maximum number of rows to return or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description The number of rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which at least one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /**
                 * @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row,
                 *     or by an aggregate of related rows that are not returned otherwise. Groups are ordered by the keys of their aggregates, and text
                 *     searches by rank: `column.rank(fts.words).desc`.
                 */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description The columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, `column.count(distinct)`, `count().filter(column.operator.value)`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread resources
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to write to. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Content-Profile"?: components["parameters"]["ContentProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description With the setting `db-idempotency`, a repetition of the request with the same key gets the answer of the first one and writes nothing. A string in quotes, such as a UUID; without the setting it is ignored.
                 * @example "8e03978e-40d5-43dd-bc93-6894a57f9324"
                 */
                readonly "Idempotency-Key"?: components["parameters"]["OnceKey"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
            readonly 409: components["responses"]["PostConflict"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["UnacceptableContentType"];
            readonly 416: components["responses"]["RangeNotSatisfiable"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
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
                 * @description The schema to read from. Absent means the first exposed schema.
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
                 * @description The maximum number of rows to return or to change.
                 * @example 15
                 */
                readonly limit?: components["parameters"]["RowLimit"];
                /**
                 * @description The number of rows to skip.
                 * @example 30
                 */
                readonly offset?: components["parameters"]["RowOffset"];
                /** @description Filters of which at least one must hold, in the form of `and`. Also as `not.or`. */
                readonly or?: components["parameters"]["Or"];
                /**
                 * @description Columns to order by, each with `.asc` or `.desc` and `.nullsfirst` or `.nullslast`; `relation(column)` orders by a related row,
                 *     or by an aggregate of related rows that are not returned otherwise. Groups are ordered by the keys of their aggregates, and text
                 *     searches by rank: `column.rank(fts.words).desc`.
                 */
                readonly order?: components["parameters"]["Order"];
                /**
                 * @description The columns to return, comma-separated: `alias:column::type`, JSON paths `column->member->>member`, aggregates
                 *     `column.sum()`, `column.count(distinct)`, `count().filter(column.operator.value)`, embedded resources `relation(columns)` with hints `relation!key!inner(columns)`, and spread resources
                 *     `...relation(columns)`.
                 */
                readonly select?: components["parameters"]["Select"];
            };
            readonly header?: {
                /**
                 * @description The schema to read from. Absent means the first exposed schema.
                 * @example geo
                 */
                readonly "Accept-Profile"?: components["parameters"]["AcceptProfile"];
                /**
                 * @description The header of the response to a write, where replicas serve reads (`db-replica-uri`). The response shows that write.
                 * @example 0/403B2A8
                 */
                readonly "Dbr-Position"?: components["parameters"]["DbrPosition"];
                /**
                 * @description Preferences (RFC 7240), comma-separated.
                 *
                 *     | Preference | Meaning |
                 *     | --- | --- |
                 *     | `return=minimal`, `headers-only`, `representation` | what the response to a write contains |
                 *     | `count=exact`, `planned`, `estimated` | how to determine the total |
                 *     | `resolution=merge-duplicates`, `ignore-duplicates` | what to do with existing rows |
                 *     | `missing=default`, `null` | the value of members that the body does not contain |
                 *     | `missing-rows=delete`, `keep` | `PATCH` or `PUT` with related arrays: what to do with rows that an array does not contain |
                 *     | `match=keys` | `PATCH`: each object of the body changes the row with its key |
                 *     | `handling=strict`, `lenient` | whether to refuse unknown preferences |
                 *     | `stream` | CSV is sent, or received, row by row, in any length |
                 *     | `tx=commit`, `rollback` | how to end the transaction, if the settings allow it |
                 *     | `timezone=<name>` | the time zone of the transaction |
                 *     | `max-affected=<rows>` | with `handling=strict`: the maximum number of rows to change |
                 *     | `max-cost=<cost>` | the greatest cost that PostgreSQL may estimate for the statement |
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
