/** The pages of the manual. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';

/** Paths relative to the root of the package. */
export const manualPages = (): readonly string[] => [
  'README.md',
  ...readdirSync(join(packageRoot(), 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .sort(),
];
