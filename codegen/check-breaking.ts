/** `make breaking BASE=ref`: fails when the OpenAPI document or the proto files break clients of the generated ones at that commit. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { breaksBetween } from './breaking.js';
import { asObject } from './json.js';
import type { JsonObject } from './json.js';
import { runBuf } from './protobuf.js';
import { inScratchFolder } from './scratch.js';

const root = join(import.meta.dirname, '..');
const base = process.argv[2] ?? 'HEAD';

/** Reads a file at the base commit; null if it did not exist. Errors: an unknown commit. */
async function atBase(path: string): Promise<Buffer | null> {
  const git = async (...parameters: readonly string[]): Promise<Buffer> =>
    (await promisify(execFile)('git', [...parameters], { cwd: root, encoding: 'buffer', maxBuffer: 2 ** 28 }))
      .stdout;
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

const breaks = [...(await documentBreaks()), ...(await protobufBreaks())];
if (breaks.length > 0) {
  console.error(`breaks clients of ${base}:\n${breaks.map((text) => `  ${text}`).join('\n')}`);
  process.exitCode = 1;
}
