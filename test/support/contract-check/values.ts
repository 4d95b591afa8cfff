/** Generators of values from schemas. What they make is mostly valid; the validator has the last word. */
import fc, { type Arbitrary } from 'fast-check';
import { isObject, listOf, objectOf, resolve, textOf, type JsonObject } from './document.js';
import { FORMATS } from './formats.js';

/** Texts that services often mistake: NUL, a lone surrogate, direction marks, a long one. */
const ODD_TEXTS = ['\u0000', 'a\u0000b', '\ud800', '\u202e', '%00', "';--", 'é'.repeat(3000), '\n'];

const plainText = (minLength: number, maxLength: number): Arbitrary<string> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 12)) }),
    },
    {
      weight: 1,
      arbitrary: fc.string({
        unit: 'grapheme',
        minLength,
        maxLength: Math.max(minLength, Math.min(maxLength, 40)),
      }),
    },
  );

const anyValue: Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2, depthSize: 'small' });

/** Deeper levels have no optional members and no elements. */
const DEEPEST = 4;

interface Options {
  /** Whether strings may be odd: without NUL and other texts that few services accept. */
  readonly isOdd: boolean;
}

/** Returns the generator of the values of a schema. */
export type Values = (schema: unknown) => Arbitrary<unknown>;

/** Generators for the schemas of a document, each of which is made once: to make one takes longer than a value. */
export function openValues(document: JsonObject, options: Options): Values {
  const made = new Map<unknown, Arbitrary<unknown>[]>();
  return (schema) => valueOf(schema, 0);

  /** A schema has one generator for each depth, because documents have circles. */
  function valueOf(given: unknown, depth: number): Arbitrary<unknown> {
    const { value } = resolve(document, { value: given, pointer: '' });
    if (!isObject(value) || Object.keys(value).length === 0)
      return depth > DEEPEST ? fc.constant(null) : anyValue;
    const ofSchema = made.get(value) ?? [];
    const arbitrary =
      ofSchema[depth] ?? (depth > DEEPEST + 3 ? fc.constant(null) : schemaValue(value, depth));
    ofSchema[depth] = arbitrary;
    made.set(value, ofSchema);
    return arbitrary;
  }

  function schemaValue(value: JsonObject, depth: number): Arbitrary<unknown> {
    if (value['const'] !== undefined) return fc.constant(value['const']);
    const labels = listOf(value['enum']);
    if (labels.length > 0) return fc.constantFrom(...labels);
    const own = ownValue(value, depth);
    const branches = ['anyOf', 'oneOf'].flatMap((keyword) => listOf(value[keyword]));
    const parts = [
      ...(own === null ? [] : [own]),
      ...listOf(value['allOf']).map((part) => valueOf(part, depth + 1)),
      ...(branches.length === 0 ? [] : [fc.oneof(...branches.map((each) => valueOf(each, depth + 1)))]),
    ];
    return parts.length === 0
      ? anyValue
      : parts.length === 1 && parts[0] !== undefined
        ? parts[0]
        : merged(parts);
  }

  /** The value by the type of the schema, without its parts; null if it has none. */
  function ownValue(schema: JsonObject, depth: number): Arbitrary<unknown> | null {
    const declared = [schema['type']].flat().filter((type) => type !== undefined);
    const types = declared.length === 0 && isObject(schema['properties']) ? ['object'] : declared;
    const [first, ...others] = types.map((type) => typedValue(textOf(type), schema, depth));
    return first === undefined ? null : others.length === 0 ? first : fc.oneof(first, ...others);
  }

  function typedValue(type: string, schema: JsonObject, depth: number): Arbitrary<unknown> {
    switch (type) {
      case 'string':
        return textValue(schema);
      case 'integer':
      case 'number':
        return numberValue(type, schema);
      case 'boolean':
        return fc.boolean();
      case 'array':
        return arrayValue(schema, depth);
      case 'object':
        return objectValue(schema, depth);
      default:
        return fc.constant(null);
    }
  }

  function textValue({ format, pattern, minLength, maxLength }: JsonObject): Arbitrary<unknown> {
    const formatted =
      typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
    if (formatted !== undefined) return formatted();
    const plain =
      typeof pattern === 'string'
        ? matching(pattern, numberOr(maxLength, 200))
        : plainText(numberOr(minLength, 0), numberOr(maxLength, 40));
    return options.isOdd ? fc.oneof({ weight: 3, arbitrary: plain }, fc.constantFrom(...ODD_TEXTS)) : plain;
  }

  function arrayValue(schema: JsonObject, depth: number): Arbitrary<unknown> {
    const minLength = numberOr(schema['minItems'], 0);
    const maxLength = Math.max(minLength, Math.min(numberOr(schema['maxItems'], 3), depth > DEEPEST ? 0 : 3));
    const item = valueOf(schema['items'] ?? {}, depth + 1);
    return schema['uniqueItems'] === true
      ? fc.uniqueArray(item, {
          minLength,
          maxLength,
          comparator: 'SameValueZero',
          selector: (each) => JSON.stringify(each),
        })
      : fc.array(item, { minLength, maxLength });
  }

  function objectValue(schema: JsonObject, depth: number): Arbitrary<unknown> {
    const required = new Set(listOf(schema['required']).map(textOf));
    const properties = Object.entries(objectOf(schema['properties'])).filter(
      ([name, member]) => required.has(name) || (depth < DEEPEST && objectOf(member)['readOnly'] !== true),
    );
    const members = Object.fromEntries(
      properties.map(([name, member]) => [name, valueOf(member, depth + 1)]),
    );
    const known = fc.record(members, {
      requiredKeys: Object.keys(members).filter((name) => required.has(name)),
    });
    const others = schema['additionalProperties'];
    if (!isObject(others) || depth >= DEEPEST) return known;
    const least = numberOr(schema['minProperties'], 0);
    const most = Math.max(least, Math.min(3, numberOr(schema['maxProperties'], 3)));
    const names = isObject(schema['propertyNames'])
      ? valueOf(schema['propertyNames'], depth + 1).map(String)
      : fc.string({ minLength: 1, maxLength: 8 });
    const more = fc.dictionary(names, valueOf(others, depth + 1), {
      minKeys: least,
      maxKeys: most,
      noNullPrototype: true,
    });
    return fc.tuple(more, known).map(([added, named]) => ({ ...added, ...named }));
  }
}

/** Objects are merged; of other values, the last one stands. */
const merged = (parts: readonly Arbitrary<unknown>[]): Arbitrary<unknown> =>
  fc
    .tuple(...parts)
    .map((values) => (values.every(isObject) ? (Object.assign({}, ...values) as unknown) : values.at(-1)));

/** @param longest longer texts are cut, which the validator judges */
function matching(pattern: string, longest: number): Arbitrary<string> {
  try {
    return fc
      .stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
      .map((text) => text.slice(0, longest));
  } catch {
    return plainText(0, longest);
  }
}

const numberOr = (value: unknown, other: number): number => (typeof value === 'number' ? value : other);

/** Without bounds in the schema, numbers are those of 32 bits. */
function numberValue(type: 'integer' | 'number', schema: JsonObject): Arbitrary<unknown> {
  const { format, multipleOf } = schema;
  if (format === 'smallint') return fc.integer({ min: -32_768, max: 32_767 });
  const [low, high] = [
    numberOr(schema['exclusiveMinimum'], -Infinity),
    numberOr(schema['exclusiveMaximum'], Infinity),
  ];
  const min = Math.ceil(Math.max(numberOr(schema['minimum'], -2_147_483_648), low + 1));
  const max = Math.max(min, Math.floor(Math.min(numberOr(schema['maximum'], 2_147_483_647), high - 1)));
  const [least, most] = [Math.max(min, Number.MIN_SAFE_INTEGER), Math.min(max, Number.MAX_SAFE_INTEGER)];
  const whole = fc.oneof(fc.integer({ min: least, max: most }), fc.constantFrom(least, most));
  if (typeof multipleOf === 'number')
    return whole.map((value) => Math.round(value / multipleOf) * multipleOf);
  return type === 'integer'
    ? whole
    : fc.oneof(
        whole,
        whole.map((value) => Math.min(most, value / 8)),
      );
}

/** How a valid value is made invalid. */
export interface Mutation {
  /** Chooses the member, counted over all of them. */
  readonly at: number;
  readonly change:
    | { readonly kind: 'remove' }
    | { readonly kind: 'add' }
    | { readonly kind: 'replace'; readonly by: unknown };
}

const OTHER_VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '\u0000',
  'x'.repeat(5000),
  [],
  [null],
  {},
  { x: 1 },
];

export const mutation: Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 40 }),
  change: fc.oneof(
    fc.constant({ kind: 'remove' } as const),
    fc.constant({ kind: 'add' } as const),
    fc.record({ kind: fc.constant('replace' as const), by: fc.constantFrom<unknown>(...OTHER_VALUES) }),
  ),
});

/** Returns the value with one of its members changed. */
export function mutate(value: unknown, { at, change }: Mutation): unknown {
  const places = placesOf(value);
  const path = places[at % places.length] ?? [];
  return changed(value, path, change);
}

/** The paths of a value and of all its members. */
function placesOf(value: unknown): readonly (readonly string[])[] {
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(objectOf(value));
  return [
    [],
    ...members.flatMap(([name, member]) => placesOf(member).map((path) => [String(name), ...path])),
  ];
}

function changed(value: unknown, [name, ...rest]: readonly string[], change: Mutation['change']): unknown {
  if (name === undefined)
    return change.kind === 'replace'
      ? change.by
      : isObject(value)
        ? { ...value, 'unknown member': 1 }
        : { value };
  if (Array.isArray(value))
    return value.map((each: unknown, index) => (String(index) === name ? changed(each, rest, change) : each));
  const { [name]: member, ...others } = objectOf(value);
  return rest.length === 0 && change.kind === 'remove'
    ? others
    : { ...others, [name]: changed(member, rest, change) };
}
