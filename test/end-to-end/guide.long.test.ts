import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/base/package.js';
import { startProgram, type RunningProgram } from '../support/end-to-end/run-program.js';
import { findFreePort } from '../support/postgres/database.js';
import { until } from '../support/until.js';

const PAGES = [
  'docs/guide/1-your-first-table.md',
  'docs/guide/2-who-may-see-what.md',
  'docs/guide/3-the-client.md',
  'docs/guide/4-the-inbox-in-a-page.md',
  'docs/guide/5-going-to-production.md',
];
const MAIN = join(packageRoot(), 'dist', 'src', 'main.js');

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

describe('the guide', function () {
  this.timeout(240_000);
  let folder: string;
  let environment: Readonly<Record<string, string>>;
  let url: string;
  let served: RunningProgram | null = null;
  /** A client of the stream, and what it prints in the end. */
  let listening: { readonly program: RunningProgram; readonly shown: string } | null = null;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-guide-'));
    await chmod(folder, 0o755);
    const programs = join(folder, 'programs');
    await mkdir(programs);
    await mkdir(join(folder, 'project'));
    await writeFile(join(programs, 'dbr'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, {
      mode: 0o755,
    });
    await symlink(process.execPath, join(programs, 'node'));
    // Stands for the installed package, which `make pack` makes from this folder.
    await promisify(execFile)('make', ['client'], { cwd: packageRoot() });
    await mkdir(join(folder, 'project', 'node_modules'));
    await symlink(
      join(packageRoot(), 'dist', 'client'),
      join(folder, 'project', 'node_modules', 'dbr-client'),
    );
    const port = await findFreePort();
    url = `http://127.0.0.1:${String(port)}`;
    environment = {
      PATH: `${programs}:/usr/bin:/bin`,
      HOME: process.env['HOME'] ?? '',
      ...{ DBR_SERVER_PORT: String(port), DBR_ADMIN_SERVER_PORT: '0', DBR_ROUTER_PORT: '0' },
    };
  });
  after(async () => {
    await listening?.program.stop();
    await served?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Variables that a command sets are those of the next one. */
  let variables = '';
  async function run(command: string): Promise<string> {
    const here = command.replaceAll('http://127.0.0.1:3000', url).replaceAll('curl ', 'curl --silent ');
    if (/^[A-Z]+=/.test(here)) variables += `${here}\n`;
    const options = { cwd: join(folder, 'project'), env: environment };
    const { stdout } = await promisify(execFile)('sh', ['-c', `${variables}${here}`], options);
    return stdout.trim().replaceAll(/ +$/gm, '');
  }

  for (const page of PAGES)
    it(`can be followed: ${page}`, async () => {
      const text = await readFile(join(packageRoot(), page), 'utf8');
      expect(text.split(/\s+/).length).to.be.at.most(800);
      for (const step of stepsOf(text)) {
        if (step.kind === 'write') {
          const path = join(folder, 'project', step.path);
          await mkdir(dirname(path), { recursive: true });
          const from = served?.output().length ?? 0;
          await writeFile(path, step.text.replaceAll('http://127.0.0.1:3000', url));
          if (!step.path.endsWith('.sql')) continue;
          await served?.until(/applied \d{4}_\w+\.sql/, from);
        } else if (step.command === 'dbr dev') {
          const cwd = join(folder, 'project');
          served = startProgram(join(folder, 'programs', 'dbr'), ['dev'], { cwd, environment });
          await served.until(/token {6}of user/);
          await until(async () => (await fetch(`${url}/notes`)).status === 401);
        } else if (step.command.startsWith('node listen.mjs')) {
          const cwd = join(folder, 'project');
          const args = ['-c', `${variables}exec ${step.command}`];
          listening = { program: startProgram('sh', args, { cwd, environment }), shown: step.shown };
          await listening.program.until(/unread\n/);
        } else if (step.shown === '') await run(step.command);
        else
          // The schema is read again a moment after a migration.
          await until(async () => {
            const answer = await run(step.command);
            if (answer !== step.shown && !answer.includes('DBR205') && !answer.includes('PGRST205'))
              expect(answer).to.equal(step.shown);
            return answer === step.shown;
          });
      }
      if (listening === null) return;
      const { program, shown } = listening;
      await program.until(/shares: .*\n/);
      expect(program.output().trim()).to.equal(shown);
      await program.stop();
      listening = null;
    });
});
