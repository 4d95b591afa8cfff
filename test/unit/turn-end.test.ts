import { expect } from 'chai';
import { gatherAtTurnEnd, sendAtTurnEnd } from '../../src/turn-end.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the end of a turn', () => {
  it('gathers before it sends, in the same turn', async () => {
    const done: string[] = [];
    sendAtTurnEnd(() => void done.push('sent'));
    gatherAtTurnEnd(() => {
      done.push('gathered');
      sendAtTurnEnd(() => void done.push('sent what was gathered'));
    });
    expect(done).to.deep.equal([]);
    await turn();
    expect(done).to.deep.equal(['gathered', 'sent', 'sent what was gathered']);
  });

  it('does not lose the work behind one that fails', async () => {
    const done: number[] = [];
    const failures: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => void failures.push(error));
    const failure = new Error('a fault');
    gatherAtTurnEnd(() => {
      throw failure;
    });
    gatherAtTurnEnd(() => void done.push(1));
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
