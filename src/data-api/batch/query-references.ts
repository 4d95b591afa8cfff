/** References in the query of an item: `{order/0/id}` is a value of the answer to the item with the id `order`. */
import { dbrError } from '../../errors/dbr-error.js';
import { decodePathText } from '../request/query-string.js';
import type { QueryPair } from '../request/query-string.js';
import type { QueryValue } from '../request/api-request.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import type { Mark, Reference } from './batch-item.js';
import { readPointer } from './json-pointer.js';

/** Finds the item that a reference names. @throws DbrError if the item does not precede the one with the reference */
export type FindItem = (id: string, spelled: string) => number;

interface MarkedQuery {
  readonly query: string;
  readonly marks: readonly Mark[];
}

/** `{id}` or `{id/…}`. Braces in the values of array filters, `cs.{a,b}`, contain anything else. */
const REFERENCE = /\{([\w.-]{1,64})(\/[^{}&;]*)?\}/g;

/**
 * Replaces the references of a query by marks.
 * @param declared the ids that may be referred to; null for all
 * @param isItem whether an item has this id: `{id}` alone is a reference then, and text otherwise
 * @param prefix of the marks: text that no client can know
 * @throws DbrError InvalidBatchReference
 */
export function markReferences(
  query: string,
  declared: ReadonlySet<string> | null,
  isItem: (id: string) => boolean,
  findItem: FindItem,
  prefix: string,
): MarkedQuery {
  if (!query.includes('{')) return { query, marks: [] };
  const marks: Mark[] = [];
  const marked = query.replaceAll(REFERENCE, (spelled, id: string, path: string | undefined) => {
    if (declared === null ? path === undefined && !isItem(id) : !declared.has(id)) return spelled;
    const text = `${prefix}${String(marks.length)}z`;
    marks.push({ text, reference: readReference(id, path ?? '', spelled, findItem) });
    return text;
  });
  return { query: marked, marks };
}

function readReference(id: string, path: string, spelled: string, findItem: FindItem): Reference {
  const decoded = decodePathText(path);
  const pointer = decoded === null ? null : readPointer(decoded);
  if (pointer === null) throw dbrError('InvalidBatchReference', { reference: spelled, details: 'pointer' });
  return { item: findItem(id, spelled), pointer, spelled };
}

/** @throws DbrError InvalidBatchReference for a mark that is not in a value: in a name, a limit, an order */
export function requireMarksInValues(values: readonly QueryValue[], marks: readonly Mark[]): void {
  if (marks.length === 0) return;
  // The values are read once: a thousand marks would be searched in a thousand values otherwise.
  const found = new Set(values.flatMap((value) => [value].flat().flatMap((text) => text.match(MARK) ?? [])));
  for (const { text, reference } of marks)
    if (!found.has(text))
      throw dbrError('InvalidBatchReference', { reference: reference.spelled, details: 'place' });
}

/** The form of marks: the prefix of `readBatch`, the index of the item, and the number of the mark. */
const MARK = /dbr[0-9a-f]{18}n\d+n\d+z/g;

/** Without a pair, it has no UTF-8. JSON text may contain it as an escape. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

type Marked = Pick<ShapedRequest, 'values' | 'pairs' | 'linkPairs'>;

/** Puts the values of references in the place of their marks. @param valueOf text of the value of a mark */
export function withoutMarks(
  { values, pairs, linkPairs }: Marked,
  marks: readonly Mark[],
  valueOf: (mark: Mark) => string,
): Marked {
  const texts = new Map(marks.map((mark) => [mark.text, valueOf(mark)]));
  // Every mark is replaced in one pass: a text with a thousand of them would be copied a thousand times otherwise.
  const filled = (text: string, encode: (value: string) => string): string =>
    text.replaceAll(MARK, (mark) => {
      const value = texts.get(mark);
      return value === undefined ? mark : encode(value);
    });
  const replaced = (text: string): string => filled(text, (value) => value);
  const replacedPair = (pair: QueryPair): QueryPair => ({
    ...pair,
    value: pair.value === null ? null : replaced(pair.value),
    rawValue: filled(pair.rawValue, (value) =>
      encodeURIComponent(value.replaceAll(LONE_SURROGATE, '\ufffd')),
    ),
  });
  return {
    values: values.map((value) => (typeof value === 'string' ? replaced(value) : value.map(replaced))),
    pairs: pairs?.map(replacedPair) ?? null,
    linkPairs: linkPairs.map(replacedPair),
  };
}
