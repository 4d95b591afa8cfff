/** Header fields that functions may not set: they belong to the connection and to the framing of the message. */
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

/** Everything that RFC 9110 §5.5 lets stand in a value; line ends above all would begin another header. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\uffff]*$/;

export type Header = readonly [name: string, value: string];

/** True when a header that comes from the database may be sent as it is. */
export function mayBeSent([name, value]: Header): boolean {
  return TOKEN.test(name) && FIELD_VALUE.test(value) && !OURS.has(name.toLowerCase());
}

/** Text beyond ASCII as the bytes of its UTF-8, which is how Node takes header values. */
export function toWire(value: string): string {
  return /^[\x20-\x7e\t]*$/.test(value) ? value : Buffer.from(value, 'utf8').toString('latin1');
}

/** A reason phrase of reasonable length, without what may not stand on a status line. */
export function reasonPhrase(text: string): string {
  return toWire(text.replaceAll(/[^\t\x20-\x7e\x80-\uffff]/g, ' ').slice(0, 200));
}

/** The bytes behind hexadecimal digits, piece by piece: a digit cut off from its pair waits for the next piece. */
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
