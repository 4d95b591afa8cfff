import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';

const FOLDERS = [
  ...['src', 'codegen', 'generated', 'packaging', 'bench', 'examples', 'test'],
  ...['console', 'reference', 'client', 'inbox'],
];
const EXPORT = /^export (?:async )?(?:const|function\*?|interface|type|class) ([\w$]+)/gm;

/** Names and other words of a file, those of its comments and texts among them. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z_$][\w$]*/g));

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|m?js)$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path));

describe('the exports of src/', () => {
  it('are names that other files use', () => {
    const texts = FOLDERS.flatMap(filesOf).map(
      (path) => [path, readFileSync(join(packageRoot(), path), 'utf8')] as const,
    );
    const files = new Map<string, number>();
    for (const [, text] of texts)
      for (const word of wordsOf(text)) files.set(word, (files.get(word) ?? 0) + 1);
    const unused = texts
      .filter(([path]) => path.startsWith('src/'))
      .flatMap(([path, text]) =>
        [...text.matchAll(EXPORT)].flatMap(([, name = '']) =>
          files.get(name) === 1 ? [`${path}: ${name}`] : [],
        ),
      );
    expect(unused).to.deep.equal([]);
  });
});
