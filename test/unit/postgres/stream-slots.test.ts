import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import { RequestClient } from '../../../src/http/exchange.js';
import { BatchAborted, PoolTimeout } from '../../../src/postgres/postgres-error.js';
import { createStreamSlots } from '../../../src/postgres/stream-slots.js';

const caller = (client: string) => ({ client, signal: null });

describe('slots of streams', () => {
  it('bound the streams of all clients and of each', async () => {
    const slots = createStreamSlots({ all: 3, perClient: 2, timeoutMs: 60_000 });
    const started: string[] = [];
    const take = async (client: string): Promise<() => void> => {
      const release = await slots.take(caller(client));
      started.push(client);
      return release;
    };
    const [first] = await Promise.all([take('10.0.0.1'), take('10.0.0.1')]);
    const third = take('10.0.0.1');
    const other = await take('10.0.0.2');
    const waiting = take('10.0.0.3');
    await turn();
    expect([started, slots.running, slots.waiting]).to.deep.equal([
      ['10.0.0.1', '10.0.0.1', '10.0.0.2'],
      3,
      2,
    ]);
    other();
    await waiting;
    first?.();
    first?.();
    await third;
    expect([slots.running, slots.waiting]).to.deep.equal([3, 0]);
  });

  it('pass to clients in turn, however many streams one has waiting', async () => {
    const slots = createStreamSlots({ all: 1, perClient: 1, timeoutMs: 60_000 });
    const order: string[] = [];
    const release = await slots.take(caller('10.0.0.9'));
    const run = async (client: string): Promise<void> => {
      const end = await slots.take(caller(client));
      order.push(client);
      await turn();
      end();
    };
    const all = ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.3'].map(run);
    release();
    await Promise.all(all);
    expect(order).to.deep.equal(['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.1', '10.0.0.1']);
    expect([slots.running, slots.waiting]).to.deep.equal([0, 0]);
  });

  it('count the addresses of one IPv6 network as one client', async () => {
    const slots = createStreamSlots({ all: 9, perClient: 1, timeoutMs: 60_000 });
    const release = await slots.take(caller('2001:db8::1'));
    const waiting = slots.take(caller('2001:db8::2'));
    await slots.take(caller('2001:db8:1::1'));
    expect([slots.running, slots.waiting]).to.deep.equal([2, 1]);
    release();
    await waiting;
  });

  it('end a wait that lasts too long, or whose client has gone', async () => {
    const slots = createStreamSlots({ all: 1, perClient: 1, timeoutMs: 1 });
    await slots.take(caller('10.0.0.1'));
    expect(await slots.take(caller('10.0.0.2')).catch((error: unknown) => error)).to.be.instanceOf(
      PoolTimeout,
    );
    const patient = createStreamSlots({ all: 1, perClient: 1, timeoutMs: 60_000 });
    await patient.take(caller('10.0.0.1'));
    const client = new RequestClient('10.0.0.2');
    const waiting = patient.take(client).catch((error: unknown) => error);
    client.abort();
    expect(await waiting).to.be.instanceOf(BatchAborted);
    expect([slots.waiting, patient.waiting]).to.deep.equal([0, 0]);
  });
});
