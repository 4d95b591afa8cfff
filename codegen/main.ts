/** `make generate` writes generated/; `make check-generated` (`--check`) writes nothing, names every stale file and fails if there is one. */
import { join } from 'node:path';
import { clientProducts } from './client.js';
import { documentProducts, readInputs } from './products.js';
import { protobufProducts } from './protobuf.js';
import { statsFile } from './stats.js';
import { staleOutputs, writeOutputs } from './writer.js';
import type { OutputFile } from './writer.js';

const root = join(import.meta.dirname, '..');
const target = join(root, 'generated');

/** Every generated file, in memory. */
async function generate(): Promise<readonly OutputFile[]> {
  const inputs = await readInputs({
    document: join(root, 'openapi/openapi.yaml'),
    errors: join(root, 'openapi/components/errors.yaml'),
    sqlStates: join(root, 'openapi/components/sqlstates.yaml'),
  });
  const products = await Promise.all([
    documentProducts(inputs),
    clientProducts(inputs.document),
    protobufProducts(root),
  ]);
  const counts = { operations: inputs.operations.length, errors: inputs.errors.entries.length };
  return [...products.flat(), { path: 'stats.json', content: await statsFile(root, counts) }];
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
  const changed = await writeOutputs(target, files);
  console.log(`${String(files.length)} generated files, ${String(changed.length)} changed`);
}
