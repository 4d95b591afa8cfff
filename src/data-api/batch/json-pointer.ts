/** Values in JSON bytes by JSON pointers (RFC 6901). The bytes of a value stay as they are, so that numbers do not change. */
import type { Sliced } from '../../base/turns.js';
import { OPEN_ARRAY, OPEN_OBJECT, readItems, skipBlanks } from '../request/json-reader.js';

/** Most tokens of a pointer. */
const MOST_TOKENS = 32;

/** Returns the tokens of a pointer; null for a text that is not a pointer, or has too many tokens. */
export function readPointer(text: string): readonly string[] | null {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return null;
  const tokens = text.slice(1).split('/');
  if (tokens.length > MOST_TOKENS) return null;
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A value with the offsets of its children, which are found when the first of them is asked for. */
export interface JsonNode {
  readonly bytes: Buffer;
  children: Children | null;
}

type Children =
  | {
      readonly kind: 'array';
      /** Where each element begins and ends, one after another. */
      readonly offsets: readonly number[];
      /** The elements that were asked for, by index: each is scanned once, however many pointers lead through it. */
      readonly elements: Map<number, JsonNode>;
    }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, JsonNode> }
  | { readonly kind: 'scalar' };

/** @param bytes valid JSON */
export function jsonNode(bytes: Buffer): JsonNode {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] ?? 0) <= SPACE) end -= 1;
  return { bytes: bytes.subarray(skipBlanks(bytes, 0), end), children: null };
}

const SPACE = 0x20;

/** Returns the bytes of the value at the pointer; null if there is none. */
export function* valueAt(root: JsonNode, pointer: readonly string[]): Sliced<Buffer | null> {
  let node: JsonNode = root;
  for (const token of pointer) {
    node.children ??= yield* childrenOf(node.bytes);
    const child = childOf(node.bytes, node.children, token);
    if (child === null) return null;
    node = child;
  }
  return node.bytes.length === 0 ? null : node.bytes;
}

function* childrenOf(bytes: Buffer): Sliced<Children> {
  if (bytes[0] === OPEN_ARRAY) {
    const offsets: number[] = [];
    yield* readItems(bytes, 'array', Infinity, (_name, start, end) => offsets.push(start, end));
    return { kind: 'array', offsets, elements: new Map() };
  }
  if (bytes[0] !== OPEN_OBJECT) return { kind: 'scalar' };
  // Of members with the same name, the last one counts, as with `JSON.parse`.
  const members = new Map<string, JsonNode>();
  yield* readItems(bytes, 'object', Infinity, (name, start, end) =>
    members.set(name, jsonNode(bytes.subarray(start, end))),
  );
  return { kind: 'object', members };
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

function childOf(bytes: Buffer, children: Children, token: string): JsonNode | null {
  switch (children.kind) {
    case 'object':
      return children.members.get(token) ?? null;
    case 'array':
      return INDEX.test(token) ? elementOf(bytes, children, Number(token)) : null;
    case 'scalar':
      return null;
  }
}

function elementOf(
  bytes: Buffer,
  { offsets, elements }: Extract<Children, { kind: 'array' }>,
  index: number,
): JsonNode | null {
  const known = elements.get(index);
  if (known !== undefined) return known;
  const start = offsets[2 * index];
  if (start === undefined) return null;
  const element = jsonNode(bytes.subarray(start, offsets[2 * index + 1]));
  elements.set(index, element);
  return element;
}
