/** A copy of the repository, compiled, in which one file at a time is mutated and unit tests run. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';

/** Files and folders that no unit test of a source reads. */
const LEFT_OUT = ['.git', '.cache', '.dbr', 'coverage', 'dist', 'node_modules', 'test-artefacts'];
const TARGET = 'node20';
/** A test that waits longer has lost what it waits for, or the machine is too busy. */
const LONGEST_TEST_MS = 120_000;
const LONGEST_RUN_MS = 1_200_000;

/** `late`: a limit of time was reached. `endless`: a limit of processor time, which the load of the machine does not reach. */
export type Outcome = 'passed' | 'failed' | 'late' | 'endless';

export interface TestCopy {
  /** Runs tests until one fails. @param seconds limit of processor time */
  readonly run: (tests: readonly string[], seconds: number) => Promise<Outcome>;
  /** Runs all of the tests, and returns the duration of each file in milliseconds; Infinity for a file with a failure. */
  readonly measure: (tests: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly write: (file: string, text: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export async function makeCopy(root: string): Promise<TestCopy> {
  const copy = await mkdtemp(join(tmpdir(), 'dbr-mutations-'));
  const filter = (path: string): boolean => !LEFT_OUT.includes(basename(path));
  await cp(root, copy, { recursive: true, filter });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  await compile(copy);
  return {
    run: (tests, seconds) => runTests(copy, tests, seconds),
    measure: (tests) => measureTests(copy, tests),
    // Both files: a test that starts a program names its source.
    write: async (file, text) => {
      const { code } = await transform(text, { loader: 'ts', format: 'esm', target: TARGET });
      await writeFile(join(copy, file), text);
      await writeFile(join(copy, compiled(file)), code);
    },
    remove: () => rm(copy, { recursive: true, force: true }),
  };
}

const compiled = (file: string): string => file.replace(/\.ts$/, '.js');

/** Writes each module beside its source, so that tests find the files that they read. */
async function compile(copy: string): Promise<void> {
  const names = await Promise.all(
    ['src', 'test/unit', 'test/support', 'codegen', 'generated', 'examples', 'packages'].map(async (folder) =>
      (await readdir(join(copy, folder), { recursive: true })).map((name) => join(copy, folder, name)),
    ),
  );
  const entryPoints = names.flat().filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
  const options = { outdir: copy, outbase: copy, format: 'esm', target: TARGET, logLevel: 'error' } as const;
  await build({ entryPoints, bundle: false, ...options });
}

async function runTests(copy: string, tests: readonly string[], seconds: number): Promise<Outcome> {
  const { code, signal, isLate, output } = await runMocha(copy, ['--bail', ...tests.map(compiled)], seconds);
  if (code === 0) return 'passed';
  if (isLate || /Timeout of \d+ms exceeded/.test(output)) return 'late';
  return signal === null ? 'failed' : 'endless';
}

interface TestReport {
  readonly tests: readonly { readonly file: string; readonly duration?: number }[];
  /** Failed tests, and failed hooks. */
  readonly failures: readonly { readonly file: string }[];
}

async function measureTests(copy: string, tests: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const report = join(copy, 'report.json');
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${report}`];
  const { output } = await runMocha(copy, [...reporter, ...tests.map(compiled)], LONGEST_RUN_MS);
  if (!existsSync(report)) throw new Error(`the tests do not run: ${output}`);
  const { tests: passed, failures } = JSON.parse(await readFile(report, 'utf8')) as TestReport;
  const durations = new Map<string, number>();
  for (const { file, duration } of [
    ...passed,
    ...failures.map(({ file }) => ({ file, duration: Infinity })),
  ]) {
    const name = file.slice(copy.length + 1).replace(/\.js$/, '.ts');
    durations.set(name, (durations.get(name) ?? 0) + (duration ?? 0));
  }
  return durations;
}

interface MochaRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly isLate: boolean;
  readonly output: string;
}

const runMocha = (copy: string, args: readonly string[], seconds: number): Promise<MochaRun> =>
  new Promise((resolve, reject) => {
    const mocha = join(copy, 'node_modules/mocha/bin/mocha.js');
    const options = ['--no-config', '--exit', '--timeout', String(LONGEST_TEST_MS)];
    const limited = [`ulimit -t ${String(Math.ceil(seconds))}; exec "$@"`, 'sh', process.execPath];
    const memory = '--max-old-space-size=1024';
    const child = spawn('sh', ['-c', ...limited, memory, mocha, ...options, ...args], {
      ...{ cwd: copy, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, LONGEST_RUN_MS);
    child.once('error', reject).once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, isLate, output });
    });
  });
