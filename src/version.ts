/** The version of the package, as `Server`, `application_name` and `--version` show it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

let known: string | undefined;

export function version(): string {
  known ??= readVersion();
  return known;
}

function readVersion(): string {
  const content: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  if (
    typeof content === 'object' &&
    content !== null &&
    'version' in content &&
    typeof content.version === 'string'
  )
    return content.version;
  throw new Error('package.json names no version');
}
