import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { sourceTexts } from '../../support/source-files.js';

const FOLDERS = ['src', 'codegen', 'generated', 'packages', 'bench', 'examples', 'test'];
/** Their names are those of other files. */
const FACES: readonly string[] = ['src/face.ts', 'src/embedded-face.ts'];
const OURS = /^(?:src|packages\/(?:tools|console|embedded-postgres)\/(?:src|server))\//;
const EXPORT = /^export (?:async )?(?:const|function\*?|interface|type|class) ([\w$]+)/gm;

/** Names and other words of a file, those of its comments and texts among them. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z_$][\w$]*/g));

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|m?js)$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path));

describe('the exports of src/ and of the packages that it imports', () => {
  it('are names that other files use', () => {
    const texts = FOLDERS.flatMap(filesOf).map(
      (path) => [path, readFileSync(join(packageRoot(), path), 'utf8')] as const,
    );
    const files = new Map<string, number>();
    for (const [path, text] of texts)
      for (const word of FACES.includes(path) ? [] : wordsOf(text))
        files.set(word, (files.get(word) ?? 0) + 1);
    const unused = texts
      .filter(([path]) => OURS.test(path))
      .flatMap(([path, text]) =>
        [...text.matchAll(EXPORT)].flatMap(([, name = '']) =>
          files.get(name) === 1 ? [`${path}: ${name}`] : [],
        ),
      );
    expect(unused).to.deep.equal([]);
  });

  it('are in a face if packages use them', () => {
    const names = FACES.flatMap((path) => [
      ...readFileSync(join(packageRoot(), path), 'utf8').matchAll(/\{([^}]*)\}/g),
    ]).flatMap(([, list = '']) => list.match(/[\w$]+/g)?.filter((name) => name !== 'type') ?? []);
    const used = new Set(
      sourceTexts().flatMap(([path, text]) => (path.startsWith('packages/') ? [...wordsOf(text)] : [])),
    );
    expect(names.filter((name) => !used.has(name))).to.deep.equal([]);
  });
});
