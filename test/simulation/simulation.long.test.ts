/** The service under simulated time, network and backends: kept schedules, and new ones from a fixed seed. */
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/base/package.js';
import { inAllRuns, runs } from '../support/runs.js';
import { buildSimulation } from './build.js';
import { PLANTED_FAULTS } from './planted-faults.js';

const run = promisify(execFile);
const KEPT = join(packageRoot(), 'test/simulation/kept');
const MEGABYTE = 1_048_576;

/** Seconds of the processor; `make simulate` takes minutes. */
const SECONDS = String(runs(10, 1));
const SEED = '1';
/** Number of kept schedules that another process replays. */
const REPLAYED = 2;

describe('simulation', function () {
  this.timeout(900_000);
  const files = readdirSync(KEPT)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(KEPT, name));
  let bundle: string;
  let lines: readonly unknown[] = [];
  before(async () => {
    bundle = await buildSimulation('main');
    lines = await linesOf(bundle, 'both', SEED, SECONDS, ...files);
  });

  it('passes the schedules that once failed', () => {
    const failures = lines.slice(0, files.length).map((line) => valueOf(line, 'failures'));
    expect(failures).to.deep.equal(files.map(() => []));
  });

  it('passes schedules of a fixed seed', () => {
    expect(lines).to.have.length(files.length + 1);
    expect(lines.at(-1)).to.include({ failed: 0 });
    expect(valueOf(lines.at(-1), 'schedules')).to.be.above(0);
  });

  inAllRuns('has the same answers for the same schedule in two processes', async () => {
    const again = await linesOf(bundle, 'replay', ...files.slice(0, REPLAYED));
    const digests = again.map((line) => valueOf(line, 'digest'));
    expect(digests).to.have.length(REPLAYED);
    expect(lines.slice(0, REPLAYED).map((line) => valueOf(line, 'digest'))).to.deep.equal(digests);
    for (const digest of digests) expect(digest).to.be.a('string');
  });
});

describe('the faults that are planted', () => {
  it('are edits of texts that the source has once', () => {
    const isOnce = (file: string, text: string): boolean =>
      readFileSync(join(packageRoot(), file), 'utf8').split(text).length === 2;
    const lost = PLANTED_FAULTS.filter(({ file, from }) => !isOnce(file, from));
    expect(lost.map(({ meaning }) => meaning)).to.deep.equal([]);
  });
});

/** @returns the lines of a process, which fails if a schedule does */
async function linesOf(
  bundle: string,
  mode: string,
  ...given: readonly string[]
): Promise<readonly unknown[]> {
  const { stdout } = await run(process.execPath, [bundle, mode, packageRoot(), ...given], {
    maxBuffer: 16 * MEGABYTE,
  }).catch((error: unknown) => {
    const output =
      typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`${error instanceof Error ? error.message.slice(0, 300) : ''}\n${output}`);
  });
  return stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

const valueOf = (line: unknown, name: string): unknown =>
  typeof line === 'object' && line !== null ? Reflect.get(line, name) : undefined;
