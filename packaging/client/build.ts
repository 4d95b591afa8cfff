/** Compiles the generated client and the typed clients of client/ to dist/client, with what a package needs. */
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { replaceFolder } from '../replace-folder.js';

const TSC = join('node_modules', 'typescript', 'bin', 'tsc');
const BESIDE_THE_CODE = ['packaging/client/package.json', 'packaging/client/README.md', 'LICENSE'];

/** Types are checked by `make typecheck`. */
const compile = (project: string, folder: string): Promise<unknown> =>
  promisify(execFile)(process.execPath, [TSC, '-p', project, '--noCheck', '--outDir', folder]);

await replaceFolder('dist/client', async (draft) => {
  await compile('packaging/client/tsconfig.json', draft);
  // They import types of the generated client, which the compiler puts beside them.
  const typed = join(draft, 'typed');
  await compile('packaging/client/tsconfig.typed.json', typed);
  for (const file of await readdir(join(typed, 'client')))
    await rename(join(typed, 'client', file), join(draft, file));
  await rm(typed, { recursive: true });
  // The package is also a part of that of the service, in which it has no name.
  const declarations = join(draft, 'inbox.d.ts');
  const text = await readFile(declarations, 'utf8');
  await writeFile(declarations, text.replace("from 'dbr-client'", "from './index.js'"));
  for (const file of BESIDE_THE_CODE) await cp(file, join(draft, basename(file)));
});
