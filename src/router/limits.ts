/** What bounds the router; the sizes are part of the protocol, and told at RegisterParty where clients need them. */

export const MAX_PAYLOAD_BYTES = 1_048_576;
export const MAX_ENVELOPES = 64;
/** Of one call: what gRPC takes by default. */
export const MAX_REQUEST_BYTES = 4_194_304;
export const MAX_RECIPIENTS = 64;
export const MAX_SIGNATURE_BYTES = 1024;

export const PAGE_DELIVERIES = 64;
export const PAGE_BYTES = 1_048_576;
/** Deliveries of one stream that are not acknowledged yet. */
export const MAX_UNACKED = 256;

/** Open streams of one party. */
export const MAX_EVENT_STREAMS = 8;
export const MAX_MESSAGE_STREAMS = 256;

export const DEFAULT_DEADLINE_MS = 5_000;
export const MAX_DEADLINE_MS = 30_000;
/** A stream ends then, and the client resumes. */
export const STREAM_LIFETIME_MS = 30 * 60_000;
/** Something is sent on a silent stream so often. */
export const STREAM_KEEPALIVE_MS = 15_000;
export const HEARTBEAT_SECONDS = 15;
/** Calls of one party that may come at once, over those of a second. */
export const BURST_SECONDS = 2;
