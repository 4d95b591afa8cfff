/** The events of a live read. */

export const EVENT = { snapshot: 'snapshot', change: 'change', end: 'end' } as const;

/** Why a stream ended. */
export type EndReason =
  /** The token has expired; the client opens another stream with a new one. */
  | 'token expired'
  /** The role may no longer read the rows. */
  | 'rights'
  /** The schema has changed, and the request means nothing or something else under the new one. */
  | 'schema'
  /** The answer has become longer than `db-live-max-bytes`, or the answers of a user take too much. */
  | 'too large'
  /** PostgreSQL refused the request; the event has its error. */
  | 'error'
  /** Too much waits for slow readers. */
  | 'busy'
  | 'service stops';
