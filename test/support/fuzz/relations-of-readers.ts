/** JSON, NDJSON and CSV have the same values, as readers that are not ours see them. */
import fc from 'fast-check';
import { isLosslessNumber, parse } from 'lossless-json';
import { readCsv } from '../read-csv.js';
import { pathOf, same, type Relation } from './relation.js';
import type { Pair } from './request-model.js';

/** Columns of `fuzz.readings`, whose values readers lose: digits, quotes, ends of lines, empty texts beside null. */
const COLUMNS = ['id', 'long', 'exact', 'tiny', 'note', 'flag', 'day'] as const;

interface ReadersCase {
  readonly columns: readonly string[];
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

export const readers: Relation<ReadersCase> = {
  arbitrary: fc.record({
    columns: fc.shuffledSubarray([...COLUMNS], { minLength: 1 }),
    descending: fc.boolean(),
    limit: fc.integer({ min: 1, max: 40 }),
    offset: fc.integer({ min: 0, max: 10 }),
  }),
  async check({ columns, descending, limit, offset }, client) {
    const pairs: readonly Pair[] = [
      ['select', columns.join(',')],
      ['order', descending ? 'id.desc' : 'id'],
      ['limit', String(limit)],
      ['offset', String(offset)],
    ];
    const path = pathOf('readings', pairs);
    const textOf = async (Accept: string, Prefer = 'count=none'): Promise<string> =>
      (await client.send({ method: 'GET', path, headers: { Accept, Prefer } })).text;
    const [json, lines, csv, streamed] = await Promise.all([
      textOf('application/json'),
      textOf('application/x-ndjson'),
      textOf('text/csv;dialect=rfc4180'),
      textOf('text/csv;dialect=rfc4180', 'stream'),
    ]);
    const rows = recordsOf(parse(json));
    const ofLines = lines.split('\n').filter((line) => line !== '');
    same(recordsOf(ofLines.map((line) => parse(line))), rows, `NDJSON of ${path}`);
    const expected = [columns, ...rows.map((row) => columns.map((name) => textInCsv(row.get(name))))];
    same(readCsv(csv), expected, `CSV of ${path}`);
    same(readCsv(streamed), expected, `streamed CSV of ${path}`);
  },
};

type Scalar = string | boolean | null | { readonly digits: string };

function recordsOf(value: unknown): readonly ReadonlyMap<string, Scalar>[] {
  if (!Array.isArray(value)) throw new Error('the rows are no array');
  return value.map((row: unknown) => {
    if (typeof row !== 'object' || row === null) throw new Error('a row is no object');
    return new Map(Object.entries(row).map(([name, each]) => [name, scalarOf(each)]));
  });
}

function scalarOf(value: unknown): Scalar {
  if (isLosslessNumber(value)) return { digits: value.toString() };
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  throw new Error(`${JSON.stringify(value)} is no scalar`);
}

/** PostgreSQL writes booleans as t and f, and numbers with all of their digits. */
function textInCsv(value: Scalar | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return typeof value === 'string' ? value : value.digits;
}
