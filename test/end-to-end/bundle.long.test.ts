import { expect } from 'chai';
import { readFile, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package.js';
import { runProgram } from '../support/end-to-end/run-program.js';

const FOLDER = join(packageRoot(), 'dist', 'src');

const LATE = [
  'node_modules/@grpc/',
  'node_modules/@nats-io/',
  'node_modules/koa/',
  'generated/validators-bodies.ts',
  'src/signing/signing.ts',
];

/** Names that the import statements of a bundled file have; imports at run time are calls. */
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|\} from) ?(?:[^'"(]*? from )?["']([^"']+)["'];/gm)].map(
    ([, name = '']) => name,
  );

/** The files that Node loads before the first line of `main.js` runs, and what else they import. */
async function loadedAtStart(): Promise<{
  readonly files: readonly string[];
  readonly others: readonly string[];
}> {
  const files = ['main.js'];
  const others = new Set<string>();
  for (const file of files)
    for (const name of importsOf(await readFile(join(FOLDER, file), 'utf8')))
      if (!name.startsWith('./')) others.add(name);
      else if (!files.includes(name.slice(2))) files.push(name.slice(2));
  return { files, others: [...others] };
}

describe('the bundle', () => {
  it('starts from a few files and reads no package', async () => {
    const { files, others } = await loadedAtStart();
    expect(files.length).to.be.within(2, 20);
    expect(others).to.include('node:net');
    expect(others.filter((name) => !isBuiltin(name))).to.deep.equal([]);
  });

  it('leaves gRPC, NATS, Koa, the validators and the areas of accounts for when they serve', async () => {
    const { files } = await loadedAtStart();
    for (const file of files) {
      const text = await readFile(join(FOLDER, file), 'utf8');
      for (const late of LATE) expect(text, `${late} in ${file}`).not.to.contain(`// ${late}`);
    }
  });

  // Tests that run at the same time start processes from the folder.
  it('stays in place when it is built again without a change', async () => {
    const before = await stat(FOLDER);
    await runProgram('make', ['--silent', 'build'], { cwd: packageRoot() });
    expect((await stat(FOLDER)).ino).to.equal(before.ino);
  });

  it('names the licences of the packages in it', async () => {
    const notices = await readFile(join(FOLDER, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(notices).to.match(/^koa \d+\.\d+\.\d+ \(MIT\)$/m);
    expect(notices).to.match(/^@grpc\/grpc-js \d+\.\d+\.\d+ \(Apache-2\.0\)$/m);
  });
});
