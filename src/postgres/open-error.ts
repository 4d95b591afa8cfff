import { fieldReader, type FieldReader } from './error-fields.js';

/** An error or notice whose message has begun to arrive. */
export interface OpenError {
  readonly reader: FieldReader;
  readonly type: number;
  missing: number;
}

/** @param length of the content of the message, in bytes */
export const openError = (type: number, length: number): OpenError => ({
  reader: fieldReader(),
  type,
  missing: length,
});

/** Takes the part of the chunk that belongs to the error; returns the offset of the rest. */
export function takeError(error: OpenError, chunk: Buffer): number {
  const piece = chunk.subarray(0, error.missing);
  error.reader.take(piece);
  error.missing -= piece.length;
  return piece.length;
}
