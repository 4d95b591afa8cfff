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

  it('ends the next turn, too', async () => {
    const done: number[] = [];
    sendAtTurnEnd(() => void done.push(1));
    await turn();
    sendAtTurnEnd(() => void done.push(2));
    await turn();
    expect(done).to.deep.equal([1, 2]);
  });
});
