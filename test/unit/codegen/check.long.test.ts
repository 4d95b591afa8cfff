import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { inAllRuns } from '../../support/runs.js';

const root = join(import.meta.dirname, '../../..');

describe('make check-generated', function () {
  this.timeout(360_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-check-'));
  });
  after(() => rm(folder, { recursive: true }));

  const check = async (): Promise<{ readonly code: number; readonly stderr: string }> =>
    promisify(execFile)(
      process.execPath,
      ['--import', 'tsx/esm', 'codegen/main.ts', '--check', '--into', folder],
      { cwd: root },
    ).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => ({ code: error.code, stderr: error.stderr }),
    );

  // CI runs the command, and writer.test.ts finds stale files.
  inAllRuns(
    'fails and names each file that is changed, missing or made by no generator, without writing',
    async () => {
      await cp(join(root, 'generated'), folder, { recursive: true });
      await appendFile(join(folder, 'errors.ts'), '// by hand\n');
      await rm(join(folder, 'router.binpb'));
      await writeFile(join(folder, 'stray.ts'), '');
      const expected = ['errors.ts', 'router.binpb', 'stray.ts']
        .map((path) => `  generated/${path}\n`)
        .join('');
      expect(await check()).to.deep.equal({
        code: 1,
        stderr: `stale generated files:\n${expected}run: make generate\n`,
      });
      expect(await readFile(join(folder, 'errors.ts'), 'utf8')).to.match(/\/\/ by hand\n$/);
    },
  );
});
