/** Last-Modified of reads, and 304 (RFC 9110 §8.8.2, §13.1.3). */
import { PRIVATE } from '../../operations/cache-control.js';
import { httpDate } from '../request/http-date.js';
import type { Header } from './header-text.js';
import { notModified } from './not-modified.js';
import type { Reply } from './reply.js';

/** 9999-12-31T23:59:59Z: a date of HTTP has four digits for the year. */
const LATEST = 253_402_300_799;

/**
 * Returns Last-Modified of rows, whose time is not after that of the response, and Cache-Control: without it, a cache
 * would keep the response for a part of its age without asking (RFC 9111 §4.2.2).
 * @param modified seconds since 1970; null for no row
 */
export function lastModifiedHeaders(modified: number | null): readonly Header[] {
  if (modified === null || !(modified >= 0 && modified <= LATEST)) return [];
  const time = new Date(Math.min(modified * 1000, Date.now()));
  return [
    ['Last-Modified', time.toUTCString()],
    ['Cache-Control', PRIVATE['Cache-Control']],
  ];
}

/** Returns 304 in place of a reply whose row has not changed since the time in the header of the request. */
export function withModifiedSince(reply: Reply, ifModifiedSince: string | undefined): Reply {
  const { status, headers } = reply;
  if (status !== 200 && status !== 206) return reply;
  const since = httpDate(ifModifiedSince);
  const modified = httpDate(headers.find(([name]) => name.toLowerCase() === 'last-modified')?.[1]);
  return since === null || modified === null || modified > since ? reply : notModified(reply);
}
