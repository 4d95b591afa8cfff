import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package.js';
import { openRoot, openFolder, type GuidePlace } from '../support/end-to-end/guide-place.js';
import type { RunningProgram } from '../support/end-to-end/run-program.js';
import { until } from '../support/until.js';

const PAGES = [
  'docs/guide/1-your-first-table.md',
  'docs/guide/2-who-may-see-what.md',
  'docs/guide/3-the-client.md',
  'docs/guide/4-the-inbox-in-a-page.md',
  'docs/guide/5-going-to-production.md',
];

type Step =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'run'; readonly command: string; readonly shown: string };

/** The files and the commands of a page, in their order. */
function stepsOf(page: string): readonly Step[] {
  const blocks = page.matchAll(/(?:[Ww]rite `([^`]+)`:\n\n)?^```(\w*)\n([^]*?)^```$/gm);
  return [...blocks].flatMap(([, path, language, text = '']): readonly Step[] => {
    if (path !== undefined) return [{ kind: 'write', path, text }];
    if (language !== 'sh') return [];
    return text
      .split(/^\$ /m)
      .slice(1)
      .map((each) => {
        const end = each.indexOf('\n');
        return { kind: 'run', command: each.slice(0, end), shown: each.slice(end + 1).trim() };
      });
  });
}

/** `make test-guide` sets the folder of a root file system. */
const ROOT = process.env['GUIDE_ROOT'];

describe('the guide', function () {
  this.timeout(240_000);
  let place: GuidePlace;
  let served: RunningProgram | null = null;
  /** A client of the stream, and what it prints in the end. */
  let listening: { readonly program: RunningProgram; readonly shown: string } | null = null;

  before(async () => {
    place = ROOT === undefined ? await openFolder() : openRoot(ROOT);
  });
  after(async () => {
    await listening?.program.stop();
    await served?.stop();
    await place.remove();
  });

  async function runAndCompare(command: string, shown: string): Promise<void> {
    const set = /^([A-Z]+)=\$\((.*)\)$/.exec(command);
    if (set !== null) return place.set(set[1] ?? '', await place.run(set[2] ?? ''));
    if (shown === '') return void (await place.run(command));
    // The schema is read again a moment after a migration.
    await until(async () => {
      const answer = await place.run(command);
      if (answer !== shown && !answer.includes('DBR205') && !answer.includes('PGRST205'))
        expect(answer).to.equal(shown);
      return answer === shown;
    });
  }

  for (const page of PAGES)
    it(`can be followed: ${page}`, async () => {
      const text = await readFile(join(packageRoot(), page), 'utf8');
      expect(text.split(/\s+/).length).to.be.at.most(800);
      for (const step of stepsOf(text)) {
        if (step.kind === 'write') {
          const from = served?.output().length ?? 0;
          await place.write(step.path, step.text);
          if (step.path.endsWith('.sql')) await served?.until(/applied \d{4}_\w+\.sql/, from);
        } else if (step.command === 'dbr dev') {
          served = place.start(step.command);
          await served.until(/token {6}of user/);
          await until(async () => (await fetch(`${place.url}/notes`)).status === 401);
        } else if (step.command.startsWith('node listen.mjs')) {
          listening = { program: place.start(step.command), shown: step.shown };
          await listening.program.until(/unread\n/);
        } else await runAndCompare(step.command, step.shown);
      }
      if (listening === null) return;
      const { program, shown } = listening;
      await program.until(/shares: .*\n/);
      expect(program.output().trim()).to.equal(shown);
      await program.stop();
      listening = null;
    });
});
