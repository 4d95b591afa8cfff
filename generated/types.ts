// Generated from openapi/ by `make generate`. Not edited by hand.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A key whose shares the parties hold. The service stores no key material. */
        readonly Account: {
            readonly accountId: string;
            /** @description Present if the service derives child keys. */
            readonly chainCode?: components["schemas"]["ChainCode"];
            /** Format: date-time */
            readonly createdAt: string;
            readonly keyType: components["schemas"]["KeyType"];
            readonly name: string;
            /** @description Present if sessions may name their parties. */
            readonly namedParties?: components["schemas"]["NamedParties"];
            /** @description The user who owns the account. */
            readonly ownerUserId: string;
            /** @description The public key, as hexadecimal; null until the parties have generated the key. */
            readonly publicKey: string | null;
            /** @description The keys that sign requests for sessions of the account. Absent if there are none. */
            readonly requestKeys?: components["schemas"]["RequestKeys"];
            /** @description Present if sessions without a signed request are refused. */
            readonly requests?: components["schemas"]["RequestRule"];
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
            /** @description The chain code. It can be set once. */
            readonly chainCode?: components["schemas"]["ChainCode"];
            readonly name?: string;
            readonly namedParties?: components["schemas"]["NamedParties"];
            /** @description The public key. It can be set once, after the parties have generated the key. */
            readonly publicKey?: components["schemas"]["HexKey"];
            /** @description All keys from now on; keys that are not listed are removed. Signatures that sessions have stay. */
            readonly requestKeys?: components["schemas"]["RequestKeys"];
            readonly requests?: components["schemas"]["RequestRule"];
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
            /** @description Absent means none, so that signatures by child keys are counted and not verified. */
            readonly chainCode?: components["schemas"]["ChainCode"];
            readonly keyType: components["schemas"]["KeyType"];
            readonly name: string;
            /** @description Absent means `refused`. */
            readonly namedParties?: components["schemas"]["NamedParties"];
            /** @description The owner of the account. Absent means the caller. */
            readonly ownerUserId?: string;
            /** @description The public key. Absent if the parties have not generated the key; the account is `pending` until the public key is set. */
            readonly publicKey?: components["schemas"]["HexKey"];
            /** @description Absent means none. */
            readonly requestKeys?: components["schemas"]["RequestKeys"];
            /** @description Absent means `optional`. */
            readonly requests?: components["schemas"]["RequestRule"];
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
            /** @description Of the `notificationIds` of the request, those of notifications that the caller does not have. Absent without them. */
            readonly notFound?: readonly string[];
            /** @constant */
            readonly ok: true;
        };
        /** @description All notifications were archived, or all that were created before a time. */
        readonly AllNotificationsArchived: {
            /** Format: date-time */
            readonly archivedAt: string;
            readonly before: components["schemas"]["EarlierThan"];
            readonly excluded: components["schemas"]["NotSeenByMark"];
        };
        /** @description All notifications have changed, or all that were created before a time. */
        readonly AllNotificationsChanged: {
            readonly before: components["schemas"]["EarlierThan"];
            readonly excluded: components["schemas"]["NotSeenByMark"];
        };
        /** @description All notifications were marked as read, or all that were created before a time. */
        readonly AllNotificationsRead: {
            /**
             * Format: date-time
             * @description Notifications that were created at this time or later are unchanged; null if all were marked as read.
             */
            readonly before: string | null;
            readonly excluded: components["schemas"]["NotSeenByMark"];
            /** Format: date-time */
            readonly readAt: string;
        };
        /** @description All notifications were shown to the user, or all that were created before a time. */
        readonly AllNotificationsSeen: {
            readonly before: components["schemas"]["EarlierThan"];
            readonly excluded: components["schemas"]["NotSeenByMark"];
            /** Format: date-time */
            readonly seenAt: string;
        };
        /** @description A change with its actor, at its place in the hash chain of the tenant. */
        readonly AuditEntry: {
            /** @description The change, for example `signing-config.update`. */
            readonly action: string;
            /** @description The pseudonym of the user that made the change, or the name of a party (`party:<id>`) or command. */
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
            /** @description SHA-256 of the other members but `names`, as a JSON object in the canonical form of RFC 8785. */
            readonly hash: string;
            /**
             * @description The users in the entry that were not erased, by pseudonym; absent if there are none. It is not part of the hash, because
             *     the erasure of a user removes the name. A pseudonym is `user-` and the SHA-256 of the salt, the tenant, a zero byte and
             *     the user, so that a wrong name shows.
             */
            readonly names?: {
                readonly [key: string]: {
                    /** @description 32 random bytes. */
                    readonly salt: string;
                    /** @description Claim `sub` of the user's tokens. */
                    readonly userId: string;
                };
            };
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
            /** @description The ids of earlier items to which this item refers. Objects with `$from`, and braces in the path, that name none of them are data. Without this member, every `$from` and every `{<id>}` of an item is a reference. */
            readonly references?: readonly string[];
        };
        /** @description The outcome of a cancellation. */
        readonly CancelledNotifications: {
            /** @description The number of notifications that will not be created, by their readers. One for a tenant or a topic is one. */
            readonly cancelled: number;
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
        /** @description Who makes or reshares the key, and what they have certified. */
        readonly Ceremony: {
            readonly after: components["schemas"]["Holding"];
            /** @description Those of the present holders who deal; null where there is no key yet. */
            readonly before: components["schemas"]["Holding"] | null;
            /** @description The signatures of all participants over the result by their identity keys. Null until the ceremony is completed. */
            readonly certificate: readonly components["schemas"]["Certification"][] | null;
            readonly kind: components["schemas"]["CeremonyKind"];
            /** @description The key that the first report named; null before it. */
            readonly publicKey: string | null;
            /** @description The hash of what the dealers sent to all, as the first report named it; null before it. */
            readonly transcriptSha256: string | null;
        };
        /**
         * @description A new key (`keygen`), or the same key for other holders (`reshare`).
         * @enum {string}
         */
        readonly CeremonyKind: "keygen" | "reshare";
        /** @description A ceremony. A new key has the holders and the threshold of the account. */
        readonly CeremonyRequest: {
            /** @description The holders afterwards. Needed to reshare a key. */
            readonly after?: components["schemas"]["NewHolding"];
            /** @description Present holders who deal; at least as many as the threshold. Needed to reshare a key. */
            readonly dealers?: readonly components["schemas"]["PartyId"][];
            readonly kind: components["schemas"]["CeremonyKind"];
            /**
             * @description A signed request for the parties, whose digest is the hash of the plan. Needed to reshare a key: it then has a signature by a
             *     key that is registered for the account.
             */
            readonly request?: components["schemas"]["SigningRequest"];
            /**
             * Format: uuid
             * @description The identifier of the session. Absent means that the service chooses it.
             */
            readonly sessionId?: string;
            /** @description The maximum duration of the session in seconds. Absent means 300. */
            readonly ttlSeconds?: number;
        };
        /** @description The signature of a participant over the result of a ceremony. */
        readonly Certification: {
            readonly partyId: components["schemas"]["PartyId"];
            /** @description Lower-case hexadecimal. */
            readonly signature: string;
        };
        /**
         * @description The chain code of a key of type `secp256k1` (BIP 32). With it the service derives child keys, and verifies their signatures; without
         *     it a session with a `derivationPath` is completed by as many equal reports as the threshold.
         */
        readonly ChainCode: string;
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
        readonly DbrErrorCode: "DBR000" | "DBR001" | "DBR002" | "DBR003" | "DBR100" | "DBR101" | "DBR102" | "DBR103" | "DBR105" | "DBR106" | "DBR107" | "DBR108" | "DBR109" | "DBR110" | "DBR111" | "DBR112" | "DBR114" | "DBR115" | "DBR116" | "DBR117" | "DBR118" | "DBR119" | "DBR120" | "DBR121" | "DBR122" | "DBR123" | "DBR124" | "DBR125" | "DBR130" | "DBR131" | "DBR132" | "DBR133" | "DBR140" | "DBR142" | "DBR143" | "DBR144" | "DBR145" | "DBR146" | "DBR147" | "DBR150" | "DBR151" | "DBR160" | "DBR161" | "DBR162" | "DBR163" | "DBR164" | "DBR165" | "DBR166" | "DBR167" | "DBR168" | "DBR170" | "DBR171" | "DBR172" | "DBR173" | "DBR174" | "DBR179" | "DBR180" | "DBR181" | "DBR182" | "DBR183" | "DBR184" | "DBR185" | "DBR186" | "DBR187" | "DBR190" | "DBR191" | "DBR192" | "DBR193" | "DBR194" | "DBR200" | "DBR201" | "DBR202" | "DBR203" | "DBR204" | "DBR205" | "DBR300" | "DBR301" | "DBR302" | "DBR303" | "DBR304" | "DBR310" | "DBR400" | "DBR401" | "DBR402" | "DBR403" | "DBR404" | "DBR406" | "DBR407" | "DBR408" | "DBR409" | "DBR410" | "DBR411" | "DBR412" | "DBR413" | "DBR420" | "DBR421" | "DBR422" | "DBR423" | "DBR424" | "DBR425" | "DBR426" | "DBR427" | "DBR428" | "DBR429" | "DBR430" | "DBR431" | "DBR432" | "DBR433" | "DBR434" | "DBR435" | "DBR436" | "DBR500" | "DBR501" | "DBR502" | "DBR503" | "DBR504" | "DBR505" | "DBR506" | "DBR507" | "DBR508" | "DBR509" | "DBR510" | "DBR511" | "DBR512" | "DBR513" | "DBR514" | "DBR515" | "DBR516" | "DBR517" | "DBR518" | "DBR519" | "DBRX00" | "DBR520" | "DBR521" | "DBR522" | "DBR523" | "DBR524" | "DBR525" | "DBR526" | "DBR527" | "DBR530" | "DBR531" | "DBR532" | "DBR533" | "DBR540" | "DBR541";
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
         *     expiry, each preceded by its length; of a session with a message `dus/v1 message`, and the SHA-256 of the message in the place of
         *     the digest. An envelope is therefore valid for one digest or message in one session.
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
        /**
         * @description Collects notifications of one user with the same key into one, which is created at the end of the window with the content of the
         *     last one. Its `data` have member `digest`: `key`, `count`, `since`, and the last of them as `items` (at most ten, oldest first).
         */
        readonly DigestWindow: {
            /** @description What is collected together, such as the post that is commented on. */
            readonly key: string;
            /**
             * @description Whether this notification extends an open window to `windowSeconds` from now. The window ends at the latest 12 times
             *     `windowSeconds`, or seven days, after its beginning. Absent means false.
             */
            readonly sliding?: boolean;
            /** @description The length of the window that the first notification opens, at most seven days. */
            readonly windowSeconds: number;
        };
        /**
         * Format: date-time
         * @description Notifications that were created at this time or later are unchanged; null if all have changed.
         */
        readonly EarlierThan: string | null;
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
        /** @description A number of rows. */
        readonly ErasedCount: number;
        /** @description The topics that the caller follows, by name. */
        readonly FollowedTopics: {
            readonly topics: readonly {
                /** Format: date-time */
                readonly since: string;
                readonly topic: string;
            }[];
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
        /** @description A holder of a share, with the identity key that was registered when the ceremony was created. */
        readonly Holder: {
            /** @description Lower-case hexadecimal. */
            readonly identityPublicKey: string;
            readonly partyId: components["schemas"]["PartyId"];
            readonly shareIndex: number;
            readonly shareType: components["schemas"]["ShareType"];
        };
        /** @description Holders of a key, and how many of them sign together. */
        readonly Holding: {
            readonly holders: readonly components["schemas"]["Holder"][];
            readonly threshold: number;
        };
        /**
         * @description A raw Ed25519 key, or the SubjectPublicKeyInfo in DER of an Ed25519, P-256 or P-384 key or of an RSA key of 2048 bits or more,
         *     as lower-case hexadecimal. No other party of the tenant may have the key. Ed25519 keys that are not canonically encoded or
         *     not of prime order are refused.
         */
        readonly IdentityKey: string;
        /**
         * @description The proof that the party holds its identity key, as lower-case hexadecimal: a signature by this key over the UTF-8 text of
         *     four lines, without a line end after the last: `dbr-party-identity-v1`, the party's identifier, its identity key as in
         *     `identityPublicKey`, the tenant. Ed25519 signs the text itself, other keys sign its SHA-256.
         */
        readonly IdentitySignature: string;
        /**
         * @description The curve of the key.
         * @enum {string}
         */
        readonly KeyType: "secp256k1" | "ed25519" | "p256";
        readonly LiveReadChange: {
            /** @description Keys of rows that are no longer in the answer. */
            readonly delete?: readonly (readonly unknown[])[];
            /** @description The members of a row that are its key. */
            readonly key?: readonly string[];
            /** @description All keys in their order; absent if rows stay in place and new ones follow at the end. */
            readonly order?: readonly (readonly unknown[])[];
            /** @description The number of all rows, if it has changed. */
            readonly total?: number;
            /** @description Rows that are new or differ, whole. */
            readonly upsert?: readonly components["schemas"]["Row"][];
        };
        /**
         * @description The `data` of one event of a live read, as JSON.
         *
         *     | `event:` | `data:` |
         *     | --- | --- |
         *     | `snapshot` | the rows, as in `application/json` |
         *     | `change` | how the rows of before become those of now |
         *     | `end` | the reason, and the error where there is one; the stream is closed |
         */
        readonly LiveReadData: components["schemas"]["Rows"] | components["schemas"]["LiveReadChange"] | components["schemas"]["LiveReadEnd"];
        readonly LiveReadEnd: {
            readonly error?: components["schemas"]["DataApiError"];
            /** @enum {string} */
            readonly reason: "token expired" | "service stops" | "schema" | "busy" | "rights" | "too large" | "error";
        };
        readonly LiveTicket: {
            /**
             * Format: date-time
             * @description The time from which the ticket is refused, unless it has opened its stream before.
             */
            readonly expiresAt: string;
            /** @description Send it as the query parameter `dbr-ticket`. */
            readonly ticket: string;
        };
        readonly LiveTicketRequest: {
            /** @description The path of the read with its query. */
            readonly path: string;
        };
        /** @description The members that change, at least one. The others stay. */
        readonly MessageChange: {
            /** @description As in the creation. Null removes it. */
            readonly actionUrl?: string | null;
            /** @description Null removes it. */
            readonly actor?: components["schemas"]["NotificationActor"] | null;
            /** @description Null removes it. */
            readonly body?: string | null;
            /** @description Replaces the whole member; at most 16 KiB as JSON. */
            readonly data?: {
                readonly [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Null removes it.
             */
            readonly expiresAt?: string | null;
            readonly severity?: components["schemas"]["NotificationSeverity"];
            /** @description The title. Blanks alone are refused. */
            readonly title?: string;
        };
        /** @description The outcome of a change of a message. */
        readonly MessageOutcome: {
            /** @description The number of notifications that were changed or removed. One with many readers is one. */
            readonly notifications: number;
        };
        /** @description Who has seen, read and used a message, and a page of its readers. */
        readonly MessageReceipts: {
            readonly audience: components["schemas"]["NotificationAudience"];
            /** @description Exact up to 10,000 readers with marks; of more, the first 10,001 found are counted. */
            readonly counts: {
                readonly interacted: number;
                readonly read: number;
                /** @description The number of readers; null for a tenant and a topic. */
                readonly readers: number | null;
                readonly seen: number;
            };
            /** @description Whether another page follows. */
            readonly hasMore: boolean;
            /** @description The readers by name. For a tenant and a topic, those with a mark. */
            readonly items: readonly {
                /** Format: date-time */
                readonly interactedAt: string | null;
                /** Format: date-time */
                readonly readAt: string | null;
                /** Format: date-time */
                readonly seenAt: string | null;
                readonly userId: string;
            }[];
            readonly messageId: string;
            /** @description Send it as `cursor` for the next page; null when there is none. */
            readonly nextCursor: string | null;
        };
        /**
         * @description Whether the creator of a session may name its parties, among those that the account allows anyway.
         * @enum {string}
         */
        readonly NamedParties: "refused" | "allowed";
        /** @description The holders of a key after a ceremony, and how many of them must sign together. */
        readonly NewHolding: {
            readonly shares: readonly components["schemas"]["AccountShareRequest"][];
            readonly threshold: number;
        };
        /** @description A webhook with a new secret. */
        readonly NewWebhook: components["schemas"]["Webhook"] & {
            /** @description The secret that signs, in the form of Standard Webhooks. No other response has it. */
            readonly secret: string;
        };
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
            /**
             * Format: date-time
             * @description The time at which the caller first used the notification, for example clicked its address.
             */
            readonly interactedAt: string | null;
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
            /**
             * Format: date-time
             * @description The time at which the notification returns to the list; null unless the caller has snoozed it.
             */
            readonly snoozedUntil: string | null;
            /** @description The tenant that the notification belongs to. */
            readonly tenantId: string;
            /** @description The title, one line. */
            readonly title: string;
            /** @description The topic whose followers are the readers; null for the other audiences. */
            readonly topic: string | null;
            /** @description The type of the event, as words joined by dots. */
            readonly type: string;
            /** @description The user that the notification is for; null if it has many readers. */
            readonly userId: string | null;
        };
        /** @description The actor that caused a notification. */
        readonly NotificationActor: {
            readonly id: string;
            readonly name: string | null;
            readonly type: string;
        };
        /**
         * @description The readers: one user, all users of the tenant, or those who follow a topic.
         * @enum {string}
         */
        readonly NotificationAudience: "user" | "tenant" | "topic";
        /**
         * @description A way by which notifications reach a user.
         * @enum {string}
         */
        readonly NotificationChannel: "inApp" | "webhook";
        /** @description The content of a notification. */
        readonly NotificationContent: {
            /**
             * @description The address that a click opens: a relative URL, or one of `http` or `https` with `//` and a host. A URL that begins with `//`,
             *     other schemes, blanks, control characters and backslashes are refused.
             */
            readonly actionUrl?: string;
            readonly actor?: components["schemas"]["NotificationActor"];
            readonly body?: string;
            /** @description Cancels the notification before `sendAt`, together with others of the tenant that have the same key. Refused without `sendAt`. */
            readonly cancelKey?: string;
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
             * @description The time from which the notification is not visible; in the future, and later than `sendAt`.
             */
            readonly expiresAt?: string;
            /** @description Groups notifications that a client shows as one. */
            readonly groupKey?: string;
            /**
             * Format: date-time
             * @description The time at which the notification is created, at most 366 days ahead by the clock of the database. Absent means at once. Refused
             *     beside `digest`.
             */
            readonly sendAt?: string;
            /** @description The severity. Absent means `info`. */
            readonly severity?: components["schemas"]["NotificationSeverity"];
            /** @description The tenant of the readers. Absent means the tenant of the token; another tenant needs scope `notifications:write-any`. */
            readonly tenantId?: string;
            /** @description The title. Blanks alone are refused. */
            readonly title: string;
            /** @description The type of the event, as words joined by dots. */
            readonly type: string;
        };
        /** @description Several notifications. Null and an empty list are refused. */
        readonly NotificationIds: readonly string[];
        /** @description All marks of one notification, after a change by this client or another. */
        readonly NotificationMarks: {
            /** Format: date-time */
            readonly archivedAt: string | null;
            /** Format: date-time */
            readonly interactedAt: string | null;
            readonly isRead: boolean;
            readonly notificationId: string;
            /** Format: date-time */
            readonly readAt: string | null;
            /** Format: date-time */
            readonly seenAt: string | null;
            /** Format: date-time */
            readonly snoozedUntil: string | null;
        };
        /** @description One notification, or several. One of the two members is required, and the two together are refused. */
        readonly NotificationNames: {
            /** @description The notification to change. */
            readonly notificationId?: string;
            readonly notificationIds?: components["schemas"]["NotificationIds"];
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
            /** @description The number of notifications that match the filters. Exact, except with `data`, where it is that of the notifications that were searched. */
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
        /** @description The notification that has changed. */
        readonly NotificationReference: {
            readonly notificationId: string;
        };
        /** @description The notification and its readers. */
        readonly NotificationRequest: components["schemas"]["UserNotificationRequest"] | components["schemas"]["TenantNotificationRequest"] | components["schemas"]["TopicNotificationRequest"];
        /** @description One notification, several, or all of the caller's when `notificationId` and `notificationIds` are absent. Two members together are refused. */
        readonly NotificationSelection: {
            /**
             * Format: date-time
             * @description Excludes notifications that were created at this time or later, for example after the client fetched the list.
             */
            readonly before?: string;
            /** @description The notification to change. Absent means all. Null and an empty text are refused. */
            readonly notificationId?: string;
            readonly notificationIds?: components["schemas"]["NotificationIds"];
        };
        /** @description Settings of a tenant. */
        readonly NotificationSettings: {
            /** @description The days that notifications of the tenant are kept. Null means those of the service, setting `notifications-retention`. */
            readonly retentionDays: number | null;
        };
        /**
         * @description The severity of a notification.
         * @enum {string}
         */
        readonly NotificationSeverity: "info" | "success" | "warning" | "critical";
        /** @description The notifications to snooze, and until when. One of `notificationId` and `notificationIds` is required, and the two together are refused. */
        readonly NotificationSnooze: {
            /** @description The notification to snooze. */
            readonly notificationId?: string;
            readonly notificationIds?: components["schemas"]["NotificationIds"];
            /**
             * Format: date-time
             * @description The time at which it returns, at most 366 days ahead.
             */
            readonly until: string;
        };
        /**
         * @description The `data` of one event, as JSON.
         *
         *     | `event:` | `data:` |
         *     | --- | --- |
         *     | `unread-count` | `UnreadCount`; also the first event of every stream |
         *     | `notification.created` | `Notification` |
         *     | `notification.read`, `.unread`, `.seen`, `.interacted` | `NotificationMarks` |
         *     | `notification.archived`, `.unarchived`, `.snoozed`, `.unsnoozed` | `Notification`: it is in another list from now on |
         *     | `notification.deleted` | `NotificationReference` |
         *     | `notification.updated` | `Notification`: its producer has changed it |
         *     | `notification.recalled` | `NotificationReference`: its producer has removed it |
         *     | `topic.subscribed`, `topic.unsubscribed` | `TopicReference` |
         *     | `notifications.all-read` | `AllNotificationsRead` |
         *     | `notifications.all-unread` | `AllNotificationsChanged` |
         *     | `notifications.all-seen` | `AllNotificationsSeen` |
         *     | `notifications.all-archived` | `AllNotificationsArchived` |
         *     | `notifications.all-unarchived` | `AllNotificationsChanged` |
         *     | `notification.expired` | `NotificationReference`: it is not visible from now on. The client may not know it |
         *     | `preferences.changed` | `NotificationPreferences` |
         *     | `reset` | `StreamReset`: events were dropped because the client reads too slowly. The stream ends; the client lists again |
         */
        readonly NotificationStreamData: components["schemas"]["UnreadCount"] | components["schemas"]["Notification"] | components["schemas"]["NotificationMarks"] | components["schemas"]["AllNotificationsRead"] | components["schemas"]["AllNotificationsSeen"] | components["schemas"]["AllNotificationsArchived"] | components["schemas"]["NotificationReference"] | components["schemas"]["AllNotificationsChanged"] | components["schemas"]["NotificationPreferences"] | components["schemas"]["TopicReference"] | components["schemas"]["StreamReset"];
        /** @description Notifications that are unchanged because they were created at the same time or since. The client may not know some of them. */
        readonly NotSeenByMark: readonly string[];
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
            /**
             * @description The consent of the current identity key to the new keys, as lower-case hexadecimal: a signature by the current key over
             *     the UTF-8 text of seven lines, without a line end after the last: `dbr-party-keys-v1`, the party's identifier, the
             *     current identity key, the identity key from now on, the SHA-256 of the key of the certificate from now on (`-` without
             *     one), `formerKeysSeconds`, the tenant. Keys are as the service shows them. Ed25519 signs the text itself, other keys
             *     sign its SHA-256.
             */
            readonly currentSignature?: string;
            /**
             * @description How long the keys that are replaced are accepted beside the new ones, in seconds, at most 30 days. Default 0. Keys that
             *     were accepted for such a time before end with the next change.
             */
            readonly formerKeysSeconds?: number;
            /** @description Another identity key; it needs `identitySignature`. */
            readonly identityPublicKey?: components["schemas"]["IdentityKey"];
            readonly identitySignature?: components["schemas"]["IdentitySignature"];
            readonly name?: string;
            readonly status?: components["schemas"]["PartyStatus"];
        };
        /** @description Identifies the party in its tenant. */
        readonly PartyId: string;
        /** @description A key that the party has or had. A key that is not current is never registered again, for whichever party. */
        readonly PartyKey: {
            /**
             * Format: date-time
             * @description When the key ended or ends; null for the current key.
             */
            readonly acceptedUntil: string | null;
            /** @enum {string} */
            readonly kind: "identity" | "certificate";
            /** @description The identity key, as hexadecimal; null for the key of a certificate. */
            readonly publicKey: string | null;
            /** @description SHA-256 of the key, as hexadecimal: of a raw Ed25519 key, or of the SubjectPublicKeyInfo in DER. */
            readonly sha256: string;
            /** Format: date-time */
            readonly since: string;
            /**
             * @description `former` keys are accepted until `acceptedUntil`. `revoked` keys were replaced or revoked, or their party is.
             * @enum {string}
             */
            readonly status: "current" | "former" | "revoked";
        };
        /** @description The proposal to confirm. */
        readonly PartyKeyConfirmation: {
            readonly proposalId: string;
        };
        /** @description Keys that take effect when a second user confirms them. */
        readonly PartyKeyProposal: {
            readonly certificateSha256: string | null;
            /**
             * Format: date-time
             * @description When the keys may be confirmed, by `party-key-delay`.
             */
            readonly confirmableFrom: string;
            readonly formerKeysSeconds: number;
            readonly identityPublicKey: string;
            readonly proposalId: string;
            /** Format: date-time */
            readonly proposedAt: string;
            /** @description The user who proposed the keys; another one must confirm them. */
            readonly proposedBy: string;
        };
        /** @description The keys of a party over time. */
        readonly PartyKeys: {
            /** @description The keys, the newest first. */
            readonly items: readonly components["schemas"]["PartyKey"][];
            /** @description The keys that wait for a second user; null without a proposal. */
            readonly proposal: components["schemas"]["PartyKeyProposal"] | null;
        };
        /** @description Parties of the tenant, by identifier. */
        readonly PartyPage: {
            readonly hasMore: components["schemas"]["HasMore"];
            readonly items: readonly components["schemas"]["Party"][];
            readonly nextCursor: components["schemas"]["NextCursor"];
        };
        /** @description A party to register. It is active immediately. */
        readonly PartyRequest: {
            readonly certificate?: components["schemas"]["PartyCertificate"];
            readonly identityPublicKey: components["schemas"]["IdentityKey"];
            readonly identitySignature: components["schemas"]["IdentitySignature"];
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
        /** @description The outcome of the request. The three counts add up to the number of listed readers, or to one for a tenant or a topic. */
        readonly ProducedNotifications: {
            /** @description The number of readers whose digest has the notification from now on, which adds up with the other counts. Absent without `digest`. */
            readonly collected?: number;
            /** @description The number of created notifications. */
            readonly created: number;
            /** @description The number of notifications that were not created because one with the same `dedupeKey` exists. */
            readonly duplicates: number;
            /** @description Identifies what was created, to change it, recall it, and see who has read it; null if nothing was created. */
            readonly messageId: string | null;
            /** @description The number of readers, or one for a tenant or a topic, for whom it is created at `sendAt`. Absent without `sendAt`. */
            readonly scheduled?: number;
            /**
             * @description The number of notifications that were not created because the reader switched the category off. Severity `critical` does not
             *     pass; a critical category cannot be switched off.
             */
            readonly suppressed: number;
        };
        /** @description Hours of each day in which a channel does not disturb the caller. */
        readonly QuietHours: {
            readonly channel: components["schemas"]["NotificationChannel"];
            readonly ends: string;
            readonly starts: string;
            readonly timeZone: string;
        };
        /** @description The quiet hours of the caller, by channel. */
        readonly QuietHoursList: {
            readonly quietHours: readonly components["schemas"]["QuietHours"][];
        };
        /** @description Hours of each day. They pass midnight where `ends` is earlier than `starts`. */
        readonly QuietHoursRequest: {
            /** @description Another time than `starts`. */
            readonly ends: components["schemas"]["TimeOfDay"];
            readonly starts: components["schemas"]["TimeOfDay"];
            /** @description The name of a time zone of IANA that PostgreSQL knows, such as `Europe/Zurich`. Abbreviations and offsets are refused. */
            readonly timeZone: string;
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
        /**
         * @description | Algorithm | Signature of 64 bytes |
         *     | --- | --- |
         *     | `ed25519` | RFC 8032 over the content |
         *     | `ecdsa-p256` | ECDSA over the SHA-256 of the content, R and S concatenated, as Web Crypto makes it |
         * @enum {string}
         */
        readonly RequestAlgorithm: "ed25519" | "ecdsa-p256";
        /** @description A public key of an owner or an approver. The service never has the private key. */
        readonly RequestKey: {
            readonly algorithm: components["schemas"]["RequestAlgorithm"];
            readonly keyId: components["schemas"]["RequestKeyId"];
            /** @description The raw key of Ed25519, or the point of P-256 (SEC 1), compressed or not, as lower-case hexadecimal. */
            readonly publicKey: string;
        };
        /** @description Identifies the key in its account. */
        readonly RequestKeyId: string;
        /** @description Keys with different identifiers and different public keys. */
        readonly RequestKeys: readonly components["schemas"]["RequestKey"][];
        /**
         * @description Whether sessions of the account need a signed request (`required`) or may have one (`optional`).
         * @enum {string}
         */
        readonly RequestRule: "optional" | "required";
        /** @description A signature over the content of a request, by a key that is registered for the account. */
        readonly RequestSignature: {
            readonly algorithm: components["schemas"]["RequestAlgorithm"];
            readonly keyId: components["schemas"]["RequestKeyId"];
            /** @description The signature as lower-case hexadecimal. */
            readonly signature: string;
        };
        /** @description One row; its members are the columns, embedded resources and aggregates that `select` names. */
        readonly Row: {
            readonly [key: string]: unknown;
        };
        /** @description Rows, in the requested order. */
        readonly Rows: readonly components["schemas"]["Row"][];
        /** @description Rows; a single row if the media type is singular. */
        readonly RowsOrRow: components["schemas"]["Rows"] | components["schemas"]["Row"];
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
         *     | `ed25519` | ed25519 | RFC 8032 over the message, or with the digest as the message |
         *     | `ecdsa-secp256k1` | secp256k1 | ECDSA over the digest, not hashed again; of a message over its SHA-256 |
         *     | `bip340` | secp256k1 | Schnorr (BIP 340) over the message, or with the digest as the message, under the key's x coordinate |
         *     | `ecdsa-p256` | p256 | ECDSA over the digest, not hashed again; of a message over its SHA-256 |
         * @enum {string}
         */
        readonly SigningProtocol: "ed25519" | "ecdsa-secp256k1" | "bip340" | "ecdsa-p256";
        /**
         * @description What the creator asks for, for the parties. The service passes the content on as it is, and does not read it. Its form is a
         *     matter of the creator and the parties; the manual describes one (Signing, Signed requests).
         */
        readonly SigningRequest: {
            /** @description The signed bytes as base64url; at most 16 KiB. */
            readonly content: string;
            /** @description Signatures over the content by different keys. */
            readonly signatures: readonly components["schemas"]["RequestSignature"][];
        };
        /** @description A signing session. Parties, threshold and their source are those of the time of its creation. */
        readonly SigningSession: {
            readonly accountId: string;
            /** @description Present if the parties make or reshare the key of the account. `messageDigest` is the hash of its plan then. */
            readonly ceremony?: components["schemas"]["Ceremony"];
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
            /** @description The message to sign, as base64url. `GET /api/v1/signing-sessions/{id}` alone returns it, for a session that has one. */
            readonly message?: string;
            /** @description The digest to sign or, of a session with a message, its SHA-256. */
            readonly messageDigest: components["schemas"]["Sha256"];
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            /** @description Of an expired session, the parties that had not joined or, after its start, had not reported. Otherwise empty. */
            readonly missingParties: readonly components["schemas"]["PartyId"][];
            /**
             * Format: date-time
             * @description Of an expired session with missing parties, the time since which it waited for them: its creation or, after its start,
             *     the start. Otherwise absent.
             */
            readonly missingSince?: string;
            readonly participants: readonly components["schemas"]["SigningParticipant"][];
            /**
             * @description Whether the parties are the configured parties, all active parties, or those that the request named.
             * @enum {string}
             */
            readonly partySource: "configured" | "all_active" | "requested";
            readonly protocol: components["schemas"]["SigningProtocol"];
            /** @description The key that verifies the signature, as hexadecimal. */
            readonly publicKey: string | null;
            /**
             * Format: date-time
             * @description The time at which the session expires unless all parties have joined and the share was supplied.
             */
            readonly readyBy: string;
            /**
             * @description Which of the keys that the signature fits has made it (SEC 1, 4.1.6). Present in a completed session of `ecdsa-secp256k1`
             *     whose signature was verified.
             */
            readonly recoveryId?: number;
            /** @description The session that replaces this one. Absent if none does. */
            readonly replacedBy?: string;
            /** @description The session that this one replaces. Absent if it replaces none. */
            readonly replaces?: string;
            /** @description The signed request with all signatures so far. Absent if the session has none. */
            readonly request?: components["schemas"]["SigningRequest"];
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
        /** @description Sessions that are created together. */
        readonly SigningSessionBatch: {
            /** @description The sessions, without `delegateUserShare` and `replaces`. */
            readonly sessions: readonly components["schemas"]["SigningSessionRequest"][];
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
        readonly SigningSessionEventType: "created" | "party-joined" | "delegate-share-supplied" | "approved" | "started" | "party-reported" | "party-keys-changed" | "party-keys-proposed" | "completed" | "failed" | "expired" | "cancelled";
        /** @description Sessions in the order of the request. */
        readonly SigningSessionList: {
            readonly items: readonly components["schemas"]["SigningSession"][];
        };
        /** @description Sessions, newest first. */
        readonly SigningSessionPage: {
            readonly hasMore: components["schemas"]["HasMore"];
            readonly items: readonly components["schemas"]["SigningSession"][];
            readonly nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description The digest or the message to sign, and the options of the session. The account's configuration determines the parties, among
         *     which the request may name some, if the account allows it.
         */
        readonly SigningSessionRequest: {
            readonly delegateUserShare?: components["schemas"]["DelegateUserShare"];
            /** @description The derivation path of the child key that signs. Absent means the account's own key. */
            readonly derivationPath?: readonly number[];
            /**
             * @description The message to sign, as base64url without padding; at most 1 MiB. `ed25519` and `bip340` sign the message itself, ECDSA its
             *     SHA-256. A session has either this or `messageDigest`.
             */
            readonly message?: string;
            /** @description The digest to sign, hashed as the protocol requires. A session has either this or `message`. */
            readonly messageDigest?: components["schemas"]["Sha256"];
            /** @description Data of the creator, stored with the session; at most 4 KiB as JSON. */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            /**
             * @description The parties of the session, at least as many as the threshold, among the configured parties or, without a configuration,
             *     the active ones. They never change. Absent means all of those.
             */
            readonly parties?: readonly components["schemas"]["PartyId"][];
            /** @description The protocol of the signature. Absent means the default of the account's key type. */
            readonly protocol?: components["schemas"]["SigningProtocol"];
            /**
             * Format: uuid
             * @description A session of the same account that this one takes the place of. It is ended before this one exists, unless it has ended
             *     already without a signature, and both name each other.
             */
            readonly replaces?: string;
            /**
             * @description A signed request for the parties. With it, parties have until the end of the session to join, because approvals are made by
             *     people. Absent means none, which an account with `requests` of `required` refuses.
             */
            readonly request?: components["schemas"]["SigningRequest"];
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
        /** @description Whether the tenant is frozen. */
        readonly TenantFreeze: {
            readonly frozen: boolean;
            /** Format: date-time */
            readonly frozenAt: string | null;
            /** @description The user who has frozen the tenant; null also after the erasure of the user. */
            readonly frozenBy: string | null;
            /** @description The open sessions of the tenant. */
            readonly openSessions: number;
            readonly reason: string | null;
            /** @description The first of the two users who release the tenant; null without one. */
            readonly releasedBy: string | null;
        };
        /** @description Why the tenant is frozen. */
        readonly TenantFreezeRequest: {
            readonly reason?: string;
        };
        /** @description A notification for all users of the tenant. Naming users as well is refused. */
        readonly TenantNotificationRequest: components["schemas"]["NotificationContent"] & {
            /** @constant */
            readonly audience: "tenant";
        };
        /** @description Hours and minutes, `00:00` to `23:59`. */
        readonly TimeOfDay: string;
        /** @description The name of a topic. */
        readonly TopicName: string;
        /** @description A notification for the users who follow a topic. Naming users as well is refused. */
        readonly TopicNotificationRequest: components["schemas"]["NotificationContent"] & {
            /** @constant */
            readonly audience: "topic";
            readonly topic: components["schemas"]["TopicName"];
        };
        /** @description A topic that the user follows from now on, or no longer follows. */
        readonly TopicReference: {
            readonly topic: string;
        };
        /** @description The number of the caller's unread notifications. */
        readonly UnreadCount: {
            readonly count: number;
        };
        /** @description What was erased, and what stays. */
        readonly UserErasure: {
            /** @description Rows of notifications. */
            readonly notifications: {
                /** @description Notifications of other users from which the user was removed as the actor. */
                readonly actors: components["schemas"]["ErasedCount"];
                /** @description Records of the user's first request that were deleted. */
                readonly firstRequests: components["schemas"]["ErasedCount"];
                /** @description Notifications of the user that were deleted. */
                readonly notifications: components["schemas"]["ErasedCount"];
                /** @description Preferences, and times in which a category was switched off, that were deleted. */
                readonly preferences: components["schemas"]["ErasedCount"];
                /** @description Marks of the user on notifications for the whole tenant that were deleted. */
                readonly receipts: components["schemas"]["ErasedCount"];
                /** @description Events for the user's live streams and messages of webhooks that were deleted. */
                readonly streamEvents: components["schemas"]["ErasedCount"];
                /** @description Stream tickets that were revoked. */
                readonly streamTickets: components["schemas"]["ErasedCount"];
            };
            /** @description Requests to the data API with an idempotency key. */
            readonly requests: {
                /**
                 * @description Kept answers to requests with claims `tenantId` and `sub` of the user, and proposals of agents with these claims,
                 *     that were deleted.
                 */
                readonly answers: components["schemas"]["ErasedCount"];
            };
            /** @description Rows of signing. */
            readonly signing: {
                /** @description Accounts that the user owned or configured last. */
                readonly accounts: components["schemas"]["ErasedCount"];
                /**
                 * @description Entries of the audit log that were written before it had pseudonyms (migration 0010) and name the user. They stay,
                 *     because they are sealed.
                 */
                readonly auditEntriesNamed: components["schemas"]["ErasedCount"];
                /**
                 * @description Entries of the audit log that have the pseudonym in place of the user, as the actor or as the owner of an account.
                 *     Nothing leads from it to the name any more.
                 */
                readonly auditEntriesPseudonymous: components["schemas"]["ErasedCount"];
                /** @description One-time keys that the user claimed. */
                readonly claimedKeys: components["schemas"]["ErasedCount"];
                /** @description The name in place of the user in the rows and the pseudonymous entries counted here; null if there are none. */
                readonly pseudonym: string | null;
                /** @description Sessions that the user created. Their idempotency keys are deleted. */
                readonly sessions: components["schemas"]["ErasedCount"];
                /** @description Encrypted shares that the user supplied. */
                readonly shares: components["schemas"]["ErasedCount"];
            };
        };
        /** @description A notification for the listed users. */
        readonly UserNotificationRequest: components["schemas"]["NotificationContent"] & {
            /** @constant */
            readonly audience?: "user";
            readonly digest?: components["schemas"]["DigestWindow"];
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
        /** @description A webhook. */
        readonly Webhook: {
            readonly categories: readonly string[] | null;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description Dead messages; 10,001 stands for more than 10,000. */
            readonly dead: number;
            readonly delaySeconds: number | null;
            readonly description: string | null;
            readonly enabled: boolean;
            readonly eventTypes: readonly components["schemas"]["WebhookEventType"][] | null;
            /** @description Failed attempts since the last successful one. */
            readonly failures: number;
            /** @description The last failed attempt; null if none has failed. */
            readonly lastFailure: components["schemas"]["WebhookFailure"] | null;
            /**
             * Format: date-time
             * @description Until when the previous secret signs, too.
             */
            readonly previousSecretUntil: string | null;
            /**
             * @description `paused` after several failed attempts in a row, for at most a minute at a time; `full` while too many messages wait or are dead,
             *     in which time new ones are not stored; `off` if it is not enabled.
             * @enum {string}
             */
            readonly status: "active" | "paused" | "full" | "off";
            readonly unlessRead: boolean;
            readonly url: string;
            /** @description Messages that wait for an attempt; 10,001 stands for more than 10,000. */
            readonly waiting: number;
            readonly webhookId: string;
        };
        /** @description The messages to delete. */
        readonly WebhookDropSelection: {
            readonly messageIds?: components["schemas"]["WebhookMessageIds"];
        };
        /**
         * @description What happened to a notification. A recall is sent whatever the category was.
         * @enum {string}
         */
        readonly WebhookEventType: "notification.created" | "notification.updated" | "notification.recalled";
        /** @description A failed attempt. */
        readonly WebhookFailure: {
            /** Format: date-time */
            readonly at: string;
            /** @description Why there was no response. */
            readonly error: string | null;
            /** @description The status of the response; null if there was none. */
            readonly status: number | null;
        };
        /** @description A message of a webhook. */
        readonly WebhookMessage: {
            /** Format: date-time */
            readonly attemptedAt: string | null;
            readonly attempts: number;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description Why there was no response to the last attempt. */
            readonly error: string | null;
            /** @description The `webhook-id` of the request. It is a cursor for a replay, too. */
            readonly messageId: string;
            readonly notificationId: string;
            /** @enum {string} */
            readonly state: "waiting" | "sent" | "dead";
            /** @description The status of the last response; null if there was none. */
            readonly status: number | null;
            readonly type: components["schemas"]["WebhookEventType"];
            /** @description The reader; null for a notification with many readers. */
            readonly userId: string | null;
        };
        /** @description A message of a webhook with the body of its request. */
        readonly WebhookMessageContent: components["schemas"]["WebhookMessage"] & {
            /** @description The body as text; null if the notification is gone, of which nothing is sent. */
            readonly payload: string | null;
        };
        /** @description Several messages. */
        readonly WebhookMessageIds: readonly string[];
        /** @description A page of messages. */
        readonly WebhookMessages: {
            /** @description Whether another page follows. */
            readonly hasMore: boolean;
            readonly items: readonly components["schemas"]["WebhookMessage"][];
            /** @description Send it as `cursor` for the next page; null when there is none. */
            readonly nextCursor: string | null;
        };
        /** @description The outcome of a deletion. */
        readonly WebhookOutcome: {
            /** @description The number of deleted messages. */
            readonly messages: number;
        };
        /** @description The outcome of a replay. */
        readonly WebhookReplayed: {
            /** @description The number of messages that are sent again. */
            readonly messages: number;
            /** @description Send it as `after` for the next ones; null when there are none. */
            readonly nextCursor: string | null;
        };
        /** @description The messages to send again. Exactly one member is required. */
        readonly WebhookReplaySelection: {
            /** @description All that were sent or are dead after this message, of which the receiver need not know more than the `webhook-id`. */
            readonly after?: string;
            /**
             * @description All dead messages.
             * @constant
             */
            readonly dead?: true;
            readonly messageIds?: components["schemas"]["WebhookMessageIds"];
        };
        /** @description A webhook as the tenant sets it. */
        readonly WebhookRequest: {
            /** @description Only events of notifications of these categories are sent. Null and absent mean all. */
            readonly categories?: readonly string[] | null;
            /** @description Messages are sent so many seconds after the event, at most a day. Null and absent mean at once. A change is for later events. */
            readonly delaySeconds?: number | null;
            /** @description A text for people. */
            readonly description?: string | null;
            /** @description Whether messages are stored and sent. Absent means true. */
            readonly enabled?: boolean;
            /** @description Only these events are sent. Null and absent mean all. */
            readonly eventTypes?: readonly components["schemas"]["WebhookEventType"][] | null;
            /**
             * @description Leaves out notifications of one user that are read, archived, deleted or expired after the delay. Absent means false; true is
             *     refused without `delaySeconds`.
             */
            readonly unlessRead?: boolean;
            /**
             * @description An address with `https`, without user name and fragment. Addresses of private networks are refused; setting
             *     `webhooks-allowed-networks` allows some, and `http` for them.
             */
            readonly url: string;
        };
        /** @description The webhooks of a tenant. */
        readonly Webhooks: {
            readonly items: readonly components["schemas"]["Webhook"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
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
export type AllNotificationsArchived = components['schemas']['AllNotificationsArchived'];
export type AllNotificationsChanged = components['schemas']['AllNotificationsChanged'];
export type AllNotificationsRead = components['schemas']['AllNotificationsRead'];
export type AllNotificationsSeen = components['schemas']['AllNotificationsSeen'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type Batch = components['schemas']['Batch'];
export type BatchAnswer = components['schemas']['BatchAnswer'];
export type BatchAnswers = components['schemas']['BatchAnswers'];
export type BatchError = components['schemas']['BatchError'];
export type BatchItem = components['schemas']['BatchItem'];
export type CancelledNotifications = components['schemas']['CancelledNotifications'];
export type CancelRequest = components['schemas']['CancelRequest'];
export type CategoryPreference = components['schemas']['CategoryPreference'];
export type Ceremony = components['schemas']['Ceremony'];
export type CeremonyKind = components['schemas']['CeremonyKind'];
export type CeremonyRequest = components['schemas']['CeremonyRequest'];
export type Certification = components['schemas']['Certification'];
export type ChainCode = components['schemas']['ChainCode'];
export type DataApiError = components['schemas']['DataApiError'];
export type DatabaseDocument = components['schemas']['DatabaseDocument'];
export type DatabaseError = components['schemas']['DatabaseError'];
export type DbrError = components['schemas']['DbrError'];
export type DbrErrorCode = components['schemas']['DbrErrorCode'];
export type DelegateKey = components['schemas']['DelegateKey'];
export type DelegateUserShare = components['schemas']['DelegateUserShare'];
export type DelegateUserShareReceipt = components['schemas']['DelegateUserShareReceipt'];
export type DigestWindow = components['schemas']['DigestWindow'];
export type EarlierThan = components['schemas']['EarlierThan'];
export type EffectiveParty = components['schemas']['EffectiveParty'];
export type EncryptionSuite = components['schemas']['EncryptionSuite'];
export type ErasedCount = components['schemas']['ErasedCount'];
export type FollowedTopics = components['schemas']['FollowedTopics'];
export type FunctionArguments = components['schemas']['FunctionArguments'];
export type FunctionResult = components['schemas']['FunctionResult'];
export type HasMore = components['schemas']['HasMore'];
export type HexKey = components['schemas']['HexKey'];
export type Holder = components['schemas']['Holder'];
export type Holding = components['schemas']['Holding'];
export type IdentityKey = components['schemas']['IdentityKey'];
export type IdentitySignature = components['schemas']['IdentitySignature'];
export type KeyType = components['schemas']['KeyType'];
export type LiveReadChange = components['schemas']['LiveReadChange'];
export type LiveReadData = components['schemas']['LiveReadData'];
export type LiveReadEnd = components['schemas']['LiveReadEnd'];
export type LiveTicket = components['schemas']['LiveTicket'];
export type LiveTicketRequest = components['schemas']['LiveTicketRequest'];
export type MessageChange = components['schemas']['MessageChange'];
export type MessageOutcome = components['schemas']['MessageOutcome'];
export type MessageReceipts = components['schemas']['MessageReceipts'];
export type NamedParties = components['schemas']['NamedParties'];
export type NewHolding = components['schemas']['NewHolding'];
export type NewWebhook = components['schemas']['NewWebhook'];
export type NextCursor = components['schemas']['NextCursor'];
export type Notification = components['schemas']['Notification'];
export type NotificationActor = components['schemas']['NotificationActor'];
export type NotificationAudience = components['schemas']['NotificationAudience'];
export type NotificationChannel = components['schemas']['NotificationChannel'];
export type NotificationContent = components['schemas']['NotificationContent'];
export type NotificationIds = components['schemas']['NotificationIds'];
export type NotificationMarks = components['schemas']['NotificationMarks'];
export type NotificationNames = components['schemas']['NotificationNames'];
export type NotificationPage = components['schemas']['NotificationPage'];
export type NotificationPreferences = components['schemas']['NotificationPreferences'];
export type NotificationReference = components['schemas']['NotificationReference'];
export type NotificationRequest = components['schemas']['NotificationRequest'];
export type NotificationSelection = components['schemas']['NotificationSelection'];
export type NotificationSettings = components['schemas']['NotificationSettings'];
export type NotificationSeverity = components['schemas']['NotificationSeverity'];
export type NotificationSnooze = components['schemas']['NotificationSnooze'];
export type NotificationStreamData = components['schemas']['NotificationStreamData'];
export type NotSeenByMark = components['schemas']['NotSeenByMark'];
export type OpenApiDocument = components['schemas']['OpenApiDocument'];
export type Party = components['schemas']['Party'];
export type PartyCertificate = components['schemas']['PartyCertificate'];
export type PartyChange = components['schemas']['PartyChange'];
export type PartyId = components['schemas']['PartyId'];
export type PartyKey = components['schemas']['PartyKey'];
export type PartyKeyConfirmation = components['schemas']['PartyKeyConfirmation'];
export type PartyKeyProposal = components['schemas']['PartyKeyProposal'];
export type PartyKeys = components['schemas']['PartyKeys'];
export type PartyPage = components['schemas']['PartyPage'];
export type PartyRequest = components['schemas']['PartyRequest'];
export type PartyRole = components['schemas']['PartyRole'];
export type PartyStatus = components['schemas']['PartyStatus'];
export type Problem = components['schemas']['Problem'];
export type ProducedNotifications = components['schemas']['ProducedNotifications'];
export type QuietHours = components['schemas']['QuietHours'];
export type QuietHoursList = components['schemas']['QuietHoursList'];
export type QuietHoursRequest = components['schemas']['QuietHoursRequest'];
export type RelationshipChoice = components['schemas']['RelationshipChoice'];
export type RequestAlgorithm = components['schemas']['RequestAlgorithm'];
export type RequestKey = components['schemas']['RequestKey'];
export type RequestKeyId = components['schemas']['RequestKeyId'];
export type RequestKeys = components['schemas']['RequestKeys'];
export type RequestRule = components['schemas']['RequestRule'];
export type RequestSignature = components['schemas']['RequestSignature'];
export type Row = components['schemas']['Row'];
export type Rows = components['schemas']['Rows'];
export type RowsOrRow = components['schemas']['RowsOrRow'];
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
export type SigningRequest = components['schemas']['SigningRequest'];
export type SigningSession = components['schemas']['SigningSession'];
export type SigningSessionBatch = components['schemas']['SigningSessionBatch'];
export type SigningSessionEvent = components['schemas']['SigningSessionEvent'];
export type SigningSessionEventPage = components['schemas']['SigningSessionEventPage'];
export type SigningSessionEventType = components['schemas']['SigningSessionEventType'];
export type SigningSessionList = components['schemas']['SigningSessionList'];
export type SigningSessionPage = components['schemas']['SigningSessionPage'];
export type SigningSessionRequest = components['schemas']['SigningSessionRequest'];
export type SigningSessionState = components['schemas']['SigningSessionState'];
export type StreamReset = components['schemas']['StreamReset'];
export type StreamTicket = components['schemas']['StreamTicket'];
export type TenantFreeze = components['schemas']['TenantFreeze'];
export type TenantFreezeRequest = components['schemas']['TenantFreezeRequest'];
export type TenantNotificationRequest = components['schemas']['TenantNotificationRequest'];
export type TimeOfDay = components['schemas']['TimeOfDay'];
export type TopicName = components['schemas']['TopicName'];
export type TopicNotificationRequest = components['schemas']['TopicNotificationRequest'];
export type TopicReference = components['schemas']['TopicReference'];
export type UnreadCount = components['schemas']['UnreadCount'];
export type UserErasure = components['schemas']['UserErasure'];
export type UserNotificationRequest = components['schemas']['UserNotificationRequest'];
export type ValidationProblem = components['schemas']['ValidationProblem'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookDropSelection = components['schemas']['WebhookDropSelection'];
export type WebhookEventType = components['schemas']['WebhookEventType'];
export type WebhookFailure = components['schemas']['WebhookFailure'];
export type WebhookMessage = components['schemas']['WebhookMessage'];
export type WebhookMessageContent = components['schemas']['WebhookMessageContent'];
export type WebhookMessageIds = components['schemas']['WebhookMessageIds'];
export type WebhookMessages = components['schemas']['WebhookMessages'];
export type WebhookOutcome = components['schemas']['WebhookOutcome'];
export type WebhookReplayed = components['schemas']['WebhookReplayed'];
export type WebhookReplaySelection = components['schemas']['WebhookReplaySelection'];
export type WebhookRequest = components['schemas']['WebhookRequest'];
export type Webhooks = components['schemas']['Webhooks'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
