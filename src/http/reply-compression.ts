/** Compression of responses (`server-compression`), off the event loop and within bounds. */
import type { Header, Reply } from '../contract/reply.js';
import { pipeline } from 'node:stream';
import {
  acceptedCoding,
  codedTag,
  compress,
  createEncoder,
  uncodedTag,
  type ContentCoding,
} from '../base/content-coding.js';
import { lengthOf, mayHaveBody } from './reply.js';

interface CompressionOptions {
  /** Codings that responses may have, the preferred one first. */
  readonly codings: readonly ContentCoding[];
  /** Fewest bytes of a body that is compressed. A body of unknown length counts as long. */
  readonly minBytes: number;
}

export interface ReplyCompression {
  /**
   * Returns the reply in a coding that the client accepts. Returns it unchanged if its type does not compress, if it
   * is short, already coded or a credential, or if the compression is busy. A strong entity tag names the coding.
   * @param acceptEncoding `Accept-Encoding` of the request @param ifNoneMatch `If-None-Match` of the request
   */
  readonly compress: (
    reply: Reply,
    method: string,
    acceptEncoding: string | undefined,
    ifNoneMatch?: string,
  ) => Promise<Reply>;
}

/** Most concurrent jobs, of the four threads that Node.js has for files, names, signatures and compression. */
const MAX_RUNNING = 2;
/** Most bytes of bodies that wait for a thread or are being compressed; further bodies are sent uncompressed. */
const MAX_PENDING_BYTES = 8_388_608;
/** Most streams that are compressed at the same time; each takes about 2 MiB. */
const MAX_STREAMS = 32;
/** Longer complete bodies are compressed as streams, so that the client does not wait for the whole body. */
const LONGEST_JOB = 1_048_576;

interface Compression extends CompressionOptions {
  running: number;
  pendingBytes: number;
  openStreams: number;
  /** Starts the jobs that wait for a thread, in their order. */
  readonly waiting: (() => void)[];
}

export function createReplyCompression(options: CompressionOptions): ReplyCompression {
  const state: Compression = { ...options, running: 0, pendingBytes: 0, openStreams: 0, waiting: [] };
  return {
    compress: (reply, method, acceptEncoding, ifNoneMatch) =>
      compressReply(state, reply, method, acceptEncoding, ifNoneMatch),
  };
}

async function compressReply(
  state: Compression,
  reply: Reply,
  method: string,
  acceptEncoding: string | undefined,
  ifNoneMatch: string | undefined,
): Promise<Reply> {
  const varied = { ...reply, headers: varyByCoding(reply.headers) };
  const coding = acceptedCoding(acceptEncoding, state.codings);
  if (coding === null) return varied;
  if (reply.status === NOT_MODIFIED) return { ...varied, headers: withTagOf(varied.headers, ifNoneMatch) };
  if (!isCompressible(state, reply)) return varied;
  const { body } = reply;
  if (body === null) return varied;
  const headers = codedHeaders(varied.headers, coding);
  // The compressed length is unknown without compressing.
  if (method === 'HEAD') return { ...varied, headers, body: null };
  if (isInHand(body) && lengthOf(body) <= LONGEST_JOB) {
    const compressed = await compressJob(state, body, coding);
    if (compressed === null) return varied;
    if (reply.release !== undefined) body.forEach(reply.release);
    return { ...varied, headers, body: [compressed], release: undefined };
  }
  const stream = compressStream(state, body, coding);
  return stream === null ? varied : { ...varied, headers, body: stream, release: undefined };
}

const NOT_MODIFIED = 304;

type Body = NonNullable<Reply['body']>;
const isInHand = (body: Body): body is readonly Buffer[] => !(Symbol.asyncIterator in body);

/**
 * Text types, and types with a text suffix (RFC 6839). Event streams are excluded, because compression would delay
 * events.
 */
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|x-ndjson|sql|yaml)\b|[^;\s]+\+(?:json|xml|yaml)\b)/i;

/** Headers that describe the uncoded bytes, which are wrong for a coded body. */
const OF_BYTES: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-digest',
  'content-md5',
  'digest',
  'repr-digest',
]);

function isCompressible({ minBytes }: CompressionOptions, { status, headers, body }: Reply): boolean {
  if (!mayHaveBody(status) || body === null) return false;
  let isText = false;
  let length = isInHand(body) ? lengthOf(body) : Infinity;
  for (const [name, value] of headers) {
    const field = name.toLowerCase();
    if (OF_BYTES.has(field)) return false;
    if (field === 'content-type') isText = COMPRESSIBLE.test(value);
    // Credentials must not be compressed with text that a client chooses (BREACH).
    if (field === 'cache-control' && /no-transform|no-store/i.test(value)) return false;
    // A byte range refers to the coded representation; ranges of rows do not depend on the coding.
    if (field === 'content-range' && /^bytes\b/i.test(value)) return false;
    if (field === 'content-length' && !isInHand(body)) length = Number(value);
  }
  return isText && length >= minBytes;
}

const codedHeaders = (headers: readonly Header[], coding: ContentCoding): readonly Header[] => [
  ...withCodedTag(headers, coding).filter(([name]) => name.toLowerCase() !== 'content-length'),
  ['Content-Encoding', coding],
];

/** A strong tag identifies bytes, which differ by coding (RFC 9110 §8.8.3.3). */
const withCodedTag = (headers: readonly Header[], coding: ContentCoding): readonly Header[] =>
  headers.map(([name, value]) =>
    name.toLowerCase() === 'etag' && value.startsWith('"') ? [name, codedTag(value, coding)] : [name, value],
  );

/** The tag is that of the response that 304 stands for: the client has it, with its coding. */
const withTagOf = (headers: readonly Header[], ifNoneMatch = ''): readonly Header[] =>
  headers.map(([name, value]) => {
    const isHeld = (tag: string): boolean => uncodedTag(tag) === value;
    const tags = name.toLowerCase() === 'etag' ? ifNoneMatch.split(',').map((tag) => tag.trim()) : [];
    return [name, tags.find(isHeld) ?? value];
  });

/** Adds Accept-Encoding to the reply's own Vary; replies without it get the common header. */
const varyByCoding = (headers: readonly Header[]): readonly Header[] =>
  headers.map(([name, value]) =>
    name.toLowerCase() === 'vary' && !/(?:^|,)\s*(?:\*|accept-encoding)\s*(?:,|$)/i.test(value)
      ? [name, `${value}, Accept-Encoding`]
      : [name, value],
  );

/** Null if the compression is busy, or if it would not shorten the body. */
async function compressJob(
  state: Compression,
  body: readonly Buffer[],
  coding: ContentCoding,
): Promise<Buffer | null> {
  const length = lengthOf(body);
  if (state.pendingBytes + length > MAX_PENDING_BYTES) return null;
  state.pendingBytes += length;
  try {
    if (state.running >= MAX_RUNNING) await new Promise<void>((start) => state.waiting.push(start));
    else state.running++;
    const compressed = await compress(Buffer.concat(body, length), coding);
    return compressed.length < length ? compressed : null;
  } finally {
    state.pendingBytes -= length;
    const next = state.waiting.shift();
    // The finished job starts the next one.
    if (next === undefined) state.running--;
    else next();
  }
}

/** Reads the body as fast as the client takes the compressed bytes. Null if the compression is busy. */
function compressStream(state: Compression, body: Body, coding: ContentCoding): AsyncIterable<Buffer> | null {
  if (state.openStreams >= MAX_STREAMS) return null;
  state.openStreams++;
  const encoder = createEncoder(coding);
  encoder.once('close', () => state.openStreams--);
  // An error of the body destroys the encoder, and a disconnected client destroys the body.
  pipeline(body, encoder, () => undefined);
  return encoder;
}
