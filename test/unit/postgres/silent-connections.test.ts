import { expect } from 'chai';
import type { PipelinedConnection } from '../../../src/postgres/pipelined-connection.js';
import { watchSilence, type ProbeResult } from '../../../src/postgres/silent-connections.js';

const IDLE: ProbeResult = { kind: 'reached', idle: new Set([7]) };
const BUSY: ProbeResult = { kind: 'reached', idle: new Set() };
const AWAY: ProbeResult = { kind: 'unreachable' };

/** What becomes of a silent connection when probes find these, one after the other. */
async function outcomeOf(probes: readonly ProbeResult[], speaksAfter = Infinity): Promise<string | null> {
  let asked = 0;
  let aborted: string | null = null;
  const connection: PipelinedConnection = {
    send: () => undefined,
    cancel: () => Promise.resolve(),
    pause: () => undefined,
    resume: () => undefined,
    close: () => Promise.resolve(),
    abort: (reason) => void (aborted = reason),
    processId: 7,
    isSilent: () => asked < speaksAfter,
    awaitsResponse: () => asked < speaksAfter,
  };
  await new Promise<void>((resolve) => {
    const watch = watchSilence({
      pool: () => [connection],
      intervalMs: 1,
      probe(processIds) {
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
  it('ends a connection for which PostgreSQL twice works at nothing, or cannot be reached', async () => {
    expect(await outcomeOf([IDLE, IDLE])).to.match(/is idle/);
    expect(await outcomeOf([AWAY, AWAY])).to.match(/cannot be reached/);
    expect(await outcomeOf([IDLE, AWAY])).to.match(/cannot be reached/);
  });

  it('leaves a connection that is worked for, or was found at fault once', async () => {
    expect(await outcomeOf([IDLE, BUSY, IDLE, BUSY])).to.equal(null);
  });

  it('leaves a connection that speaks while PostgreSQL is asked', async () => {
    expect(await outcomeOf([IDLE, IDLE, IDLE], 2)).to.equal(null);
  });
});
