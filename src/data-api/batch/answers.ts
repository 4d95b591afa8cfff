/** The answers of a batch, and the values that later items take from them. */
import { isUtf8 } from 'node:buffer';
import type { Output } from '../plan/plan.js';
import type { Sliced } from '../../base/turns.js';
import { isJson as isJsonText } from '../request/json-reader.js';
import type { Header, Reply } from '../../contract/reply.js';
import {
  invalidReference,
  type Mark,
  type Reference,
  type BatchItem,
  type ItemFailure,
} from './batch-item.js';
import { jsonNode, type JsonNode, valueAt } from './json-pointer.js';
import { isComplete, joined, replyHeader } from '../respond/reply-headers.js';
import { errorReply, type ErrorContext } from '../respond/error-reply.js';

/** The answer to an item. */
export interface ItemAnswer {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Null if there is no body. */
  readonly body: Buffer | null;
  /** The body as JSON; null if it is not JSON. */
  readonly node: JsonNode | null;
}

/** Longest answer, in bytes, from which values are taken. */
const LONGEST_REFERRED = 1_048_576;

/** Media types whose bodies are JSON (RFC 6839). */
export const isJson = (mediaType: string): boolean => /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType);

/**
 * Makes the answer of a reply whose body is complete.
 * @param output of the plan: bodies that a function has made are JSON only if they can be read as such
 */
export function* answerOf({ status, headers, body }: Reply, { form, explain }: Output): Sliced<ItemAnswer> {
  const bytes = hasNoBody(status) || !isComplete(body) ? NO_BODY : joined(body);
  const ownForm = explain === null && form.kind !== 'aggregate' && form.kind !== 'raw';
  const json = bytes.length > 0 && isJson(replyHeader(headers, 'content-type') ?? '');
  const readable = json && (ownForm || (isUtf8(bytes) && (yield* isJsonText(bytes))));
  return {
    status,
    headers,
    body: bytes.length === 0 ? null : bytes,
    node: readable ? jsonNode(bytes) : null,
  };
}

/** The body of a kept reply to a batch. */
export const keptAnswers = ({ body }: Reply): JsonNode => jsonNode(isComplete(body) ? joined(body) : NO_BODY);

/** Returns what later items take from the answer to an item in a kept reply to a batch. */
export function* answerIn(kept: JsonNode, index: number): Sliced<ItemAnswer> {
  const value = yield* valueAt(kept, [String(index), 'body']);
  return { status: 200, headers: [], body: null, node: value === null ? null : jsonNode(value) };
}

const NO_BODY = Buffer.alloc(0);

const hasNoBody = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** Returns the JSON of a value. @throws DbrError InvalidBatchReference if the answer has no such value */
export function* valueOf(
  answers: readonly ItemAnswer[],
  { item, pointer, spelled }: Reference,
): Sliced<Buffer> {
  const node = answers[item]?.node ?? null;
  if (node !== null && node.bytes.length > LONGEST_REFERRED) throw invalidReference(spelled, 'long');
  const value = node === null ? null : yield* valueAt(node, pointer);
  if (value === null) throw invalidReference(spelled, 'nothing');
  return value;
}

/** Returns the text of a string, number or boolean for a query. @throws DbrError InvalidBatchReference for another value */
export function* textOfMark(answers: readonly ItemAnswer[], { reference }: Mark): Sliced<string> {
  const json = (yield* valueOf(answers, reference)).toString('utf8');
  if (json.startsWith('"')) return String(JSON.parse(json));
  if (/^[{[n]/.test(json)) throw invalidReference(reference.spelled, 'scalar');
  return json;
}

/** @param applied the preferences of the batch that are applied */
export function batchReply(
  items: readonly BatchItem[],
  answers: readonly ItemAnswer[],
  contentType: string,
  applied: readonly string[],
): Reply {
  const pieces: Buffer[] = [];
  answers.forEach((answer, index) => {
    const id = items[index]?.id ?? null;
    const idText = id === null ? '' : `"id":${JSON.stringify(id)},`;
    const head = `${idText}"status":${String(answer.status)},"headers":${headersJson(answer.headers)},"body":`;
    pieces.push(Buffer.from(`${index === 0 ? '[' : ',\n '}{${head}`), bodyJson(answer), CLOSE);
  });
  pieces.push(Buffer.from(']'));
  const headers: Header[] = [['Content-Type', `${contentType}; charset=utf-8`]];
  if (applied.length > 0) headers.push(['Preference-Applied', applied.join(', ')]);
  return { status: 200, headers, body: pieces };
}

const CLOSE = Buffer.from('}');

/** A header that is there more than once is an array. */
function headersJson(headers: readonly Header[]): string {
  const values = new Map<string, { readonly name: string; readonly lines: string[] }>();
  for (const [name, value] of headers) {
    const known = values.get(name.toLowerCase());
    // Header values have one character for each byte.
    const text = Buffer.from(value, 'latin1').toString('utf8');
    if (known === undefined) values.set(name.toLowerCase(), { name, lines: [text] });
    else known.lines.push(text);
  }
  const members = [...values.values()].map(
    ({ name, lines }) => `${JSON.stringify(name)}:${JSON.stringify(lines.length === 1 ? lines[0] : lines)}`,
  );
  return `{${members.join(',')}}`;
}

/** JSON stays as it is, text becomes a string, other bytes an object with their base64. */
function bodyJson({ body, node, headers }: ItemAnswer): Buffer {
  if (body === null) return NULL;
  if (node !== null) return body;
  const type = replyHeader(headers, 'content-type') ?? '';
  const isText = TEXT.test(type) && isUtf8(body);
  return Buffer.from(JSON.stringify(isText ? body.toString('utf8') : { base64: body.toString('base64') }));
}

const NULL = Buffer.from('null');
/** Media types of text, and of JSON that cannot be read as such. */
const TEXT =
  /^text\/|[/+](?:xml|json|yaml)\b|^application\/x-www-form-urlencoded|^application\/vnd\.pgrst\.plan/i;

/** The reply to a batch of which an item has failed: its error, with the index and the id of the item. Null as of `errorReply`. */
export function itemErrorReply({ item, cause }: ItemFailure, context: ErrorContext): Reply | null {
  const reply = errorReply(cause, context);
  if (reply === null || !Array.isArray(reply.body)) return reply;
  const text = item.marks.reduce(
    (current, { text: mark, reference }) =>
      current.replaceAll(mark, () => JSON.stringify(reference.spelled).slice(1, -1)),
    Buffer.concat(reply.body).toString('utf8'),
  );
  const id = item.id === null ? '' : `,"id":${JSON.stringify(item.id)}`;
  const body = `${text.slice(0, -1)},"index":${String(item.index)}${id}}`;
  const headers = reply.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...reply, headers, body: [Buffer.from(body)] };
}
