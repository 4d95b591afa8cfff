/** The statuses that the document lists for each operation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';

interface DocumentedOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Statuses by operation of the tag, without `default`, which stands for unforeseen errors. */
export function documentedStatuses(tag: string): ReadonlyMap<string, readonly number[]> {
  const text = readFileSync(join(packageRoot(), 'generated', 'openapi.json'), 'utf8');
  const { paths } = JSON.parse(text) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  };
  const operations = Object.values(paths).flatMap((operation) => Object.values(operation));
  return new Map(
    operations
      .filter(({ tags }) => tags?.includes(tag))
      .map(({ operationId, responses }) => [
        operationId,
        Object.keys(responses)
          .filter((status) => status !== 'default')
          .map(Number),
      ]),
  );
}
