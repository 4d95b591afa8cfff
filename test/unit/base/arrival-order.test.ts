import { expect } from 'chai';
import { createArrivalOrder } from '../../../src/base/arrival-order.js';

describe('the order of arrival', () => {
  const deferred = () => {
    let resolve = (): void => undefined;
    const promise = new Promise<void>((done) => (resolve = done));
    return { promise, resolve };
  };

  it('holds a call back until earlier calls of its key have been checked, and no calls of other keys', async () => {
    const order = createArrivalOrder();
    const passed: string[] = [];
    const [first, second, other] = [deferred(), deferred(), deferred()];
    const calls = [
      order.after('a', first.promise).then(() => passed.push('first')),
      order.after('a', second.promise).then(() => passed.push('second')),
      order.after('b', other.promise).then(() => passed.push('other')),
    ];
    second.resolve();
    other.resolve();
    await calls[2];
    expect(passed).to.deep.equal(['other']);
    first.resolve();
    await Promise.all(calls);
    expect(passed).to.deep.equal(['other', 'first', 'second']);
  });

  it('lets later calls go on after one that is refused', async () => {
    const order = createArrivalOrder();
    const refused = order
      .after('a', Promise.reject(new Error('refused')))
      .catch((error: Error) => error.message);
    const accepted = order.after('a', Promise.resolve('accepted'));
    expect([await refused, await accepted]).to.deep.equal(['refused', 'accepted']);
  });
});
