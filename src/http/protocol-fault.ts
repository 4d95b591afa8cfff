/** Responses to bytes that are not HTTP request. They do not reach the application. */
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { dbrError } from '../errors/dbr-error.js';
import { isServicePath, originForm, pathBelow } from '../base/paths.js';
import type { Header } from '../contract/reply.js';

export type ProtocolFault =
  | {
      readonly kind: 'malformed';
      /** The part of the request line at fault; undefined for any other. */ readonly part?: 'target';
    }
  | { readonly kind: 'headers too large' }
  | { readonly kind: 'timed out' }
  | { readonly kind: 'method'; readonly method: string; readonly target: string };

/** Most header lines of a request. */
export const MOST_HEADER_LINES = 2000;

/**
 * Returns the fault that an error of Node's parser reports, or null if the client has disconnected.
 * @param error of the event `clientError`
 */
export function protocolFault(error: Error): ProtocolFault | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'HPE_HEADER_OVERFLOW') return { kind: 'headers too large' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { kind: 'timed out' };
  if (code === 'HPE_INVALID_METHOD') return methodFault(error);
  if (code === 'HPE_INVALID_URL') return { kind: 'malformed', part: 'target' };
  return code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE' ? { kind: 'malformed' } : null;
}

/**
 * Returns the fault of a request that Node's parser accepts: a version other than 1.0 and 1.1, no Host or several (RFC
 * 9112 §3.2), a Host that is not a host and port, and a coding of transfer in HTTP/1.0 (§6.1), which proxies frame in
 * different ways. Null for none.
 */
export function requestFault(request: IncomingMessage): ProtocolFault | null {
  const { httpVersionMajor, httpVersionMinor, headers, rawHeaders } = request;
  const hosts = headerCount(rawHeaders, 'host');
  const isNewest = httpVersionMinor === 1;
  const isSound =
    httpVersionMajor === 1 &&
    hosts <= 1 &&
    (isNewest ? hosts === 1 : headers['transfer-encoding'] === undefined) &&
    (hosts === 0 || HOST.test(headers.host ?? ''));
  return isSound ? null : { kind: 'malformed' };
}

/** A name or an address, and a port (RFC 3986 §3.2.2). Empty for a target without a host. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Returns how many headers have the name. @param wanted in lower case */
export function headerCount(rawHeaders: readonly string[], wanted: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count;
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) (\S{1,1024}) HTTP\/1\.[01]\r?\n/;

/** A request line whose method the parser does not know. */
function methodFault(error: Error): ProtocolFault {
  const packet = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : null;
  const parsed = 'bytesParsed' in error && typeof error.bytesParsed === 'number' ? error.bytesParsed : 0;
  if (packet === null) return { kind: 'malformed' };
  // The parser stops inside the method, at the first letter that no method has there.
  const begin = packet.subarray(0, parsed).lastIndexOf('\n') + 1;
  const line = REQUEST_LINE.exec(packet.toString('latin1', begin, begin + 2048));
  if (line === null) return { kind: 'malformed' };
  const [, method = '', target = ''] = line;
  return { kind: 'method', method, target };
}

/** @param maxHeaderSize in bytes @param pathPrefix of the data API */
export function protocolError(fault: ProtocolFault, maxHeaderSize: number, pathPrefix: string) {
  switch (fault.kind) {
    case 'malformed':
      return dbrError('MalformedRequest', { hint: fault.part === 'target' ? NOT_ENCODED : null });
    case 'headers too large':
      return dbrError('HeadersTooLarge', { bytes: maxHeaderSize, lines: MOST_HEADER_LINES });
    case 'timed out':
      return dbrError('RequestTimeout');
    case 'method': {
      const path = pathOf(fault.target);
      const below = pathBelow(pathPrefix, path) ?? path;
      return dbrError(refusalAt(below), { method: fault.method }, { headers: { Allow: allowedAt(below) } });
    }
  }
}

/** Some clients, such as curl, send what they are given. */
const NOT_ENCODED =
  'Percent-encode blanks and characters beyond ASCII in the URL: %20 for a blank, %C3%A9 for é';

const pathOf = (target: string): string => originForm(target).replace(/\?.*$/s, '');

/** The error of a method that no resource has. @param path below the prefix of the data API */
function refusalAt(path: string): 'MethodNotAllowed' | 'UnsupportedFunctionMethod' | 'UnsupportedMethod' {
  if (isServicePath(path)) return 'MethodNotAllowed';
  return path.startsWith('/rpc/') ? 'UnsupportedFunctionMethod' : 'UnsupportedMethod';
}

const METHODS = 'OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE';

/** The methods of the data API at a path, without looking up its relation or function. */
export function allowedAt(path: string): string {
  // POST of the root takes batches.
  return path === '/' || path.startsWith('/rpc/') ? 'OPTIONS, GET, HEAD, POST' : METHODS;
}

/** Renders a response as text, for a connection that is closed after it. */
export function rawAnswer(status: number, headers: readonly Header[], body: Buffer): string {
  const lines = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${String(body.length)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body.toString('latin1')}`;
}
