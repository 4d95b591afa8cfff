/** The last column of a row, which is received where it stays: in blocks that are used again. */
import { BLOCK_BYTES, takeBlock } from '../blocks.js';

export interface OpenBody {
  readonly columns: readonly (string | null)[];
  readonly pieces: Buffer[];
  readonly take: (piece: Buffer) => void;
  readonly length: number;
  /** Bytes of the body that have not arrived. */
  missing: number;
  /** The piece that is being filled, and how far it is. */
  piece: Buffer;
  filled: number;
}

/** Shorter bodies, in bytes, are copied into memory of Node.js. */
const LONG_BODY = 4096;
/** Least room, in bytes, that is worth a read of its own: less is copied from a read that may return more. */
const LEAST_SPACE = 32_768;

/** @param taker receives each full piece; by default the body keeps them */
export function openBody(
  columns: readonly (string | null)[],
  length: number,
  taker: ((piece: Buffer) => void) | null,
): OpenBody {
  const pieces: Buffer[] = [];
  const take = taker ?? ((piece: Buffer) => void pieces.push(piece));
  return { columns, pieces, take, length, missing: length, piece: pieceFor(length), filled: 0 };
}

/** Room for the next bytes of the body; null if a read of its own does not pay. */
export const spaceIn = ({ piece, filled }: OpenBody): Buffer | null =>
  piece.length - filled < LEAST_SPACE ? null : piece.subarray(filled);

const pieceFor = (missing: number): Buffer => takeBlock(Math.min(missing, BLOCK_BYTES));

/** A copy of a body that has arrived whole. */
export function copyOf(body: Buffer): Buffer {
  const copy = body.length < LONG_BODY ? Buffer.allocUnsafe(body.length) : takeBlock(body.length);
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
  if (body.missing > 0) body.piece = pieceFor(body.missing);
}
