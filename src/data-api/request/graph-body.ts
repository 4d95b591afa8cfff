/**
 * Reads the body of a graph: checks the form of each related value, and collects the keys of each level. Values of
 * columns are not decoded.
 */
import { isUtf8 } from 'node:buffer';
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import type { ColumnRelation, ColumnTree } from '../grammar/ast.js';
import type { Work } from '../slices.js';
import {
  bytesAre,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  INVALID,
  newWalk,
  OPEN_ARRAY,
  OPEN_OBJECT,
  PAUSED,
  resumeValue,
  skipBlanks,
  skipString,
  skipValue,
  type Walk,
} from './json-scan.js';
import { compareByBytes } from './query-string.js';

/** The keys of the objects of one relation that name related resources. */
export interface GraphLevel {
  /** Returns the related resource of a key; null for the key of a column and for an unknown key. */
  open(key: string): RelatedLevel | null;
}

export interface RelatedLevel {
  readonly name: string;
  readonly hint: string | null;
  /** Whether the value is an array. */
  readonly many: boolean;
  readonly level: GraphLevel;
}

export interface GraphBodyOptions {
  /** Deepest nesting of related resources (`db-max-depth`). */
  readonly maxDepth: number;
  /** Most related resources (`db-max-embeds`). */
  readonly maxEmbeds: number;
  /** Most different keys of all levels (`db-max-keys`). */
  readonly maxKeys: number;
  /** True if the query string names the keys: objects may then have others, or lack some. */
  readonly named: boolean;
}

/** Number of bytes after which the scan may pause. */
const WINDOW = 65_536;

/**
 * Returns the keys of all levels.
 * @throws DBR102 for a text that is not JSON; DBR130; DBR171 with the path of a value that has another form
 */
export function* readGraphBody(bytes: Buffer, root: GraphLevel, options: GraphBodyOptions): Work<ColumnTree> {
  if (!isUtf8(bytes)) throw notJson();
  const scan: Scan = { bytes, options, walk: newWalk(), pause: WINDOW, path: [], embeds: 0, keys: 0 };
  const node = newNode(root);
  const start = skipBlanks(bytes, 0);
  const isArray = bytes[start] === OPEN_ARRAY;
  if (!isArray && bytes[start] !== OPEN_OBJECT) throw notJson();
  const end = isArray ? yield* readArray(scan, node, start) : yield* readObject(scan, node, start);
  if (end === INVALID || skipBlanks(bytes, end) !== bytes.length) throw notJson();
  return treeOf(node);
}

const notJson = (): DbrError => dbrError('InvalidPayload', { message: 'emptyOrInvalidJson' });

/** The objects of one level of the graph. */
interface Node {
  readonly level: GraphLevel;
  readonly members: Map<string, Member>;
  /** The members in the order of the first object. */
  readonly spellings: { readonly bytes: Buffer; readonly member: Member }[];
  /** Number of objects so far. */
  objects: number;
  /** Number of different known keys of the current object. */
  found: number;
}

interface Member {
  readonly key: string;
  readonly relation: { readonly to: RelatedLevel; readonly node: Node } | null;
  /** The number of the last object that has the key. */
  lastSeen: number;
}

const newNode = (level: GraphLevel): Node => ({
  level,
  members: new Map(),
  spellings: [],
  objects: 0,
  found: 0,
});

/** Functions return the offset after the text that they read, or `INVALID`. */
interface Scan {
  readonly bytes: Buffer;
  readonly options: GraphBodyOptions;
  readonly walk: Walk;
  /** Offset of the next pause. */
  pause: number;
  /** Keys and indexes from the body to the current value. */
  readonly path: (string | number)[];
  embeds: number;
  keys: number;
}

function* readArray(scan: Scan, node: Node, start: number): Work<number> {
  const { bytes, path } = scan;
  let at = skipBlanks(bytes, start + 1);
  if (bytes[at] === CLOSE_ARRAY) return at + 1;
  for (let index = 0; ; index += 1) {
    path.push(index);
    if (bytes[at] !== OPEN_OBJECT) throw invalid(scan, 'object');
    at = yield* readObject(scan, node, at);
    path.pop();
    if (at === INVALID) return INVALID;
    at = skipBlanks(bytes, at);
    if (at >= scan.pause) {
      yield;
      scan.pause = at + WINDOW;
    }
    if (bytes[at] === CLOSE_ARRAY) return at + 1;
    if (bytes[at] !== COMMA) return INVALID;
    at = skipBlanks(bytes, at + 1);
  }
}

function* readObject(scan: Scan, node: Node, start: number): Work<number> {
  const { bytes } = scan;
  node.objects += 1;
  node.found = 0;
  let at = skipBlanks(bytes, start + 1);
  if (bytes[at] === CLOSE_OBJECT) return endObject(scan, node, at);
  for (let position = 0; ; position += 1) {
    const nameEnd = skipString(bytes, at);
    if (nameEnd === INVALID) return INVALID;
    const likely = node.spellings[position];
    const isLikely = likely?.bytes.length === nameEnd - at && bytesAre(bytes, at, likely.bytes);
    const member = isLikely ? likely.member : memberOf(scan, node, at, nameEnd);
    if (member.lastSeen !== node.objects) node.found += 1;
    member.lastSeen = node.objects;
    at = skipBlanks(bytes, nameEnd);
    if (bytes[at] !== COLON) return INVALID;
    at = skipBlanks(bytes, at + 1);
    if (member.relation !== null && !bytesAre(bytes, at, NULL)) at = yield* readRelated(scan, member, at);
    else {
      at = skipValue(bytes, at, scan.walk, at + WINDOW);
      if (at === PAUSED) at = yield* restOfValue(scan);
    }
    if (at === INVALID) return INVALID;
    at = skipBlanks(bytes, at);
    if (bytes[at] === CLOSE_OBJECT) return endObject(scan, node, at);
    if (bytes[at] !== COMMA) return INVALID;
    at = skipBlanks(bytes, at + 1);
  }
}

function endObject(scan: Scan, node: Node, at: number): number {
  if (!scan.options.named && node.found !== node.members.size) throw invalid(scan, 'keys');
  return at + 1;
}

/** Returns the member of a key that is not at its place. */
function memberOf(scan: Scan, node: Node, start: number, end: number): Member {
  const spelling = scan.bytes.subarray(start, end);
  const key = String(JSON.parse(spelling.toString('utf8')));
  const known = node.members.get(key);
  if (known !== undefined) return known;
  const { named, maxKeys } = scan.options;
  if (!named && node.objects > 1) throw invalid(scan, 'keys');
  const member: Member = { key, relation: openRelation(scan, node, key), lastSeen: 0 };
  if (scan.keys >= maxKeys) {
    // Other keys than the named ones are ignored, so any number of them is accepted.
    if (named) return member;
    throw dbrError('TooManyKeys', { limit: maxKeys });
  }
  scan.keys += 1;
  node.members.set(key, member);
  node.spellings.push({ bytes: spelling, member });
  return member;
}

function openRelation(scan: Scan, { level }: Node, key: string): Member['relation'] {
  const to = level.open(key);
  if (to === null) return null;
  const { maxEmbeds } = scan.options;
  scan.embeds += 1;
  if (scan.embeds > maxEmbeds) throw dbrError('InvalidGraphBody', { message: 'embeds', limit: maxEmbeds });
  return { to, node: newNode(to.level) };
}

/** Reads the value of a related resource: an array of objects, or one object; null for none. */
function* readRelated(scan: Scan, { key, relation }: Member, at: number): Work<number> {
  const { bytes, path, options } = scan;
  if (relation === null) return INVALID;
  path.push(key);
  const { to, node } = relation;
  if (bytes[at] !== (to.many ? OPEN_ARRAY : OPEN_OBJECT)) throw invalid(scan, to.many ? 'array' : 'object');
  if (depthOf(path) > options.maxDepth)
    throw dbrError('InvalidGraphBody', { message: 'depth', path: pathText(path), limit: options.maxDepth });
  const end = to.many ? yield* readArray(scan, node, at) : yield* readObject(scan, node, at);
  path.pop();
  return end;
}

const NULL = Buffer.from('null');

const depthOf = (path: readonly (string | number)[]): number =>
  path.filter((step) => typeof step === 'string').length;

function* restOfValue({ bytes, walk }: Scan): Work<number> {
  for (;;) {
    yield;
    const end = resumeValue(bytes, walk, walk.at + WINDOW);
    if (end !== PAUSED) return end;
  }
}

const invalid = ({ path }: Scan, message: 'array' | 'object' | 'keys'): DbrError =>
  dbrError('InvalidGraphBody', { message, path: pathText(path) });

/** A key that needs no quotes in a path. */
const PLAIN_KEY = /^[\p{L}\d_$!: -]+$/u;

/** Returns the path of a value in a body: `films[3].roles[0]`; `the root` for the body itself. */
export function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${String(step)}]`;
    else if (PLAIN_KEY.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text === '' ? 'the root' : text;
}

function treeOf({ members }: Node): ColumnTree {
  const columns: string[] = [];
  const relations: ColumnRelation[] = [];
  const sorted = [...members.values()].sort((left, right) => compareByBytes(left.key, right.key));
  for (const { key, relation } of sorted) {
    if (relation === null) columns.push(key);
    else relations.push({ key, name: relation.to.name, hint: relation.to.hint, tree: treeOf(relation.node) });
  }
  return { columns, relations };
}
