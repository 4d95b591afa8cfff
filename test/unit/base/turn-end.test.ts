import { expect } from 'chai';
import { sendAtTurnEnd } from '../../../src/base/turns.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the end of a turn', () => {
  it('sends in the same turn what is added while the turn ends', async () => {
    const done: string[] = [];
    sendAtTurnEnd(() => {
      done.push('first');
      sendAtTurnEnd(() => void done.push('added'));
    });
    expect(done).to.deep.equal([]);
    await turn();
    expect(done).to.deep.equal(['first', 'added']);
  });

  it('does not lose the work behind one that fails', async () => {
    const done: number[] = [];
    const failures: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => void failures.push(error));
    const failure = new Error('a fault');
    sendAtTurnEnd(() => {
      throw failure;
    });
    sendAtTurnEnd(() => void done.push(1));
    sendAtTurnEnd(() => void done.push(2));
    for (let count = 0; count < 3; count += 1) await turn();
    for (const listener of listeners) process.on('uncaughtException', listener);
    expect(failures).to.deep.equal([failure]);
    expect(done).to.deep.equal([1, 2]);
  });

  it('ends the next turn, too', async () => {
    const done: number[] = [];
    sendAtTurnEnd(() => void done.push(1));
    await turn();
    sendAtTurnEnd(() => void done.push(2));
    await turn();
    expect(done).to.deep.equal([1, 2]);
  });
});
