/** Compiles the generated client and the typed clients of src/ to dist/client, with what a package needs. */
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { replaceFolder } from '../build/replace-folder.js';

const TSC = join('node_modules', 'typescript-native', 'bin', 'tsc');
const BESIDE_THE_CODE = ['packages/client/package.json', 'packages/client/README.md', 'LICENSE'];

/** Types are checked by `make typecheck`. */
const compile = (project: string, folder: string): Promise<unknown> =>
  promisify(execFile)(process.execPath, [TSC, '-p', project, '--noCheck', '--outDir', folder]);

await replaceFolder('dist/client', async (draft) => {
  await compile('packages/client/tsconfig.generated.json', draft);
  // They import types of the generated client, which the compiler puts beside them.
  const typed = join(draft, 'typed');
  await compile('packages/client/tsconfig.typed.json', typed);
  const sources = join(typed, 'packages', 'client', 'src');
  for (const file of await readdir(sources)) await rename(join(sources, file), join(draft, file));
  await rm(typed, { recursive: true });
  // The package is also a part of that of the service, in which it has no name.
  const declarations = join(draft, 'inbox.d.ts');
  const text = await readFile(declarations, 'utf8');
  await writeFile(declarations, text.replace("from 'dbr-client'", "from './index.js'"));
  for (const file of BESIDE_THE_CODE) await cp(file, join(draft, basename(file)));
});
