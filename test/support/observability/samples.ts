import type { RequestFinished, RouterCallFinished } from '../../../src/observability/observation.js';

/** A successful read of the data API. */
export const REQUEST: RequestFinished = {
  kind: 'request-finished',
  requestId: 'r-1',
  method: 'GET',
  path: '/films',
  status: 200,
  durationMs: 2,
  startedAt: 100,
  who: 'reader',
  client: '192.0.2.1',
  scheme: 'http',
  reason: undefined,
  code: undefined,
  area: 'data-api',
  operation: 'data-api',
  route: '/{relation}',
  resource: { kind: 'relation', name: 'films' },
  timings: null,
  trace: null,
  isStream: false,
};

/** A successful call of the router. */
export const CALL: RouterCallFinished = {
  kind: 'router-call-finished',
  method: 'SendMessages',
  code: 'OK',
  codeNumber: 0,
  party: 'user',
  startedAt: 100,
  durationSeconds: 0.002,
  isStream: false,
  trace: null,
};
