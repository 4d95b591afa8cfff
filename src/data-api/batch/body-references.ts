/** References in a JSON body: `{"$from":"order","path":"/0/id"}` is a value of the answer to the item with the id `order`. */
import { dbrError } from '../../errors/dbr-error.js';
import { decodedName, type JsonReader, next, readJson, skip } from '../request/json-reader.js';
import type { Work } from '../../base/turns.js';
import type { Slot, FindItem } from './batch-item.js';
import { readPointer } from './json-pointer.js';

/** Longest reference, in bytes. */
const LONGEST = 4096;
const QUOTE = 0x22;

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
  // One byte each, since a search for an escape is slow in a body full of backslashes.
  if (!json.includes('$') && !json.includes('\\')) return slots;
  const reader = readJson(json);
  let isReference = false;
  for (;;) {
    switch (next(reader)) {
      case 'name':
        isReference = isFrom(reader) && isDeclared(reader, declared);
        if (isReference) skip(reader);
        break;
      case 'value':
        if (isReference) slots.push(readSlot(reader, findItem));
        isReference = false;
        break;
      case 'pause':
        yield;
        break;
      case 'done':
      case 'invalid':
        return slots;
      case 'object':
      case 'array':
      case 'end':
    }
  }
}

/** Longest spelling of the name with escapes, in bytes. */
const LONGEST_NAME = '"\\u0024\\u0066\\u0072\\u006f\\u006d"'.length;
const FROM = '$from';

function isFrom({ bytes, start, end }: JsonReader): boolean {
  return end - start <= LONGEST_NAME && decodedName(bytes, start, end) === FROM;
}

/** Whether the value of `$from`, behind its name, is an id that may be referred to. */
function isDeclared({ bytes, at }: JsonReader, declared: ReadonlySet<string> | null): boolean {
  if (declared === null) return true;
  if (bytes[at] !== QUOTE) return false;
  const id = readJson(bytes.subarray(at, at + LONGEST));
  return next(id) === 'value' && declared.has(decodedName(bytes, at + id.start, at + id.end));
}

/** Reads the object that was passed. */
function readSlot({ bytes, start, end }: JsonReader, findItem: FindItem): Slot {
  if (end - start > LONGEST) throw malformed(bytes.toString('utf8', start, start + 100));
  const spelled = bytes.toString('utf8', start, end);
  const value: unknown = JSON.parse(spelled);
  const members = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  const id = members.get(FROM);
  const path = members.get('path');
  if (typeof id !== 'string' || typeof path !== 'string' || members.size !== 2) throw malformed(spelled);
  const pointer = readPointer(path);
  if (pointer === null) throw dbrError('InvalidBatchReference', { reference: spelled, details: 'pointer' });
  return { start, end, reference: { item: findItem(id, spelled), pointer, spelled } };
}

const malformed = (reference: string): Error =>
  dbrError('InvalidBatchReference', { reference, details: 'form' });

/** Puts values in the place of the slots. */
export function* filled(
  json: Buffer,
  slots: readonly Slot[],
  valueOf: (slot: Slot) => Work<Buffer>,
): Work<Buffer> {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const slot of slots) {
    pieces.push(json.subarray(at, slot.start), yield* valueOf(slot));
    at = slot.end;
  }
  pieces.push(json.subarray(at));
  return Buffer.concat(pieces);
}
