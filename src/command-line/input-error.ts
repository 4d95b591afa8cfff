/** A mistake in what a command was given: in its arguments, or in files that it reads before anything is done. */
export class InputError extends Error {
  override readonly name: string = 'InputError';
}
