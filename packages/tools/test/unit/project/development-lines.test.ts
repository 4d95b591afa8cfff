import { expect } from 'chai';
import { createDevelopmentLines } from '../../../src/project/development-lines.js';
import type { Observation } from '../../../../../src/observability/observation.js';
import { ConnectFailed } from '../../../../../src/postgres/postgres-error.js';

const REQUEST: Extract<Observation, { readonly kind: 'request-finished' }> = {
  kind: 'request-finished',
  ...{ requestId: '', method: 'GET', path: '/notes', status: 200, durationMs: 3.4, startedAt: 0 },
  ...{ who: '', client: '', scheme: 'http', reason: undefined, code: undefined, area: 'data-api' },
  ...{ operation: '', route: null, resource: null, timings: null, trace: null, isStream: false },
};
const DOWN = new ConnectFailed('connection refused\n  Is it running?', null);

describe('the lines of dbr dev', () => {
  const shown = (observations: readonly Observation[]): readonly string[] => {
    const lines: string[] = [];
    const shows = createDevelopmentLines(
      (line) => lines.push(line),
      (line) => lines.push(`! ${line}`),
    );
    for (const each of observations) if (!shows(each)) lines.push(`log: ${each.kind}`);
    return lines;
  };

  it('are one for a request and for a schema', () => {
    expect(
      shown([
        { kind: 'schema-cache-loaded', generation: 1, seconds: 1, tables: 7 },
        { kind: 'schema-cache-loaded', generation: 2, seconds: 1, tables: 1 },
        REQUEST,
        { ...REQUEST, method: 'POST', status: 404, code: '42P01' },
        { kind: 'development-secret', host: '127.0.0.1' },
      ]),
    ).to.deep.equal([
      'schema read: 7 tables',
      'schema read: 1 table',
      'GET /notes 200 3 ms',
      'POST /notes 404 3 ms 42P01',
      'log: development-secret',
    ]);
  });

  it('are one for an outage, and one for its end', () => {
    const lost: readonly Observation[] = [
      { kind: 'change-feed-lost', error: 'lost', retryInSeconds: 1 },
      { kind: 'background-work-failed', work: 'API keys', error: DOWN },
      { kind: 'database-down', pool: 'data', error: DOWN, retryInSeconds: 1 },
      { kind: 'schema-cache-failed', error: DOWN, retryInSeconds: 1 },
      { kind: 'database-down', pool: 'service', error: DOWN, retryInSeconds: 1 },
      { kind: 'database-down', pool: 'data', error: DOWN, retryInSeconds: 2 },
      { kind: 'background-work-failed', work: 'API keys', error: new Error('a fault of another kind') },
      { kind: 'database-up', pool: 'data' },
      { kind: 'database-up', pool: 'service' },
      { kind: 'database-up', pool: 'router' },
    ];
    expect(shown(lost)).to.deep.equal([
      '! the database cannot be reached: connection refused Is it running?',
      'log: background-work-failed',
      'the database can be reached again',
    ]);
  });
});
