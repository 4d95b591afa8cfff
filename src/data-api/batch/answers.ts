/** The answers of a batch, and the values that later items take from them. */
import { isUtf8 } from 'node:buffer';
import { dbrError } from '../../errors/dbr-error.js';
import type { Output } from '../plan/output.js';
import { INVALID, newWalk, skipBlanks, skipValue } from '../request/json-scan.js';
import type { Header, Reply } from '../../contract/reply.js';
import type { Mark, Reference, Slot } from './batch-item.js';
import { jsonNode, type JsonNode, valueAt } from './json-pointer.js';

/** The answer to an item. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Null if there is no body. */
  readonly body: Buffer | null;
  /** The body as JSON; null if it is not JSON. */
  readonly node: JsonNode | null;
}

/** Longest answer, in bytes, from which values are taken. */
const LONGEST_REFERRED = 1_048_576;

export const headerOfAnswer = (headers: readonly Header[], wanted: string): string | null =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;

/** Media types whose bodies are JSON (RFC 6839). */
export const isJson = (mediaType: string): boolean => /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType);

/**
 * Makes the answer of a reply whose body is complete.
 * @param output of the plan: bodies that a function has made are JSON only if they can be read as such
 */
export function answerOf({ status, headers, body }: Reply, { form, explain }: Output): Answer {
  const bytes = hasNoBody(status) || !isComplete(body) ? NO_BODY : joined(body);
  const ownForm = explain === null && form.kind !== 'aggregate' && form.kind !== 'raw';
  const json = bytes.length > 0 && isJson(headerOfAnswer(headers, 'content-type') ?? '');
  const readable = json && (ownForm || isJsonText(bytes));
  return {
    status,
    headers,
    body: bytes.length === 0 ? null : bytes,
    node: readable ? jsonNode(bytes) : null,
  };
}

/** Returns what later items take from the answer to an item in a kept reply to a batch. */
export function answerIn({ body }: Reply, index: number): Answer {
  const bytes = isComplete(body) ? joined(body) : NO_BODY;
  const value = valueAt(jsonNode(bytes), [String(index), 'body']);
  return { status: 200, headers: [], body: null, node: value === null ? null : jsonNode(value) };
}

const NO_BODY = Buffer.alloc(0);

const hasNoBody = (status: number): boolean => status === 204 || status === 205 || status === 304;

const isComplete = (body: Reply['body']): body is readonly Buffer[] => Array.isArray(body);

function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}

function isJsonText(bytes: Buffer): boolean {
  const end = isUtf8(bytes) ? skipValue(bytes, skipBlanks(bytes, 0), newWalk(), Infinity) : INVALID;
  return end !== INVALID && skipBlanks(bytes, end) === bytes.length;
}

/** @throws DbrError InvalidBatchReference if the answer has no such value */
function valueOf(answers: readonly Answer[], { item, pointer, spelled }: Reference): Buffer {
  const node = answers[item]?.node ?? null;
  if (node !== null && node.bytes.length > LONGEST_REFERRED)
    throw dbrError('InvalidBatchReference', { reference: spelled, details: 'long' });
  const value = node === null ? null : valueAt(node, pointer);
  if (value === null) throw dbrError('InvalidBatchReference', { reference: spelled, details: 'nothing' });
  return value;
}

/** Returns the JSON of a value for a body. */
export const jsonOfSlot = (answers: readonly Answer[], { reference }: Slot): Buffer =>
  valueOf(answers, reference);

/** Returns the text of a string, number or boolean for a query. @throws DbrError InvalidBatchReference for another value */
export function textOfMark(answers: readonly Answer[], { reference }: Mark): string {
  const json = valueOf(answers, reference).toString('utf8');
  if (json.startsWith('"')) return String(JSON.parse(json));
  if (/^[{[n]/.test(json))
    throw dbrError('InvalidBatchReference', { reference: reference.spelled, details: 'scalar' });
  return json;
}
