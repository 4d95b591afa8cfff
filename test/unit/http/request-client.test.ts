import { expect } from 'chai';
import { RequestClient } from '../../../src/http/exchange.js';

describe('the client of a request', () => {
  it('calls each listener once when the client disconnects, except removed ones', () => {
    const client = new RequestClient('127.0.0.1');
    const calls: string[] = [];
    const removed = (): void => void calls.push('removed');
    client.signal.addEventListener('abort', () => void calls.push('first'));
    client.signal.addEventListener('abort', removed);
    client.signal.addEventListener('abort', () => void calls.push('last'));
    client.signal.removeEventListener('abort', removed);
    expect(client.signal.aborted).to.equal(false);
    client.abort();
    client.abort();
    expect(client.signal.aborted).to.equal(true);
    expect(calls).to.deep.equal(['first', 'last']);
  });

  it('aborts its AbortSignal, created before or after the disconnect', () => {
    const [early, late] = [new RequestClient(''), new RequestClient('')];
    const signal = early.abortSignal;
    early.abort();
    late.abort();
    expect([signal.aborted, late.abortSignal.aborted]).to.deep.equal([true, true]);
  });
});
