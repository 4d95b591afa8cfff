/** Recorded reads as QUERY: the query of the URL in the body. */
import { readPairs } from '../../../src/data-api/request/query-string.js';

/** A recorded request. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | null;
}

/** A recorded case. */
interface Case<Step> {
  readonly steps: readonly Step[];
}

/** The media type of the body. */
export type QueryForm = 'form' | 'json';

/** Returns the case with its reads as QUERY; null if it has none, or none that this form can express. */
export function asQueries<Step extends { readonly request: Request }, Recorded extends Case<Step>>(
  testCase: Recorded & Case<Step>,
  form: QueryForm,
): Recorded | null {
  let changed = false;
  const steps = testCase.steps.map((step): Step => {
    const request = asQuery(step.request, form);
    if (request === null) return step;
    changed = true;
    return { ...step, request };
  });
  return changed ? { ...testCase, steps } : null;
}

function asQuery(request: Request, form: QueryForm): Request | null {
  const mark = request.path.indexOf('?');
  const path = mark < 0 ? request.path : request.path.slice(0, mark);
  if (request.method !== 'GET' || path === '/' || request.body != null) return null;
  const query = mark < 0 ? '' : request.path.slice(mark + 1);
  const body = form === 'form' ? query : jsonOf(query);
  if (body === null) return null;
  const headers = Object.entries(request.headers ?? {}).filter(
    ([name]) => name.toLowerCase() !== 'content-type',
  );
  return {
    method: 'QUERY',
    path,
    headers: {
      ...Object.fromEntries(headers),
      'Content-Type': form === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
    },
    body,
  };
}

/** Parameters of which a query string uses one, where an array of JSON is a list, or is refused. */
const SINGLE = /^(?:select|columns|on_conflict)$|(?:^|\.)(?:order|limit|offset)$/;

/**
 * Returns null for a query that no JSON object of strings expresses: parameters without a value, those that are there
 * twice although one is used, invalid UTF-8.
 */
function jsonOf(query: string): string | null {
  const pairs = readPairs(query);
  if (pairs === null) return null;
  const members = new Map<string, string[]>();
  for (const { key, value } of pairs) {
    if (value === null || (SINGLE.test(key) && members.has(key))) return null;
    members.set(key, [...(members.get(key) ?? []), value]);
  }
  const values = [...members].map(([key, texts]) => [key, texts.length === 1 ? texts[0] : texts] as const);
  return JSON.stringify(Object.fromEntries(values));
}
