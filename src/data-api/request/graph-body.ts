/**
 * Reads the body of a graph: checks the form of each related value, and collects the keys of each level. Values of
 * columns are not decoded.
 */
import { isUtf8 } from 'node:buffer';
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import type { ColumnRelation, ColumnTree } from '../grammar/ast.js';
import type { Sliced } from '../../base/turns.js';
import { addKey, beginObject, findKey, hasAllKeys, type Keys, newKeys, seeKey } from './json-outline.js';
import {
  isNullAt,
  type JsonReader,
  next,
  OPEN_ARRAY,
  OPEN_OBJECT,
  readJson,
  skip,
  type Token,
} from './json-reader.js';
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

interface GraphBodyOptions {
  /** Deepest nesting of related resources (`db-max-depth`). */
  readonly maxDepth: number;
  /** Most related resources (`db-max-embeds`). */
  readonly maxEmbeds: number;
  /** Most different keys of all levels (`db-max-keys`). */
  readonly maxKeys: number;
  /** True if the query string names the keys: objects may then have others, or lack some. */
  readonly named: boolean;
}

/**
 * Returns the keys of all levels.
 * @throws DBR102 for a text that is not JSON; DBR130; DBR171 with the path of a value that has another form
 */
export function* readGraphBody(
  bytes: Buffer,
  root: GraphLevel,
  options: GraphBodyOptions,
): Sliced<ColumnTree> {
  if (!isUtf8(bytes)) throw notJson();
  const reader = readJson(bytes);
  const first = bytes[reader.at];
  if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) throw notJson();
  const node = newNode(null, first === OPEN_ARRAY, root);
  const scan: BodyScan = { reader, options, open: [], embeds: 0, keys: 0 };
  for (;;) {
    const token = next(reader);
    switch (token) {
      case 'name':
        readMember(scan);
        break;
      case 'object':
      case 'array':
      case 'value':
        beginValue(scan, node, token);
        break;
      case 'end':
        endContainer(scan);
        break;
      case 'pause':
        yield;
        break;
      case 'invalid':
        throw notJson();
      case 'done':
        return treeOf(node);
    }
  }
}

const notJson = (): DbrError => dbrError('InvalidPayload', { message: 'emptyOrInvalidJson' });

/** The objects of one resource. Its state is that of the value that is being read. */
interface Node {
  /** The key of the value in the object of the parent; null for the body. */
  readonly key: string | null;
  readonly many: boolean;
  readonly level: GraphLevel;
  readonly keys: Keys;
  /** By the index of their key. */
  readonly members: Member[];
  /** Index of the current object in its array; -1 before the first. */
  index: number;
  /** The member whose value is being read; null outside of objects. */
  member: Member | null;
}

interface Member {
  readonly key: string;
  readonly relation: { readonly to: RelatedLevel; readonly node: Node } | null;
}

const newNode = (key: string | null, many: boolean, level: GraphLevel): Node => ({
  key,
  many,
  level,
  keys: newKeys(),
  members: [],
  index: -1,
  member: null,
});

interface BodyScan {
  readonly reader: JsonReader;
  readonly options: GraphBodyOptions;
  /** The resources whose values are open, outermost first. */
  readonly open: Node[];
  embeds: number;
  keys: number;
}

/** Begins the body, an object of an array, or the value of a member, which may be related objects. */
function beginValue(scan: BodyScan, root: Node, token: Token): void {
  const { reader, open } = scan;
  const node = open.at(-1);
  if (node === undefined) enter(scan, root);
  else if (node.member !== null) {
    const { relation } = node.member;
    if (relation !== null && !isNullAt(reader.bytes, reader.start)) enterRelated(scan, relation.node, token);
    else if (token !== 'value') skip(reader);
  } else {
    node.index += 1;
    if (token !== 'object') throw invalid(scan, 'object');
    beginObject(node.keys);
  }
}

/** Begins the value of a resource. */
function enter({ open }: BodyScan, node: Node): void {
  open.push(node);
  node.index = -1;
  node.member = null;
  if (!node.many) beginObject(node.keys);
}

/** Begins the value of a related resource: an array of objects, or one object. */
function enterRelated(scan: BodyScan, node: Node, token: Token): void {
  const { open, options } = scan;
  enter(scan, node);
  const form = node.many ? 'array' : 'object';
  if (token !== form) throw invalid(scan, form);
  if (open.length - 1 > options.maxDepth)
    throw dbrError('InvalidGraphBody', {
      message: 'depth',
      path: pathText(pathOf(scan)),
      limit: options.maxDepth,
    });
}

function endContainer(scan: BodyScan): void {
  const { reader, open, options } = scan;
  const node = open.at(-1);
  if (node === undefined) return;
  const isObject = reader.bytes[reader.start] === OPEN_OBJECT;
  if (isObject && !options.named && !hasAllKeys(node.keys)) throw invalid(scan, 'keys');
  node.member = null;
  if (!isObject || !node.many) open.pop();
}

function readMember(scan: BodyScan): void {
  const { reader, open } = scan;
  const node = open.at(-1);
  if (node === undefined) return;
  const { bytes, start, end } = reader;
  const known = findKey(node.keys, bytes, start, end);
  if (typeof known === 'number') seeKey(node.keys, known);
  node.member =
    typeof known === 'number'
      ? (node.members[known] ?? null)
      : addMember(scan, node, known, bytes.subarray(start, end));
}

function addMember(scan: BodyScan, node: Node, key: string, spelling: Buffer): Member {
  const { named, maxKeys } = scan.options;
  const { keys, members } = node;
  if (!named && keys.object > 1) throw invalid(scan, 'keys');
  const member: Member = { key, relation: openRelation(scan, node, key) };
  if (scan.keys >= maxKeys) {
    // Other keys than the named ones are ignored, so any number of them is accepted.
    if (named) return member;
    throw dbrError('TooManyKeys', { limit: maxKeys });
  }
  scan.keys += 1;
  members.push(member);
  seeKey(keys, addKey(keys, key, spelling));
  return member;
}

function openRelation(scan: BodyScan, { level }: Node, key: string): Member['relation'] {
  const to = level.open(key);
  if (to === null) return null;
  const { maxEmbeds } = scan.options;
  scan.embeds += 1;
  if (scan.embeds > maxEmbeds) throw dbrError('InvalidGraphBody', { message: 'embeds', limit: maxEmbeds });
  return { to, node: newNode(key, to.many, to.level) };
}

const invalid = (scan: BodyScan, message: 'array' | 'object' | 'keys'): DbrError =>
  dbrError('InvalidGraphBody', { message, path: pathText(pathOf(scan)) });

/** Returns the keys and indexes from the body to the current value. */
const pathOf = ({ open }: BodyScan): readonly (string | number)[] =>
  open.flatMap(({ key, many, index }) => [
    ...(key === null ? [] : [key]),
    ...(many && index >= 0 ? [index] : []),
  ]);

/** The columns are sorted; the related resources keep the order of the body, in which their rows are written. */
function treeOf({ members }: Node): ColumnTree {
  const columns: string[] = [];
  const relations: ColumnRelation[] = [];
  for (const { key, relation } of members) {
    if (relation === null) columns.push(key);
    else relations.push({ key, name: relation.to.name, hint: relation.to.hint, tree: treeOf(relation.node) });
  }
  return { columns: columns.sort(compareByBytes), relations };
}

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
