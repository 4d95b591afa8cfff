/** Limits of the router. The sizes are part of the protocol; RegisterParty returns those that clients need. */

export const MAX_PAYLOAD_BYTES = 1_048_576;
export const MAX_ENVELOPES = 64;
/** Largest request of one call: the default of gRPC. */
export const MAX_REQUEST_BYTES = 4_194_304;
/** Fields of a request, with those of the messages within. A registration of 1,024 keys has 9,300. */
export const MAX_FIELDS = 10_000;
export const MAX_RECIPIENTS = 64;
export const MAX_SIGNATURE_BYTES = 1024;

export const PAGE_DELIVERIES = 64;
export const PAGE_BYTES = 1_048_576;
/** Longest message that a session signs. */
export const MAX_MESSAGE_BYTES = 1_048_576;
/** Most bytes of pages that clients have not read, of one party and of all; a party may have one page whatever others have. */
export const PARTY_PAGE_BYTES = 16_777_216;
export const TOTAL_PAGE_BYTES = 134_217_728;

/** Calls and streams at once on one connection (SETTINGS_MAX_CONCURRENT_STREAMS, RFC 9113 §6.5.2). */
export const MAX_CONCURRENT_STREAMS = 200;
/** Most open streams of one connection. Further ones are refused, so that other calls on the connection do not wait for them. */
export const MAX_CONNECTION_STREAMS = 100;
/** Streams that the client of a connection may reset at once, as many as it may have open, and in each second after. */
export const RESET_BURST = MAX_CONCURRENT_STREAMS;
export const RESETS_PER_SECOND = 100;
/** Longest time for the handshakes of TLS and HTTP/2 on a new connection. */
export const HANDSHAKE_MS = 10_000;
/** Longest time to receive the whole request of a call. */
export const REQUEST_MS = 10_000;
/** Most bytes of requests without a response, of one connection and of all. */
export const CONNECTION_REQUEST_BYTES = 33_554_432;
export const TOTAL_REQUEST_BYTES = 268_435_456;

/** Most open streams of one party. */
export const MAX_EVENT_STREAMS = 8;
export const MAX_MESSAGE_STREAMS = 256;
export const MAX_MAILBOX_STREAMS = 8;
/** Sessions in progress of one mailbox stream, and positions that it resumes from. */
export const MAX_MAILBOX_SESSIONS = 1024;
/** Sessions of one mailbox stream whose end its client has not read, with those in progress. */
export const MAX_OPEN_SESSIONS = 2 * MAX_MAILBOX_SESSIONS;

export const DEFAULT_DEADLINE_MS = 5_000;
export const MAX_DEADLINE_MS = 30_000;
/** Age at which a stream is ended; the client resumes it. */
export const STREAM_LIFETIME_MS = 30 * 60_000;
/** Interval of keepalives on a silent stream. */
export const STREAM_KEEPALIVE_MS = 15_000;
export const HEARTBEAT_SECONDS = 15;
/** Size of a party's burst, in seconds of its rate limit. */
export const BURST_SECONDS = 2;
