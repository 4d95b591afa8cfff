/** Relations between writes and the rows that they leave, by batches that are rolled back. */
import fc from 'fast-check';
import { noteCondition, notes, SEED, WHOLE, withSpace, type NoteRow } from './arbitrary-writes.js';
import type { FuzzRequest } from './fuzz-client.js';
import { JSON_BODY, pathOf, rowsOf, same, type Relation, type Row } from './relation.js';
import { clear } from './relations-of-batches.js';
import { conditionText, type Condition, type Pair } from './request-model.js';
import { requestOf, sorted, SPACE, trial, type Write } from './write-model.js';

const IN_SPACE: Pair = ['space', `eq.${SPACE}`];
const READ: readonly Pair[] = [
  ['select', 'id,label,amount,done,tags,extra,twice'],
  ['order', 'id'],
];

const look = (pairs: readonly Pair[] = []): Write => ({
  ...{ method: 'GET', relation: 'notes', prefer: [], pairs: [...READ, IN_SPACE, ...pairs] },
});

/** The rows of an answer by their id. */
const byId = (rows: unknown): readonly Row[] =>
  (rows as readonly Row[]).toSorted((a, b) => Number(a['id']) - Number(b['id']));

interface ChangeCase {
  readonly conditions: readonly Condition[];
  readonly set: { readonly amount: number | null; readonly done: boolean | null };
}

/** PATCH and DELETE change the rows that their filters read, no other, and return them as they are afterwards. */
export const changes: Relation<ChangeCase> = {
  arbitrary: fc.record({
    conditions: fc.array(noteCondition, { maxLength: 2 }),
    set: fc.record({
      amount: fc.option(fc.integer({ min: -5, max: 9 }), { nil: null }),
      done: fc.option(fc.boolean(), { nil: null }),
    }),
  }),
  async check({ conditions, set }, client) {
    const filters = conditions.map((each): Pair => [each.column, conditionText(each)]);
    const pairs = [...READ.slice(0, 1), IN_SPACE, ...filters];
    const change = { relation: 'notes', pairs, prefer: ['return=representation'] };
    const patch: Write = { ...change, method: 'PATCH', body: set };
    const [, before, found, patched, after, looked] = await trial(client, [
      ...[SEED, look(), look(filters), patch, look()],
      { ...look(), pairs: [...READ, IN_SPACE, ['id', 'gt.0']] },
    ]);
    const ids = new Set(byId(found?.body).map(({ id }) => id));
    const changed = byId(before?.body).map((row) =>
      ids.has(row['id']) ? { ...row, ...set, twice: set.amount === null ? null : set.amount * 2 } : row,
    );
    same(byId(after?.body), changed, 'the rows after PATCH');
    same(byId(looked?.body), changed, 'the rows read once more');
    same(
      byId(patched?.body),
      changed.filter(({ id }) => ids.has(id)),
      'the representation of PATCH',
    );
    const [, , deleted, left] = await trial(client, [SEED, look(), { ...change, method: 'DELETE' }, look()]);
    same(byId(deleted?.body), byId(found?.body), 'the representation of DELETE');
    same(
      byId(left?.body),
      byId(before?.body).filter(({ id }) => !ids.has(id)),
      'the rows after DELETE',
    );
  },
};

const DEFAULTS = { label: null, amount: null, done: false, tags: ['new'], extra: null } as const;

interface UpsertCase {
  readonly rows: readonly NoteRow[];
  readonly missing: boolean;
}

const distinctRows = (rows: readonly NoteRow[]): readonly NoteRow[] =>
  rows
    .filter(({ id }, index) => rows.findIndex((row) => row.id === id) === index)
    // Labels are unique; the check of amounts is another relation.
    .map((row) => ('label' in row ? { ...row, label: `label ${String(row.id)}` } : row))
    .map((row) => (row['amount'] === 13 ? { ...row, amount: 14 } : row));

/** Merging overwrites the members of the body in rows that exist and inserts the others; ignoring inserts these alone. */
export const upserts: Relation<UpsertCase> = {
  arbitrary: fc.record({ rows: notes.map(distinctRows), missing: fc.boolean() }),
  async check({ rows, missing }, client) {
    const columns = ['space', ...Object.keys(rows[0] ?? {})].join(',');
    const post = (resolution: string): Write => ({
      ...{ method: 'POST', relation: 'notes', body: rows.map(withSpace) },
      pairs: [['columns', columns]],
      prefer: [`resolution=${resolution}`, ...(missing ? ['missing=default'] : [])],
    });
    const puts = rows.map((row): Write => ({
      ...{ method: 'PUT', relation: 'notes', prefer: [], body: withSpace(row) },
      pairs: [IN_SPACE, ['id', `eq.${String(row.id)}`]],
    }));
    const run = async (writes: readonly Write[]) =>
      sorted(byId((await trial(client, [SEED, ...writes, look()])).at(-1)?.body)) as readonly Row[];
    const [before, merged, ignored, put] = await Promise.all([
      run([]),
      run([post('merge-duplicates')]),
      run([post('ignore-duplicates')]),
      run(puts),
    ]);
    const known = new Map(before.map((row) => [row['id'], row]));
    const full = (row: Row): Row => ({
      ...row,
      twice: row['amount'] === null ? null : Number(row['amount']) * 2,
    });
    const inserted = rows.filter(({ id }) => !known.has(id)).map((row) => full({ ...DEFAULTS, ...row }));
    const updated = before.map((row) => full({ ...row, ...rows.find(({ id }) => id === row['id']) }));
    same(ignored, sorted(byId([...before, ...inserted])), 'the rows after ignore-duplicates');
    same(merged, sorted(byId([...updated, ...inserted])), 'the rows after merge-duplicates');
    same(put, merged, 'the rows after PUT of each');
  },
};

interface FormsCase {
  readonly rows: readonly {
    readonly id: number;
    readonly label: string | null;
    readonly amount: number | null;
  }[];
  readonly resolution: string;
}

const cell = (value: string | number | null): string =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : `"${value.replaceAll('"', '""')}"`;

/** JSON, CSV of both dialects, the streams and, of one row, a form insert the same rows, or fail with the same code. */
export const bodies: Relation<FormsCase> = {
  arbitrary: fc.record({
    rows: fc.array(
      fc.record({
        id: fc.integer({ min: 1, max: 12 }),
        label: fc.option(fc.constantFrom('a', 'b,"', 'two\nlines', '', 'Ä', ' '), { nil: null }),
        amount: fc.option(fc.integer({ min: -3, max: 14 }), { nil: null }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    resolution: fc.constantFrom('', '', 'resolution=ignore-duplicates'),
  }),
  async check({ rows, resolution }, client) {
    const made = (space: number) => rows.map((row) => ({ space, ...row }));
    const csvOf = (cells: typeof cell) => (space: number) =>
      ['space,id,label,amount', ...made(space).map((row) => Object.values(row).map(cells).join(','))].join(
        '\n',
      );
    const csv = csvOf(cell);
    const exact = csvOf((value) => (value === null ? '' : cell(value)));
    const lines = (space: number): string =>
      made(space)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join('');
    const forms: readonly (readonly [type: string, prefer: string, body: (space: number) => string])[] = [
      ['application/json', '', (space) => JSON.stringify(made(space))],
      ['text/csv', '', csv],
      ['text/csv', 'stream', csv],
      ['text/csv;dialect=rfc4180', '', exact],
      ['text/csv;dialect=rfc4180', 'stream', exact],
      ['application/x-ndjson', '', lines],
    ];
    const spaces = forms.map(() => client.space());
    await Promise.all(spaces.map((space) => client.send(requestOf(SEED, space))));
    const outcomes: (readonly [number, unknown, readonly Row[]])[] = [];
    for (const [index, [type, stream, body]] of forms.entries()) {
      const space = spaces[index] ?? 0;
      const preferences = [resolution, stream].filter((each) => each !== '').join(', ');
      const headers = { 'Content-Type': type, ...(preferences === '' ? {} : { Prefer: preferences }) };
      const { status, text } = await client.send({
        method: 'POST',
        path: '/notes',
        headers,
        body: body(space),
      });
      const code = status >= 400 ? (JSON.parse(text) as Row)['code'] : null;
      const read: readonly Pair[] = [...READ, ['space', `eq.${String(space)}`]];
      outcomes.push([status, code, await rowsOf(client, pathOf('notes', read))]);
    }
    await clear(client, spaces);
    for (const [index, outcome] of outcomes.entries())
      same(outcome, outcomes[0], `${forms[index]?.[0] ?? ''} and JSON`);
  },
};

/** match=keys changes the rows that a PATCH for each key would change. */
export const keyed: Relation<{ readonly rows: readonly NoteRow[]; readonly condition: Condition }> = {
  arbitrary: fc.record({ rows: notes.map(distinctRows), condition: noteCondition }),
  async check({ rows, condition }, client) {
    const filters: readonly Pair[] = [IN_SPACE, [condition.column, conditionText(condition)]];
    const together: Write = {
      ...{
        method: 'PATCH',
        relation: 'notes',
        pairs: filters,
        prefer: ['match=keys'],
        body: rows.map(withSpace),
      },
    };
    // Each filter is for the rows of before: a change must not make another row match.
    const single = rows.map(({ id, ...set }): Write => ({
      ...{ method: 'PATCH', relation: 'notes', prefer: [], body: set },
      pairs: [...filters, ['id', `eq.${String(id)}`]],
    }));
    const [one, other] = await Promise.all([
      trial(client, [SEED, together, WHOLE]),
      trial(client, [SEED, ...single, WHOLE]),
    ]);
    same(one.at(-1)?.body, other.at(-1)?.body, 'the rows after match=keys');
  },
};

/** A write with the tag of a read is done once; a tag that is out of date writes nothing. */
export const conditional: Relation<{
  readonly id: number;
  readonly amount: number;
  readonly select: string;
}> = {
  arbitrary: fc.record({
    id: fc.integer({ min: 1, max: 7 }),
    amount: fc.integer({ min: 20, max: 30 }),
    select: fc.constantFrom('*', 'id,amount', 'amount,lines(n,item)'),
  }),
  async check({ id, amount, select }, client) {
    const space = client.space();
    await client.send(requestOf(SEED, space));
    const path = pathOf('notes', [
      ['space', `eq.${String(space)}`],
      ['id', `eq.${String(id)}`],
      ['select', select],
    ]);
    const { headers } = await client.send({ method: 'GET', path });
    const tag = headers['etag'] ?? '';
    const send = (sent: Omit<FuzzRequest, 'path'>) => client.send({ path, ...sent });
    const patch = {
      method: 'PATCH',
      headers: { ...JSON_BODY, 'If-Match': tag },
      body: JSON.stringify({ amount }),
    };
    const first = await send(patch);
    const second = await send(patch);
    const stale = await send({ method: 'DELETE', headers: { 'If-Match': tag } });
    const fresh = (await send({ method: 'GET' })).headers['etag'] ?? '';
    const removed = await send({ method: 'DELETE', headers: { 'If-Match': fresh } });
    await clear(client, [space]);
    const statuses = [first, second, stale, removed].map(({ status }) => status);
    same(statuses, id <= 6 ? [204, 412, 412, 204] : [412, 412, 412, 412], 'the statuses');
  },
};
