/** Relations between reads of the same rows. */
import fc from 'fast-check';
import { condition, group } from './arbitrary-conditions.js';
import { order, read, relationName, selection } from './arbitrary-requests.js';
import type { FuzzClient } from './fuzz-client.js';
import { columnsOf, EMBEDS, keyOf, keyOfEmbed, type RelationName } from './fuzz-schema.js';
import { pathOf, rowsOf, same, scalarText, type Relation, type Row } from './relation.js';
import {
  conditionText,
  pairsOf,
  termsText,
  type Condition,
  type Group,
  type Item,
  type Pair,
  type Read,
  type Selection,
} from './request-model.js';

/** The keys of the rows of a read as text, sorted; without `select`, the keys are read alone. */
export const idsOf = async (
  client: FuzzClient,
  relation: RelationName,
  pairs: readonly Pair[],
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> => {
  const key = keyOf(relation);
  const selects = pairs.some(([name]) => name === 'select');
  const selected: readonly Pair[] = selects ? pairs : [['select', key.join(',')], ...pairs];
  const rows = await rowsOf(client, pathOf(relation, selected), headers);
  return rows.map((row) => JSON.stringify(key.map((name) => row[name]))).sort();
};

/** Operators that are true or false for null. */
const DEFINITE: ReadonlySet<string> = new Set(['is', 'isdistinct']);

interface PartitionCase {
  readonly relation: RelationName;
  /** Conditions of one shape, which differ by their values. */
  readonly conditions: readonly Condition[];
}

const shapeOf = ({ column, operator, modifier, operand }: Condition): string =>
  [column, operator, modifier, operator === 'is' && operand.kind === 'value' ? operand.text : ''].join(' ');

/** rows(p) + rows(not p) + rows(p is null) = all rows, each once. */
export const partition: Relation<PartitionCase> = {
  arbitrary: relationName.chain((relation) =>
    fc.array(condition(relation), { minLength: 1, maxLength: 40 }).map(([first, ...more]) => ({
      relation,
      conditions:
        first === undefined ? [] : [first, ...more.filter((each) => shapeOf(each) === shapeOf(first))],
    })),
  ),
  async check({ relation, conditions }, client) {
    const all = await idsOf(client, relation, []);
    await Promise.all(
      conditions.map(async (each) => {
        const is = (negated: boolean): Pair => [each.column, conditionText({ ...each, negated })];
        const parts = await Promise.all([
          idsOf(client, relation, [is(false)]),
          idsOf(client, relation, [is(true)]),
          DEFINITE.has(each.operator) ? [] : idsOf(client, relation, [[each.column, 'is.null']]),
        ]);
        same(parts.flat().sort(), all, `the parts by ${conditionText(each)}`);
      }),
    );
  },
};

/** not and(…) = or(not …), and each row is in a group or in its negation, or the group is null for it. */
export const logic: Relation<{ readonly relation: RelationName; readonly group: Group }> = {
  arbitrary: relationName.chain((relation) => group(relation).map((each) => ({ relation, group: each }))),
  async check({ relation, group: { terms, negated, group: operator } }, client) {
    const negatedTerms = terms.map((term) => ({ ...term, negated: !term.negated }));
    const other = operator === 'and' ? 'or' : 'and';
    const text = termsText(terms);
    const [all, plain, turned, whole] = await Promise.all([
      idsOf(client, relation, []),
      idsOf(client, relation, [[`${negated ? 'not.' : ''}${operator}`, text]]),
      idsOf(client, relation, [[`${negated ? '' : 'not.'}${other}`, termsText(negatedTerms)]]),
      idsOf(client, relation, [['or', `(and${text},not.and${text})`]]),
    ]);
    same(turned, plain, 'the negated group of negated terms');
    const known = new Set(all);
    if (whole.some((id) => !known.has(id)) || new Set(whole).size !== whole.length)
      throw new Error('a group gives rows that are not there');
  },
};

interface PagesCase {
  readonly read: Read;
  readonly size: number;
  /** Whether `Range` says what `limit` and `offset` say. */
  readonly byHeader: boolean;
}

/** The pages of a read, by offset, by `Range` and by key in both directions, are the whole. */
export const pages: Relation<PagesCase> = {
  arbitrary: fc.record({ read, size: fc.integer({ min: 2, max: 20 }), byHeader: fc.boolean() }),
  async check({ read: { relation, selection: selected }, size, byHeader }, client) {
    const keys = keyOf(relation).map((field, index): Item => ({ field, alias: `k${String(index)}` }));
    const unbounded: Selection = {
      ...{ ...selected, limit: null, offset: null },
      items: selected.items.length === 0 ? [] : [...selected.items, ...keys],
    };
    const all = pathOf(relation, pairsOf(unbounded));
    const whole = await rowsOf(client, all);
    const offsets = Array.from({ length: Math.floor(whole.length / size) + 1 }, (_, index) => index * size);
    const byOffset = await Promise.all(
      offsets.map((offset) =>
        byHeader
          ? rowsOf(client, all, { Range: `${String(offset)}-${String(offset + size - 1)}` })
          : rowsOf(client, pathOf(relation, pairsOf({ ...unbounded, limit: size, offset }))),
      ),
    );
    same(byOffset.flat(), whole, 'the pages');
    await checkPagesByKey(client, pathOf(relation, pairsOf({ ...unbounded, limit: size })), whole);
  },
};

interface Page {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly previous: string | null;
}

async function pageOf(client: FuzzClient, path: string): Promise<Page> {
  const headers = { Prefer: 'pagination=keyset' };
  const { status, text, headers: answered } = await client.send({ method: 'GET', path, headers });
  if (status !== 200 && status !== 206) throw new Error(`GET ${path} gives ${String(status)}: ${text}`);
  const link = answered['link'] ?? '';
  return {
    rows: JSON.parse(text) as readonly Row[],
    next: /<([^>]*)>; ?rel="next"/.exec(link)?.[1] ?? null,
    previous: /<([^>]*)>; ?rel="prev"/.exec(link)?.[1] ?? null,
  };
}

async function checkPagesByKey(client: FuzzClient, first: string, whole: readonly Row[]): Promise<void> {
  const rows: Row[] = [];
  let page = await pageOf(client, first);
  let start: number;
  for (let count = 0; ; count += 1) {
    if (count > whole.length + 1) throw new Error(`the pages of ${first} have no end`);
    start = rows.length;
    rows.push(...page.rows);
    if (page.next === null) break;
    page = await pageOf(client, page.next);
  }
  same(rows, whole, 'the pages by key');
  for (let count = 0; page.previous !== null; count += 1) {
    if (count > whole.length + 1) throw new Error(`the pages before the last of ${first} have no end`);
    page = await pageOf(client, page.previous);
    const at = page.rows.length === 0 ? 0 : indexOfRow(whole, page.rows[0]);
    same(page.rows, whole.slice(at, at + page.rows.length), 'a page before');
    if (start > 0 && (at >= start || at + page.rows.length < start))
      throw new Error(`the page before row ${String(start)} is that of row ${String(at)}`);
    start = at;
  }
  same(start, 0, 'the first row of the first page');
}

function indexOfRow(rows: readonly Row[], row: Row | undefined): number {
  const text = JSON.stringify(row);
  return rows.findIndex((each) => JSON.stringify(each) === text);
}

interface EmbedCase {
  readonly relation: RelationName;
  readonly which: number;
  readonly child: Selection;
}

const joined = (relation: RelationName) => EMBEDS[relation].filter(({ join }) => join !== null);

const NO_ROWS: Promise<readonly Row[]> = Promise.resolve([]);

/** An embed has the rows that a second request gives for each parent, and counts them. */
export const embeds: Relation<EmbedCase> = {
  arbitrary: relationName
    .filter((relation) => joined(relation).length > 0)
    .chain((relation) =>
      fc.nat({ max: joined(relation).length - 1 }).chain((which) =>
        selection(joined(relation)[which]?.relation ?? relation, 1).map((child) => ({
          relation,
          which,
          child,
        })),
      ),
    ),
  async check({ relation, which, child }, client) {
    const found = joined(relation)[which];
    if (found?.join == null) return;
    const { name, relation: target, one } = found;
    const [own, parent] = found.join;
    const read = one ? { ...child, limit: null, offset: null, order: [] } : child;
    const items = [...new Set([...keyOf(relation), parent])].map((field) => ({ field, alias: '' }));
    const parents: Selection = {
      ...{ items, conditions: [], groups: [], order: keyOf(relation), limit: 12, offset: null },
      embeds: [{ name, relation: target, alias: 'embedded', one, join: '', spread: false, read }],
    };
    const rows = await rowsOf(client, pathOf(relation, pairsOf(parents)));
    const embedded = await Promise.all(
      rows.map((row) =>
        row[parent] === null
          ? NO_ROWS
          : rowsOf(client, pathOf(target, [...pairsOf(read), [own, `eq.${scalarText(row[parent])}`]])),
      ),
    );
    same(
      rows.map((row) => row['embedded']),
      embedded.map((each) => (one ? (each[0] ?? null) : each)),
      `${name} of ${relation}`,
    );
  },
};

/** `embed=is.null` and `embed=not.is.null` part the rows, and `!inner` gives the rows of the second. */
export const present: Relation<EmbedCase> = {
  arbitrary: relationName.chain((relation) =>
    fc.nat({ max: EMBEDS[relation].length - 1 }).chain((which) =>
      selection(EMBEDS[relation][which]?.relation ?? relation, 0).map((child) => ({
        relation,
        which,
        child,
      })),
    ),
  ),
  async check({ relation, which, child }, client) {
    const found = EMBEDS[relation][which];
    if (found === undefined) return;
    const { name, relation: target, one } = found;
    const read = { ...child, limit: null, offset: null, order: [] };
    const idsWith = (join: '' | '!inner', pairs: readonly Pair[]) => {
      const items = keyOf(relation).map((field) => ({ field, alias: '' }));
      const whole = { items, conditions: [], groups: [], order: [], limit: null, offset: null };
      const embed = { name, relation: target, alias: '', one, join, spread: false, read };
      return idsOf(client, relation, [...pairs, ...pairsOf({ ...whole, embeds: [embed] })]);
    };
    const key = keyOfEmbed(name);
    const [all, without, withRows, inner] = await Promise.all([
      idsOf(client, relation, []),
      idsWith('', [[key, 'is.null']]),
      idsWith('', [[key, 'not.is.null']]),
      idsWith('!inner', []),
    ]);
    same([...without, ...withRows].sort(), all, `the parts by ${key}`);
    same(inner, withRows, `${key}!inner`);
  },
};

/** An order sorts: its first column never goes back, with nulls at one end. */
export const ordered: Relation<{ readonly terms: readonly string[] }> = {
  arbitrary: order('films').map((terms) => ({ terms })),
  async check({ terms }, client) {
    const [first = 'id'] = terms;
    const [column = 'id'] = first.split('.');
    if (columnsOf('films')[column] !== 'integer') return;
    const sorted: Pair = ['order', terms.join(',')];
    const rows = await rowsOf(client, pathOf('films', [['select', column], sorted]));
    const values = rows.map((row) => row[column]);
    const numbers = values.flatMap((value) => (typeof value === 'number' ? [value] : []));
    const descending = first.includes('.desc');
    const expected = numbers.toSorted((a, b) => (descending ? b - a : a - b));
    const nullsFirst = first.includes('nullsfirst') || (descending && !first.includes('nullslast'));
    const nulls = values.filter((value) => value === null);
    same(values, nullsFirst ? [...nulls, ...expected] : [...expected, ...nulls], 'the order');
  },
};
