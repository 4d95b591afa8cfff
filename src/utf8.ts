/** Texts in UTF-8, as all bodies of requests are. */

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
