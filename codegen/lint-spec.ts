/** `make lint-spec`: lints the OpenAPI document (redocly.yaml) and the proto files (buf.yaml), and their format. */
import { join } from 'node:path';
import { lint, loadConfig } from '@redocly/openapi-core';
import { runBuf } from './protobuf.js';

const root = join(import.meta.dirname, '..');

async function documentFindings(): Promise<readonly string[]> {
  const config = await loadConfig({ configPath: join(root, 'redocly.yaml') });
  const problems = await lint({ ref: join(root, 'openapi/openapi.yaml'), config });
  return problems
    .filter((problem) => !problem.ignored)
    .map(
      ({ ruleId, message, location }) =>
        `${location[0]?.source.absoluteRef ?? ''} ${location[0]?.pointer ?? ''} ${ruleId}: ${message}`,
    );
}

async function bufFindings(...parameters: readonly string[]): Promise<readonly string[]> {
  return runBuf(root, parameters).then(
    () => [],
    (error: unknown) => [error instanceof Error ? error.message : String(error)],
  );
}

const findings = await Promise.all([
  documentFindings(),
  bufFindings('lint'),
  bufFindings('format', '--diff', '--exit-code'),
]);
for (const finding of findings.flat()) {
  console.error(finding);
  process.exitCode = 1;
}
