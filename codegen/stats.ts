/** Hashes of the inputs of the products: `generated/stats.json`. A different hash shows which input changed. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from './writer.js';

/** The folders of the inputs: the sources of truth, and the generators themselves. */
const FOLDERS = ['openapi', 'proto', 'codegen'] as const;

/** The text of `generated/stats.json`: one SHA-256 for each folder of inputs, and how much was made of them. */
export async function statsFile(root: string, counts: Readonly<Record<string, number>>): Promise<string> {
  const hashes = await Promise.all(
    FOLDERS.map(async (folder) => [folder, await hashOf(join(root, folder))] as const),
  );
  return `${JSON.stringify({ sha256: Object.fromEntries(hashes), counts }, null, 2)}\n`;
}

/** A hash of paths and contents, without the generators' test data. */
async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of await listFiles(folder)) {
    if (path.startsWith('testdata')) continue;
    hash.update(`${path}\0`).update(await readFile(join(folder, path)));
  }
  return hash.digest('hex');
}
