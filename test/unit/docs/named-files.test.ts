import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../../support/openapi/published-contract.js';

/** A path of the repository, as the manual writes it: from a top-level folder on, down to a file or folder, no pattern. */
const REPOSITORY_PATH =
  /(?<![\w./-])(?:src|packages|test|codegen|generated|openapi|proto|migrations|bench|examples|docs)\/[\w./-]*\w(?![\w./-]*\*)/g;
/** The target of a link of Markdown, without its fragment. */
const LINK = /\]\((?!https?:|#)([^)#\s]+)/g;
/** The target of a link to a section, in two parts. */
const SECTION_LINK = /\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g;
const PAGES = ['README.md', 'CONTRIBUTING.md'];
/** Longest paragraph, in words: a reader takes in one thought at a time. */
const MOST_WORDS = 120;
/** Longest page, in words: a page has one topic. */
const MOST_WORDS_OF_PAGE = 2500;

async function pages(): Promise<readonly string[]> {
  const manual = (await readdir(join(root, 'docs'), { recursive: true })).filter((name) =>
    name.endsWith('.md'),
  );
  return [...PAGES, ...manual.map((name) => join('docs', name))];
}

/** Every page of ours in the folders that have some. */
async function markdown(): Promise<readonly string[]> {
  const within = await Promise.all(
    ['docs', 'generated/docs', 'deploy', 'examples'].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const ours = within.flat().filter((name) => name.endsWith('.md') && !name.includes('node_modules'));
  return [...PAGES, 'CHANGELOG.md', ...ours];
}

/** The names by which links find the sections of a page, as GitHub makes them. */
const sectionsOf = (text: string): readonly string[] =>
  [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Whether the package of the service has a path, by the member `files` of its manifest. */
async function packedPaths(): Promise<(path: string) => boolean> {
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
  };
  const patterns = files.map(
    (name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(?:/|$)`),
  );
  return (path) => path === 'README.md' || path === 'LICENSE' || patterns.some((each) => each.test(path));
}

describe('the manual', () => {
  it('names files that exist', async () => {
    const missing: string[] = [];
    for (const page of await pages()) {
      const text = await readFile(join(root, page), 'utf8');
      for (const [path] of text.matchAll(REPOSITORY_PATH))
        if (!existsSync(join(root, path))) missing.push(`${page}: ${path}`);
    }
    expect(missing).to.deep.equal([]);
  });

  it('names files of the folder that a table is about', async () => {
    const text = await readFile(join(root, 'docs/internals/postgres.md'), 'utf8');
    const tables = [...text.matchAll(/^\| Files of `([\w/-]+)`.*\n((?:\|.*\n)+)/gm)];
    expect(tables).not.to.be.empty;
    for (const [, folder = '', rows = ''] of tables)
      for (const [, name = ''] of rows.matchAll(/`([\w-]+\.ts)`/g))
        expect(existsSync(join(root, folder, name)), `${folder}/${name}`).to.equal(true);
  });

  it('has no paragraph of more than 120 words', async () => {
    const long: string[] = [];
    for (const page of await pages()) {
      const text = (await readFile(join(root, page), 'utf8')).replaceAll(/^```[^]*?^```/gm, '');
      for (const line of text.split('\n'))
        if (!line.startsWith('|') && line.split(/\s+/).length > MOST_WORDS)
          long.push(`${page}: ${line.slice(0, 60)}`);
    }
    expect(long).to.deep.equal([]);
  });

  it('has no page of more than 2,500 words', async () => {
    const long: string[] = [];
    for (const page of await pages()) {
      const words = (await readFile(join(root, page), 'utf8')).split(/\s+/).filter((word) => word !== '');
      if (words.length > MOST_WORDS_OF_PAGE) long.push(`${page}: ${String(words.length)}`);
    }
    expect(long).to.deep.equal([]);
  });

  it('links to pages that exist, and that the package has', async () => {
    const isPacked = await packedPaths();
    const missing: string[] = [];
    for (const page of (await markdown()).filter(isPacked)) {
      const text = await readFile(join(root, page), 'utf8');
      for (const [, target = ''] of text.matchAll(LINK)) {
        const path = join(dirname(page), target);
        if (!existsSync(join(root, path)) || !isPacked(path)) missing.push(`${page}: ${target}`);
      }
    }
    expect(missing).to.deep.equal([]);
  });

  it('links to sections that exist', async () => {
    const missing: string[] = [];
    for (const page of await markdown()) {
      const text = await readFile(join(root, page), 'utf8');
      for (const [, target = '', section = ''] of text.matchAll(SECTION_LINK)) {
        const path = target === '' ? page : join(dirname(page), target);
        if (path.endsWith('.md') && existsSync(join(root, path)))
          if (!sectionsOf(await readFile(join(root, path), 'utf8')).includes(section))
            missing.push(`${page}: ${target}#${section}`);
      }
    }
    expect(missing).to.deep.equal([]);
  });
});
