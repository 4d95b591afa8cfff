/** Writes generated files or compares them with the existing ones. No other module does. */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** A generated file: its path below the output folder, and its content. */
export interface OutputFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** Writes files that differ and removes those that no generator makes. Returns the paths written or removed. */
export async function writeOutputs(folder: string, files: readonly OutputFile[]): Promise<readonly string[]> {
  const stale = await staleOutputs(folder, files);
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const path of stale) {
    const file = byPath.get(path);
    const target = join(folder, path);
    if (file === undefined) {
      await rm(target);
    } else {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, file.content);
    }
  }
  return stale;
}

/** The paths, sorted, that differ from what the generators make now: changed, missing, or made by none. */
export async function staleOutputs(folder: string, files: readonly OutputFile[]): Promise<readonly string[]> {
  const expected = new Set(files.map((file) => file.path));
  const left = (await listFiles(folder)).filter((path) => !expected.has(path));
  const differing: string[] = [];
  for (const file of files)
    if (!(await holds(join(folder, file.path), file.content))) differing.push(file.path);
  return [...left, ...differing].sort();
}

/** Every file below the folder, as sorted paths relative to it; none when there is no such folder. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(noneIfMissing);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

async function holds(path: string, content: string | Uint8Array): Promise<boolean> {
  const present = await readFile(path).catch(noneIfMissing);
  return present instanceof Buffer && present.equals(Buffer.from(content));
}

function noneIfMissing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
