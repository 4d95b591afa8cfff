/**
 * No request of the grid of worst requests holds the event loop for long: a sample of it, measured in processor time of
 * the main thread, beside a control. `make bench-turns` prints the figures of the whole grid.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../support/runs.js';
import { sendWorst, startTurnService, type TurnService } from '../../support/service/turns.js';
import { worstBodies, worstHeads, type WorstRequest } from '../../support/service/worst-requests.js';

const HEAD_BYTES = 60_000;
const BODY_BYTES = 4_194_304;

/** Each run takes the same sample, so that a run that fails can be repeated. Another one: TURN_SEED=number. A larger one: TURN_SAMPLE=requests of the heads, and as many of the bodies. */
const SEED = Number(process.env['TURN_SEED'] ?? 1);
const SAMPLE = Number(process.env['TURN_SAMPLE'] ?? runs(30, 6));

/**
 * Bounds in milliseconds where the control takes CONTROL_MS, as on two cores under load; a slower machine has
 * proportionally more.
 */
const MOST_MS = 25;
const MOST_MS_OF_EXCEPTIONS = 40;
const CONTROL_MS = 7;

/** The shortest try counts: a collection of garbage or a compilation lengthens a turn, but seldom each time. */
const TRIES = 5;

/** Requests of the grid that are known to take longer. */
const EXCEPTIONS: readonly { readonly names: RegExp; readonly reason: string }[] = [
  {
    names: /^POST \/pub application\/x-ndjson \t$/,
    reason: 'the chunks of a line that has not ended are gathered in one turn',
  },
];

const sampleOf = (requests: Iterable<WorstRequest>): readonly WorstRequest[] => {
  const all = [...requests];
  const length = Math.min(SAMPLE, all.length);
  const samples = fc.shuffledSubarray(all, { minLength: length, maxLength: length });
  return fc.sample(samples, { seed: SEED, numRuns: 1 }).flat();
};

describe('the longest turn of the event loop', function () {
  this.timeout(300_000);
  let service: TurnService;

  before(async () => {
    service = await startTurnService();
    const warm = { name: 'warm', method: 'GET', target: '/pub?id=eq.1', headers: [], body: null };
    for (let time = 0; time < 20; time += 1) {
      await sendWorst(service.url, warm);
      await service.turns();
    }
  });
  after(() => service.stop());

  /** Null: within the bound. Otherwise the figures. */
  async function tooLong(request: WorstRequest): Promise<string | null> {
    const known = EXCEPTIONS.find(({ names }) => names.test(request.name));
    const most = known === undefined ? MOST_MS : MOST_MS_OF_EXCEPTIONS;
    const tries: number[] = [];
    const controls: number[] = [];
    let figures = '';
    while (tries.length < TRIES) {
      await service.turns();
      const status = await sendWorst(service.url, request);
      const { longestMs, controlMs } = await service.turns();
      tries.push(longestMs);
      controls.push(controlMs);
      const control = controls.toSorted((left, right) => left - right)[controls.length >> 1] ?? CONTROL_MS;
      const bound = most * Math.max(1, control / CONTROL_MS);
      if (Math.min(...tries) <= bound) return null;
      figures = `${request.name} (${String(status)}): ${tries.map((ms) => ms.toFixed(1)).join(', ')} ms; bound ${bound.toFixed(1)} ms, control ${control.toFixed(1)} ms${known === undefined ? '' : `, though ${known.reason}`}`;
    }
    return figures;
  }

  async function longTurns(requests: readonly WorstRequest[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const request of requests) {
      const figures = await tooLong(request);
      if (figures !== null) found.push(figures);
    }
    return found;
  }

  it(`is short for heads of 60 kB with the worst text of each grammar (TURN_SEED=${String(SEED)})`, async () => {
    expect(await longTurns(sampleOf(worstHeads(HEAD_BYTES, service.token)))).to.deep.equal([]);
  });

  it(`is short for bodies of 4 MiB with the worst text of each format (TURN_SEED=${String(SEED)})`, async () => {
    expect(await longTurns(sampleOf(worstBodies(BODY_BYTES, service.token)))).to.deep.equal([]);
  });
});
