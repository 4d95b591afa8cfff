/** Requests that delete several rows by their keys, and what became of them. */
import type { RelationDetail } from '../../../server/answers.js';
import { profileOf } from '../data-request.js';
import { isObject, type Json } from '../json.js';
import { filterKey, inQuotes, pathOf, quoted } from '../names.js';
import { targetOf, type ApiRequest } from '../request.js';

/** Longest list of keys in a path, in characters: a line of a request has a bound. */
const LONGEST_LIST = 4000;

type Key = readonly string[];

const term = (relation: RelationDetail, key: Key): string =>
  relation.primaryKey.length === 1
    ? inQuotes(key[0] ?? '')
    : `and(${relation.primaryKey.map((name, index) => `${quoted(name)}.eq.${inQuotes(key[index] ?? '')}`).join(',')})`;

const pairOf = ({ primaryKey: [name = '', ...others] }: RelationDetail, terms: readonly string[]) =>
  others.length === 0
    ? ([filterKey(name), `in.(${terms.join(',')})`] as const)
    : (['or', `(${terms.join(',')})`] as const);

/** Keys whose terms fit into one request each. */
function portions(relation: RelationDetail, keys: readonly Key[]): readonly (readonly string[])[] {
  const made: string[][] = [];
  let length = LONGEST_LIST;
  for (const text of keys.map((key) => term(relation, key))) {
    length += text.length;
    if (length > LONGEST_LIST) {
      made.push([]);
      length = text.length;
    }
    made.at(-1)?.push(text);
  }
  return made;
}

/** Deletes the rows in one transaction: by one request, or by a batch where the keys are too long for one. Null without keys. */
export function deleteRequest(
  relation: RelationDetail,
  keys: readonly Key[],
  schemas: readonly { readonly name: string }[],
): ApiRequest | null {
  const headers = { Prefer: 'count=exact', ...profileOf(relation.schema, schemas, 'DELETE') };
  const [first, ...others] = portions(relation, keys).map((terms): ApiRequest => ({
    method: 'DELETE',
    path: pathOf(relation.name),
    columns: relation.columns,
    query: [pairOf(relation, terms)],
    headers,
  }));
  if (first === undefined || others.length === 0) return first ?? null;
  return {
    method: 'POST',
    path: '/',
    headers: { 'Content-Type': 'application/vnd.dbr.batch+json' },
    body: [first, ...others].map((item) => ({ method: 'DELETE', path: targetOf(item), headers })),
  };
}

/** The number of rows that a request of `deleteRequest` has deleted. */
export function deletedRows(headers: Headers, body: Json | undefined): number {
  if (!Array.isArray(body)) return totalOf(headers.get('Content-Range'));
  return (body as readonly Json[]).reduce<number>((sum, item) => {
    const given = isObject(item) && isObject(item['headers']) ? item['headers']['Content-Range'] : null;
    return sum + totalOf(typeof given === 'string' ? given : null);
  }, 0);
}

const totalOf = (range: string | null): number => Number(range?.split('/')[1] ?? 0) || 0;
