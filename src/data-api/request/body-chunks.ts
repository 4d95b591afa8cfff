/** A body that is read while it arrives. */
export interface BodyChunks {
  /**
   * Waits for the next bytes; null at the end. Nothing more is received until the next call.
   * @throws DbrError RequestTimeout (408) for a body that is too slow, BodyMemoryExhausted (503); ClientGone
   */
  next(): Promise<Buffer | null>;
  /** Gives back the memory of bytes that are no longer needed. */
  release(bytes: number): void;
}
