/** Reads the fields of an ErrorResponse or NoticeResponse (PostgreSQL manual, 55.8) while the message arrives. */
import type { ErrorFields } from './postgres-error.js';

/** Limit of each field in bytes: messages of PostgreSQL may repeat values of any length. */
const LONGEST_FIELD = 8192;

export interface FieldReader {
  /** Reads the next piece of the message's content, and keeps no reference to it. */
  take(piece: Buffer): void;
  /** Returns the fields, each cut to 8 kB between characters. */
  end(): ErrorFields;
}

/** Holds at most 8 kB of each field, however long the message is. */
export function fieldReader(): FieldReader {
  const fields = new Map<string, string>();
  let pieces: Buffer[] = [];
  let bytes = 0;
  /** Code of the field that is read; null between fields. */
  let code: number | null = null;
  let ended = false;

  function keep(piece: Buffer): void {
    const part = piece.subarray(0, LONGEST_FIELD - bytes);
    if (part.length === 0) return;
    // A copy: a view would keep the whole chunk in memory.
    pieces.push(Buffer.from(part));
    bytes += part.length;
  }

  function finishField(): void {
    if (code !== null) fields.set(String.fromCharCode(code), wholeCharacters(Buffer.concat(pieces)));
    pieces = [];
    bytes = 0;
    code = null;
  }

  return {
    take(piece) {
      let offset = 0;
      while (offset < piece.length) {
        if (ended) return;
        if (code === null) {
          code = piece.readUInt8(offset++);
          if (code === 0) [ended, code] = [true, null];
          continue;
        }
        const zero = piece.indexOf(0, offset);
        keep(piece.subarray(offset, zero < 0 ? piece.length : zero));
        if (zero < 0) return;
        finishField();
        offset = zero + 1;
      }
    },
    end() {
      return errorFields(fields);
    },
  };
}

/** Decodes bytes; an incomplete character at their end is dropped. */
function wholeCharacters(bytes: Buffer): string {
  let end = bytes.length;
  // A character has at most four bytes; all but the first are 10xxxxxx.
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes.readUInt8(bytes.length - back);
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (length > back) end = bytes.length - back;
    break;
  }
  return bytes.toString('utf8', 0, end);
}

const errorFields = (fields: ReadonlyMap<string, string>): ErrorFields => ({
  code: fields.get('C') ?? 'XX000',
  message: fields.get('M') ?? '',
  detail: fields.get('D') ?? null,
  hint: fields.get('H') ?? null,
  schema: fields.get('s') ?? null,
  table: fields.get('t') ?? null,
  column: fields.get('c') ?? null,
  constraint: fields.get('n') ?? null,
  routine: fields.get('R') ?? null,
  context: fields.get('W') ?? null,
});
