/** The items of a batch: requests that are handled in one transaction, in their order. */
import { readHeaders, type RequestHead } from '../../contract/request.js';
import type { Isolation } from '../schema-cache/types.js';
import { decodePathText, type QueryPair } from '../request/query-string.js';
import type { QueryValue } from '../request/api-request.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import { dbrError, type DbrError, type DbrErrorHoles } from '../../errors/dbr-error.js';
import { decodedName, type JsonReader, next, readJson, skip } from '../request/json-reader.js';
import type { Sliced } from '../../base/turns.js';
import { readPointer } from './json-pointer.js';

export interface BatchItem {
  /** From 0. */
  readonly index: number;
  readonly id: string | null;
  readonly method: string;
  /** As on a request line, without the query. */
  readonly path: string;
  /** As on a request line, without the question mark; a mark stands for each reference. */
  readonly query: string;
  readonly marks: readonly Mark[];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ItemBody;
}

/** The body of an item. `template`: JSON with slots, which values of earlier answers fill. */
export type ItemBody =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  | { readonly kind: 'template'; readonly json: Buffer; readonly slots: readonly Placeholder[] };

/** A value in the answer to an earlier item. */
export interface Reference {
  /** Index of the item. */
  readonly item: number;
  /** The tokens of the JSON pointer (RFC 6901). */
  readonly pointer: readonly string[];
  /** As in the batch. */
  readonly spelled: string;
}

/**
 * A text that stands for a reference while the query is read. It may only be part of a value: the grammar is applied before
 * the value is known, so that a value cannot become grammar.
 */
export interface Mark {
  readonly text: string;
  readonly reference: Reference;
}

/** The bytes of a body that a value replaces. */
interface Placeholder {
  readonly start: number;
  readonly end: number;
  readonly reference: Reference;
}

/** @param spelled the reference, as in the batch */
export const invalidReference = (
  spelled: string,
  details: DbrErrorHoles['InvalidBatchReference']['details'],
): DbrError => dbrError('InvalidBatchReference', { reference: spelled, details });

/** The items whose answers an item refers to. */
export const referencesOf = ({ marks, body }: BatchItem): readonly Reference[] => [
  ...marks.map(({ reference }) => reference),
  ...(body.kind === 'template' ? body.slots.map(({ reference }) => reference) : []),
];

/** An error in one item, which undoes the whole batch. */
export class ItemFailure extends Error {
  override readonly name = 'ItemFailure';
  readonly item: Pick<BatchItem, 'index' | 'id' | 'marks'>;
  override readonly cause: unknown;

  constructor(item: Pick<BatchItem, 'index' | 'id' | 'marks'>, cause: unknown) {
    super(`item ${String(item.index)} of the batch failed`);
    this.item = item;
    this.cause = cause;
  }
}

/** Returns the error of an item for an error of its handling. */
export const failureOf = (item: ItemFailure['item'], error: unknown): ItemFailure =>
  error instanceof ItemFailure ? error : new ItemFailure(item, error);

/** Headers that belong to one item. The others are those of the batch, which its caller and the proxies before it have set. */
export const ITEM_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-profile',
  'content-profile',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'prefer',
  'range',
  'range-unit',
]);

/** Further headers that say nothing about the items: they describe the message that contains the batch. */
const MESSAGE_HEADERS: ReadonlySet<string> = new Set([
  ...ITEM_HEADERS,
  'connection',
  'content-encoding',
  'content-length',
  'dbr-position',
  'expect',
  'idempotency-key',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const PROFILES = ['accept-profile', 'content-profile'] as const;

/** Returns the headers of an item's request: those of its caller, and its own. Content-Profile of the batch is its default. */
export function headersOfItem(
  batch: Pick<RequestHead, 'headers' | 'rawHeaders'>,
  { method, headers: own }: Pick<BatchItem, 'method' | 'headers'>,
): Pick<RequestHead, 'headers' | 'rawHeaders'> {
  const received: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(batch.headers.received))
    if (value !== undefined && !MESSAGE_HEADERS.has(name)) received[name] = value;
  const rawHeaders: string[] = [];
  for (let at = 0; at + 1 < batch.rawHeaders.length; at += 2) {
    const name = batch.rawHeaders[at] ?? '';
    if (!MESSAGE_HEADERS.has(name.toLowerCase())) rawHeaders.push(name, batch.rawHeaders[at + 1] ?? '');
  }
  const profile = batch.headers.contentProfile;
  const profiles = profile === undefined ? {} : Object.fromEntries(PROFILES.map((name) => [name, profile]));
  for (const [name, value] of Object.entries({ ...profiles, ...own })) {
    received[name] = value;
    rawHeaders.push(name, value);
  }
  return { headers: readHeaders(method, received), rawHeaders };
}

export interface BatchPreferences {
  readonly isolation: Isolation | null;
  /** How often the transaction is repeated after a serialisation failure or a deadlock. */
  readonly retries: number;
  /** Also null if the settings do not let clients choose how transactions end. */
  readonly tx: 'commit' | 'rollback' | null;
  /** The preferences that are applied, for Preference-Applied. */
  readonly applied: readonly string[];
}

const ISOLATIONS: ReadonlyMap<string, Isolation> = new Map([
  ['isolation=serializable', 'serializable'],
  ['isolation=repeatable-read', 'repeatable read'],
  ['isolation=read-committed', 'read committed'],
]);

const RETRY = /^retry=(\d{1,2})$/;
/** Most repetitions of a transaction. */
const MOST_RETRIES = 10;
const ENDS = ['commit', 'rollback'] as const;

/**
 * Reads the header. The first token of each kind is used; unknown ones are ignored, unless `handling=strict` is among
 * them.
 * @throws DbrError InvalidPreferences
 */
export function readBatchPreferences(header: string, allowTx: boolean): BatchPreferences {
  const tokens = header
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
  const isolation = tokens.find((token) => ISOLATIONS.has(token));
  const retry = tokens.find((token) => retriesOf(token) !== null);
  const tx = allowTx ? ENDS.find((end) => tokens.includes(`tx=${end}`)) : undefined;
  const handling = tokens.find((token) => HANDLING.has(token));
  const invalid = tokens.filter((token) => !isKnown(token));
  if (handling === 'handling=strict' && invalid.length > 0)
    throw dbrError('InvalidPreferences', { preferences: invalid.join(', ') });
  return {
    isolation: ISOLATIONS.get(isolation ?? '') ?? null,
    retries: retriesOf(retry ?? '') ?? 0,
    tx: tx ?? null,
    applied: [isolation, retry, tx === undefined ? undefined : `tx=${tx}`, handling].flatMap(
      (token) => token ?? [],
    ),
  };
}

const HANDLING: ReadonlySet<string> = new Set(['handling=strict', 'handling=lenient']);

function retriesOf(token: string): number | null {
  const number = Number(RETRY.exec(token)?.[1] ?? NaN);
  return number <= MOST_RETRIES ? number : null;
}

const isKnown = (token: string): boolean =>
  ISOLATIONS.has(token) ||
  retriesOf(token) !== null ||
  HANDLING.has(token) ||
  ENDS.some((end) => token === `tx=${end}`);

/** Preferences that an item must not have, because they concern the transaction or need another one. */
export const OF_BATCH = /^\s*(?:tx|isolation|retry)=|^\s*explain\s*$/;

/** Finds the item that a reference names. @throws DbrError if the item does not precede the one with the reference */
export type FindItem = (id: string, spelled: string) => number;

interface MarkedQuery {
  readonly query: string;
  readonly marks: readonly Mark[];
}

/** `{id}` or `{id/…}`. Braces in the values of array filters, `cs.{a,b}`, contain anything else. */
const REFERENCE = /\{([\w.-]{1,64})(\/[^{}&;]*)?\}/g;

/**
 * Replaces the references of a query by marks.
 * @param declared the ids that may be referred to; null for all
 * @param isItem whether an item has this id: `{id}` alone is a reference then, and text otherwise
 * @param prefix of the marks: text that no client can know
 * @throws DbrError InvalidBatchReference
 */
export function markReferences(
  query: string,
  declared: ReadonlySet<string> | null,
  isItem: (id: string) => boolean,
  findItem: FindItem,
  prefix: string,
): MarkedQuery {
  if (!query.includes('{')) return { query, marks: [] };
  const marks: Mark[] = [];
  const marked = query.replaceAll(REFERENCE, (spelled, id: string, path: string | undefined) => {
    if (declared === null ? path === undefined && !isItem(id) : !declared.has(id)) return spelled;
    const text = `${prefix}${String(marks.length)}z`;
    marks.push({ text, reference: readReference(id, path ?? '', spelled, findItem) });
    return text;
  });
  return { query: marked, marks };
}

function readReference(id: string, path: string, spelled: string, findItem: FindItem): Reference {
  const decoded = decodePathText(path);
  const pointer = decoded === null ? null : readPointer(decoded);
  if (pointer === null) throw invalidReference(spelled, 'pointer');
  return { item: findItem(id, spelled), pointer, spelled };
}

/** @throws DbrError InvalidBatchReference for a mark that is not in a value: in a name, a limit, an order */
export function requireMarksInValues(values: readonly QueryValue[], marks: readonly Mark[]): void {
  if (marks.length === 0) return;
  // The values are read once: a thousand marks would be searched in a thousand values otherwise.
  const found = new Set(values.flatMap((value) => [value].flat().flatMap((text) => text.match(MARK) ?? [])));
  for (const { text, reference } of marks)
    if (!found.has(text)) throw invalidReference(reference.spelled, 'place');
}

/** The form of marks: the prefix of `readBatch`, the index of the item, and the number of the mark. */
const MARK = /dbr[0-9a-f]{18}n\d+n\d+z/g;

/** Without a pair, it has no UTF-8. JSON text may contain it as an escape. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

type Marked = Pick<ShapedRequest, 'values' | 'pairs' | 'linkPairs'>;

/** Puts the values of references in the place of their marks. @param texts of the values, by mark */
export function withoutMarks(
  { values, pairs, linkPairs }: Marked,
  texts: ReadonlyMap<string, string>,
): Marked {
  // Every mark is replaced in one pass: a text with a thousand of them would be copied a thousand times otherwise.
  const filled = (text: string, encode: (value: string) => string): string =>
    text.replaceAll(MARK, (mark) => {
      const value = texts.get(mark);
      return value === undefined ? mark : encode(value);
    });
  const replaced = (text: string): string => filled(text, (value) => value);
  const replacedPair = (pair: QueryPair): QueryPair => ({
    ...pair,
    value: pair.value === null ? null : replaced(pair.value),
    rawValue: filled(pair.rawValue, (value) =>
      encodeURIComponent(value.replaceAll(LONE_SURROGATE, '\ufffd')),
    ),
  });
  return {
    values: values.map((value) => (typeof value === 'string' ? replaced(value) : value.map(replaced))),
    pairs: pairs?.map(replacedPair) ?? null,
    linkPairs: linkPairs.map(replacedPair),
  };
}

// References in a JSON body: `{"$from":"order","path":"/0/id"}` is a value of the answer to the item with the id `order`.

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
): Sliced<readonly Placeholder[]> {
  const slots: Placeholder[] = [];
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
function readSlot({ bytes, start, end }: JsonReader, findItem: FindItem): Placeholder {
  if (end - start > LONGEST) throw invalidReference(bytes.toString('utf8', start, start + 100), 'form');
  const spelled = bytes.toString('utf8', start, end);
  const value: unknown = JSON.parse(spelled);
  const members = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  const id = members.get(FROM);
  const path = members.get('path');
  if (typeof id !== 'string' || typeof path !== 'string' || members.size !== 2)
    throw invalidReference(spelled, 'form');
  const pointer = readPointer(path);
  if (pointer === null) throw invalidReference(spelled, 'pointer');
  return { start, end, reference: { item: findItem(id, spelled), pointer, spelled } };
}

/** Puts values in the place of the slots. */
export function* filled(
  json: Buffer,
  slots: readonly Placeholder[],
  valueOf: (slot: Placeholder) => Sliced<Buffer>,
): Sliced<Buffer> {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const slot of slots) {
    pieces.push(json.subarray(at, slot.start), yield* valueOf(slot));
    at = slot.end;
  }
  pieces.push(json.subarray(at));
  return Buffer.concat(pieces);
}
