/** Bundles the pages into dist/console/ and dist/reference/: one script, one style sheet, one document, and the licences. */
import { build } from 'esbuild';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NOTICES, noticesOf } from './notices.js';
import { replaceFolder } from './replace-folder.js';

for (const [page, source] of [
  ['console', 'packages/console/page'],
  ['reference', 'packages/reference'],
] as const)
  await replaceFolder(`dist/${page}`, async (folder) => {
    const { metafile } = await build({
      entryPoints: { app: `${source}/src/app.tsx` },
      outdir: folder,
      bundle: true,
      format: 'esm',
      platform: 'browser',
      target: ['chrome120', 'firefox121', 'safari17'],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      minify: true,
      metafile: true,
      legalComments: 'inline',
      logLevel: 'warning',
    });
    await writeFile(join(folder, NOTICES), await noticesOf(metafile));
    await copyFile(`${source}/index.html`, join(folder, 'index.html'));
  });
