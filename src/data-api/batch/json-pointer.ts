/** Values in JSON bytes by JSON pointers (RFC 6901). The bytes of a value stay as they are, so that numbers do not change. */
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  INVALID,
  newWalk,
  OPEN_ARRAY,
  OPEN_OBJECT,
  skipBlanks,
  skipString,
  skipValue,
} from '../request/json-scan.js';

/** Most tokens of a pointer. */
const MOST_TOKENS = 32;

/** Returns the tokens of a pointer; null for a text that is no pointer, or has too many tokens. */
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
      readonly offsets: readonly (readonly [start: number, end: number])[];
      /** The elements that were asked for, by index: each is scanned once, however many pointers lead through it. */
      readonly elements: Map<number, JsonNode>;
    }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, JsonNode> }
  | { readonly kind: 'scalar' };

export const jsonNode = (bytes: Buffer): JsonNode => ({ bytes, children: null });

/** Returns the bytes of the value at the pointer; null if there is none. */
export function valueAt(root: JsonNode, pointer: readonly string[]): Buffer | null {
  let node: JsonNode | null = root;
  for (const token of pointer) {
    node = childOf(node, token);
    if (node === null) return null;
  }
  const value = trimmed(node.bytes);
  return value.length === 0 ? null : value;
}

function trimmed(bytes: Buffer): Buffer {
  const start = skipBlanks(bytes, 0);
  const end = skipValue(bytes, start, newWalk(), Infinity);
  return end === INVALID ? bytes.subarray(0, 0) : bytes.subarray(start, end);
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

function childOf(node: JsonNode, token: string): JsonNode | null {
  node.children ??= childrenOf(node.bytes);
  const { children } = node;
  switch (children.kind) {
    case 'object':
      return children.members.get(token) ?? null;
    case 'array':
      return INDEX.test(token) ? elementOf(node.bytes, children, Number(token)) : null;
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
  const range = offsets[index];
  if (range === undefined) return null;
  const element = jsonNode(bytes.subarray(...range));
  elements.set(index, element);
  return element;
}

function childrenOf(bytes: Buffer): Children {
  const start = skipBlanks(bytes, 0);
  const first = bytes[start];
  if (first === OPEN_ARRAY) return { kind: 'array', offsets: elementsOf(bytes, start), elements: new Map() };
  if (first === OPEN_OBJECT) return { kind: 'object', members: membersOf(bytes, start) };
  return { kind: 'scalar' };
}

/** Returns no elements for a text that is not JSON. */
function elementsOf(bytes: Buffer, start: number): readonly (readonly [number, number])[] {
  const offsets: (readonly [number, number])[] = [];
  const walk = newWalk();
  let at = skipBlanks(bytes, start + 1);
  if (bytes[at] === CLOSE_ARRAY) return offsets;
  for (;;) {
    const end = skipValue(bytes, at, walk, Infinity);
    if (end === INVALID) return [];
    offsets.push([at, end]);
    at = skipBlanks(bytes, end);
    if (bytes[at] !== COMMA) return bytes[at] === CLOSE_ARRAY ? offsets : [];
    at = skipBlanks(bytes, at + 1);
  }
}

/** As `elementsOf`. Of members with the same name, the last one counts, as with `JSON.parse`. */
function membersOf(bytes: Buffer, start: number): ReadonlyMap<string, JsonNode> {
  const members = new Map<string, JsonNode>();
  const walk = newWalk();
  let at = skipBlanks(bytes, start + 1);
  if (bytes[at] === CLOSE_OBJECT) return members;
  for (;;) {
    const nameEnd = skipString(bytes, at);
    if (nameEnd === INVALID) return new Map();
    const name = String(JSON.parse(bytes.toString('utf8', at, nameEnd)));
    const valueStart = skipBlanks(bytes, skipBlanks(bytes, nameEnd) + 1);
    const end = skipValue(bytes, valueStart, walk, Infinity);
    if (end === INVALID) return new Map();
    members.set(name, jsonNode(bytes.subarray(valueStart, end)));
    at = skipBlanks(bytes, end);
    if (bytes[at] !== COMMA) return bytes[at] === CLOSE_OBJECT ? members : new Map();
    at = skipBlanks(bytes, at + 1);
  }
}
