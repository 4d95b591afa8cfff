import { expect } from 'chai';
import { Departure, linkGone, whenGone } from '../../../src/base/gone.js';

describe('a departure', () => {
  it('calls each listener once, except removed ones', () => {
    const client = new Departure();
    const calls: string[] = [];
    whenGone(client, () => void calls.push('first'));
    const remove = whenGone(client, () => void calls.push('removed'));
    whenGone(client, () => void calls.push('last'));
    remove();
    expect(client.aborted).to.equal(false);
    client.abort();
    client.abort();
    expect(client.aborted).to.equal(true);
    expect(calls).to.deep.equal(['first', 'last']);
  });

  it('calls a listener that comes later at once', () => {
    const client = new Departure();
    client.abort();
    let calls = 0;
    for (const gone of [client, AbortSignal.abort()]) whenGone(gone, () => void calls++)();
    expect(calls).to.equal(2);
  });

  it('never comes where there is nothing that could leave', () => {
    whenGone(null, () => expect.fail())();
  });
});

describe('a linked signal', () => {
  it('is aborted with each that it is linked with, until it is released', () => {
    const [client, stopping, late] = [new Departure(), new AbortController(), new Departure()];
    const links = [linkGone([client, late]), linkGone([stopping.signal, late]), linkGone([late])];
    client.abort();
    stopping.abort();
    for (const { release } of links) release();
    late.abort();
    expect(links.map(({ signal }) => signal.aborted)).to.deep.equal([true, true, false]);
  });

  it('is aborted at once if one has left, on demand, and after its time', async () => {
    const gone = new Departure();
    gone.abort();
    expect(linkGone([gone]).signal.aborted).to.equal(true);
    const [asked, timed] = [linkGone([]), linkGone([], 1)];
    asked.abort();
    expect(asked.signal.aborted).to.equal(true);
    await new Promise<void>((resolve) => void whenGone(timed.signal, resolve));
  });
});
