import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package.js';

/** The sources of the service and of its packages, without their tests: each path below the root, and its text. */
export function sourceTexts(): readonly (readonly [path: string, text: string])[] {
  const root = packageRoot();
  return ['src', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => /\.tsx?$/.test(path) && !/^packages\/[^/]+\/test\//.test(path))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
  );
}
