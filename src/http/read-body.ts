/** Request bodies as bytes: bounded each by a limit, all together by the memory for bodies, and in time by a slowest rate. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dbrError } from '../errors/dbr-error.js';
import { addChunk, joinedChunks, type ChunkList } from '../base/bytes.js';
import { runInSlices } from '../base/turns.js';
import type { BodyMemory } from './body-memory.js';
import type { UploadRate } from './upload-rate.js';

const EMPTY = Buffer.alloc(0);

/** Bodies up to this length, in bytes, are received before the request is admitted. */
export const SHORT_BODY = 65_536;

/** Thrown if the client disconnects before its body is complete. No response is sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Limits of the bodies of a port. */
export interface BodyBounds {
  readonly memory: BodyMemory;
  readonly rate: UploadRate;
}

export interface BodyOptions extends BodyBounds {
  /** In bytes. */
  readonly limit: number;
  /**
   * Called before more than `SHORT_BODY` bytes are received. Throws to refuse the request; returns false if the body
   * is not needed.
   */
  readonly admit?: () => Promise<boolean>;
}

/**
 * Reads the whole body. A declared length above the limit is refused before a byte is read, an undeclared one as soon
 * as the limit is exceeded; the rest is not read. The limit is at most the memory for bodies. The bytes count against the memory for bodies until the response is
 * written.
 * @throws DbrError UnacceptableMediaType (415), PayloadTooLarge (413), BodyMemoryExhausted and ServiceUnavailable (503),
 * RequestTimeout (408); ClientGone; what `admit` throws
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  options: BodyOptions,
): Promise<Buffer> {
  const { admit } = options;
  // A longer body never has room, so that it is not a matter of time.
  const limit = Math.min(options.limit, options.memory.longest);
  const declared = declaredLength(request);
  if (declared === 0) return EMPTY;
  requireUncoded(request);
  if (declared !== null && declared > limit) throw tooLarge(limit);
  if (declared !== null && declared <= SHORT_BODY) {
    // By then the parser has handed over the bytes that arrived with the head: mostly the whole body.
    await Promise.resolve();
    if (request.readableLength === declared && !request.destroyed)
      return await arrivedBody(request, response, options);
  }
  const receiver = createReceiver(request, response, options, limit);
  if (admit === undefined) return receiver.receive(Infinity);
  if (declared === null || declared <= SHORT_BODY) {
    const short = await receiver.receive(SHORT_BODY);
    if (receiver.isComplete()) return short;
  }
  if (!(await admit())) return EMPTY;
  return receiver.receive(Infinity);
}

/**
 * Refuses a body with a coding such as gzip, and names the codings that are accepted (RFC 9110 §12.5.3).
 * @throws DbrError UnacceptableMediaType (415)
 */
export function requireUncoded({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding']?.trim() ?? '';
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  throw dbrError(
    'UnacceptableMediaType',
    { message: 'contentEncoding', coding },
    { headers: { 'Accept-Encoding': 'identity' } },
  );
}

/** Returns a body all of whose bytes have arrived before it is read. */
async function arrivedBody(
  request: IncomingMessage,
  response: ServerResponse,
  { memory }: BodyOptions,
): Promise<Buffer> {
  const body: unknown = request.read();
  // The parser has not reported the end of the request yet.
  request.resume();
  if (!Buffer.isBuffer(body)) return EMPTY;
  if (!memory.take(body.length)) await memory.borrow(body.length);
  if (response.destroyed) {
    memory.release(body.length);
    throw clientGone();
  }
  response.once('close', () => memory.release(body.length));
  return body;
}

/** Returns the declared length in bytes, or null if there is none. */
function declaredLength({ headers }: IncomingMessage): number | null {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (length !== undefined) return Number(length);
  return encoding === undefined ? 0 : null;
}

/** Whether more bytes of the body are expected than are worth reading to keep the connection. */
export function leavesBody(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const declared = declaredLength(request);
  return declared === null || declared > SHORT_BODY;
}

interface Receiver {
  /** Receives until the body ends or more than `bytes` have arrived. Returns the whole body if it has ended. */
  receive(bytes: number): Promise<Buffer>;
  isComplete(): boolean;
}

/** A body that is being received. */
interface Arriving extends ChunkList {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: BodyBounds;
  /** In bytes. */
  readonly limit: number;
  /** Bytes that are taken of the memory for bodies. */
  length: number;
  begun: boolean;
  ended: boolean;
}

function createReceiver(
  request: IncomingMessage,
  response: ServerResponse,
  options: BodyBounds,
  limit: number,
): Receiver {
  const arriving: Arriving = {
    request,
    response,
    options,
    limit,
    chunks: [],
    unjoined: 0,
    length: 0,
    begun: false,
    ended: false,
  };
  response.once('close', () => options.memory.release(arriving.length));
  return {
    isComplete: () => arriving.ended,
    receive: (bytes) => receive(arriving, bytes),
  };
}

function begin(arriving: Arriving): void {
  if (!arriving.begun) writeContinue(arriving.request, arriving.response);
  arriving.begun = true;
}

const CONTINUE = /(?:^|,)\s*100-continue\s*(?:,|$)/i;

/**
 * Sends 100 (Continue) to a client that waits for it before it sends the body (RFC 9110 §10.1.1). A client of HTTP/1.0
 * would take it for the response.
 */
export function writeContinue(
  { headers, httpVersionMinor }: IncomingMessage,
  response: ServerResponse,
): void {
  if (httpVersionMinor >= 1 && CONTINUE.test(headers.expect ?? '')) response.writeContinue();
}

function receive(arriving: Arriving, bytes: number): Promise<Buffer> {
  const { request, response, chunks, limit } = arriving;
  const { memory, rate } = arriving.options;
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      arriving.ended = true;
      resolve(
        chunks.length === 1 ? (chunks[0] ?? EMPTY) : runInSlices(joinedChunks(arriving, arriving.length)),
      );
    };
    const isGone = (): boolean => (request.readableEnded ? response.destroyed : request.destroyed);
    if (isGone()) return reject(clientGone());
    // The end is reported once, perhaps with the last bytes of an earlier part.
    if (request.readableEnded) return finish();
    begin(arriving);
    let isSettled = false;
    let isBorrowing = false;
    const upload = rate.begin((error) => fail(error));
    const settle = (): void => {
      isSettled = true;
      rate.end(upload);
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      request.pause();
    };
    const fail = (error: Error): void => {
      settle();
      chunks.length = 0;
      reject(error);
    };
    const accept = (chunk: Buffer): void => {
      arriving.length += chunk.length;
      addChunk(arriving, chunk);
      if (arriving.length <= bytes) return;
      settle();
      resolve(EMPTY);
    };
    /** Nothing more is read until the memory is lent. */
    const acceptLater = async (chunk: Buffer): Promise<void> => {
      request.pause();
      isBorrowing = true;
      await memory.borrow(chunk.length);
      isBorrowing = false;
      if (isGone()) onGone();
      if (isSettled) return memory.release(chunk.length);
      request.resume();
      accept(chunk);
      if (request.readableEnded) onEnd();
    };
    const onData = (chunk: Buffer): void => {
      upload.received += chunk.length;
      if (arriving.length + chunk.length > limit) return fail(tooLarge(limit));
      if (memory.take(chunk.length)) return accept(chunk);
      acceptLater(chunk).catch((error: unknown) => {
        if (!isSettled) fail(error instanceof Error ? error : new Error(String(error)));
      });
    };
    const onEnd = (): void => {
      // A stream whose last bytes wait for a loan ends nevertheless.
      if (isSettled || isBorrowing) return;
      settle();
      finish();
    };
    // A stream that has ended is closed, too.
    const onGone = (): void => {
      if (!isSettled && isGone()) fail(clientGone());
    };
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
    request.resume();
  });
}

export const clientGone = (): ClientGone => new ClientGone('the client closed the connection');

const tooLarge = (limit: number): Error =>
  dbrError('PayloadTooLarge', { limit }, { headers: { Connection: 'close' } });
