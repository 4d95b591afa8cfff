/** `make generate` and `make check-generated`: reads the sources of truth, writes generated/, or names every stale file. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { errorsModule, readErrorTable } from './errors.js';
import { readSqlStates, sqlStatesModule } from './sqlstates.js';
import { staleOutputs, writeOutputs } from './writer.js';
import type { OutputFile } from './writer.js';

const root = join(import.meta.dirname, '..');
const target = join(root, 'generated');

/** Every generated file, in memory. */
async function generate(): Promise<readonly OutputFile[]> {
  const errors = readErrorTable(await readYaml('openapi/components/errors.yaml'));
  const sqlStates = readSqlStates(await readYaml('openapi/components/sqlstates.yaml'));
  return [
    { path: 'errors.ts', content: errorsModule(errors) },
    { path: 'sqlstates.ts', content: sqlStatesModule(sqlStates) },
  ];
}

async function readYaml(path: string): Promise<unknown> {
  return parse(await readFile(join(root, path), 'utf8'));
}

const files = await generate();
if (process.argv.includes('--check')) {
  const stale = await staleOutputs(target, files);
  if (stale.length > 0) {
    console.error(
      `stale generated files:\n${stale.map((path) => `  generated/${path}`).join('\n')}\nrun: make generate`,
    );
    process.exitCode = 1;
  }
} else {
  const written = await writeOutputs(target, files);
  console.log(`${String(files.length)} generated files, ${String(written.length)} changed`);
}
