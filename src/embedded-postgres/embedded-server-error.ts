/** The embedded server cannot be had. The message is for whoever runs dbr: what is wrong, and what to do. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}
