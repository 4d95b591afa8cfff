import { dbrError } from '../../errors/dbr-error.js';
import type { MainResult } from '../execute/main-result.js';
import type { ReadPlan } from '../plan/plan.js';
import type { Seek } from '../plan/read-node.js';
import { type PageStart, writeCursor } from '../request/cursor.js';
import { encodedQuery } from '../request/query-string.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import { nullsFirst } from '../sql/seek.js';
import type { Header } from './header-text.js';

/**
 * Returns the Link header of a page of keyset pagination (RFC 8288): the next page, and the one before.
 * The link of a QUERY with a long body has the parameters of its URL alone: the client sends the body again.
 * @throws DBR145 for values that are too long for a cursor
 */
export function pageLinks(
  { path, root }: ReadPlan,
  result: MainResult,
  { request, linkPairs }: Pick<ShapedRequest, 'request' | 'linkPairs'>,
): readonly Header[] {
  const { seek, range } = root;
  if (seek === undefined || range.limit === null || result.next === null) return [];
  const limit = Number(range.limit);
  const query = encodedQuery(linkPairs);
  const linkTo = (start: PageStart, rel: 'next' | 'prev'): string => {
    const after = start.kind === 'first' ? [] : [`after=${cursorOf(start, request.orderMark)}`];
    const parameters = [...(query === '' ? [] : [query]), ...after].join('&');
    return `<${path}${parameters === '' ? '' : `?${parameters}`}>; rel="${rel}"`;
  };
  const next = nextStart(seek, result, limit);
  const previous = previousStart(seek, result, limit);
  const links = [
    ...(next === null ? [] : [linkTo(next, 'next')]),
    ...(previous === null ? [] : [linkTo(previous, 'prev')]),
  ];
  return links.length === 0 ? [] : [['Link', links.join(', ')]];
}

function cursorOf(start: Exclude<PageStart, { kind: 'first' }>, mark: number): string {
  const cursor = writeCursor(start, mark);
  if (cursor !== null) return cursor;
  throw dbrError('KeysetNotPossible', { reason: 'The values of the order are too long for a cursor.' });
}

/** Whether the page is in the second part of the order: after the nulls of the leading term, or within them. */
function isSecondPart({ terms, start }: Seek): boolean {
  const [leading] = terms;
  if (leading === undefined || start !== 'row') return start === 'rest';
  return leading.nullable && (leading.operand === null) !== nullsFirst(leading.term);
}

function nextStart(seek: Seek, { next }: MainResult, limit: number): PageStart | null {
  if (next === null) return null;
  if (next.count > limit && next.key !== null) return { kind: 'row', values: next.key };
  const [leading] = seek.terms;
  const endsPart = seek.start === 'row' && leading?.nullable === true && !isSecondPart(seek);
  return endsPart ? { kind: 'rest' } : null;
}

function previousStart(seek: Seek, { previous }: MainResult, limit: number): PageStart | null {
  if (previous === null || previous.count === 0) return null;
  if (previous.count > limit && previous.key !== null) return { kind: 'row', values: previous.key };
  return seek.start === 'row' && isSecondPart(seek) ? { kind: 'rest' } : { kind: 'first' };
}
