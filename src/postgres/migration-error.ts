/** A migration cannot be applied. The message names the file, what is wrong and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
