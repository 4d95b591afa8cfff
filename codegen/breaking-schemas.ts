/** Finds the breaking changes of a schema: a request must not be narrowed, a response must not be widened or lose members. */
import { resolve } from './document.js';
import { isObject, listMember, objectMember } from './json.js';
import type { JsonObject, JsonValue } from './json.js';

/** The documents in which references of the older and the newer schema are looked up. */
export interface Sides {
  readonly base: JsonObject;
  readonly head: JsonObject;
}
export type Direction = 'request' | 'response';

/** Limits below which, or above which, a value is refused. */
const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const EXACT_LIMITS = ['pattern', 'format', 'const', 'multipleOf', 'uniqueItems'] as const;
const ALTERNATIVES = ['oneOf', 'anyOf', 'allOf'] as const;

/** Returns every breaking change between two schemas, each after its `place`. */
export function compareSchemas(
  sides: Sides,
  before: JsonValue,
  after: JsonValue,
  direction: Direction,
  place: string,
): readonly string[] {
  return compare({ sides, direction, seen: new Set() }, before, after, place);
}

interface Comparison {
  readonly sides: Sides;
  readonly direction: Direction;
  /** Pairs under comparison: schemas may refer to themselves. */
  readonly seen: ReadonlySet<string>;
}

function compare(
  comparison: Comparison,
  before: JsonValue,
  after: JsonValue,
  place: string,
): readonly string[] {
  if (!isObject(before) || !isObject(after)) return compareBooleans(before, after, place);
  const pair = JSON.stringify([before, after]);
  if (comparison.seen.has(pair)) return [];
  const inner = { ...comparison, seen: new Set([...comparison.seen, pair]) };
  const old = resolve(comparison.sides.base, before, place);
  const now = resolve(comparison.sides.head, after, place);
  return [
    ...typeBreaks(inner, old, now, place),
    ...enumBreaks(inner, old, now, place),
    ...(comparison.direction === 'request' ? limitBreaks(old, now, place) : []),
    ...memberBreaks(inner, old, now, place),
    ...innerBreaks(inner, old, now, place),
  ];
}

/** A schema may be `true` (any value) or `false` (no value). */
function compareBooleans(before: JsonValue, after: JsonValue, place: string): readonly string[] {
  return after === false && before !== false ? [`${place}: nothing is taken any more`] : [];
}

function typeBreaks(
  { direction }: Comparison,
  before: JsonObject,
  after: JsonObject,
  place: string,
): readonly string[] {
  const old = typesOf(before);
  const now = typesOf(after);
  if (direction === 'request') {
    const lost = now === null ? [] : (old ?? ['any']).filter((type) => !covers(now, type));
    return lost.length === 0 ? [] : [`${place}: the type ${lost.join(', ')} is no longer taken`];
  }
  const added = old === null ? [] : (now ?? ['any']).filter((type) => !covers(old, type));
  return added.length === 0 ? [] : [`${place}: may now be of the type ${added.join(', ')}`];
}

/** Null if every type is allowed. */
function typesOf(schema: JsonObject): readonly string[] | null {
  const type = schema['type'];
  if (type === undefined) return null;
  return typeof type === 'string'
    ? [type]
    : listMember(schema, 'type', 'type').filter((item) => typeof item === 'string');
}

/** An integer is a number. */
const covers = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

/** A removed value breaks requests and responses: generated constants lose it. */
function enumBreaks(
  { direction }: Comparison,
  before: JsonObject,
  after: JsonObject,
  place: string,
): readonly string[] {
  const old = listMember(before, 'enum', place);
  const now = listMember(after, 'enum', place);
  if (now.length === 0) return [];
  if (old.length === 0)
    return direction === 'request' ? [`${place}: only some values are taken any more`] : [];
  const gone = old.filter((value) => !now.includes(value));
  return gone.length === 0
    ? []
    : [`${place}: the value ${gone.map((value) => JSON.stringify(value)).join(', ')} is gone`];
}

function limitBreaks(before: JsonObject, after: JsonObject, place: string): readonly string[] {
  const tightened = [
    ...LOWER_LIMITS.filter((limit) => numberOf(after, limit, -Infinity) > numberOf(before, limit, -Infinity)),
    ...UPPER_LIMITS.filter((limit) => numberOf(after, limit, Infinity) < numberOf(before, limit, Infinity)),
    ...EXACT_LIMITS.filter((limit) => after[limit] !== undefined && after[limit] !== before[limit]),
  ];
  return tightened.map((limit) => `${place}: ${limit} is narrower`);
}

function numberOf(schema: JsonObject, limit: string, otherwise: number): number {
  const value = schema[limit];
  return typeof value === 'number' ? value : otherwise;
}

function memberBreaks(
  comparison: Comparison,
  before: JsonObject,
  after: JsonObject,
  place: string,
): readonly string[] {
  const oldRequired = new Set(requiredOf(before));
  const nowRequired = new Set(requiredOf(after));
  const now = objectMember(after, 'properties', place);
  const kept = Object.entries(objectMember(before, 'properties', place)).flatMap(([name, schema]) => {
    const member = now[name];
    return member === undefined
      ? [`${place}/${name}: gone`]
      : compare(comparison, schema, member, `${place}/${name}`);
  });
  const [asked, given] =
    comparison.direction === 'request' ? [nowRequired, oldRequired] : [oldRequired, nowRequired];
  const text = comparison.direction === 'request' ? 'now required' : 'no longer certain';
  const demanded = [...asked].filter(
    (name) => !given.has(name) && (comparison.direction === 'request' || name in now),
  );
  return [...kept, ...demanded.map((name) => `${place}/${name}: ${text}`)];
}

const requiredOf = (schema: JsonObject): readonly string[] =>
  listMember(schema, 'required', 'required').filter((name) => typeof name === 'string');

function innerBreaks(
  comparison: Comparison,
  before: JsonObject,
  after: JsonObject,
  place: string,
): readonly string[] {
  const items =
    before['items'] === undefined
      ? []
      : compare(comparison, before['items'], after['items'] ?? {}, `${place}[]`);
  const extra = ['additionalProperties', 'unevaluatedProperties'].flatMap((keyword) =>
    compare(comparison, before[keyword] ?? true, after[keyword] ?? true, `${place}/*`),
  );
  const alternatives = ALTERNATIVES.flatMap((keyword) =>
    alternativeBreaks(comparison, before, after, keyword, place),
  );
  return [...items, ...new Set(extra), ...alternatives];
}

/** Alternatives are compared by their place in the list. */
function alternativeBreaks(
  comparison: Comparison,
  before: JsonObject,
  after: JsonObject,
  keyword: string,
  place: string,
): readonly string[] {
  const now = listMember(after, keyword, place);
  return listMember(before, keyword, place).flatMap((schema, index) => {
    const path = `${place}/${keyword}/${String(index)}`;
    const alternative = now[index];
    return alternative === undefined ? [`${path}: gone`] : compare(comparison, schema, alternative, path);
  });
}
