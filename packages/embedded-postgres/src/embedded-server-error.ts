/** The embedded server cannot be started. The message states what is wrong and what to do. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}
