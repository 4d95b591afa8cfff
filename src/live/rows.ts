/** The rows of an answer by their primary keys, and the difference of two answers. */
import type { Sliced } from '../base/turns.js';
import { elementsOfJson, membersOfJson } from '../data-api/request/json-reader.js';

/** Most rows of an answer that are compared by their keys, which takes a few milliseconds; longer ones are sent whole. */
const MOST_ROWS = 5000;

/** Rows and keys are JSON texts as PostgreSQL wrote them, so that no digit is lost. A key is an array of values. */
export interface KeyedRows {
  /** The keys in the order of the rows. */
  readonly keys: readonly string[];
  /** The values of each key. */
  readonly keyValues: readonly (readonly string[])[];
  readonly byKey: ReadonlyMap<string, string>;
}

/**
 * Reads the rows of a body.
 * @param body a JSON array of objects
 * @param names the members that are the key
 * @returns null if a row has no key, two rows have the same one, or there are too many
 */
export function* readRows(body: Buffer, names: readonly string[]): Sliced<KeyedRows | null> {
  const rows = yield* elementsOfJson(body, Infinity);
  if (rows === null || rows.length > MOST_ROWS) return null;
  const byKey = new Map<string, string>();
  const keyValues: (readonly string[])[] = [];
  for (const row of rows) {
    const members = yield* membersOfJson(row, Infinity);
    const values = new Map(members?.map(({ name, value }) => [name, value]));
    const key: string[] = [];
    for (const name of names) {
      const value = values.get(name);
      if (value === undefined) return null;
      key.push(value.toString());
    }
    keyValues.push(key);
    byKey.set(`[${key.join(',')}]`, row.toString());
  }
  return byKey.size === rows.length ? { keys: [...byKey.keys()], keyValues, byKey } : null;
}

/** How the rows of one answer become the rows of the next one. */
interface RowChange {
  /** Rows that are new or differ. */
  readonly upsert: readonly string[];
  /** Keys of rows that the next answer lacks. */
  readonly deleted: readonly string[];
  /** All keys in their order; null if rows stay in place and new ones follow at the end, in the order of `upsert`. */
  readonly order: readonly string[] | null;
}

export function changeOfRows(before: KeyedRows, after: KeyedRows): RowChange {
  const changed = after.keys.filter((key) => before.byKey.get(key) !== after.byKey.get(key));
  const deleted = before.keys.filter((key) => !after.byKey.has(key));
  const kept = before.keys.filter((key) => after.byKey.has(key));
  const added = changed.filter((key) => !before.byKey.has(key));
  const folded = [...kept, ...added];
  const isInPlace = after.keys.every((key, index) => key === folded[index]);
  return {
    upsert: changed.map((key) => after.byKey.get(key) ?? ''),
    deleted,
    order: isInPlace ? null : after.keys,
  };
}

/** The data of the event `change`. @param total the number of all rows if it is counted and has changed; otherwise null */
export function changeText(
  names: readonly string[] | null,
  change: RowChange | null,
  total: bigint | null,
): string {
  const members: string[] = [];
  if (names !== null) members.push(`"key":${JSON.stringify(names)}`);
  if (change !== null) {
    members.push(`"upsert":[${change.upsert.join(',')}]`, `"delete":[${change.deleted.join(',')}]`);
    if (change.order !== null) members.push(`"order":[${change.order.join(',')}]`);
  }
  if (total !== null) members.push(`"total":${String(total)}`);
  return `{${members.join(',')}}`;
}

export const isNoChange = ({ upsert, deleted, order }: RowChange): boolean =>
  upsert.length === 0 && deleted.length === 0 && order === null;
