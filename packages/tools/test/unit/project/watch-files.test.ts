import { expect } from 'chai';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchFiles } from '../../../src/project/watch-files.js';
import { until } from '../../../../../test/support/until.js';

describe('watched files', () => {
  it('cause one act for changes that follow each other, and none for other files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dbr-watch-'));
    let running = 0;
    let most = 0;
    let acts = 0;
    const close = watchFiles(
      [{ folder, concerns: (name) => name.endsWith('.sql') }],
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        acts += 1;
      },
      (error) => expect.fail(String(error)),
    );
    await writeFile(join(folder, 'a.txt'), 'x');
    for (const text of ['1', '2', '3']) await writeFile(join(folder, 'a.sql'), text);
    await until(() => acts === 1);
    await writeFile(join(folder, 'b.sql'), '4');
    await until(() => acts === 2);
    expect(most).to.equal(1);
    close();
    await rm(folder, { recursive: true });
  });

  it('are followed in a folder that is made again, and one that cannot be watched is reported once', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'dbr-watch-'));
    const folder = join(parent, 'migrations');
    const seen: string[] = [];
    const close = watchFiles(
      [{ folder, concerns: (name) => name.endsWith('.sql') }],
      () => {
        seen.push('act');
        return Promise.resolve();
      },
      (error) => seen.push(error instanceof Error ? error.message : ''),
    );
    const missing = `ENOENT: no such file or directory, watch '${folder}'`;
    expect(seen).to.deep.equal([missing]);
    await mkdir(folder);
    await until(() => seen.length === 2);
    await rm(folder, { recursive: true });
    await until(() => seen.length === 3);
    await mkdir(folder);
    await until(() => seen.length === 4);
    expect(seen).to.deep.equal([missing, 'act', missing, 'act']);
    // Made again before the removal is noticed.
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    await until(() => seen.length === 5);
    await writeFile(join(folder, 'a.sql'), '1');
    await until(() => seen.length === 6);
    expect(seen.slice(4)).to.deep.equal(['act', 'act']);
    close();
    await rm(parent, { recursive: true });
  });
});
