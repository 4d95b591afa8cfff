import { expect } from 'chai';
import fc from 'fast-check';
import { createFairQueue } from '../../../src/base/fair-queue.js';

const queueOf = (...items: readonly string[]) => {
  const queue = createFairQueue<string>();
  for (const item of items) queue.add(item.slice(0, 1), item);
  return queue;
};

describe('a fair queue', () => {
  it('serves the clients in turn, and each in its order', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'b2');
    expect([queue.first(), queue.firstOf('b'), queue.firstOf('d')]).to.deep.equal(['a1', 'b1', null]);
    expect(queue.takeAll()).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect([queue.length, queue.first(), queue.takeFirst()]).to.deep.equal([0, null, null]);
  });

  it('gives the next turn to a client whose item is added first', () => {
    const queue = queueOf('a1', 'b1');
    queue.addFirst('c', 'c1');
    queue.addFirst('b', 'b0');
    expect(queue.takeAll()).to.deep.equal(['c1', 'a1', 'b0', 'b1']);
  });

  it('passes over clients, removes items from both ends and from between', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1', 'b2');
    expect(queue.takeFirstOf('b')).to.equal('b1');
    expect([...queue.clients()]).to.deep.equal(['a', 'b']);
    expect(queue.takeLastOf('a')).to.equal('a3');
    expect([queue.remove('a', 'a2'), queue.remove('a', 'a2'), queue.remove('c', 'a1')]).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect([queue.length, queue.lengthOf('a'), queue.lengthOf('c')]).to.deep.equal([2, 1, 0]);
    expect(queue.takeAll()).to.deep.equal(['a1', 'b2']);
  });

  it('serves all items once, and no client twice while another waits', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (clients) => {
        const items = clients.map((client, index) => `${client}${String(index)}`);
        const served = queueOf(...items).takeAll();
        expect(served).to.have.members(items);
        for (const [index, item] of served.entries()) {
          const client = item.slice(0, 1);
          const others = served.slice(index + 1).filter((later) => !later.startsWith(client));
          if (others.length > 0) expect(served[index + 1]?.startsWith(client)).to.equal(false);
        }
      }),
    );
  });
});
