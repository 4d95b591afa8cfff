import { expect } from 'chai';
import type { PipelinedConnection } from '../../../src/postgres/connection.js';
import { watchSilence, type ProbeResult } from '../../../src/postgres/silent-connections.js';

const IDLE: ProbeResult = { kind: 'reached', idle: new Set([7]) };
const BUSY: ProbeResult = { kind: 'reached', idle: new Set() };
const AWAY: ProbeResult = { kind: 'unreachable' };

/** Returns the outcome for a silent connection whose probes return the given findings in order. */
async function outcomeOf(probes: readonly ProbeResult[], speaksAfter = Infinity): Promise<string | null> {
  let asked = 0;
  let aborted: string | null = null;
  const connection: PipelinedConnection = {
    send: () => undefined,
    cancel: () => Promise.resolve(true),
    pause: () => undefined,
    resume: () => undefined,
    close: () => Promise.resolve(),
    abort: (reason) => void (aborted = reason),
    server: { host: 'a', port: 5432 },
    processId: 7,
    isSilent: () => asked < speaksAfter,
    awaitsResponse: () => asked < speaksAfter,
  };
  await new Promise<void>((resolve) => {
    const watch = watchSilence({
      pool: () => [connection],
      intervalMs: 1,
      probe(server, processIds) {
        expect(server).to.deep.equal({ host: 'a', port: 5432 });
        expect(processIds).to.deep.equal([7]);
        const result = probes[asked++];
        if (result !== undefined) return Promise.resolve(result);
        watch.close();
        resolve();
        return Promise.resolve(BUSY);
      },
    });
    if (speaksAfter !== Infinity)
      setTimeout(() => {
        watch.close();
        resolve();
      }, 50);
  });
  return aborted;
}

describe('watchSilence', () => {
  it('ends a connection if PostgreSQL reports it idle twice or cannot be reached', async () => {
    expect(await outcomeOf([IDLE, IDLE])).to.match(/is idle/);
    expect(await outcomeOf([AWAY, AWAY])).to.match(/cannot be reached/);
    expect(await outcomeOf([IDLE, AWAY])).to.match(/cannot be reached/);
  });

  it('keeps a connection that PostgreSQL works for, or that was found idle once', async () => {
    expect(await outcomeOf([IDLE, BUSY, IDLE, BUSY])).to.equal(null);
  });

  it('keeps a connection that receives data during the check', async () => {
    expect(await outcomeOf([IDLE, IDLE, IDLE], 2)).to.equal(null);
  });
});
