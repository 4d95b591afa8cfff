/** An answer that is not of PostgreSQL's protocol, or not to what was asked. The connection cannot be used any more. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

/** @throws MalformedAnswer */
export function malformed(reason: string): never {
  throw new MalformedAnswer(`malformed answer of the database: ${reason}`);
}
