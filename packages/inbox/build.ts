/** Bundles the custom element to dist/inbox, a package of its own with its types. */
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { replaceFolder } from '../build/replace-folder.js';

const TSC = join('node_modules', 'typescript-native', 'bin', 'tsc');
const BESIDE_THE_CODE = ['packages/inbox/package.json', 'packages/inbox/README.md', 'LICENSE'];
const TYPES = 'generated/client/types.gen.js';

await replaceFolder('dist/inbox', async (draft) => {
  await build({
    entryPoints: ['packages/inbox/src/element.ts'],
    outfile: join(draft, 'dbr-inbox.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
  const types = join(draft, 'types');
  await promisify(execFile)(process.execPath, [
    TSC,
    '-p',
    'packages/inbox/tsconfig.types.json',
    '--outDir',
    types,
  ]);
  // Users see folders by their names alone.
  for (const name of ['inbox', 'client'])
    await rename(join(types, 'packages', name, 'src'), join(types, name));
  await rm(join(types, 'packages'), { recursive: true });
  // The types of the generated client are in the package, not in another one.
  for (const file of await readdir(types, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue;
    const text = await readFile(join(types, file), 'utf8');
    const target = relative(join(file, '..'), TYPES);
    const own = text.replaceAll("'../../client/src/", "'../client/");
    await writeFile(join(types, file), own.replaceAll("from 'dbr-client'", `from '${target}'`));
  }
  for (const file of BESIDE_THE_CODE) await cp(file, join(draft, basename(file)));
});
