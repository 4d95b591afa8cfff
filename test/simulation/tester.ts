/**
 * Tests the simulation: plants one fault at a time in the source of the service and runs schedules until one fails. Writes
 * a table of Markdown.
 */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { packageRoot } from '../../src/base/package.js';
import { buildSimulation } from './build.js';
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.js';
import { seedsOf } from './themes.js';

const [seconds = '30', ...patterns] = process.argv.slice(2);

/** Those whose meaning contains one of the texts; all without a text. */
const chosen = PLANTED_FAULTS.filter(
  ({ meaning }) => patterns.length === 0 || patterns.some((pattern) => meaning.includes(pattern)),
);

const KILLED = 'killed';

/** A process that has not ended then is ended: a fault may occupy it forever. Others use the machine, too. */
const SLACK_SECONDS = 300;

function outputOf(bundle: string, fault: PlantedFault): Promise<string> {
  const { first, step } = seedsOf(fault.theme);
  const given = [String(first), seconds, '1', 'whole', String(step)];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bundle, 'run', packageRoot(), ...given]);
    let [output, errors] = ['', ''];
    const timer = setTimeout(() => child.kill('SIGKILL'), (20 * Number(seconds) + SLACK_SECONDS) * 1000);
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const isCrash = output === '' && errors !== '' && code !== 0;
      resolve(
        isCrash
          ? `crash: ${errors.trim().split('\n').at(-1) ?? ''}`
          : `${output}${signal === null ? '' : KILLED}`,
      );
    });
  });
}

interface Finding {
  readonly schedules: number;
  readonly cpuMs: number;
  readonly failures: readonly string[];
}

const isFinding = (value: unknown): value is Finding =>
  typeof value === 'object' &&
  value !== null &&
  'failures' in value &&
  'schedules' in value &&
  'cpuMs' in value;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 110);

async function rowOf(fault: PlantedFault): Promise<string> {
  const bundle = await buildSimulation(`fault-${String(process.pid)}`, fault);
  const output = await outputOf(bundle, fault);
  await rm(bundle, { force: true });
  const [first = ''] = output.split('\n');
  const name = `${fault.meaning} | ${fault.theme}`;
  if (first === KILLED) return `| ${name} | no verdict: it was killed | | | |`;
  if (!first.startsWith('{')) return `| ${name} | found: the process ended | | | ${cell(first)} |`;
  const finding: unknown = JSON.parse(first);
  if (!isFinding(finding)) return `| ${name} | **not found** | | | |`;
  const { schedules, cpuMs, failures } = finding;
  return `| ${name} | found | ${String(schedules)} | ${(cpuMs / 1000).toFixed(1)} s | ${cell(failures[0] ?? '')} |`;
}

process.stdout.write(
  '| Fault | Theme | | Schedules | CPU | What was found first |\n| --- | --- | --- | --- | --- | --- |\n',
);
for (const fault of chosen) process.stdout.write(`${await rowOf(fault)}\n`);
