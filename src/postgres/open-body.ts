/**
 * The last column of a row, which is received where it stays: in blocks that are used again, or in memory of its own length.
 */
import { BLOCK_BYTES, takeBlock } from '../base/blocks.js';

export interface OpenBody {
  readonly columns: readonly (string | null)[];
  readonly pieces: Buffer[];
  readonly take: (piece: Buffer) => void;
  readonly length: number;
  /** Whether the pieces are in blocks. */
  readonly inBlocks: boolean;
  /** Bytes of the body that have not arrived. */
  missing: number;
  /** The piece that is being filled, and how far it is. */
  piece: Buffer;
  filled: number;
}

/** Shorter bodies, in bytes, share slabs of Node.js, which is cheaper than a block. */
const LONG_BODY = 4096;
/** Least room, in bytes, that is worth a read of its own: less is copied from a read that may return more. */
const LEAST_SPACE = 32_768;

/**
 * @param taker receives each full piece; by default the body keeps them
 * @param inBlocks the receiver of the pieces gives their blocks back. A block that is kept holds `BLOCK_BYTES`, however short
 *   its piece is, so that bodies that are kept are received in memory of their length
 */
export function openBody(
  columns: readonly (string | null)[],
  length: number,
  taker: ((piece: Buffer) => void) | null,
  inBlocks: boolean,
): OpenBody {
  const pieces: Buffer[] = [];
  const take = taker ?? ((piece: Buffer) => void pieces.push(piece));
  const piece = pieceFor(length, inBlocks);
  return { columns, pieces, take, length, inBlocks, missing: length, piece, filled: 0 };
}

/** Room for the next bytes of the body; null if a read of its own does not pay. */
export const spaceIn = ({ piece, filled }: OpenBody): Buffer | null =>
  piece.length - filled < LEAST_SPACE ? null : piece.subarray(filled);

function pieceFor(missing: number, inBlocks: boolean): Buffer {
  const bytes = Math.min(missing, BLOCK_BYTES);
  return inBlocks ? takeBlock(bytes) : Buffer.allocUnsafe(bytes);
}

/** A copy of a body that has arrived whole and is no longer than a block. */
export function copyOf(body: Buffer, inBlocks: boolean): Buffer {
  const copy = pieceFor(body.length, inBlocks && body.length >= LONG_BODY);
  body.copy(copy);
  return copy;
}

/** Copies the part of the chunk that belongs to the body; returns the offset of the rest. */
export function takeBody(body: OpenBody, chunk: Buffer): number {
  let offset = 0;
  while (body.missing > 0 && offset < chunk.length) {
    const copied = chunk.copy(body.piece, body.filled, offset);
    offset += copied;
    advance(body, copied);
  }
  return offset;
}

/** Passes the piece on if it is full. */
export function advance(body: OpenBody, bytes: number): void {
  body.filled += bytes;
  body.missing -= bytes;
  if (body.filled < body.piece.length) return;
  body.take(body.piece);
  body.filled = 0;
  if (body.missing > 0) body.piece = pieceFor(body.missing, body.inBlocks);
}
