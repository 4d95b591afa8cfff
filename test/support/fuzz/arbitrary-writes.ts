/** Generators of writes over the grammar of the data API (fast-check). */
import fc, { type Arbitrary } from 'fast-check';
import { conditionText, type Condition, type Pair } from './request-model.js';
import { conditionOn } from './arbitrary-conditions.js';
import { SPACE, type Write } from './write-model.js';

const VALUES = {
  label: fc.option(fc.constantFrom('a', 'b', 'c "q"', 'Ä, é', '', 'd\\'), { nil: null }),
  amount: fc.option(fc.oneof(fc.integer({ min: -2, max: 14 }), fc.constantFrom(0.5, 1e20)), { nil: null }),
  done: fc.option(fc.boolean(), { nil: null }),
  tags: fc.option(fc.array(fc.constantFrom('x', 'y,z', '"'), { maxLength: 2 }), { nil: null }),
  extra: fc.option(fc.constantFrom<unknown>({ a: [1, null] }, [], 's', 7), { nil: null }),
} as const;

type Values = { readonly [name in keyof typeof VALUES]: unknown };

export type NoteRow = Readonly<Record<string, unknown>> & { readonly id: number };

const COLUMNS = ['label', 'amount', 'done', 'tags', 'extra'] as const;

const values: Arbitrary<Values> = fc.record(VALUES);

const picked = (row: Values, columns: readonly (keyof Values)[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(columns.map((name) => [name, row[name]]));

const columns = fc.subarray([...COLUMNS], { minLength: 1 });

/** Rows of `notes` with the same members and, mostly, different keys. */
export const notes: Arbitrary<readonly NoteRow[]> = fc
  .record({
    columns,
    rows: fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), values), { minLength: 1, maxLength: 4 }),
    unique: fc.integer({ max: 3, min: 0 }),
  })
  .map(({ columns: names, rows, unique }) => {
    const kept = rows.filter(
      ([id], index) => unique === 0 || rows.findIndex(([other]) => other === id) === index,
    );
    return kept.map(([id, row]) => ({ id, ...picked(row, names) }));
  });

/** The row with its space. */
export const withSpace = (row: NoteRow): NoteRow => ({ space: SPACE, ...row });

const IN_SPACE: Pair = ['space', `eq.${SPACE}`];
const SELECTED: readonly string[] = [
  'id,label,amount,done,tags,extra,twice',
  '*',
  'id,lines(n,item,pieces)',
  'id',
];

const selected: Arbitrary<readonly Pair[]> = fc
  .option(
    fc.constantFrom(...SELECTED).map((text): Pair => ['select', text]),
    { nil: null },
  )
  .map((pair) => (pair === null ? [] : [pair]));

const returned = fc.constantFrom<readonly string[]>(
  [],
  ['return=representation'],
  ['return=representation'],
  ['return=headers-only'],
  ['return=minimal'],
);

const counted = fc.constantFrom<readonly string[]>(
  [],
  [],
  ['count=exact'],
  ['handling=strict', 'max-affected=2'],
);

/** A filter on the rows of a space. */
export const noteCondition: Arbitrary<Condition> = fc.oneof(
  conditionOn('id', 'integer'),
  conditionOn('label', 'text'),
  conditionOn('amount', 'numeric'),
  conditionOn('done', 'boolean'),
  conditionOn('tags', 'texts'),
  conditionOn('extra', 'json'),
);

const filtered: Arbitrary<readonly Pair[]> = fc
  .array(noteCondition, { maxLength: 2 })
  .map((conditions) => [IN_SPACE, ...conditions.map((each): Pair => [each.column, conditionText(each)])]);

const insert: Arbitrary<Write> = fc
  .record({
    rows: notes,
    single: fc.boolean(),
    select: selected,
    back: returned,
    more: fc.constantFrom<readonly string[]>([], [], ['missing=default'], ['count=exact']),
    resolution: fc.constantFrom<readonly string[]>(
      [],
      ['resolution=merge-duplicates'],
      ['resolution=ignore-duplicates'],
    ),
    conflict: fc.constantFrom<readonly Pair[]>(
      [],
      [],
      [['on_conflict', 'space,id']],
      [['on_conflict', 'space,label']],
    ),
    listed: fc.constantFrom<readonly Pair[]>([], [], [['columns', 'space,id,label,amount,done']]),
  })
  .map(({ rows, single, select, back, more, resolution, conflict, listed }) => ({
    ...{ method: 'POST', relation: 'notes', pairs: [...listed, ...conflict, ...select] },
    prefer: [...resolution, ...more, ...back],
    body: single ? withSpace(rows[0] ?? { id: 1 }) : rows.map(withSpace),
  }));

const line = fc.record({
  n: fc.integer({ min: 1, max: 4 }),
  item: fc.option(fc.constantFrom('tea', 'm, k', '')),
});

const lines = fc.uniqueArray(line, { maxLength: 3, selector: ({ n }) => n });

const graph: Arbitrary<Write> = fc
  .record({
    rows: fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), lines), { minLength: 1, maxLength: 3 }),
    select: selected,
    back: returned,
    resolution: fc.constantFrom<readonly string[]>([], ['resolution=merge-duplicates']),
  })
  .map(({ rows, select, back, resolution }) => ({
    ...{ method: 'POST', relation: 'notes', prefer: [...resolution, ...back] },
    pairs: [['columns', 'space,id,lines(n,item)'], ...select],
    body: rows.map(([id, of]) => ({ space: SPACE, id, lines: of })),
  }));

const change = fc.record({ columns, row: values }).map(({ columns: names, row }) => picked(row, names));

const update: Arbitrary<Write> = fc
  .record({
    set: change,
    filter: filtered,
    select: selected,
    back: returned,
    more: counted,
    limited: fc.nat(3),
  })
  .map(({ set, filter, select, back, more, limited }) => ({
    ...{ method: 'PATCH', relation: 'notes', prefer: [...more, ...back], body: set },
    pairs: [...filter, ...select, ...(limited === 1 ? LIMITED : [])],
  }));

const LIMITED: readonly Pair[] = [
  ['limit', '2'],
  ['order', 'id'],
];

const remove: Arbitrary<Write> = fc
  .record({ filter: filtered, select: selected, back: returned, more: counted })
  .map(({ filter, select, back, more }) => ({
    ...{ method: 'DELETE', relation: 'notes', prefer: [...more, ...back] },
    pairs: [...filter, ...select],
  }));

const put: Arbitrary<Write> = fc
  .record({ id: fc.integer({ min: 1, max: 8 }), row: values, back: returned })
  .map(({ id, row, back }) => ({
    ...{ method: 'PUT', relation: 'notes', prefer: back },
    pairs: [IN_SPACE, ['id', `eq.${String(id)}`]],
    body: withSpace({ id, ...row }),
  }));

const byKey: Arbitrary<Write> = fc
  .record({ rows: notes, back: returned, more: counted, filter: filtered })
  .map(({ rows, back, more, filter }) => ({
    ...{ method: 'PATCH', relation: 'notes', prefer: ['match=keys', ...more, ...back] },
    ...{ pairs: filter, body: rows.map(withSpace) },
  }));

const look: Arbitrary<Write> = fc
  .record({ filter: filtered, select: selected })
  .map(({ filter, select }) => ({
    ...{ method: 'GET', relation: 'notes', prefer: [] },
    pairs: [...filter, ...select, ['order', 'id']],
  }));

/** A request that inserts rows or graphs. */
export const inserts: Arbitrary<Write> = fc.oneof(insert, graph);

/** One request that writes or reads `notes` and `lines`. */
export const write: Arbitrary<Write> = fc.oneof(...[insert, graph, update, remove, put, byKey, look]);

/** The rows that a case begins with: six notes, the even ones with lines. */
export const SEED: Write = {
  ...{ method: 'POST', relation: 'notes', prefer: [] },
  pairs: [['columns', 'space,id,label,amount,done,tags,extra,lines(n,item)']],
  body: [1, 2, 3, 4, 5, 6].map((id) => ({
    ...{ space: SPACE, id, label: id === 4 ? null : `seed ${String(id)}`, amount: id === 5 ? null : id / 2 },
    ...{ done: [true, false, null][id % 3], tags: id === 6 ? null : [`t${String(id)}`, 'a'] },
    ...{
      extra: id % 2 === 0 ? { a: id } : null,
      lines:
        id % 2 === 0
          ? [{ n: 1, item: `item ${String(id)}` }, { n: 2 }].map((each) => ({ item: null, ...each }))
          : [],
    },
  })),
};

/** All rows of a space. */
export const WHOLE: Write = {
  ...{ method: 'GET', relation: 'notes', prefer: [] },
  pairs: [['select', '*,lines(n,item,pieces)'], IN_SPACE, ['order', 'id'], ['lines.order', 'n']],
};
