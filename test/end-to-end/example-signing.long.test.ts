import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package.js';
import { inAllRuns, runs } from '../support/runs.js';

/** The last one waits half a minute for the end of its session. */
const PLAYED = [...'abcdefg'].slice(0, runs(7, 6));

describe('the example parties', function () {
  this.timeout(200_000);
  let directory: string;
  let child: ChildProcess | null = null;
  let output = '';
  /** Resolves with the exit code once the process has ended and its output has been read. */
  let closed: Promise<number | null> = Promise.resolve(null);
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dbr-example-'));
  });
  afterEach(async () => {
    child?.kill('SIGTERM');
    await closed;
    await rm(directory, { recursive: true, force: true });
  });

  /** As the Makefile does. */
  function run(): ChildProcess {
    output = '';
    child = spawn(
      process.execPath,
      ['--import', 'tsx', 'examples/parties/demonstration/main.ts', ...PLAYED],
      {
        cwd: packageRoot(),
        env: { ...process.env, TMPDIR: directory },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    closed = new Promise((resolve) => child?.once('close', resolve));
    return child;
  }
  const leftBehind = async (): Promise<readonly string[]> =>
    (await readdir(directory)).filter((name) => name.startsWith('dbr-'));

  it('sign, and end failed sessions as documented', async () => {
    run();
    const code = await closed;
    const scenarios = output.split('\n\n').slice(1, -1);
    const reports = scenarios.map((text) => {
      const lines = text.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
      const ending = lines.find((line) => /^\d+ (completed|failed|expired)/.test(line)) ?? text;
      const [title = ''] = lines;
      const verdicts = lines.filter((line) => /: (yes|no)$/.test(line));
      // Either party may report the signature first, so neither is asserted.
      return [
        title.slice(0, 3),
        ending.replace(/^\d+ /, '').replace(/completed .*/, 'completed'),
        ...verdicts,
      ];
    });
    const verified = ['signature verifies: yes', 'ended as it should: yes'];
    const expected = [
      ['(a)', 'completed', ...verified],
      ['(b)', 'completed', ...verified],
      ['(c)', 'completed', ...verified],
      ['(d)', 'failed helper; share_unusable; it does not open for this session', 'ended as it should: yes'],
      ['(e)', 'failed node-b; invalid_signature; by node-b', 'ended as it should: yes'],
      ['(f)', 'failed node-a; policy_denied; the request is for another digest', 'ended as it should: yes'],
      ['(g)', 'expired missing node-b', 'ended as it should: yes'],
    ].slice(0, PLAYED.length);
    expect(reports, output).to.deep.equal(expected);
    expect(output).to.contain('node-a, node-b, helper (all_active); share for helper');
    expect(output.trimEnd().split('\n').at(-1)).to.equal('every session ended as it should');
    expect(code).to.equal(0);
    expect(await leftBehind()).to.deep.equal([]);
  });

  inAllRuns('leave no process and no file when they are interrupted', async () => {
    const running = run();
    await new Promise<void>((resolve) => {
      running.stdout?.on('data', () => {
        if (output.includes('are ready')) resolve();
      });
      running.once('close', () => resolve());
    });
    expect(output, output).to.contain('are ready');
    running.kill('SIGTERM');
    expect(await closed, output).to.not.equal(0);
    expect(output, output).to.contain('ended by SIGTERM');
    expect(await leftBehind()).to.deep.equal([]);
  });
});
