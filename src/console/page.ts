/** The files of the page, as `make build` has made them. They are read and compressed when they are first asked for. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { acceptedCoding, codedTag, CODINGS, compress, type ContentCoding } from '../base/content-coding.js';
import { packageRoot } from '../base/package.js';
import { entityTag, matchesEntityTag } from '../operations/responses.js';

/** Names below the path of the console, and their types. */
const FILES: ReadonlyMap<string, string> = new Map([
  ['', 'text/html; charset=utf-8'],
  ['app.js', 'text/javascript; charset=utf-8'],
  ['app.css', 'text/css; charset=utf-8'],
]);

/** Scripts, styles and requests are those of this origin, and no text becomes markup (trusted types). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
};

interface PageFile {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly coded: Map<ContentCoding, Promise<Buffer>>;
}

const files = new Map<string, Promise<PageFile>>();

const fileOf = (name: string): Promise<PageFile> => {
  const known = files.get(name);
  if (known !== undefined) return known;
  const read = readFile(join(packageRoot(), 'dist', 'console', name === '' ? 'index.html' : name)).then(
    (bytes): PageFile => ({ bytes, etag: entityTag(bytes), coded: new Map() }),
  );
  files.set(name, read);
  read.catch(() => files.delete(name));
  return read;
};

/** Serves a file. False if the console has none of this name. */
export async function servePage(
  name: string,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const type = FILES.get(name);
  if (type === undefined) return false;
  const file = await fileOf(name).catch(() => null);
  if (file === null) {
    response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end('The page of the console is not built (make build).\n');
    return true;
  }
  const coding = acceptedCoding(headers['accept-encoding'], CODINGS);
  const etag = codedTag(file.etag, coding);
  const head = { ...HEADERS, 'Content-Type': type, ETag: etag };
  if (matchesEntityTag(headers['if-none-match'], etag)) {
    response.writeHead(304, head).end();
    return true;
  }
  const bytes = coding === null ? file.bytes : await codedBytes(file, coding);
  response.writeHead(200, {
    ...head,
    'Content-Length': bytes.length,
    ...(coding === null ? {} : { 'Content-Encoding': coding }),
  });
  response.end(method === 'HEAD' ? undefined : bytes);
  return true;
}

function codedBytes({ bytes, coded }: PageFile, coding: ContentCoding): Promise<Buffer> {
  const known = coded.get(coding);
  if (known !== undefined) return known;
  const made = compress(bytes, coding);
  coded.set(coding, made);
  return made;
}
