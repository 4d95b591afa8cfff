/** GET of a small JSON document from an issuer: bounded in time and in bytes, without redirects. */
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { linkGone } from '../base/gone.js';

export interface FetchOptions {
  /** Longest time for the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Certificates of the authorities to trust, in PEM; undefined for those that Node.js trusts. */
  readonly ca: readonly string[] | undefined;
  /** Ends the exchange when it is aborted. */
  readonly signal: AbortSignal;
}

interface FetchedJson {
  readonly value: unknown;
  /**
   * Seconds for which the document is fresh (RFC 9111 §4.2); 0 if it must not be stored, null if the response does
   * not state it.
   */
  readonly freshSeconds: number | null;
}

/** A document that could not be fetched. The message states the reason and contains no text of the document. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

const MAX_BYTES = 262_144;
const MAX_HEADER_BYTES = 16_384;
const HEADERS = { Accept: 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': 'dbr' };

/** @throws FetchError */
export async function fetchJson(
  address: string,
  { timeoutMs, ca, signal }: FetchOptions,
): Promise<FetchedJson> {
  const exchange = linkGone([signal], timeoutMs);
  try {
    const response = await openResponse(address, ca, exchange.signal);
    try {
      requirePlainAnswer(response);
      return { value: parseJson(await readBody(response)), freshSeconds: freshSeconds(response) };
    } finally {
      response.destroy();
    }
  } catch (error) {
    if (error instanceof FetchError) throw error;
    if (exchange.signal.aborted && !signal.aborted)
      throw new FetchError(`no complete response within ${timeoutMs / 1000} s`);
    throw new FetchError(messageOf(error), { cause: error });
  } finally {
    exchange.release();
  }
}

function openResponse(
  address: string,
  ca: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options = { agent: false, headers: HEADERS, maxHeaderSize: MAX_HEADER_BYTES, signal } as const;
  return new Promise((resolve, reject) => {
    const request = address.startsWith('https:')
      ? getHttps(address, ca === undefined ? options : { ...options, ca: [...ca] }, resolve)
      : getHttp(address, options, resolve);
    // This listener stays: a connection may fail after the response has begun.
    request.on('error', reject);
    // Status 101 closes the connection without a response and without an error.
    request.on('close', () => reject(new FetchError('the connection closed without a response')));
  });
}

/**
 * @throws FetchError unless the status is 200 and there is no content coding: redirects are not followed, and a
 * compressed document may expand beyond its limit
 */
function requirePlainAnswer({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 300 && statusCode < 400)
    throw new FetchError(`the response is a redirect (${statusCode}), which is not followed`);
  if (statusCode !== 200) throw new FetchError(`the response has status ${statusCode}`);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new FetchError('the response has a content coding that was not asked for');
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new FetchError(`the response is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new FetchError('the response is not JSON in UTF-8');
  }
}

function freshSeconds({ headers }: IncomingMessage): number | null {
  const directives = (headers['cache-control'] ?? '').toLowerCase();
  if (/(?:^|[\s,])no-(?:store|cache)(?:$|[\s,=])/.test(directives)) return 0;
  const [, maxAge] = /(?:^|[\s,])max-age="?(\d{1,9})/.exec(directives) ?? [];
  if (maxAge === undefined) return null;
  const age = /^\d{1,9}$/.test(headers.age ?? '') ? Number(headers.age) : 0;
  return Math.max(0, Number(maxAge) - age);
}

/** Node.js reports several failed connection attempts as one error with an empty message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && first.message !== '' ? first.message : error.name;
}
