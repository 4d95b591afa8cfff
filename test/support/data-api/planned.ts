/** Requests as plans and statements, without a database. */
import { planGraph } from '../../../src/data-api/graph/plan-graph.js';
import { type PlanContext, releaseRules } from '../../../src/data-api/plan/plan-context.js';
import { planRequest } from '../../../src/data-api/plan/plan-request.js';

import type { Plan } from '../../../src/data-api/plan/plan.js';
import type { ApiRequest } from '../../../src/data-api/request/api-request.js';
import { readRequest } from './read-request.js';
import type { MainStatement } from '../../../src/data-api/sql/main-statement.js';
import { planSql } from '../../../src/data-api/prepare/prepared-plan.js';
import { FILM_CACHE } from './film-cache.js';

export interface RequestParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly context?: Partial<PlanContext>;
  /** The page of keyset pagination. */
  readonly page?: ApiRequest['page'];
}

/** @param line method and URL, as `GET /films?id=eq.1` */
export function requestOf(line: string, { headers = {}, body = '' }: RequestParts = {}): ApiRequest {
  const [method = '', url = ''] = line.split(/ (.*)/s);
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  return readRequest(
    { method, path, query, headers, body: Buffer.from(body) },
    { schemas: ['api'], allowTx: true, isTimezone: (name) => name === 'Europe/Vienna' },
  );
}

export function planOf(line: string, parts: RequestParts = {}): Plan {
  const request = requestOf(line, parts);
  return planRequest(parts.page === undefined ? request : { ...request, page: parts.page }, {
    cache: FILM_CACHE,
    role: 'reader',
    pathPrefix: '',
    maxRows: null,
    aggregatesEnabled: true,
    rules: releaseRules('12', true, false),
    planEnabled: false,
    extraSearchPath: [],
    root: { kind: 'document', version: '2.0' },
    planGraph,
    ...parts.context,
  });
}

export function statementOf(line: string, parts: RequestParts = {}): MainStatement {
  const plan = planOf(line, parts);
  if (plan.kind === 'inspect' || plan.kind === 'document') throw new Error('the plan has no statement');
  return planSql(plan);
}

/** The text between the select list around the body and the end: the rows, without indentation. */
export function rowsOf(line: string, parts: RequestParts = {}): string {
  const lines = statementOf(line, parts).text.split('\n');
  const start = lines.lastIndexOf('  from (');
  return lines
    .slice(start + 1, lines.indexOf('  ) as "answer"', start))
    .map((each) => each.slice(4))
    .join('\n');
}

/** Removes the indentation that a text has in a test. */
export function unindented(text: string): string {
  const lines = text
    .replace(/^\n/, '')
    .replace(/\n\s*$/, '')
    .split('\n');
  const margin = Math.min(...lines.filter((line) => line !== '').map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(margin)).join('\n');
}
