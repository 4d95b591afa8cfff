/** Bytes as PostgreSQL writes them (`\x…`), and what they are. */

export const isHex = (text: string): boolean => /^\\x(?:[\da-f]{2})*$/i.test(text);

export const byteCount = (text: string): number => Math.max(0, (text.length - 2) / 2);

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(byteCount(text));
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = Number.parseInt(text.slice(2 * at + 2, 2 * at + 4), 16);
  return bytes;
}

export function hexOf(bytes: Uint8Array): string {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  return `\\x${digits.join('')}`;
}

/** The first bytes of files, in hexadecimal digits; a dot stands for any digit. */
const SIGNATURES: readonly (readonly [begins: RegExp, type: string])[] = [
  [/^89504e470d0a1a0a/i, 'image/png'],
  [/^ffd8ff/i, 'image/jpeg'],
  [/^47494638/i, 'image/gif'],
  [/^52494646.{8}57454250/i, 'image/webp'],
  [/^.{8}66747970(?:61766966|61766973)/i, 'image/avif'],
  [/^424d/i, 'image/bmp'],
  [/^255044462d/i, 'application/pdf'],
  [/^504b0304/i, 'application/zip'],
  [/^1f8b/i, 'application/gzip'],
];

/** The media type of the bytes by their beginning; null for others. */
export const mediaTypeOf = (text: string): string | null =>
  SIGNATURES.find(([begins]) => begins.test(text.slice(2, 60)))?.[1] ?? null;

export const isPicture = (type: string | null): boolean => type?.startsWith('image/') ?? false;

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes with its unit, of at most three digits. */
export function sizeText(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  const digits = step === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${UNITS[step] ?? ''}`;
}

/** What stands in a cell for the bytes. */
export const bytesText = (text: string): string =>
  [mediaTypeOf(text), sizeText(byteCount(text))].filter((part) => part !== null).join(', ');
