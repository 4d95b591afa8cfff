import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package.js';

/** The service, and the packages that it imports. */
const FOLDERS = ['src', 'packages/console/server', 'packages/embedded-postgres/src', 'packages/tools/src'];

/** The sources of the service and of the packages that it imports: each path below the root, and its text. */
export const sourceTexts = (): readonly (readonly [path: string, text: string])[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => [join(folder, path), readFileSync(join(packageRoot(), folder, path), 'utf8')] as const),
  );
