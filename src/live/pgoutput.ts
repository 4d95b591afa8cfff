/**
 * Decodes messages of the plugin `pgoutput`, protocol version 1 (PostgreSQL manual, 53.9). Values stay the text that
 * PostgreSQL wrote, and only the columns that decide are decoded: a row can have megabytes that are not needed.
 */

/** A relation as the log describes it before its first row, and again after each change of the table. */
export interface LoggedRelation {
  readonly oid: number;
  /** The names of its columns. */
  readonly columns: readonly string[];
}

/**
 * Values by the position of their columns. `undefined`: the value was not asked for, or the log does not repeat it
 * because it is large and did not change.
 */
export type LoggedRow = readonly (string | null | undefined)[];

/** A change of one row. `before` has the columns of the replica identity, or is null if they did not change. */
export interface LoggedChange {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly relation: number;
  readonly before: LoggedRow | null;
  readonly after: LoggedRow | null;
}

export type LogMessage =
  /** `xid`: the low 32 bits of the transaction's number. */
  | { readonly kind: 'begin'; readonly xid: number }
  | { readonly kind: 'commit' }
  | { readonly kind: 'relation'; readonly relation: LoggedRelation }
  | LoggedChange
  | { readonly kind: 'truncate'; readonly relations: readonly number[] }
  | { readonly kind: 'other' };

/** Returns for each column of a relation whether its values are needed; null if no row of the relation is needed. */
export type WantedColumns = (relation: number) => readonly boolean[] | null;

const TYPE = {
  begin: 0x42,
  commit: 0x43,
  delete: 0x44,
  insert: 0x49,
  relation: 0x52,
  truncate: 0x54,
  update: 0x55,
} as const;

/** Marks of the tuples within an update. */
const NEW_TUPLE = 0x4e;

const VALUE = { null: 0x6e, unchanged: 0x75 } as const;

/** @throws RangeError for a message that is cut */
export function decodeMessage(bytes: Buffer, wanted: WantedColumns): LogMessage {
  switch (bytes.readUInt8(0)) {
    case TYPE.begin:
      // Before the number: the position of the end (8 bytes) and the time of the commit (8 bytes).
      return { kind: 'begin', xid: bytes.readUInt32BE(17) };
    case TYPE.commit:
      return { kind: 'commit' };
    case TYPE.relation:
      return { kind: 'relation', relation: decodeRelation(bytes) };
    case TYPE.insert:
    case TYPE.update:
    case TYPE.delete:
      return decodeRow(bytes, wanted);
    case TYPE.truncate:
      return { kind: 'truncate', relations: decodeTruncate(bytes) };
    default:
      return { kind: 'other' };
  }
}

function decodeRelation(bytes: Buffer): LoggedRelation {
  const oid = bytes.readUInt32BE(1);
  const schema = textAt(bytes, 5);
  const name = textAt(bytes, schema.end);
  // Behind the name: the replica identity (1 byte).
  const count = bytes.readUInt16BE(name.end + 1);
  const columns: string[] = [];
  let at = name.end + 3;
  for (let column = 0; column < count; column += 1) {
    // Before the name: flags (1 byte); behind it: the type (4 bytes) and its modifier (4 bytes).
    const label = textAt(bytes, at + 1);
    columns.push(label.text);
    at = label.end + 8;
  }
  return { oid, columns };
}

/** Reads a text that ends with a zero byte. */
function textAt(bytes: Buffer, start: number): { readonly text: string; readonly end: number } {
  const end = bytes.indexOf(0, start);
  if (end < 0) throw new RangeError('a text of the log has no end');
  return { text: bytes.toString('utf8', start, end), end: end + 1 };
}

function decodeTruncate(bytes: Buffer): readonly number[] {
  const count = bytes.readUInt32BE(1);
  return Array.from({ length: count }, (_, index) => bytes.readUInt32BE(6 + 4 * index));
}

function decodeRow(bytes: Buffer, wanted: WantedColumns): LogMessage {
  const relation = bytes.readUInt32BE(1);
  const columns = wanted(relation);
  if (columns === null) return { kind: 'other' };
  const first = decodeTuple(bytes, 6, columns);
  if (bytes[0] === TYPE.insert) return { kind: 'insert', relation, before: null, after: first.row };
  if (bytes[0] === TYPE.delete) return { kind: 'delete', relation, before: first.row, after: null };
  if (bytes[5] === NEW_TUPLE) return { kind: 'update', relation, before: null, after: first.row };
  const after = decodeTuple(bytes, first.end + 1, columns).row;
  return { kind: 'update', relation, before: first.row, after };
}

function decodeTuple(
  bytes: Buffer,
  start: number,
  wanted: readonly boolean[],
): { readonly row: LoggedRow; readonly end: number } {
  const count = bytes.readUInt16BE(start);
  const row: (string | null | undefined)[] = [];
  let at = start + 2;
  for (let column = 0; column < count; column += 1) {
    const kind = bytes.readUInt8(at);
    at += 1;
    if (kind === VALUE.null || kind === VALUE.unchanged) {
      row.push(kind === VALUE.null ? null : undefined);
      continue;
    }
    const length = bytes.readUInt32BE(at);
    at += 4;
    row.push(wanted[column] === true ? bytes.toString('utf8', at, at + length) : undefined);
    at += length;
  }
  if (at > bytes.length) throw new RangeError('a row of the log is cut');
  return { row, end: at };
}
