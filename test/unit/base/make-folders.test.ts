import { expect } from 'chai';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolders } from '../../../src/base/make-folders.js';

describe('folders', () => {
  let place: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'dbr-folders-'));
  });
  afterEach(() => rm(place, { recursive: true, force: true }));

  const refusal = (path: string): Promise<unknown> =>
    makeFolders(path).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : error),
    );

  it('are made with those above them that are missing, with the mode', async () => {
    const [a, b, c] = [join(place, 'a'), join(place, 'a/b'), join(place, 'a/b/c')];
    expect(await makeFolders(a)).to.deep.equal([a]);
    expect(await makeFolders(c, 0o700)).to.deep.equal([b, c]);
    expect((await stat(b)).mode & 0o777).to.equal(0o700);
    expect(await makeFolders(c)).to.deep.equal([]);
    expect(await makeFolders('.')).to.deep.equal([]);
    expect(await makeFolders('/')).to.deep.equal([]);
  });

  it('are none where one of them cannot be made', async () => {
    await writeFile(join(place, 'file'), '');
    expect(await refusal(join(place, 'file', 'a'))).to.match(/^ENOTDIR/);
    const long = 'x'.repeat(300);
    expect(await refusal(join(place, 'a', 'b', long))).to.match(/^ENAMETOOLONG/);
    expect(await readdir(place)).to.deep.equal(['file']);
  });

  // `mkdir` of Node.js with `recursive` does not return there.
  it('are refused below /proc', async function () {
    if (process.platform !== 'linux') return this.skip();
    expect(await refusal('/proc/dbr/a')).to.equal("ENOENT: no such file or directory, mkdir '/proc/dbr'");
  });
});
