/** Contents that do not depend on the caller: the published document and the pages that `make build` makes. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { packageRoot } from '../base/package.js';
import type { Header, Reply } from '../contract/reply.js';
import { entityTag, matchesEntityTag } from './responses.js';

export interface Content {
  readonly bytes: Buffer;
  readonly etag: string;
}

export function contentOf(text: string | Buffer): Content {
  const bytes = Buffer.from(text);
  return { bytes, etag: entityTag(bytes) };
}

/** @param headers of each reply, beside its entity tag */
export function contentReply(
  { bytes, etag }: Content,
  headers: readonly Header[],
  { method, headers: request }: Pick<IncomingMessage, 'method' | 'headers'>,
): Reply {
  const tagged: readonly Header[] = [...headers, ['ETag', etag]];
  if (matchesEntityTag(request['if-none-match'], etag))
    return { status: 304, headers: tagged.filter(([name]) => name !== 'Content-Type'), body: null };
  if (method === 'HEAD')
    return { status: 200, headers: [...tagged, ['Content-Length', String(bytes.length)]], body: null };
  return { status: 200, headers: tagged, body: [bytes] };
}

/** Scripts, styles and requests are those of this origin, and no text becomes markup (trusted types). */
export const PAGE_HEADERS: readonly Header[] = [
  [
    'Content-Security-Policy',
    [
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
    ].join('; '),
  ],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cache-Control', 'no-cache'],
];

/** Types of the files of a page, by name; the page itself has none. */
export const PAGE_FILES: ReadonlyMap<string, string> = new Map([
  ['', 'text/html; charset=utf-8'],
  ['app.js', 'text/javascript; charset=utf-8'],
  ['app.css', 'text/css; charset=utf-8'],
]);

/** Reads a file of a page. @param folder of the page in dist/ @param name as in `PAGE_FILES` */
export const readPageFile = (folder: 'console' | 'reference', name: string): Promise<Buffer> =>
  readFile(join(packageRoot(), 'dist', folder, name === '' ? 'index.html' : name));

/** The reply where `make build` has not made the page. */
export const notBuilt = (page: string): Reply => ({
  status: 503,
  headers: [['Content-Type', 'text/plain; charset=utf-8']],
  body: [Buffer.from(`The page of the ${page} is not built (make build).\n`)],
});
