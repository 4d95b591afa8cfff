/** A connection string that cannot be used. The message states the reason, and repeats no part of the string. */
export class InvalidConnectionString extends Error {
  override readonly name = 'InvalidConnectionString';
}
