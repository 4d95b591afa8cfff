/**
 * `make breaking BASE=ref`: fails when the OpenAPI document or the proto files break clients of those at that commit, when a
 * setting of then is gone, or when a migration of then has changed.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { breaksBetween } from './breaking.js';
import { changedMigrations, removedSettings } from './breaking-interfaces.js';
import { asObject } from './json.js';
import type { JsonObject } from './json.js';
import { runBuf } from './protobuf.js';
import { inScratchFolder } from './scratch.js';

const root = join(import.meta.dirname, '..');
const base = process.argv[2] ?? 'HEAD';

async function git(...parameters: readonly string[]): Promise<Buffer> {
  const options = { cwd: root, encoding: 'buffer', maxBuffer: 2 ** 28 } as const;
  return (await promisify(execFile)('git', [...parameters], options)).stdout;
}

/** Reads a file at the base commit; null if it did not exist. Errors: an unknown commit. */
async function atBase(path: string): Promise<Buffer | null> {
  await git('rev-parse', '--verify', '--quiet', `${base}^{commit}`);
  const listed = await git('ls-tree', '--name-only', base, '--', path);
  return listed.length === 0 ? null : git('show', `${base}:${path}`);
}

function parsed(text: string, place: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return asObject(value, place);
}

async function documentBreaks(): Promise<readonly string[]> {
  const before = await atBase('generated/openapi.json');
  if (before === null) return [];
  const after = await readFile(join(root, 'generated/openapi.json'), 'utf8');
  return breaksBetween(
    parsed(before.toString(), `${base}:generated/openapi.json`),
    parsed(after, 'generated/openapi.json'),
  );
}

async function protobufBreaks(): Promise<readonly string[]> {
  const image = await atBase('generated/router.binpb');
  if (image === null) return [];
  return inScratchFolder(async (folder) => {
    const file = join(folder, 'base.binpb');
    await writeFile(file, image);
    return runBuf(root, ['breaking', '--against', file]).then(
      () => [],
      (error: unknown) => [error instanceof Error ? error.message : String(error)],
    );
  });
}

async function settingBreaks(): Promise<readonly string[]> {
  const before = await atBase('generated/docs/settings.md');
  if (before === null) return [];
  return removedSettings(before.toString(), await readFile(join(root, 'generated/docs/settings.md'), 'utf8'));
}

async function migrationBreaks(): Promise<readonly string[]> {
  const listed = (await git('ls-tree', '--name-only', base, '--', 'migrations/')).toString().trim();
  const names = listed === '' ? [] : listed.split('\n');
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const name of names) {
    before.set(name, (await git('show', `${base}:${name}`)).toString());
    const now = await readFile(join(root, name), 'utf8').catch(() => null);
    if (now !== null) after.set(name, now);
  }
  return changedMigrations(before, after);
}

const breaks = [
  ...(await documentBreaks()),
  ...(await protobufBreaks()),
  ...(await settingBreaks()),
  ...(await migrationBreaks()),
];
if (breaks.length > 0) {
  console.error(`breaks users of ${base}:\n${breaks.map((text) => `  ${text}`).join('\n')}`);
  process.exitCode = 1;
}
