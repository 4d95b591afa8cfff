/** The format of the backend's messages (PostgreSQL manual, 55.7). */
import type { TransactionState } from './batch-outcome.js';
import { malformed } from './malformed-message.js';

/** Type and length. */
export const HEADER_BYTES = 5;
/** The length of a message includes this field. */
const LENGTH_BYTES = 4;
/** Longest row or error, in bytes: PostgreSQL sends no value above 1 GB. */
const LONGEST = 0x4000_0000;
/** Longest message of any other type, in bytes. */
const LONGEST_SHORT = 0x10_0000;

export const MESSAGE = {
  parseComplete: 0x31,
  bindComplete: 0x32,
  closeComplete: 0x33,
  notification: 0x41,
  commandComplete: 0x43,
  dataRow: 0x44,
  errorResponse: 0x45,
  emptyQuery: 0x49,
  backendKeyData: 0x4b,
  noticeResponse: 0x4e,
  authentication: 0x52,
  parameterStatus: 0x53,
  rowDescription: 0x54,
  readyForQuery: 0x5a,
  noData: 0x6e,
  portalSuspended: 0x73,
  parameterDescription: 0x74,
  negotiateProtocolVersion: 0x76,
} as const;

const mayBeLong = (type: number): boolean =>
  type === MESSAGE.dataRow || type === MESSAGE.errorResponse || type === MESSAGE.noticeResponse;

/**
 * The end of the message that begins at `offset`.
 * @param chunk holds its header
 * @throws MalformedMessage for a length that no message of its type can have
 */
export function messageEnd(chunk: Buffer, offset: number): number {
  const type = chunk.readUInt8(offset);
  const length = chunk.readUInt32BE(offset + 1);
  if (length < LENGTH_BYTES) malformed(`a message of ${String(length)} bytes`);
  if (length > (mayBeLong(type) ? LONGEST : LONGEST_SHORT))
    malformed(`a message of type ${typeName(type)} with ${String(length)} bytes`);
  return offset + 1 + length;
}

/** The type of a message for error texts: a letter in quotes, anything else as a number. */
export const typeName = (type: number): string =>
  type > 0x20 && type < 0x7f ? `"${String.fromCharCode(type)}"` : String(type);

/** The number of columns of a row that begins at `from`. @throws MalformedMessage */
export function columnCount(chunk: Buffer, from: number, end: number): number {
  if (end < from + 2) malformed('a row without a number of columns');
  const count = chunk.readInt16BE(from);
  if (count < 0) malformed(`a row of ${String(count)} columns`);
  return count;
}

/** The length of a value, -1 for null. @throws MalformedMessage when it does not fit into the row, which ends at `end` */
export function valueLength(chunk: Buffer, position: number, end: number): number {
  if (position + LENGTH_BYTES > end) malformed('a row with fewer values than columns');
  const length = chunk.readInt32BE(position);
  if (length < -1 || position + LENGTH_BYTES + length > end)
    malformed(`a value of ${String(length)} bytes in a row that ends before`);
  return length;
}

/** @throws MalformedMessage for a byte that names no state */
export function transactionState(byte: number | undefined): TransactionState {
  switch (byte) {
    case 0x49:
      return 'I';
    case 0x54:
      return 'T';
    case 0x45:
      return 'E';
    case undefined:
    default:
      return malformed('a state of the transaction that does not exist');
  }
}
