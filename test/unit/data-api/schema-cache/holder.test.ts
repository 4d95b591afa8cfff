import { mock } from 'node:test';
import { expect } from 'chai';
import { holdSchemaCache, type SchemaCacheHolder } from '../../../../src/data-api/schema-cache/holder.js';
import { cacheOf } from '../../../support/data-api/cache-of.js';

/** A load that the test ends. */
interface Load {
  readonly generation: number;
  succeed(): Promise<void>;
  fail(message: string): Promise<void>;
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

describe('holder', () => {
  let loads: Load[];
  let failures: number[];
  let holder: SchemaCacheHolder;

  const last = (): Load => {
    const load = loads.at(-1);
    if (load === undefined) throw new Error('no load');
    return load;
  };
  const succeed = async (): Promise<void> => {
    await last().succeed();
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    loads = [];
    failures = [];
    holder = holdSchemaCache({
      load: (generation) =>
        new Promise((resolve, reject) => {
          loads.push({
            generation,
            succeed: () => {
              resolve(cacheOf({ generation }));
              return settled();
            },
            fail: (message) => {
              reject(new Error(message));
              return settled();
            },
          });
        }),
      observe(observation) {
        if (observation.kind === 'schema-cache-failed') failures.push(observation.retryInSeconds);
      },
    });
  });

  afterEach(() => {
    holder.close();
    mock.timers.reset();
  });

  it('holds nothing before the first load', () => {
    expect(holder.current()).to.equal(null);
    expect(holder.state()).to.deep.equal({
      status: 'idle',
      retryInSeconds: 0,
      generation: null,
      lastError: null,
    });
    expect(loads).to.have.length(0);
  });

  it('loads immediately at the first call', async () => {
    holder.reload();
    expect(loads).to.have.length(1);
    expect(holder.state().status).to.equal('loading');
    await succeed();
    expect(holder.current()?.generation).to.equal(1);
    expect(holder.state().status).to.equal('idle');
  });

  for (const outcome of ['success', 'failure'] as const)
    it(`has attempted its first load after its ${outcome}, with what it has loaded`, async () => {
      let seen: unknown = 'nothing';
      void holder.attempted.then(() => (seen = holder.current()?.generation ?? null));
      holder.reload();
      await settled();
      expect(seen).to.equal('nothing');
      await (outcome === 'success' ? last().succeed() : last().fail('away'));
      expect(seen).to.equal(outcome === 'success' ? 1 : null);
    });

  it('combines calls within 100 ms into one further load', async () => {
    holder.reload();
    await succeed();
    holder.reload();
    holder.reload();
    expect(loads).to.have.length(1);
    mock.timers.tick(99);
    expect(loads).to.have.length(1);
    mock.timers.tick(1);
    expect(loads).to.have.length(2);
    await succeed();
    mock.timers.tick(1000);
    expect(loads).to.have.length(2);
  });

  it('loads once more when called during a load, which may have read too early', async () => {
    holder.reload();
    mock.timers.tick(500);
    holder.reload();
    holder.reload();
    await succeed();
    expect(loads).to.have.length(2);
    await succeed();
    expect(holder.current()?.generation).to.equal(2);
    mock.timers.tick(1000);
    expect(loads).to.have.length(2);
  });

  it('keeps the old cache during a load and after a failed one', async () => {
    holder.reload();
    await succeed();
    mock.timers.tick(100);
    holder.reload();
    expect(holder.current()?.generation).to.equal(1);
    await last().fail('gone');
    expect(holder.current()?.generation).to.equal(1);
    expect(holder.state()).to.deep.equal({
      status: 'waiting',
      retryInSeconds: 1,
      generation: 1,
      lastError: 'gone',
    });
  });

  it('tries again after 1, 2, 4 … 32 seconds', async () => {
    holder.reload();
    for (const seconds of [1, 2, 4, 8, 16, 32, 32]) {
      const before = loads.length;
      await last().fail('away');
      mock.timers.tick(seconds * 1000 - 1);
      expect(loads).to.have.length(before);
      mock.timers.tick(1);
      expect(loads).to.have.length(before + 1);
    }
    expect(failures).to.deep.equal([1, 2, 4, 8, 16, 32, 32]);
    await succeed();
    expect(holder.state().lastError).to.equal(null);
    mock.timers.tick(100);
    holder.reload();
    await last().fail('away again');
    expect(failures.at(-1)).to.equal(1);
  });

  it('loads without waiting for the next retry when it is called', async () => {
    holder.reload();
    await last().fail('away');
    mock.timers.tick(100);
    holder.reload();
    expect(loads).to.have.length(2);
    await succeed();
    mock.timers.tick(2000);
    expect(loads).to.have.length(2);
  });

  it('resolves for callers that wait for the next cache', async () => {
    const loaded = holder.loaded();
    holder.reload();
    await last().fail('not yet');
    mock.timers.tick(1000);
    await succeed();
    expect((await loaded).generation).to.equal(2);
  });

  it('does nothing after it is closed', async () => {
    const loaded = holder.loaded().then(
      () => 'loaded',
      (error: Error) => error.message,
    );
    holder.reload();
    holder.close();
    expect(await loaded).to.equal('the schema cache is closed');
    await succeed();
    expect(holder.current()).to.equal(null);
    holder.reload();
    mock.timers.tick(60_000);
    expect(loads).to.have.length(1);
    expect(holder.state().status).to.equal('closed');
  });
});
