/**
 * Reads the body of a graph: checks the form of each related value, and collects the keys of each level. Values of
 * columns are not decoded.
 */
import { isUtf8 } from 'node:buffer';
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import type { ColumnRelation, ColumnTree } from '../grammar/ast.js';
import type { Work } from '../../base/turns.js';
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
import { pathText } from './body-path.js';
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
  /** True if objects of one level may have different keys. */
  readonly mixed: boolean;
}

/** Number of bytes after which the scan may pause. */
const WINDOW = 65_536;

/**
 * Returns the keys of all levels.
 * @throws DBR102 for a text that is not JSON; DBR130; DBR171 with the path of a value that has another form
 */
export function* readGraphBody(bytes: Buffer, root: GraphLevel, options: GraphBodyOptions): Work<ColumnTree> {
  if (!isUtf8(bytes)) throw notJson();
  const start = skipBlanks(bytes, 0);
  const many = bytes[start] === OPEN_ARRAY;
  if (!many && bytes[start] !== OPEN_OBJECT) throw notJson();
  const node = newNode(null, many, root);
  const scan: Scan = { bytes, options, walk: newWalk(), open: [], embeds: 0, keys: 0 };
  const end = yield* readValues(scan, node, start);
  if (end !== bytes.length) throw notJson();
  return treeOf(node);
}

const notJson = (): DbrError => dbrError('InvalidPayload', { message: 'emptyOrInvalidJson' });

/** The objects of one resource. Its state is that of the value that is being read. */
interface Node {
  /** The key of the value in the object of the parent; null for the body. */
  readonly key: string | null;
  readonly many: boolean;
  readonly level: GraphLevel;
  readonly members: Map<string, Member>;
  /** The members in the order of the first object. */
  readonly spellings: { readonly bytes: Buffer; readonly member: Member }[];
  /** Number of objects so far, in all values of the resource. */
  objects: number;
  /** Index of the current object in its array; -1 before the first. */
  index: number;
  /** Whether the scan is within an object. */
  inObject: boolean;
  /** Number of members of the current object so far. */
  position: number;
  /** Number of different known keys of the current object. */
  found: number;
}

interface Member {
  readonly key: string;
  readonly relation: { readonly to: RelatedLevel; readonly node: Node } | null;
  /** The number of the last object that has the key. */
  lastSeen: number;
}

const newNode = (key: string | null, many: boolean, level: GraphLevel): Node => ({
  key,
  many,
  level,
  members: new Map(),
  spellings: [],
  objects: 0,
  index: -1,
  inObject: false,
  position: 0,
  found: 0,
});

interface Scan {
  readonly bytes: Buffer;
  readonly options: GraphBodyOptions;
  readonly walk: Walk;
  /** The resources whose values are open, outermost first. */
  readonly open: Node[];
  embeds: number;
  keys: number;
}

/** Reads the body. Returns the offset after it and the blanks that follow. */
function* readValues(scan: Scan, root: Node, start: number): Work<number> {
  const { bytes } = scan;
  let pause = start + WINDOW;
  let at = enter(scan, root, start);
  for (;;) {
    const node = scan.open.at(-1);
    if (node === undefined) return at;
    at = node.inObject ? readMember(scan, node, at) : readElement(scan, node, at);
    if (at === PAUSED) {
      at = yield* restOfValue(scan);
      if (at === INVALID) throw notJson();
      at = skipBlanks(bytes, at);
    }
    if (at >= pause) {
      yield;
      pause = at + WINDOW;
    }
  }
}

/** Begins the value of a resource. Functions return the offset of the next token. */
function enter(scan: Scan, node: Node, at: number): number {
  scan.open.push(node);
  node.index = -1;
  if (node.many) node.inObject = false;
  else beginObject(node);
  return skipBlanks(scan.bytes, at + 1);
}

function beginObject(node: Node): void {
  node.inObject = true;
  node.objects += 1;
  node.position = 0;
  node.found = 0;
}

/** Reads the beginning of the next object of an array, or the end of the array. */
function readElement(scan: Scan, node: Node, start: number): number {
  const { bytes, open } = scan;
  let at = start;
  if (bytes[at] === CLOSE_ARRAY) {
    open.pop();
    return skipBlanks(bytes, at + 1);
  }
  if (node.index >= 0) {
    if (bytes[at] !== COMMA) throw notJson();
    at = skipBlanks(bytes, at + 1);
  }
  node.index += 1;
  if (bytes[at] !== OPEN_OBJECT) throw invalid(scan, 'object');
  beginObject(node);
  return skipBlanks(bytes, at + 1);
}

/** Reads the next member of an object, or the end of the object. Returns `PAUSED` within a long value. */
function readMember(scan: Scan, node: Node, start: number): number {
  const { bytes } = scan;
  let at = start;
  if (bytes[at] === CLOSE_OBJECT) return endObject(scan, node, at);
  if (node.position > 0) {
    if (bytes[at] !== COMMA) throw notJson();
    at = skipBlanks(bytes, at + 1);
  }
  const nameEnd = skipString(bytes, at);
  if (nameEnd === INVALID) throw notJson();
  const likely = node.spellings[node.position];
  const isLikely = likely?.bytes.length === nameEnd - at && bytesAre(bytes, at, likely.bytes);
  const member = isLikely ? likely.member : memberOf(scan, node, at, nameEnd);
  node.position += 1;
  if (member.lastSeen !== node.objects) node.found += 1;
  member.lastSeen = node.objects;
  at = skipBlanks(bytes, nameEnd);
  if (bytes[at] !== COLON) throw notJson();
  at = skipBlanks(bytes, at + 1);
  if (member.relation !== null && !bytesAre(bytes, at, NULL)) return enterRelated(scan, member.relation, at);
  const end = skipValue(bytes, at, scan.walk, at + WINDOW);
  if (end === INVALID) throw notJson();
  return end === PAUSED ? PAUSED : skipBlanks(bytes, end);
}

function endObject(scan: Scan, node: Node, at: number): number {
  const { named, mixed } = scan.options;
  if (!named && !mixed && node.found !== node.members.size) throw invalid(scan, 'keys');
  node.inObject = false;
  if (!node.many) scan.open.pop();
  return skipBlanks(scan.bytes, at + 1);
}

/** Begins the value of a related resource: an array of objects, or one object. */
function enterRelated(scan: Scan, { node }: NonNullable<Member['relation']>, at: number): number {
  const { bytes, open, options } = scan;
  const isForm = bytes[at] === (node.many ? OPEN_ARRAY : OPEN_OBJECT);
  const next = enter(scan, node, at);
  if (!isForm) throw invalid(scan, node.many ? 'array' : 'object');
  if (open.length - 1 > options.maxDepth)
    throw dbrError('InvalidGraphBody', {
      message: 'depth',
      path: pathText(pathOf(scan)),
      limit: options.maxDepth,
    });
  return next;
}

/** Returns the member of a key that is not at its place. */
function memberOf(scan: Scan, node: Node, start: number, end: number): Member {
  const spelling = scan.bytes.subarray(start, end);
  const key = String(JSON.parse(spelling.toString('utf8')));
  const known = node.members.get(key);
  if (known !== undefined) return known;
  const { named, mixed, maxKeys } = scan.options;
  if (!named && !mixed && node.objects > 1) throw invalid(scan, 'keys');
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
  return { to, node: newNode(key, to.many, to.level) };
}

const NULL = Buffer.from('null');

function* restOfValue({ bytes, walk }: Scan): Work<number> {
  for (;;) {
    yield;
    const end = resumeValue(bytes, walk, walk.at + WINDOW);
    if (end !== PAUSED) return end;
  }
}

const invalid = (scan: Scan, message: 'array' | 'object' | 'keys'): DbrError =>
  dbrError('InvalidGraphBody', { message, path: pathText(pathOf(scan)) });

/** Returns the keys and indexes from the body to the current value. */
const pathOf = ({ open }: Scan): readonly (string | number)[] =>
  open.flatMap(({ key, many, index }) => [
    ...(key === null ? [] : [key]),
    ...(many && index >= 0 ? [index] : []),
  ]);

/** The columns are sorted; the related resources keep the order of the body, in which their rows are written. */
function treeOf({ members }: Node): ColumnTree {
  const columns: string[] = [];
  const relations: ColumnRelation[] = [];
  for (const { key, relation } of members.values()) {
    if (relation === null) columns.push(key);
    else relations.push({ key, name: relation.to.name, hint: relation.to.hint, tree: treeOf(relation.node) });
  }
  return { columns: columns.sort(compareByBytes), relations };
}
