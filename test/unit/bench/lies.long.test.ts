import { expect } from 'chai';
import { playLies } from '../../../bench/lies/run.js';
import { runs } from '../../support/runs.js';

describe('lies to the parties of the example', function () {
  this.timeout(240_000);

  it('are caught before a share is used, and blame the liar or no one', async () => {
    let lies = 0;
    for await (const { name, wrong } of playLies(runs(5, 1))) {
      expect(wrong, name).to.deep.equal([]);
      lies += 1;
    }
    expect(lies).to.equal(48);
  });
});
