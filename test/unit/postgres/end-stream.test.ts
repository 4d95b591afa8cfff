import { expect } from 'chai';
import { endStream } from '../../../src/postgres/connection.js';

describe('the end of the connection of a stream', () => {
  function connection() {
    const calls: string[] = [];
    const call = (name: string) => () => {
      calls.push(name);
      return Promise.resolve();
    };
    const cancel = () => call('cancel')().then(() => true);
    const abort = (reason: string): void => void calls.push(reason);
    return { calls, of: { resume: call('resume'), cancel, close: call('close'), abort } };
  }

  it('closes a connection without a query', async () => {
    const { calls, of } = connection();
    await endStream(of, null);
    expect(calls).to.deep.equal(['close']);
  });

  it('waits until PostgreSQL has ended the query that is cancelled', async () => {
    const { calls, of } = connection();
    let end: () => void = () => undefined;
    const ended = endStream(of, new Promise<void>((resolve) => (end = resolve)));
    expect(calls).to.deep.equal(['resume', 'cancel']);
    end();
    await ended;
    expect(calls).to.deep.equal(['resume', 'cancel', 'close']);
  });

  it('waits no longer than its limit', async () => {
    const { calls, of } = connection();
    await endStream(of, new Promise(() => undefined), 10);
    expect(calls).to.deep.equal(['resume', 'cancel', 'PostgreSQL does not cancel the query of the stream']);
  });
});
