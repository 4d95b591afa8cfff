/** Compiles the generated client to dist/client, with what a package needs. */
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { replaceFolder } from '../replace-folder.js';

const TSC = join('node_modules', 'typescript', 'bin', 'tsc');
const BESIDE_THE_CODE = ['packaging/client/package.json', 'packaging/client/README.md', 'LICENSE'];

await replaceFolder('dist/client', async (draft) => {
  await promisify(execFile)(process.execPath, [
    TSC,
    '-p',
    'packaging/client/tsconfig.json',
    '--outDir',
    draft,
  ]);
  for (const file of BESIDE_THE_CODE) await cp(file, join(draft, basename(file)));
});
