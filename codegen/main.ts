/** `make generate` writes generated/. `make check-generated` (`--check`) writes nothing and fails with the names of stale files. `--into FOLDER` sets another folder. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { settingsPage } from '../src/settings/dump.js';
import { clientProducts } from './client.js';
import { commandsPage } from './commands-page.js';
import { protobufConstants, readEnumConstants } from './enum-constants.js';
import { documentProducts, readInputs } from './products.js';
import { metricsPage } from './metrics-page.js';
import { mediaTypesPage } from './media-types-page.js';
import { operatorsPage } from './operators-page.js';
import { protobufProducts } from './protobuf.js';
import { roomProducts } from './rooms/room-products.js';
import { statsFile } from './stats.js';
import { staleOutputs, writeOutputs } from './writer.js';
import type { OutputFile } from './writer.js';

const root = join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    into: { type: 'string', default: join(root, 'generated') },
  },
});

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
    protobufProducts(root, protobufConstants(readEnumConstants(inputs.document))),
  ]);
  const counts = { operations: inputs.operations.length, errors: inputs.errors.entries.length };
  return [
    ...products.flat(),
    { path: 'docs/metrics.md', content: metricsPage() },
    { path: 'docs/media-types.md', content: mediaTypesPage() },
    { path: 'docs/operators.md', content: operatorsPage() },
    { path: 'docs/settings.md', content: settingsPage() },
    { path: 'docs/commands.md', content: commandsPage() },
    { path: 'stats.json', content: await statsFile(root, counts) },
    ...(await roomProducts(join(root, 'src'))),
  ];
}

const files = await generate();
if (options.check) {
  const stale = await staleOutputs(options.into, files);
  if (stale.length > 0) {
    console.error(
      `stale generated files:\n${stale.map((path) => `  generated/${path}`).join('\n')}\nrun: make generate`,
    );
    process.exitCode = 1;
  }
} else {
  const changed = await writeOutputs(options.into, files);
  console.log(`${String(files.length)} generated files, ${String(changed.length)} changed`);
}
