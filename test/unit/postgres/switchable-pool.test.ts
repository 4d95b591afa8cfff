import { expect } from 'chai';
import type { Pool } from '../../../src/postgres/pool.js';
import { switchablePool } from '../../../src/composition/reloadable-pool.js';
import { until } from '../../support/until.js';

describe('a switched pool', () => {
  it('closes the former pool when its streams have ended', async () => {
    const opened: { streams: number; checks: number; closed: boolean }[] = [];
    const pool = switchablePool((): Pool => {
      const state = { streams: 1, checks: 0, closed: false };
      opened.push(state);
      return {
        run: () => Promise.reject(new Error('nothing is run')),
        openStream: () => Promise.reject(new Error('no stream is opened')),
        get state() {
          state.checks++;
          const { streams } = state;
          return {
            ...{ up: true, everUp: true, backoffSeconds: 1, lastError: null, timeouts: 0 },
            ...{ size: 0, available: 0, waiting: 0, streams },
          };
        },
        renew: () => undefined,
        close() {
          state.closed = true;
          return Promise.resolve();
        },
      };
    });
    pool.switch();
    const [former, current] = opened;
    await until(() => (former?.checks ?? 0) >= 2);
    expect(former?.closed).to.equal(false);
    if (former !== undefined) former.streams = 0;
    await until(() => former?.closed === true);
    expect(current?.closed).to.equal(false);
    await pool.close();
    expect(current?.closed).to.equal(true);
  });
});
