import { expect } from 'chai';
import type { Batch } from '../../../../src/postgres/batch.js';
import { recordedPipeline, type SendOptions } from '../../../support/data-api/pipeline.js';

/** Sends requests of one pipeline. Returns the use of each batch, which `ends` may end. */
async function usesOf(
  lines: readonly string[],
  ends: (batch: Batch) => void = () => undefined,
  options?: SendOptions,
): Promise<readonly string[]> {
  const uses: string[] = [];
  const { send } = recordedPipeline((_index, batch) => {
    uses.push(batch.use);
    ends(batch);
    return Promise.resolve();
  });
  for (const line of lines) await send(line, options);
  return uses;
}

describe('the connection of a request', () => {
  it('is shared for a row by its key and for short pages', async () => {
    const lines = [
      'GET /films?id=eq.1',
      'GET /films?order=title&limit=100',
      'GET /films?select=roles(*)&limit=1',
    ];
    expect(await usesOf(lines)).to.deep.equal(['shared', 'shared', 'shared']);
  });

  it('is not shared for reads without a bound, calls and writes', async () => {
    const lines = [
      'GET /films',
      'GET /films?limit=101',
      'GET /films?id=gt.1',
      'GET /films?id=not.eq.1',
      'GET /films?or=(id.eq.1,id.eq.2)',
      'GET /films?select=count()&limit=1',
      'DELETE /films?id=eq.1',
    ];
    expect(await usesOf(lines)).to.deep.equal(lines.map(() => 'brief'));
    const counted = { headers: { prefer: 'count=exact' } };
    expect(await usesOf(['GET /films?limit=1'], () => undefined, counted)).to.deep.equal(['brief']);
  });

  it('follows the time that the last run of the plan took, but for a row by its key', async () => {
    const late = ({ lastRun }: Batch): void => {
      if (lastRun !== undefined) lastRun.took = 'long';
    };
    for (const [line, first, next] of [
      ['GET /films', 'brief', 'long'],
      ['GET /films?limit=10', 'shared', 'long'],
      ['GET /films?id=eq.1', 'shared', 'shared'],
    ] as const)
      expect(await usesOf([line, line], late), line).to.deep.equal([first, next]);
  });

  it('is shared for a read without a bound once it was quick', async () => {
    const took = ['shared', 'brief', 'shared'] as const;
    const runs = took.values();
    const quick = ({ lastRun }: Batch): void => {
      if (lastRun !== undefined) lastRun.took = runs.next().value ?? 'long';
    };
    const line = 'GET /films';
    expect(await usesOf([line, line, line, line], quick)).to.deep.equal([
      'brief',
      'shared',
      'brief',
      'shared',
    ]);
  });

  it('is that of long reads after a long result, until a result is short again', async () => {
    const results = [true, true, false, false];
    const long = ({ lastRun }: Batch): void => {
      if (lastRun !== undefined) lastRun.longResult = results.shift() === true;
    };
    const line = 'GET /films?id=eq.1';
    expect(await usesOf([line, line, line, line], long)).to.deep.equal(['shared', 'long', 'long', 'shared']);
  });
});
