/** Calls that end without the response of their handler. */

/** The bytes of a request cannot be decoded as its message. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

/** The connection of a call has as many open streams as it may have. */
export class TooManyStreams extends Error {
  override readonly name = 'TooManyStreams';
}

/** The deadline of a call has passed, or its client has disconnected. */
export class CallEnded extends Error {
  override readonly name = 'CallEnded';
}
