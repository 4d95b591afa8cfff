import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { staleOutputs, writeOutputs } from '../../../codegen/writer.js';

const root = join(import.meta.dirname, '../../..');

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dbr-check-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('writing generated files', () => {
  const files = [
    { path: 'a.ts', content: 'a' },
    { path: 'deep/b.bin', content: Buffer.from([0, 255]) },
  ];

  it('writes files that differ and removes files that are no longer generated', () =>
    withFolder(async (folder) => {
      expect(await writeOutputs(join(folder, 'new'), files)).to.deep.equal(['a.ts', 'deep/b.bin']);
      expect(await readFile(join(folder, 'new/deep/b.bin'))).to.deep.equal(Buffer.from([0, 255]));
      await writeFile(join(folder, 'new/old.ts'), 'old');
      await writeFile(join(folder, 'new/a.ts'), 'changed');
      expect(await staleOutputs(join(folder, 'new'), files)).to.deep.equal(['a.ts', 'old.ts']);
      expect(await writeOutputs(join(folder, 'new'), files)).to.deep.equal(['a.ts', 'old.ts']);
      expect(await writeOutputs(join(folder, 'new'), files)).to.deep.equal([]);
    }));
});

describe('make check-generated', function () {
  this.timeout(360_000);
  const check = async (folder: string): Promise<{ readonly code: number; readonly stderr: string }> =>
    promisify(execFile)(
      process.execPath,
      ['--import', 'tsx/esm', 'codegen/main.ts', '--check', '--into', folder],
      {
        cwd: root,
      },
    ).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => ({ code: error.code, stderr: error.stderr }),
    );

  it('fails and names each file that is changed, missing or made by no generator, without writing', () =>
    withFolder(async (folder) => {
      await cp(join(root, 'generated'), folder, { recursive: true });
      await appendFile(join(folder, 'errors.ts'), '// by hand\n');
      await rm(join(folder, 'router.binpb'));
      await writeFile(join(folder, 'stray.ts'), '');
      const expected = ['errors.ts', 'router.binpb', 'stray.ts']
        .map((path) => `  generated/${path}\n`)
        .join('');
      expect(await check(folder)).to.deep.equal({
        code: 1,
        stderr: `stale generated files:\n${expected}run: make generate\n`,
      });
      expect(await readFile(join(folder, 'errors.ts'), 'utf8')).to.match(/\/\/ by hand\n$/);
    }));
});
