/** A message that violates PostgreSQL's protocol or does not match the batch. The connection cannot be used further. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** @throws MalformedMessage always */
export function malformed(reason: string): never {
  throw new MalformedMessage(`malformed answer of the database: ${reason}`);
}
