/** Bytes: the encoding of what is signed, the chunks of a body that arrives, and the charset of texts. */
import { isUtf8 } from 'node:buffer';
import type { Sliced } from './turns.js';

/**
 * Encodes each part as its length in four bytes, big-endian, followed by the part, so that different lists have
 * different bytes: the form of statements that are signed or authenticated. Text is UTF-8.
 */
export function lengthPrefixed(parts: readonly (string | Uint8Array)[]): Buffer {
  let size = 0;
  for (const part of parts) size += PREFIX_BYTES + byteLength(part);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) {
    at = bytes.writeUInt32BE(byteLength(part), at);
    if (typeof part === 'string') at += bytes.write(part, at);
    else {
      bytes.set(part, at);
      at += part.length;
    }
  }
  return bytes;
}

const PREFIX_BYTES = 4;
const byteLength = (part: string | Uint8Array): number =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;

/** Encodes a number in four bytes, big-endian. */
export function unsigned32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes a time as milliseconds since the epoch in eight bytes, big-endian; null as no bytes. */
export function instantBytes(time: Date | null): Buffer {
  if (time === null) return Buffer.alloc(0);
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(time.getTime()));
  return bytes;
}

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

/** Joins the chunks; may pause between them, because a system copies 90 MB in some 50 milliseconds. @param length of all in bytes */
export function* joinedChunks({ chunks }: ChunkList, length: number): Sliced<Buffer> {
  const whole = Buffer.allocUnsafe(length);
  let at = 0;
  for (const chunk of chunks) {
    at += chunk.copy(whole, at);
    yield;
  }
  return whole;
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** Charsets whose bytes are UTF-8. */
const UTF8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** Returns the charset that a Content-Type names, in lower case; null if it names none, or one whose bytes are UTF-8. */
export function foreignCharset(contentType: string): string | null {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase();
  return charset === undefined || UTF8.has(charset) ? null : charset;
}

export const hasByteOrderMark = (text: Buffer): boolean =>
  text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;

/** Returns a text without the byte order mark that some programs write before it. */
export const withoutByteOrderMark = (text: Buffer): Buffer =>
  hasByteOrderMark(text) ? text.subarray(3) : text;

/** Returns the first offset from `at` on at which no character of a UTF-8 text goes on; the length of the text at most. */
export function endOfCharacter(text: Buffer, at: number): number {
  let end = Math.min(at, text.length);
  // Bytes 10xxxxxx continue a character.
  while (((text[end] ?? 0) & 0xc0) === 0x80) end += 1;
  return end;
}

/** Removes the byte order mark with which editors may begin a file. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Returns the text without its byte order mark; null if the bytes are not UTF-8. */
export const utf8Text = (bytes: Buffer): string | null =>
  isUtf8(bytes) ? withoutMark(bytes.toString('utf8')) : null;
