/** An answer that is not of PostgreSQL's protocol, or not to what was asked. The connection cannot be used any more. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** @throws MalformedMessage */
export function malformed(reason: string): never {
  throw new MalformedMessage(`malformed answer of the database: ${reason}`);
}
