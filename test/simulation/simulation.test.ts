/** The service under simulated time, network and backends: kept schedules, and new ones from a fixed seed. */
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/base/package.js';
import { buildSimulation } from './build.js';

const run = promisify(execFile);
const KEPT = join(packageRoot(), 'test/simulation/kept');
const MEGABYTE = 1_048_576;

/** Seconds of the processor. */
const SECONDS = '10';
const SEED = '1';

describe('simulation', function () {
  this.timeout(300_000);
  let bundle = '';
  before(async () => (bundle = await buildSimulation('main')));

  /** @returns the lines of a process, which fails if a schedule does */
  async function linesOf(...given: readonly string[]): Promise<readonly unknown[]> {
    const [mode = '', ...rest] = given;
    const { stdout } = await run(process.execPath, [bundle, mode, packageRoot(), ...rest], {
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

  it('passes the schedules that once failed', async () => {
    const files = readdirSync(KEPT).filter((name) => name.endsWith('.json'));
    const lines = await linesOf('replay', ...files.map((name) => join(KEPT, name)));
    expect(lines).to.have.length(files.length);
  });

  it('passes schedules of a fixed seed', async () => {
    const [last] = await linesOf('run', SEED, SECONDS);
    expect(last).to.include({ failed: 0 });
  });

  it('has the same answers for the same schedule', async () => {
    const files = ['all-kinds.json', 'signing.json', 'parties.json'].map((name) => join(KEPT, name));
    const [first, second] = [await linesOf('replay', ...files), await linesOf('replay', ...files)];
    expect(first).to.have.length(files.length);
    expect(first.map(digestOf)).to.deep.equal(second.map(digestOf));
    for (const digest of first.map(digestOf)) expect(digest).to.be.a('string');
  });
});

const digestOf = (line: unknown): unknown =>
  typeof line === 'object' && line !== null && 'digest' in line ? line.digest : null;
