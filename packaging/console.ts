/** Bundles the page of the console into dist/console/: one script, one style sheet, one document. */
import { build } from 'esbuild';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFolder } from './replace-folder.js';

await replaceFolder('dist/console', async (folder) => {
  await build({
    entryPoints: { app: 'console/src/app.tsx' },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'inline',
    logLevel: 'warning',
  });
  await copyFile('console/index.html', join(folder, 'index.html'));
});
