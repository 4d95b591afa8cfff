/** References in a JSON body: `{"$from":"order","path":"/0/id"}` is a value of the answer to the item with the id `order`. */
import { dbrError } from '../../errors/dbr-error.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  INVALID,
  newWalk,
  OPEN_ARRAY,
  OPEN_OBJECT,
  PAUSED,
  skipBlanks,
  skipString,
  skipValue,
} from '../request/json-scan.js';
import type { Work } from '../../base/turns.js';
import type { Slot, FindItem } from './batch-item.js';
import { readPointer } from './json-pointer.js';

/** Longest reference, in bytes. */
const LONGEST = 4096;
/** Bytes after which the scan may pause. */
const WINDOW = 65_536;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;

interface Scan {
  readonly json: Buffer;
  /** The ids that may be referred to; null for all. */
  readonly declared: ReadonlySet<string> | null;
  at: number;
  expected: 'value' | 'name' | 'end';
  /** Offsets of the open brackets, innermost last. */
  readonly open: number[];
}

/**
 * Returns the slots of a body, in their order.
 * @param json valid JSON
 * @param declared the ids that may be referred to; null for all. An object of `$from` and any other value is data then
 * @throws DbrError InvalidBatchReference
 */
export function* slotsOf(
  json: Buffer,
  declared: ReadonlySet<string> | null,
  findItem: FindItem,
): Work<readonly Slot[]> {
  const slots: Slot[] = [];
  if (declared?.size === 0) return slots;
  if (!json.includes('$') && !json.includes('\\u0024')) return slots;
  const scan: Scan = { json, declared, at: skipBlanks(json, 0), expected: 'value', open: [] };
  for (let pause = WINDOW; ;) {
    if (scan.at >= pause) {
      yield;
      pause = scan.at + WINDOW;
    }
    if (scan.expected === 'value') enterValue(scan);
    else if (scan.expected === 'name') {
      const slot = passName(scan, findItem);
      if (slot !== null) slots.push(slot);
    } else if (!leaveValue(scan)) return slots;
  }
}

function enterValue(scan: Scan): void {
  const { json, at } = scan;
  const isObject = json[at] === OPEN_OBJECT;
  if (!isObject && json[at] !== OPEN_ARRAY) {
    scan.at = skipValue(json, at, newWalk(), Infinity);
    scan.expected = 'end';
    return;
  }
  scan.at = skipBlanks(json, at + 1);
  if (json[scan.at] === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
    scan.at += 1;
    scan.expected = 'end';
    return;
  }
  scan.open.push(at);
  scan.expected = isObject ? 'name' : 'value';
}

/** Passes the name of a member. Returns the slot if its object is a reference. */
function passName(scan: Scan, findItem: FindItem): Slot | null {
  const { json, declared, at, open } = scan;
  const end = skipString(json, at);
  const value = skipBlanks(json, skipBlanks(json, end) + 1);
  if (!isFrom(json, at, end) || !isDeclared(json, value, declared)) {
    scan.at = value;
    scan.expected = 'value';
    return null;
  }
  const slot = readSlot(json, open.pop() ?? 0, findItem);
  scan.at = slot.end;
  scan.expected = 'end';
  return slot;
}

/** Returns false at the end of the text. */
function leaveValue(scan: Scan): boolean {
  const { json, open } = scan;
  const bracket = open.at(-1);
  if (bracket === undefined) return false;
  scan.at = skipBlanks(json, scan.at);
  if (json[scan.at] === COMMA) {
    scan.at = skipBlanks(json, scan.at + 1);
    scan.expected = json[bracket] === OPEN_OBJECT ? 'name' : 'value';
    return true;
  }
  open.pop();
  scan.at += 1;
  return true;
}

/** Longest spelling of the name with escapes, in bytes. */
const LONGEST_NAME = '"\\u0024\\u0066\\u0072\\u006f\\u006d"'.length;
const FROM = Buffer.from('"$from"');

function isFrom(json: Buffer, start: number, end: number): boolean {
  if (end - start === FROM.length && json.compare(FROM, 0, FROM.length, start, end) === 0) return true;
  if (end - start > LONGEST_NAME || !json.subarray(start, end).includes(BACKSLASH)) return false;
  return JSON.parse(json.toString('utf8', start, end)) === '$from';
}

/** Whether the value of `$from` is an id that may be referred to. */
function isDeclared(json: Buffer, start: number, declared: ReadonlySet<string> | null): boolean {
  if (declared === null) return true;
  if (json[start] !== QUOTE) return false;
  const end = skipString(json, start);
  return end - start <= LONGEST && declared.has(String(JSON.parse(json.toString('utf8', start, end))));
}

function readSlot(json: Buffer, start: number, findItem: FindItem): Slot {
  const end = skipValue(json, start, newWalk(), start + LONGEST);
  if (end === PAUSED || end === INVALID) throw malformed(json.toString('utf8', start, start + 100));
  const spelled = json.toString('utf8', start, end);
  const value: unknown = JSON.parse(spelled);
  const members = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  const id = members.get('$from');
  const path = members.get('path');
  if (typeof id !== 'string' || typeof path !== 'string' || members.size !== 2) throw malformed(spelled);
  const pointer = readPointer(path);
  if (pointer === null) throw dbrError('InvalidBatchReference', { reference: spelled, details: 'pointer' });
  return { start, end, reference: { item: findItem(id, spelled), pointer, spelled } };
}

const malformed = (reference: string): Error =>
  dbrError('InvalidBatchReference', { reference, details: 'form' });

/** Puts values in the place of the slots. */
export function filled(json: Buffer, slots: readonly Slot[], valueOf: (slot: Slot) => Buffer): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const slot of slots) {
    pieces.push(json.subarray(at, slot.start), valueOf(slot));
    at = slot.end;
  }
  pieces.push(json.subarray(at));
  return Buffer.concat(pieces);
}
