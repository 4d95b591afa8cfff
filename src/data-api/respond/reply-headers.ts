import type { Header, Reply } from '../../contract/reply.js';
import { dbrError } from '../../errors/dbr-error.js';

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

/** Most characters of all headers that functions set for one response. */
const MOST_TEXT = 32_768;

/**
 * The setting `response.headers`: a JSON array of objects with one member each (data API §1.15). Throws DBR111 for
 * any other value, and for headers that would corrupt the message.
 */
export function readResponseHeaders(text: string | null): readonly Header[] {
  if (text === null) return [];
  const list: unknown = text.length > MOST_TEXT ? null : parseJson(text);
  if (!Array.isArray(list)) throw dbrError('InvalidResponseHeaders');
  return list.map((item: unknown) => {
    const header = onlyMember(item);
    if (header === null || !mayBeSent(header)) throw dbrError('InvalidResponseHeaders');
    return [header[0], toWire(header[1])];
  });
}

function onlyMember(item: unknown): Header | null {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return null;
  const members: [string, unknown][] = Object.entries(item);
  const [member] = members;
  if (member === undefined || members.length !== 1 || typeof member[1] !== 'string') return null;
  return [member[0], member[1]];
}

/** Reads the setting `response.status`; null if it is not set. Throws DBR112 unless it is a final status. */
export function readResponseStatus(text: string | null): number | null {
  if (text === null) return null;
  const status = /^\d{3}$/.test(text) ? Number(text) : 0;
  // A final status, as that of `PT<nnn>`, is not below 200.
  if (status < 200) throw dbrError('InvalidResponseStatus');
  return status;
}

/** Merges headers of the service and of the database. The database takes precedence. */
export function overridden(ours: readonly Header[], theirs: readonly Header[]): readonly Header[] {
  if (theirs.length === 0) return ours;
  const names = new Set(theirs.map(([name]) => name.toLowerCase()));
  return [...ours.filter(([name]) => !names.has(name.toLowerCase())), ...theirs];
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether all of a body is in memory. */
export const isComplete = (body: Reply['body']): body is readonly Buffer[] => Array.isArray(body);

/** Joins the pieces of a body; a single piece is not copied. */
export function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}

/** Returns the first value of a header of a reply. @param wanted name in lower case */
export const replyHeader = (headers: readonly Header[], wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** Adds the position of the log that a write has reached. @param position null without replicas, and after a read */
export const withPosition = (reply: Reply, position: string | null): Reply =>
  position === null ? reply : { ...reply, headers: [...reply.headers, ['Dbr-Position', position]] };
