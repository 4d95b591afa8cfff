/** The body of a batch → its items. Everything that does not need the schema is checked here. */
import { isObject } from '../../base/json.js';
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { dbrError } from '../../errors/dbr-error.js';
import { elementsOfJson, type JsonMember, membersOfJson, textOfJson } from '../request/json-reader.js';
import { mediaTypeOf } from '../request/media-types.js';
import { carriedBy } from '../../contract/request.js';
import { readResource } from '../request/read-request.js';
import { toWire } from '../respond/reply-headers.js';
import { pauseBetween, runInSlices } from '../../base/turns.js';
import {
  type BatchItem,
  failureOf,
  ITEM_HEADERS,
  type ItemBody,
  ItemFailure,
  referencesOf,
  OF_BATCH,
  type FindItem,
  markReferences,
  slotsOf,
  invalidReference,
} from './batch-item.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY', 'POST', 'PATCH', 'PUT', 'DELETE']);
const MEMBERS: ReadonlySet<string> = new Set(['id', 'method', 'path', 'headers', 'body', 'references']);
const ID = /^[\w.-]{1,64}$/;
/** Longest spelling of an id as JSON, in bytes. */
const LONGEST_ID = 400;
/** Longest path with its query, and longest headers, in characters: as many as the head of an HTTP request has bytes. */
const LONGEST_HEAD = 65_536;
/**
 * Longest paths and headers of all items together, in characters: each character costs as much as in the head of an HTTP
 * request. A higher `db-max-batch` allows longer ones.
 */
const LONGEST_HEADS = 262_144;
const HEAD_OF_ITEM = 2048;
/** Most references of a batch. */
const MOST_REFERENCES = 1000;

/** The members of an item with the bytes of their values. */
interface RawItem {
  readonly index: number;
  readonly id: string | null;
  readonly members: ReadonlyMap<string, Buffer>;
}

/**
 * @param most `db-max-batch`
 * @throws DbrError InvalidBatch; ItemFailure with InvalidBatchItem, InvalidBatchReference or InvalidPath
 */
export async function readBatch(body: Buffer, most: number): Promise<readonly BatchItem[]> {
  const elements = isUtf8(body) ? await runInSlices(elementsOfJson(body, most)) : null;
  if (elements === null) throw dbrError('InvalidBatch', { details: 'json' });
  if (elements.length === 0) throw dbrError('InvalidBatch', { details: 'empty' });
  if (elements.length > most) throw dbrError('InvalidBatch', { details: 'many', limit: most });
  const raw: RawItem[] = [];
  const indexes = new Map<string, number>();
  const limit = Math.max(LONGEST_HEADS, most * HEAD_OF_ITEM);
  let heads = 0;
  for (const [index, element] of elements.entries()) {
    const item = await readMembers(element, index);
    heads += lengthOf(item, 'path') + lengthOf(item, 'headers');
    if (heads > limit) throw dbrError('InvalidBatch', { details: 'heads', limit });
    await pauseBetween();
    if (item.id !== null) {
      if (indexes.has(item.id)) throw failure(item, `The id "${item.id}" belongs to another item, too.`);
      indexes.set(item.id, index);
    }
    raw.push(item);
  }
  const prefix = `dbr${randomBytes(9).toString('hex')}n`;
  const items: BatchItem[] = [];
  let references = 0;
  for (const item of raw) {
    const read = await readItem(item, indexes, `${prefix}${String(item.index)}n`);
    references += referencesOf(read).length;
    if (references > MOST_REFERENCES)
      throw dbrError('InvalidBatch', { details: 'references', limit: MOST_REFERENCES });
    items.push(read);
    await pauseBetween();
  }
  return items;
}

const lengthOf = ({ members }: RawItem, name: string): number => members.get(name)?.length ?? 0;

const failure = ({ index, id }: Pick<BatchItem, 'index' | 'id'>, details: string): ItemFailure =>
  new ItemFailure({ index, id, marks: [] }, dbrError('InvalidBatchItem', { details }));

async function readMembers(element: Buffer, index: number): Promise<RawItem> {
  const anonymous = { index, id: null };
  const list = await runInSlices(membersOfJson(element, MEMBERS.size));
  if (list === null || list.length > MEMBERS.size)
    throw failure(anonymous, 'An item is a JSON object of method, path, headers, body, id and references.');
  const members = mapOf(list, anonymous);
  const written = members.get('id');
  if (written === undefined) return { index, id: null, members };
  const id: unknown = written.length > LONGEST_ID ? null : JSON.parse(written.toString('utf8'));
  if (typeof id !== 'string' || !ID.test(id))
    throw failure(anonymous, 'An id has 1 to 64 letters, digits, dots, hyphens and underscores.');
  return { index, id, members };
}

function mapOf(
  list: readonly JsonMember[],
  item: Pick<BatchItem, 'index' | 'id'>,
): ReadonlyMap<string, Buffer> {
  const members = new Map<string, Buffer>();
  for (const { name, value } of list) {
    if (!MEMBERS.has(name) || members.has(name))
      throw failure(item, `The member ${JSON.stringify(name)} is unknown, or is there twice.`);
    members.set(name, value);
  }
  return members;
}

async function readItem(
  raw: RawItem,
  indexes: ReadonlyMap<string, number>,
  markPrefix: string,
): Promise<BatchItem> {
  const { index, id } = raw;
  const findItem: FindItem = (name, spelled) => {
    const found = indexes.get(name);
    if (found === undefined) throw invalidReference(spelled, 'unknown');
    if (found >= index) throw invalidReference(spelled, 'later');
    return found;
  };
  try {
    const method = readText(raw, 'method');
    if (!METHODS.has(method)) throw failure(raw, `The method is one of ${[...METHODS].join(', ')}.`);
    const { path, query } = splitPath(raw, readText(raw, 'path'));
    const headers = readHeaders(raw);
    const declared = readReferences(raw);
    for (const name of declared ?? []) findItem(name, name);
    const marked = markReferences(query, declared, (name) => indexes.has(name), findItem, markPrefix);
    const body = await readBody(raw, method, headers, declared, findItem);
    return { index, id, method, path, query: marked.query, marks: marked.marks, headers, body };
  } catch (error) {
    throw failureOf({ index, id, marks: [] }, error);
  }
}

/** Returns the ids that the item may refer to; null for all. */
function readReferences(raw: RawItem): ReadonlySet<string> | null {
  const written = raw.members.get('references');
  if (written === undefined) return null;
  const value: unknown = JSON.parse(written.toString('utf8'));
  if (!Array.isArray(value) || !value.every((id): id is string => typeof id === 'string'))
    throw failure(raw, 'The member "references" is an array of ids.');
  return new Set(value);
}

function readText(raw: RawItem, name: string): string {
  const written = raw.members.get(name);
  // Any character of a text has six bytes at most, as an escape.
  if (written !== undefined && written.length > 6 * LONGEST_HEAD)
    throw failure(raw, `The member "${name}" is too long.`);
  const value: unknown = written === undefined ? undefined : JSON.parse(written.toString('utf8'));
  if (typeof value !== 'string') throw failure(raw, `The member "${name}" is a string.`);
  return value;
}

/** Control characters, which no request line contains. */
const CONTROL = /\p{Cc}/u;

function splitPath(raw: RawItem, written: string): { readonly path: string; readonly query: string } {
  if (!written.startsWith('/') || CONTROL.test(written) || written.length > LONGEST_HEAD)
    throw failure(
      raw,
      `A path begins with a slash, has no control characters and at most ${String(LONGEST_HEAD)} characters.`,
    );
  const text = written.replaceAll(/[\u0080-\uffff]+/g, encodeURIComponent);
  const mark = text.indexOf('?');
  const path = mark < 0 ? text : text.slice(0, mark);
  const { kind } = readResource(path);
  if (kind === 'root' || kind === 'description')
    throw failure(raw, 'An item names a relation or a function, not the root.');
  return { path, query: mark < 0 ? '' : text.slice(mark + 1) };
}

const FIELD_VALUE = /^[\t\x20-\x7e\x80-\uffff]*$/;

function readHeaders(raw: RawItem): Readonly<Record<string, string>> {
  const written = raw.members.get('headers');
  if (written === undefined) return {};
  if (written.length > LONGEST_HEAD) throw failure(raw, 'The headers are too long.');
  const value: unknown = JSON.parse(written.toString('utf8'));
  if (!isObject(value)) throw failure(raw, 'The headers are a JSON object of strings.');
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    const lower = name.toLowerCase();
    if (!ITEM_HEADERS.has(lower))
      throw failure(
        raw,
        `An item cannot have the header ${JSON.stringify(name)}: the batch has those of the caller.`,
      );
    if (typeof text !== 'string' || !FIELD_VALUE.test(text) || headers[lower] !== undefined)
      throw failure(
        raw,
        `The header ${JSON.stringify(name)} is there twice, or is not the text of a header.`,
      );
    headers[lower] = toWire(text);
  }
  if ((headers['prefer'] ?? '').split(',').some((token) => OF_BATCH.test(token)))
    throw failure(raw, 'The preferences tx, isolation, retry and explain are those of the batch.');
  return headers;
}

const NO_BODY = Buffer.alloc(0);

async function readBody(
  raw: RawItem,
  method: string,
  headers: Readonly<Record<string, string>>,
  declared: ReadonlySet<string> | null,
  findItem: FindItem,
): Promise<ItemBody> {
  const written = raw.members.get('body');
  if (written === undefined) return { kind: 'complete', bytes: NO_BODY };
  if (carriedBy(method, '') === 'nothing') throw failure(raw, `The body of ${method} has no meaning.`);
  const type = mediaTypeOf(headers['content-type'] ?? 'application/json');
  if (type === 'application/json' || type.endsWith('+json')) {
    const slots = await runInSlices(slotsOf(written, declared, findItem));
    return slots.length === 0
      ? { kind: 'complete', bytes: written }
      : { kind: 'template', json: written, slots };
  }
  if (written[0] === QUOTE)
    return { kind: 'complete', bytes: Buffer.from(await runInSlices(textOfJson(written)), 'utf8') };
  return { kind: 'complete', bytes: await bytesOfBase64(raw, written) };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A body that is no JSON and no string: an object with its bytes in base64. */
async function bytesOfBase64(raw: RawItem, written: Buffer): Promise<Buffer> {
  const [member, ...others] = (await runInSlices(membersOfJson(written, 1))) ?? [];
  const text =
    member?.name === 'base64' && others.length === 0 && member.value[0] === QUOTE
      ? await runInSlices(textOfJson(member.value))
      : null;
  if (text === null || !BASE64.test(text))
    throw failure(raw, 'A body that is not JSON is a string, or {"base64": "…"} for bytes.');
  return Buffer.from(text, 'base64');
}

const QUOTE = 0x22;
