import { UNOBSERVED } from '../../support/unobserved.js';
import { expect } from 'chai';
import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { handleRequest } from '../../../src/data-api/pipeline.js';
import { createDescriptions } from '../../../src/data-api/document/describe.js';
import { createSnapshots } from '../../../src/data-api/snapshot.js';
import type { BatchResult } from '../../../src/postgres/batch.js';
import type { Pool } from '../../../src/postgres/pool.js';
import { BatchAborted } from '../../../src/postgres/postgres-error.js';
import { RequestClient } from '../../../src/http/exchange.js';
import { FILM_CACHE } from '../../support/data-api/film-cache.js';
import { NO_STREAMS } from '../../support/data-api/no-streams.js';
import { DATA_API_SETTINGS, requestOf } from '../../support/data-api/pipeline.js';

/** A pool whose batches have a long body, and fail if `failure` rejects. */
function poolOfLongBodies(values: readonly string[], failure: Promise<BatchResult>) {
  const bodies: Writable[] = [];
  const pool: Pool = {
    run(batch) {
      const body = batch.openBody?.(values, 1_000_000) ?? null;
      if (body !== null) bodies.push(body);
      return failure;
    },
    get state(): Pool['state'] {
      throw new Error('the pool has no state');
    },
    openStream: () => Promise.reject(new Error('no stream is opened')),
    renew: () => undefined,
    close: () => Promise.resolve(),
  };
  const snapshot = createSnapshots({
    createDescriptions,
    pool,
    replicas: null,
    pathPrefix: '',
    compatible: false,
    slowLog: { observe: UNOBSERVED, reportedAt: 0, leftOut: 0 },
    streams: NO_STREAMS,
    allowList: { has: () => false, record: () => undefined },
    keptBytes: { current: () => Promise.resolve(0), add: () => undefined },
    cursorSecret: Buffer.alloc(32),
  }).use(FILM_CACHE, DATA_API_SETTINGS);
  return { bodies, snapshot };
}

describe('a long body without a reader', () => {
  it('is closed if its client disconnected before it began, and its batch may fail later', async () => {
    const { promise, reject } = withRejection();
    const { bodies, snapshot } = poolOfLongBodies(['1'], promise);
    const client = new RequestClient('');
    client.abort();
    await handleRequest({ ...requestOf('GET /films'), caller: client }, snapshot);
    expect(bodies.map(({ destroyed }) => destroyed)).to.deep.equal([true]);
    reject(new BatchAborted());
    await turn();
  });

  it('does not end the process if its batch fails', async () => {
    const { promise, reject } = withRejection();
    const { bodies, snapshot } = poolOfLongBodies(['1'], promise);
    await handleRequest(requestOf('GET /films'), snapshot);
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    const mocha = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', note);
    reject(new BatchAborted());
    await turn();
    await turn();
    process.removeListener('uncaughtException', note);
    for (const listener of mocha) process.on('uncaughtException', listener);
    expect(uncaught).to.deep.equal([]);
    expect(bodies.map(({ destroyed }) => destroyed)).to.deep.equal([true]);
  });

  it('is closed if no reply can be made of its result', async () => {
    const { bodies, snapshot } = poolOfLongBodies(['1', 'no JSON', ''], new Promise(() => undefined));
    const call = handleRequest(requestOf('GET /films?select=id'), snapshot);
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'DBR111');
    expect(bodies.map(({ destroyed }) => destroyed)).to.deep.equal([true]);
  });
});

function withRejection() {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<BatchResult>((_resolve, fail) => (reject = fail));
  return { promise, reject };
}
