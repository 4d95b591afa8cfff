import { expect } from 'chai';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { createRemoteLimits, type RemoteLimits } from '../../../src/workers/remote-limits.js';
import {
  createSharedLimits,
  type SharedLimits,
  type WorkerLimits,
} from '../../../src/workers/shared-limits.js';
import type { LimitRequest } from '../../../src/workers/worker-messages.js';

interface Worker {
  readonly remote: RemoteLimits;
  readonly counts: WorkerLimits;
  /** The messages that the worker has sent. */
  readonly messages: (readonly LimitRequest[])[];
}

/** A worker whose messages reach the primary at once. */
function openWorker(shared: SharedLimits): Worker {
  const messages: (readonly LimitRequest[])[] = [];
  const counts = shared.openWorker();
  const remote = createRemoteLimits((requests) => {
    messages.push(requests);
    remote.receive(counts.handle(requests));
  });
  return { remote, counts, messages };
}

describe('limits of several workers', () => {
  it('grant as many requests as the limit together, with the time until the next', async () => {
    const shared = createSharedLimits(() => 0, 0);
    const limit = { requests: 3, seconds: 60 };
    const limiters = [openWorker(shared), openWorker(shared)].map(({ remote }) =>
      remote.limits.rate('lists', limit),
    );
    const taken = await Promise.all([0, 1, 0, 1].map(async (index) => limiters[index]?.take('ann')));
    expect(taken).to.deep.equal([0, 0, 0, 20]);
    expect(await limiters[0]?.take('bob')).to.equal(0);
  });

  it('have buckets of their own for each name', async () => {
    const { remote } = openWorker(createSharedLimits(() => 0, 0));
    const limit = { requests: 1, seconds: 1 };
    expect(await remote.limits.rate('lists', limit).take('ann')).to.equal(0);
    expect(await remote.limits.rate('tickets', limit).take('ann')).to.equal(0);
    expect(await remote.limits.rate('lists', limit).take('ann')).to.equal(1);
  });

  it('send the requests of a turn in one message, and none without a limit', async () => {
    const { remote, messages } = openWorker(createSharedLimits(() => 0, 0));
    const limiter = remote.limits.rate('lists', { requests: 10, seconds: 1 });
    await Promise.all([limiter.take('ann'), limiter.take('bob'), limiter.take('eve')]);
    expect(messages.map((requests) => requests.length)).to.deep.equal([3]);
    expect(remote.limits.rate('unlimited', null).take('ann')).to.equal(0);
    expect(messages).to.have.length(1);
  });

  it('count what is open in all workers, and forget what a worker had open when it ends', async () => {
    const shared = createSharedLimits(() => 0, 0);
    const [one, other] = [openWorker(shared), openWorker(shared)];
    const here = one.remote.limits.openCount('streams', 2);
    const there = other.remote.limits.openCount('streams', 2);
    const leave = await here.enter('ann');
    expect(await there.enter('ann')).to.not.equal(null);
    expect(await here.enter('ann')).to.equal(null);
    leave?.();
    leave?.();
    expect(await here.enter('ann')).to.not.equal(null);
    expect(await there.enter('ann')).to.equal(null);
    one.counts.close();
    expect(await there.enter('ann')).to.not.equal(null);
    expect(await there.enter('ann')).to.equal(null);
  });

  it('lend the memory for bodies that is left, whole or in part, and take it back when a worker ends', async () => {
    const shared = createSharedLimits(() => 0, 100);
    const [one, other] = [openWorker(shared), openWorker(shared)];
    expect(await one.remote.bodies.borrow(10, 60)).to.equal(60);
    expect(await other.remote.bodies.borrow(30, 60)).to.equal(40);
    expect(await other.remote.bodies.borrow(1, 60)).to.equal(0);
    one.remote.bodies.repay(20);
    expect(await other.remote.bodies.borrow(21, 60)).to.equal(0);
    expect(await other.remote.bodies.borrow(20, 60)).to.equal(20);
    one.counts.close();
    one.counts.close();
    expect(await other.remote.bodies.borrow(40, 60)).to.equal(40);
    other.counts.close();
    expect(await openWorker(shared).remote.bodies.borrow(100, 200)).to.equal(100);
  });

  describe('without a result of the primary', () => {
    const limit = { requests: 1, seconds: 1 };
    const errorOf = async (work: unknown): Promise<DbrError> => {
      try {
        await work;
      } catch (error) {
        if (error instanceof DbrError) return error;
      }
      throw new Error('no error of this service');
    };

    it('refuse with 503 when the wait has ended, and release what is granted later', async () => {
      const sent: LimitRequest[] = [];
      const remote = createRemoteLimits((requests) => sent.push(...requests), 1);
      const refused = [
        await errorOf(remote.limits.rate('lists', limit).take('ann')),
        await errorOf(remote.limits.openCount('streams', 2).enter('ann')),
        await errorOf(remote.bodies.borrow(10, 20)),
      ];
      expect(refused.map(({ status, headers }) => [status, headers])).to.deep.equal([
        [503, { 'Retry-After': '1' }],
        [503, { 'Retry-After': '1' }],
        [503, { 'Retry-After': '1' }],
      ]);
      const shared = createSharedLimits(() => 0, 20);
      const counts = shared.openWorker();
      remote.receive(counts.handle(sent.splice(0)));
      await new Promise((resolve) => setImmediate(resolve));
      expect(sent).to.deep.equal([
        { kind: 'leave', id: 1 },
        { kind: 'repay', id: 3, bytes: 20 },
      ]);
    });

    it('send no more than 10,000 requests, and send again when results arrive', async () => {
      const sent: LimitRequest[] = [];
      const remote = createRemoteLimits((requests) => sent.push(...requests));
      const limiter = remote.limits.rate('lists', limit);
      const asked = Array.from({ length: 10_000 }, async () => limiter.take('ann'));
      expect((await errorOf(limiter.take('bob'))).status).to.equal(503);
      await new Promise((resolve) => setImmediate(resolve));
      expect(sent).to.have.length(10_000);
      remote.receive(sent.splice(0).map(({ id }) => ({ id, value: 0 })));
      await Promise.all(asked);
      const again = limiter.take('bob');
      await new Promise((resolve) => setImmediate(resolve));
      remote.receive(sent.map(({ id }) => ({ id, value: 7 })));
      expect(await again).to.equal(7);
    });
  });
});
