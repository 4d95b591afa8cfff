import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { manualBlocks, manualCommandsIn } from '../../support/end-to-end/manual-commands.js';
import { manualPages } from '../../support/end-to-end/manual-page-paths.js';
import { NOT_RUN, OTHER_PAGES, reasonNotToRun, SAMPLE_PAGES } from '../../support/end-to-end/manual-pages.js';

const PAGES = manualPages();
const isRun = (page: string): boolean =>
  SAMPLE_PAGES.some(({ path }) => path === page) || OTHER_PAGES.some(([path]) => page.startsWith(path));

describe('the commands of the manual', () => {
  for (const page of PAGES)
    it(`are run by a test, or listed with the reason: ${page}`, async () => {
      const commands = manualCommandsIn(await manualBlocks(page)).map(({ command }) => command);
      const left = commands.filter((command) => !isRun(page) && reasonNotToRun(page, command) === null);
      expect(left).to.deep.equal([]);
    });

  it('are alike in a test that exists, where CI does not run them', () => {
    const tests = SAMPLE_PAGES.flatMap(({ alike }) => alike ?? []);
    expect(tests.filter((path) => !existsSync(join(packageRoot(), path)))).to.deep.equal([]);
  });

  it('stand in blocks of the language sh', async () => {
    const blocks = (await Promise.all(PAGES.map(manualBlocks))).flat();
    const others = blocks.filter(({ language }) => language !== 'sh').map(({ text }) => text);
    expect(others.filter((text) => /^(?:\$|curl|dbr|make) /m.test(text))).to.deep.equal([]);
  });

  it('leave nothing out, so that they can be pasted', async () => {
    for (const page of PAGES)
      for (const { command } of manualCommandsIn(await manualBlocks(page)))
        expect(command, page).not.to.contain('…');
  });

  it('are still there if they are listed as not run', async () => {
    for (const [page, part] of NOT_RUN) {
      const commands = manualCommandsIn(await manualBlocks(page));
      expect(commands.filter(({ command }) => command.includes(part))).to.not.deep.equal(
        [],
        `${page}: ${part}`,
      );
    }
  });

  it('have tests that exist', () => {
    for (const [, test] of OTHER_PAGES) expect(existsSync(join(packageRoot(), test)), test).to.equal(true);
  });
});
