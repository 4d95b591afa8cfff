import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchFiles } from '../../../src/project/watch-files.js';
import { until } from '../../support/until.js';

describe('watched files', () => {
  it('cause one act for changes that follow each other, and none for other files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dbr-watch-'));
    let running = 0;
    let most = 0;
    let acts = 0;
    const close = watchFiles([{ folder, concerns: (name) => name.endsWith('.sql') }], async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      acts += 1;
    });
    await writeFile(join(folder, 'a.txt'), 'x');
    for (const text of ['1', '2', '3']) await writeFile(join(folder, 'a.sql'), text);
    await until(() => acts === 1);
    await writeFile(join(folder, 'b.sql'), '4');
    await until(() => acts === 2);
    expect(most).to.equal(1);
    close();
    await rm(folder, { recursive: true });
  });
});
