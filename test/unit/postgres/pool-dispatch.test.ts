import { expect } from 'chai';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import { createConnectionOpener, emptySlots, fill } from '../../../src/postgres/pool-connections.js';
import type { PipelinedConnection } from '../../../src/postgres/connection.js';
import {
  createRequest,
  type Lease,
  type Scheduler,
  USES,
  waitAgain,
} from '../../../src/postgres/pool-dispatch.js';
import { createPoolQueues } from '../../../src/postgres/pool-queues.js';
import { POOL_OPTIONS, query, read } from '../../support/postgres/batches.js';

const CONNECTION: PipelinedConnection = {
  send: () => undefined,
  cancel: () => Promise.resolve(true),
  pause: () => undefined,
  resume: () => undefined,
  close: () => Promise.resolve(),
  abort: () => undefined,
  server: { host: 'db.example', port: 5432 },
  processId: 1,
  isSilent: () => false,
  awaitsResponse: () => false,
};

describe('a batch that gave way', () => {
  it('starts again at once where a connection has come free, and no other event follows', async () => {
    const database = openDatabase('postgresql://db.example', { poolSize: 1 });
    const slots = emptySlots(2);
    for (const slot of slots) fill(slot, CONNECTION, Infinity, performance.now());
    const started: Lease[] = [];
    const scheduler: Scheduler = {
      slots,
      leases: new Map(slots.map((slot) => [slot, []])),
      view: { slots, depth: 8, capacity: slots.length, now: 0 },
      queues: createPoolQueues({
        kinds: USES,
        acquisitionTimeoutMs: 60_000,
        limit: 10,
        onRefused: () => undefined,
      }),
      opener: createConnectionOpener({
        database,
        slots,
        connection: { prepared: true, statementCapacity: 1, onNotice: () => undefined },
        maxLifetimeMs: 0,
        onLost: () => undefined,
        onSettled: () => undefined,
        onUnreachable: () => undefined,
        name: 'data',
        observe: POOL_OPTIONS.observe,
      }),
      start: (lease) => void started.push(lease),
      hasOtherServers: false,
      closed: false,
      nextUse: 0,
      checkTimer: null,
    };
    const request = createRequest(
      read(query('select 1')),
      { client: '', signal: null },
      () => undefined,
      () => undefined,
    );
    try {
      waitAgain(scheduler, request);
      expect(started.map((lease) => [lease.request, lease.slot.use])).to.deep.equal([[request, 'brief']]);
    } finally {
      clearTimeout(scheduler.checkTimer ?? undefined);
      scheduler.closed = true;
      await closeDatabase(database);
    }
  });
});
