/** Text of files, which editors may begin with a byte order mark. */
import { isUtf8 } from 'node:buffer';

export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Returns the text without its byte order mark; null if the bytes are not UTF-8. */
export const utf8Text = (bytes: Buffer): string | null =>
  isUtf8(bytes) ? withoutMark(bytes.toString('utf8')) : null;
