// Compiled by a test: every line after a @ts-expect-error must be refused by the compiler.
import type { CreateThingResponse, Handlers, ListThingsResponse, ThingsHandlers } from './expected/operations.js';
import { ROUTES, bindThingsHandlers } from './expected/operations.js';

const thing = { thingId: '0', colour: 'red', madeAt: '2026-01-01T00:00:00Z' } as const;

export const handlers: Handlers<{ readonly user: string }> = {
  listThings: async ({ query, headers }, { user }) => {
    const limit: number = query.limit;
    const colour: 'red' | 'green' | undefined = query.colour;
    const etag: string | undefined = headers['if-none-match'];
    return { status: 200, type: 'application/json', headers: { ETag: user }, body: [thing].slice(limit, (colour ?? etag ?? '').length) };
  },
  createThing: async ({ body }) => {
    const count: number = body.count;
    return { status: 201, type: 'application/json', body: { jsonText: [Buffer.from(String(count))] } };
  },
  deleteThing: async ({ path, body }) => {
    const why: string | undefined = body?.why;
    return { status: 204, headers: { 'X-Why': `${path.thingId} ${why ?? ''}` } };
  },
  streamThings: async () => ({ status: 200, type: 'text/event-stream', body: events() }),
};
async function* events(): AsyncIterable<string> {
  yield 'data: 1\n\n';
}
export const bound = bindThingsHandlers(handlers)[ROUTES[0].id];

// @ts-expect-error a handler is missing
export const missing: ThingsHandlers<null> = { listThings: handlers.listThings, createThing: handlers.createThing, deleteThing: handlers.deleteThing };
// @ts-expect-error the demanded header is missing
export const noHeader: ListThingsResponse = { status: 200, type: 'application/json', body: [] };
// @ts-expect-error the body is not as described
export const wrongBody: CreateThingResponse = { status: 201, type: 'application/json', body: { thingId: '0' } };
// @ts-expect-error errors are raised, not returned
export const returnedError: CreateThingResponse = { status: 400 };
// @ts-expect-error there is no such status
export const wrongStatus: ListThingsResponse = { status: 418 };
// @ts-expect-error there is no such parameter
export const misspelt: ThingsHandlers<null>['listThings'] = async ({ query }) => ({ status: 304, headers: { X: query.limits } });
