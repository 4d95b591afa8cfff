import type { Header } from '../../contract/reply.js';

/** Header fields that functions must not set: those of the connection and of the message framing. */
const OURS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The characters of a field value (RFC 9110 §5.5); a line end would begin another header. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\uffff]*$/;

/** Whether a header of the database may be sent unchanged. */
export function mayBeSent([name, value]: Header): boolean {
  return TOKEN.test(name) && FIELD_VALUE.test(value) && !OURS.has(name.toLowerCase());
}

/** Encodes text as UTF-8 with one character for each byte, the form of header values in Node.js. */
export function toWire(value: string): string {
  return /^[\x20-\x7e\t]*$/.test(value) ? value : Buffer.from(value, 'utf8').toString('latin1');
}

/** Returns a reason phrase of at most 200 characters, without characters that a status line cannot contain. */
export function reasonPhrase(text: string): string {
  return toWire(text.replaceAll(/[^\t\x20-\x7e\x80-\uffff]/g, ' ').slice(0, 200));
}

/** Decodes hexadecimal digits in pieces. The two digits of a byte may be in different pieces. */
export function bytesOfHex(pieces: readonly Buffer[]): readonly Buffer[] {
  const bytes: Buffer[] = [];
  let rest = '';
  for (const piece of pieces) {
    const digits = rest + piece.toString('latin1');
    const whole = digits.length - (digits.length % 2);
    bytes.push(Buffer.from(digits.slice(0, whole), 'hex'));
    rest = digits.slice(whole);
  }
  return bytes;
}
