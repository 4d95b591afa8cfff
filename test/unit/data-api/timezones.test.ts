import { expect } from 'chai';
import { createTimezones } from '../../../src/data-api/snapshot.js';
import type { BatchResult } from '../../../src/postgres/batch.js';
import type { Pool } from '../../../src/postgres/pool.js';

const ASKS = 'count=exact, timezone=Europe/Vienna';

/** A pool whose next results the test gives. */
function poolOf(results: (() => Promise<BatchResult>)[]): {
  readonly pool: Pool;
  readonly runs: () => number;
} {
  let runs = 0;
  const pool: Pool = {
    run() {
      runs++;
      const next = results.shift();
      if (next === undefined) throw new Error('no result is left');
      return next();
    },
    get state(): Pool['state'] {
      throw new Error('not read');
    },
    openStream: () => Promise.reject(new Error('no stream is opened')),
    renew: () => undefined,
    close: () => Promise.resolve(),
  };
  return { pool, runs: () => runs };
}

const names = (): Promise<BatchResult> => {
  const body = [Buffer.from('["Europe/Vienna",'), Buffer.from('"UTC"]')];
  return Promise.resolve([{ rows: [{ columns: [], body, bodyLength: 23 }], commandTag: 'SELECT 1' }]);
};

describe('the time zones of the server', () => {
  it('are read once, by the first request that names one', async () => {
    const { pool, runs } = poolOf([names]);
    const timezones = createTimezones(pool);
    expect(timezones.prepareFor(undefined)).to.equal(null);
    expect(timezones.prepareFor('count=exact')).to.equal(null);
    expect([timezones.has('Europe/Vienna'), runs()]).to.deep.equal([false, 0]);
    await Promise.all([timezones.prepareFor(ASKS), timezones.prepareFor(ASKS)]);
    expect(['Europe/Vienna', 'UTC', 'Mars'].map((name) => timezones.has(name))).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(timezones.prepareFor(ASKS)).to.equal(null);
    expect(runs()).to.equal(1);
  });

  it('are read again after a failure, which is the error of the request', async () => {
    const failure = new Error('the database is away');
    const { pool, runs } = poolOf([() => Promise.reject(failure), names]);
    const timezones = createTimezones(pool);
    const refused = await timezones.prepareFor(ASKS)?.catch((error: unknown) => error);
    expect(refused).to.equal(failure);
    await timezones.prepareFor(ASKS);
    expect([timezones.has('UTC'), runs()]).to.deep.equal([true, 2]);
  });
});
