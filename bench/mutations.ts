/**
 * Mutations of the pure steps: how many faults the unit tests notice. Each mutation changes one operator, condition, literal
 * or statement of a file of src/ in a copy of the repository; then the unit tests that load the file run, those of its folder
 * and those elsewhere that import it themselves.
 *
 *   node --import tsx/esm bench/mutations.ts [--count 200] [--seed 1] [--folder data-api/grammar] [--jobs 2]
 *
 * A mutation that no test notices is printed with its line. The same seed makes the same mutations of the same sources.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { randomOf } from '../src/base/random.js';
import { type Mutation, mutationsOf } from './mutations/mutations-of.js';
import { makeCopy, type TestCopy } from './mutations/test-copy.js';
import { testsBySource } from './mutations/tests-of.js';

const root = join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
    jobs: { type: 'string', default: '2' },
  },
});

/** Folders of which most files are functions of plain values. */
const FOLDERS = [
  ...[
    'batch',
    'ceilings',
    'document',
    'grammar',
    'graph',
    'plan',
    'prepare',
    'request',
    'respond',
    'schema-cache',
    'sql',
  ].map((folder) => `data-api/${folder}`),
  ...['auth', 'errors', 'http', 'mailbox', 'notifications', 'operations', 'postgres', 'settings', 'signing'],
];

/**
 * What a pure step does not have: it neither waits nor reads or writes. Files that do are tested with a database, a socket or
 * a server, by the tests of test/integration.
 */
const IMPURE =
  /\basync\b|\bawait\b|\bPromise\b|\.then\(|from '(?:node:(?:child_process|dns|fs|http|http2|net|tls|timers)|@grpc|@nats|koa|nats|pg)/;

async function mutationsIn(folder: string): Promise<readonly Mutation[]> {
  const entries = await readdir(join(root, 'src', folder), { recursive: true });
  const files = entries.filter((name) => name.endsWith('.ts')).map((name) => join('src', folder, name));
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  return files.flatMap((file, index) => {
    const text = texts[index] ?? '';
    return IMPURE.test(text) ? [] : mutationsOf(file, text);
  });
}

function choose(all: readonly Mutation[], count: number, seed: number): readonly Mutation[] {
  const [rest, random] = [[...all], randomOf(seed)];
  return Array.from({ length: Math.min(count, rest.length) }, () =>
    rest.splice(random(rest.length), 1),
  ).flat();
}

const testsOf = testsBySource(root);

/** Processor time that tests may take, from their durations without a mutation. */
const secondsOf = (tests: readonly string[], durations: ReadonlyMap<string, number>): number =>
  20 + tests.reduce((sum, test) => sum + (durations.get(test) ?? 0), 0) / 200;

/** How often a run that a limit of time has ended is repeated before the machine counts as too busy. */
const MOST_RUNS = 3;

/** @returns null if the machine is too busy for the tests, with and without the mutation */
async function isNoticed(
  mutation: Mutation,
  durations: ReadonlyMap<string, number>,
  copy: TestCopy,
): Promise<boolean | null> {
  const { file, text, start, end, becomes } = mutation;
  const mutated = text.slice(0, start) + becomes + text.slice(end);
  const { nearest, others } = testsOf(file);
  for (const group of [nearest, others]) {
    const durationOf = (test: string): number => durations.get(test) ?? 0;
    const tests = group
      .filter((test) => durationOf(test) !== Infinity)
      .sort((one, other) => durationOf(one) - durationOf(other));
    const failed = tests.length > 0 && (await fails(tests));
    if (failed !== false) return failed;
  }
  return false;

  async function fails(tests: readonly string[]): Promise<boolean | null> {
    const seconds = secondsOf(tests, durations);
    for (let runs = 0; runs < MOST_RUNS; runs++) {
      await copy.write(file, mutated);
      const outcome = await copy.run(tests, seconds);
      await copy.write(file, text);
      if (outcome !== 'late') return outcome !== 'passed';
      // Late by the mutation, if the tests pass at the same time without it.
      if ((await copy.run(tests, seconds)) === 'passed') return true;
    }
    return null;
  }
}

/** Returns the durations of the tests of mutations. A test that fails without a mutation is printed, and notices none. */
async function measure(mutations: readonly Mutation[], copy: TestCopy): Promise<ReadonlyMap<string, number>> {
  const tests = mutations.flatMap(({ file }) => {
    const { nearest, others } = testsOf(file);
    return [...nearest, ...others];
  });
  const durations = await copy.measure([...new Set(tests)].sort());
  for (const [test, duration] of durations)
    if (duration === Infinity) console.log(`${test} fails without a mutation: it is left out`);
  return durations;
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 100);
const share = (noticed: number, made: number): string =>
  `${String(noticed)} of ${String(made)} noticed (${((100 * noticed) / Math.max(1, made)).toFixed(0)} %)`;

const all = await Promise.all((options.folder === undefined ? FOLDERS : [options.folder]).map(mutationsIn));
const chosen = choose(all.flat(), Number(options.count), Number(options.seed));
const counts = new Map<string, { noticed: number; made: number }>();
const total = { noticed: 0, made: 0 };

function count(mutation: Mutation, noticed: boolean | null): void {
  const { file, line, was, becomes } = mutation;
  const change = `${file}:${String(line)} ${firstLine(was)} → ${firstLine(becomes)}`;
  if (noticed !== true) console.log(noticed === null ? `too busy for ${change}` : change);
  if (noticed === null) return;
  const folder = relative('src', dirname(file));
  const ofFolder = counts.get(folder) ?? { noticed: 0, made: 0 };
  counts.set(folder, ofFolder);
  for (const one of [ofFolder, total]) {
    one.made += 1;
    if (noticed) one.noticed += 1;
  }
  if (total.made % 10 === 0)
    console.log(`… ${share(total.noticed, total.made)} after ${process.uptime().toFixed(0)} s`);
}

const copies = await Promise.all(Array.from({ length: Number(options.jobs) }, () => makeCopy(root)));
try {
  const [first] = copies;
  const durations = first === undefined ? new Map<string, number>() : await measure(chosen, first);
  const rest = chosen.values();
  await Promise.all(
    copies.map(async (copy) => {
      for (const mutation of rest) count(mutation, await isNoticed(mutation, durations, copy));
    }),
  );
} finally {
  await Promise.all(copies.map((copy) => copy.remove()));
}
for (const [folder, { noticed, made }] of [...counts].sort())
  console.log(`${folder}: ${share(noticed, made)}`);
console.log(share(total.noticed, total.made));
