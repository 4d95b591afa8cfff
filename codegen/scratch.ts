/** Runs tools that write files in a scratch folder; these files then become products. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFiles } from './writer.js';
import type { OutputFile } from './writer.js';

/** Runs `make` with a new folder and removes the folder afterwards, also after an error. */
export async function inScratchFolder<T>(make: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'dbr-codegen-'));
  try {
    return await make(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Every file below the folder, its path under `prefix`. */
export async function readFolder(folder: string, prefix: string): Promise<readonly OutputFile[]> {
  const paths = await listFiles(folder);
  return Promise.all(
    paths.map(async (path) => ({ path: join(prefix, path), content: await readFile(join(folder, path)) })),
  );
}
