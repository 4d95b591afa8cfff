import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { staleOutputs, writeOutputs } from '../../../codegen/writer.js';

describe('writing generated files', () => {
  const files = [
    { path: 'a.ts', content: 'a' },
    { path: 'deep/b.bin', content: Buffer.from([0, 255]) },
  ];
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-writer-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('writes files that differ and removes files that are no longer generated', async () => {
    const made = join(folder, 'new');
    expect(await writeOutputs(made, files)).to.deep.equal(['a.ts', 'deep/b.bin']);
    expect(await readFile(join(made, 'deep/b.bin'))).to.deep.equal(Buffer.from([0, 255]));
    await writeFile(join(made, 'old.ts'), 'old');
    await writeFile(join(made, 'a.ts'), 'changed');
    expect(await staleOutputs(made, files)).to.deep.equal(['a.ts', 'old.ts']);
    expect(await writeOutputs(made, files)).to.deep.equal(['a.ts', 'old.ts']);
    expect(await writeOutputs(made, files)).to.deep.equal([]);
  });
});
