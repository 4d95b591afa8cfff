/** The chunks of a body in the order of their arrival, in memory that is close to the number of their bytes. */

export interface ChunkList {
  readonly chunks: Buffer[];
  /** The number of chunks that have been added since short ones were joined last. */
  unjoined: number;
}

/** Short chunks are joined when so many have arrived. */
const JOINED_CHUNKS = 1024;
const SHORT_CHUNK = 1024;

/**
 * Adds a chunk. Short ones are joined: each is an object, and keeps the memory that it was read into, so that a body in
 * chunks of one byte would take a hundred times the memory that is counted for it.
 */
export function addChunk(list: ChunkList, chunk: Buffer): void {
  const { chunks } = list;
  chunks.push(chunk);
  if (++list.unjoined < JOINED_CHUNKS) return;
  list.unjoined = 0;
  const last = chunks.slice(-JOINED_CHUNKS);
  const bytes = last.reduce((sum, { length }) => sum + length, 0);
  if (bytes < JOINED_CHUNKS * SHORT_CHUNK)
    chunks.splice(-JOINED_CHUNKS, JOINED_CHUNKS, Buffer.concat(last, bytes));
}
