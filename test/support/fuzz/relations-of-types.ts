/** Relations between the forms in which values of composite types, domains, enums, ranges and arrays are written and read. */
import fc from 'fast-check';
import type { FuzzClient, FuzzReply } from './fuzz-client.js';
import { JSON_BODY, pathOf, rowsOf, same, type Relation } from './relation.js';
import type { Pair } from './request-model.js';
import { batchOf, SPACE, type Write } from './write-model.js';

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null });

const text = fc.constantFrom('a', 'b, c', '(d)', 'e"', '', 'null', '\\', '{f}', 'Ä', ' ');

/** Never nulls alone: in an array, PostgreSQL shows such a value as an object. */
const place = fc.record(
  { street: orNull(text), number: fc.integer({ min: -9, max: 99 }) },
  { noNullPrototype: true },
);

const day = fc.constantFrom('2000-01-01', '2001-02-03', '2001-12-31');

/** A range as PostgreSQL shows it: with its lower bound and without its upper one. */
const numbers = fc
  .tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: 1, max: 9 }))
  .map(([from, length]) => `[${String(from)},${String(from + length)})`);

const days = fc
  .tuple(day, fc.constantFrom('2002-01-01', '2010-10-10'))
  .map(([from, to]) => `[${from},${to})`);

const kind = fc.constantFrom('plain', 'odd, one', 'third');

const list = <Value>(values: fc.Arbitrary<Value>) => orNull(fc.array(orNull(values), { maxLength: 3 }));

const sample = fc.record({
  home: orNull(place),
  homes: list(place),
  code: orNull(text),
  codes: list(text),
  mood: orNull(kind),
  moods: list(kind),
  span: orNull(fc.oneof(numbers, fc.constantFrom('empty', '(,3)', '[4,)'))),
  days: list(fc.oneof(days, fc.constant('empty'))),
});

const NAMES = ['home', 'homes', 'code', 'codes', 'mood', 'moods', 'span', 'days'] as const;

type Sample = Readonly<Record<(typeof NAMES)[number], unknown>>;

const at = (id: number): readonly Pair[] => [
  ['space', `eq.${SPACE}`],
  ['id', `eq.${String(id)}`],
];

const post = (body: unknown, pairs: readonly Pair[] = [], type?: string): Write => ({
  ...{ method: 'POST', relation: 'samples', prefer: ['return=representation'], pairs, body },
  ...(type === undefined ? {} : { type }),
});

/** The values of a row as text. */
type Texts = Readonly<Record<string, string | null>>;

const cell = (value: string | null): string => (value === null ? 'NULL' : `"${value.replaceAll('"', '""')}"`);

const csvOf = (texts: Texts): string =>
  `space,id,${NAMES.join(',')}\n${SPACE},5,${NAMES.map((name) => cell(texts[name] ?? null)).join(',')}`;

/** Values that are copied by references of a batch. */
const copied = Object.fromEntries(NAMES.map((name) => [name, { $from: 'i0', path: `/0/${name}` }]));

/** The row of the last item. @throws Error if the batch failed */
function textsOf({ status, text: answered }: FuzzReply): Texts {
  if (status !== 200) throw new Error(`the batch gives ${String(status)}: ${answered}`);
  const items = JSON.parse(answered) as readonly { readonly body: readonly Texts[] }[];
  return items.at(-1)?.body[0] ?? {};
}

/** Reads and writes of one row in each form give its values. */
export const typedRows: Relation<Sample> = {
  arbitrary: sample,
  async check(each, client) {
    const space = client.space();
    const patched: Write = {
      ...{ method: 'PATCH', relation: 'samples', pairs: at(2), prefer: ['return=representation'] },
      body: each,
    };
    const put: Write = { ...post({ space: SPACE, id: 4, ...each }, at(4)), method: 'PUT' };
    const texts: Write = {
      ...{ method: 'GET', relation: 'samples', prefer: [] },
      pairs: [['select', NAMES.map((name) => `${name}::text`).join(',')], ...at(1)],
    };
    const writes = [
      ...[post([{ space: SPACE, id: 1, ...each }]), post([{ space: SPACE, id: 2 }]), patched],
      ...[post([{ space: SPACE, id: 3, ...copied }]), put, texts],
    ];
    const reply = await client.send(batchOf(writes, space, ''));
    const asText = textsOf(reply);
    const csv = csvOf(asText).replaceAll(SPACE, String(space));
    await client.send({
      method: 'POST',
      path: '/samples',
      headers: { 'Content-Type': 'text/csv' },
      body: csv,
    });
    await checkRows(client, space, each);
    await checkFilters(client, space, asText);
    await client.send({ method: 'DELETE', path: `/samples?space=eq.${String(space)}` });
  },
};

async function checkRows(client: FuzzClient, space: number, each: Sample): Promise<void> {
  const pairs: readonly Pair[] = [
    ['space', `eq.${String(space)}`],
    ['order', 'id'],
    ['select', ['id', ...NAMES].join(',')],
  ];
  const rows = await rowsOf(client, pathOf('samples', pairs));
  same(
    rows,
    [1, 2, 3, 4, 5].map((id) => ({ id, ...each })),
    'the rows of each form',
  );
}

const ARRAYS: ReadonlySet<string> = new Set(['homes', 'codes', 'moods', 'days']);

/** PostgreSQL has no operator for a literal and a composite type, or a domain over an enum or a range. */
const COMPARED = NAMES.filter((name) => !['home', 'mood', 'span'].includes(name));

/** Filters by the text of a value find its rows. */
async function checkFilters(client: FuzzClient, space: number, texts: Texts): Promise<void> {
  const idsBy = async (filter: Pair): Promise<readonly unknown[]> => {
    const pairs: readonly Pair[] = [['space', `eq.${String(space)}`], ['select', 'id'], filter];
    return (await rowsOf(client, pathOf('samples', pairs))).map((row) => row['id']).toSorted();
  };
  const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
  await Promise.all(
    COMPARED.map(async (name) => {
      const given = texts[name] ?? null;
      if (given === null) return same(await idsBy([name, 'is.null']), [1, 2, 3, 4, 5], `${name} is null`);
      // An array of arrays has no type of its own, and a list of an empty text alone is empty.
      const listed =
        ARRAYS.has(name) || given === '' ? [] : [`in.(${quoted(given)})`, `eq(any).{${quoted(given)}}`];
      for (const filter of [`eq.${given}`, ...listed])
        same(await idsBy([name, filter]), [1, 2, 3, 4, 5], `${name}=${filter}`);
      same(await idsBy(['or', `(${name}.eq.${quoted(given)})`]), [1, 2, 3, 4, 5], `${name} in a group`);
      same(await idsBy([name, `neq.${given}`]), [], `${name}=neq.${given}`);
    }),
  );
}

/** JSON of rows as a body; a value that its type does not take is refused and leaves no row. */
export const wrongValues: Relation<{ readonly column: string; readonly value: unknown }> = {
  arbitrary: fc.record({
    column: fc.constantFrom(...NAMES),
    value: fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>('forbidden', ['forbidden'], { number: -100 }, [[{ number: 1 }], []], 'other'),
    ),
  }),
  async check({ column, value }, client) {
    const space = client.space();
    const body = JSON.stringify([{ space, id: 1, [column]: value }]);
    const headers = { ...JSON_BODY, Prefer: 'return=representation' };
    const { status, text: answer } = await client.send({ method: 'POST', path: '/samples', headers, body });
    const rows = await rowsOf(client, `/samples?space=eq.${String(space)}`);
    await client.send({ method: 'DELETE', path: `/samples?space=eq.${String(space)}` });
    same(rows, status === 201 ? JSON.parse(answer) : [], 'the rows after a value');
  },
};
