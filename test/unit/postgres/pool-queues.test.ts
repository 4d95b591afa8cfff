import { expect } from 'chai';
import fc from 'fast-check';
import { createPoolQueues, type PoolQueues, type Waiting } from '../../../src/postgres/pool-queues.js';

type Kind = 'quick' | 'slow';
interface Request extends Waiting {
  readonly name: string;
}

function queuesOf(limit = 100, acquisitionTimeoutMs = 60_000) {
  const failed: string[] = [];
  const queues: PoolQueues<Kind, Request> = createPoolQueues({
    kinds: ['quick', 'slow'],
    acquisitionTimeoutMs,
    limit,
    onRefused: ({ name }, { message }) => void failed.push(`${name}: ${message}`),
  });
  const request = (name: string): Request => ({
    name,
    caller: { client: name.slice(0, 1) },
    deadline: null,
  });
  const served = (kind: Kind): readonly string[] => {
    const names: string[] = [];
    for (let first = queues.first(kind); first !== null; first = queues.first(kind)) {
      names.push(first.name);
      queues.removeFirst(kind);
    }
    return names;
  };
  return { queues, request, failed, served };
}

describe('the queues of a pool', () => {
  it('serve the clients in turn, and each in its order', () => {
    const { queues, request, served } = queuesOf();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) queues.add('quick', request(name));
    expect(served('quick')).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect(queues.length).to.equal(0);
  });

  it('serve returned batches before all others', () => {
    const { queues, request, served } = queuesOf();
    for (const name of ['a1', 'a2', 'b1']) queues.add('quick', request(name));
    queues.addAgain('quick', request('a0'));
    queues.addAgain('quick', request('c1'));
    expect(served('quick')).to.deep.equal(['c1', 'a0', 'b1', 'a1', 'a2']);
  });

  it('drop a request of the client with the most requests if a queue is full', () => {
    const { queues, request, failed, served } = queuesOf(4);
    for (const name of ['a1', 'a2', 'a3', 'a4']) queues.add('quick', request(name));
    queues.add('quick', request('b1'));
    queues.add('quick', request('a5'));
    queues.add('slow', request('c1'));
    expect(failed).to.deep.equal([
      'a4: too many requests of this client wait for a connection',
      'a5: too many requests wait for a connection',
      'a3: too many requests of this client wait for a connection',
    ]);
    expect(served('quick')).to.deep.equal(['a1', 'b1', 'a2']);
    expect(served('slow')).to.deep.equal(['c1']);
    expect(queues.timeouts).to.equal(3);
  });

  it('end batches that waited too long, including returned ones', async () => {
    const { queues, request, failed } = queuesOf(100, 30);
    queues.add('quick', request('b1'));
    queues.addAgain('slow', { ...request('a1'), deadline: performance.now() + 1 });
    while (queues.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    // Under load both may end at the same time, each in its own queue.
    expect(failed).to.have.members([
      'a1: timed out waiting for a connection',
      'b1: timed out waiting for a connection',
    ]);
  });

  it('count the waiting batches after any sequence of additions and removals', () => {
    const actions = fc.array(
      fc.record({
        kind: fc.constantFrom<Kind>('quick', 'slow'),
        client: fc.constantFrom('a', 'b', 'c'),
        action: fc.constantFrom('add', 'again', 'first', 'withdraw'),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(actions, (history) => {
        const { queues, request } = queuesOf();
        const waiting: (readonly [Kind, Request])[] = [];
        for (const { kind, client, action } of history) {
          const fresh = request(client);
          if (action === 'add' || action === 'again') {
            if (action === 'add') queues.add(kind, fresh);
            else queues.addAgain(kind, fresh);
            waiting.push([kind, fresh]);
          } else if (action === 'first') {
            const first = queues.first(kind);
            queues.removeFirst(kind);
            if (first !== null)
              waiting.splice(
                waiting.findIndex(([, each]) => each === first),
                1,
              );
          } else {
            const [last] = waiting.splice(-1, 1);
            if (last !== undefined) expect(queues.remove(...last)).to.equal(true);
            if (last !== undefined) expect(queues.remove(...last)).to.equal(false);
          }
          expect(queues.length).to.equal(waiting.length);
          expect(queues.lengthOf(kind)).to.equal(waiting.filter(([each]) => each === kind).length);
          expect(queues.first(kind) === null).to.equal(queues.lengthOf(kind) === 0);
        }
        expect(queues.takeAll()).to.have.members(waiting.map(([, each]) => each));
      }),
    );
  });
});
