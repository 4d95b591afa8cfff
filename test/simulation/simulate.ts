/** `make simulate`: runs schedules from a seed for some minutes, and keeps those that fail, made small, as files. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../src/base/package.js';
import { buildSimulation } from './build.js';

/** Schedules that fail before the run ends. */
const MOST = '5';

const [seed = '1', minutes = '1'] = process.argv.slice(2);
const root = packageRoot();
const bundle = await buildSimulation('main');
const child = spawn(process.execPath, [bundle, 'run', root, seed, String(Number(minutes) * 60), MOST], {
  stdio: ['ignore', 'pipe', 'inherit'],
});

const isFinding = (
  value: unknown,
): value is { readonly seed: number; readonly failures: readonly string[] } =>
  typeof value === 'object' && value !== null && 'failures' in value && 'schedule' in value;

function keep(line: string): void {
  process.stdout.write(`${line}\n`);
  const finding: unknown = JSON.parse(line);
  if (!isFinding(finding)) return;
  const file = join(root, 'test/simulation/kept', `seed-${String(finding.seed)}.json`);
  const schedule: unknown = Reflect.get(finding, 'schedule');
  writeFileSync(file, `${JSON.stringify({ found: finding.failures.join('\n'), schedule }, null, 2)}\n`);
  process.stdout.write(`kept as ${file}\n`);
}

createInterface({ input: child.stdout }).on('line', keep);
child.on('close', (code) => process.exit(code ?? 1));
