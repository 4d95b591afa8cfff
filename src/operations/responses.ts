/** Common parts of responses: how long they are kept, their entity tags, and streams of events. */
import { sha256Text } from '../base/hash.js';

// Cache-Control (RFC 9111 §5.2.2).

/** For one user's data: shared caches do not store it, and the user's own cache revalidates it. */
export const PRIVATE = { 'Cache-Control': 'private, no-cache' } as const;

/** For credentials: no cache stores the response. */
export const NO_STORE = { 'Cache-Control': 'no-store' } as const;

// Entity tags and conditional requests (RFC 9110 §8.8.3, §13.1).

/** Characters of a tag: 162 bits of the digest. */
const TAG_LENGTH = 27;

/** The strong entity tag of a content. */
export const entityTag = (content: string | Uint8Array): string =>
  `"${sha256Text(content, 'base64url').slice(0, TAG_LENGTH)}"`;

/** Whether `If-None-Match` names the tag. `*` names every tag; a weak tag equals the strong one. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((candidate) => {
    const tag = candidate.trim().replace(/^W\//, '');
    return tag === '*' || tag === opaque;
  });
}

export const jsonResponse = <Headers, Body>(headers: Headers, body: Body) =>
  ({ status: 200, type: 'application/json', headers, body }) as const;

/** The response to a GET: status 304 without a body if `If-None-Match` names the tag. */
export const conditionalResponse = <Headers extends { readonly ETag: string }, Body>(
  ifNoneMatch: string | undefined,
  headers: Headers,
  body: Body,
) =>
  matchesEntityTag(ifNoneMatch, headers.ETag)
    ? ({ status: 304, headers } as const)
    : jsonResponse(headers, body);

// Server-sent events (WHATWG HTML §9.2): the text of events and the response that carries them.

export const EVENT_STREAM = 'text/event-stream';

/** The first text of a stream: the client waits 3 s before it connects again. */
export const RETRY_TEXT = 'retry: 3000\n\n';

/** A comment, which keeps intermediaries from closing an idle connection. */
export const KEEP_ALIVE_TEXT = ': keep-alive\n\n';

/** Longest silence of a stream, in milliseconds. */
export const KEEP_ALIVE_MS = 15_000;

/**
 * One event.
 * @param id where the client resumes; null keeps the id of the event before
 * @param data each of its lines becomes a `data:` field
 */
export function eventText(id: string | null, event: string, data: string): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\n${lines.join('')}\n`;
}

/** `X-Accel-Buffering` keeps nginx from buffering the events. */
export const EVENT_STREAM_HEADERS = { ...NO_STORE, 'X-Accel-Buffering': 'no' } as const;

export const eventStreamResponse = (body: AsyncIterable<string>) =>
  ({ status: 200, type: EVENT_STREAM, headers: EVENT_STREAM_HEADERS, body }) as const;
