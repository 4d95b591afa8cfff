/** Where the guide is followed: in a folder of this machine, or in a root file system with nothing but Node. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../src/base/package.js';
import { findFreePort } from '../postgres/database.js';
import { startProgram, type RunningProgram } from './run-program.js';

const PAGES_URL = 'http://127.0.0.1:3000';
const run = promisify(execFile);

export interface GuidePlace {
  /** The address of the service; the pages name it `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Sets a variable for the commands that follow. */
  set(name: string, value: string): void;
  /** Runs a command of a page, and returns its output. @throws unless it exits with 0 */
  run(command: string): Promise<string>;
  /** Starts a command that goes on. */
  start(command: string): RunningProgram;
  /** Writes a file of the project. */
  write(path: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

interface Shell {
  readonly url: string;
  /** Of this machine. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The program and the arguments with which a script runs in the project. */
  readonly wrap: (script: string) => readonly [program: string, ...args: readonly string[]];
}

function openPlace({ url, folder, environment, wrap }: Shell, remove: () => Promise<void>): GuidePlace {
  const variables: Record<string, string> = {};
  const options = () => ({ cwd: folder, environment: { ...environment, ...variables } });
  async function runScript(script: string): Promise<string> {
    // A minimal root has no curl. It runs beside the root then, on the same network.
    const [program, ...args] = /^curl /.test(script) ? ['sh', '-c', script] : wrap(script);
    const { cwd, environment: env } = options();
    const { stdout } = await run(program, args, { cwd, env });
    return stdout.trim().replaceAll(/ +$/gm, '');
  }
  const here = (text: string): string => text.replaceAll(PAGES_URL, url);
  return {
    url,
    set: (name, value) => void (variables[name] = value),
    run: (command) => runScript(here(command).replace(/^curl /, 'curl --silent --show-error ')),
    start(command) {
      const [program, ...args] = wrap(`exec ${here(command)}`);
      return startProgram(program, args, options());
    },
    async write(path, text) {
      await runScript(
        `mkdir -p '${dirname(path)}' && cat >'${path}' <<'END OF FILE'\n${here(text)}END OF FILE\n`,
      );
    },
    remove,
  };
}

/** A folder with the built service as the command `dbr`, and a port that is free. */
export async function openFolder(): Promise<GuidePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'dbr-guide-'));
  await chmod(folder, 0o755);
  const [programs, project] = [join(folder, 'programs'), join(folder, 'project')];
  await mkdir(programs);
  await mkdir(project);
  const main = join(packageRoot(), 'dist', 'src', 'main.js');
  await writeFile(join(programs, 'dbr'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, {
    mode: 0o755,
  });
  await symlink(process.execPath, join(programs, 'node'));
  await symlink(
    await realpath((await run('sh', ['-c', 'command -v npm'])).stdout.trim()),
    join(programs, 'npm'),
  );
  await run('make', ['client'], { cwd: packageRoot() });
  await run('npm', ['pack', '--silent', '--pack-destination', project, './dist/client'], {
    cwd: packageRoot(),
  });
  const port = String(await findFreePort());
  const environment = {
    PATH: `${programs}:/usr/bin:/bin`,
    HOME: process.env['HOME'] ?? '',
    ...{ DBR_SERVER_PORT: port, DBR_ADMIN_SERVER_PORT: '0', DBR_ROUTER_PORT: '0' },
  };
  return openPlace(
    { url: `http://127.0.0.1:${port}`, folder: project, environment, wrap: (script) => ['sh', '-c', script] },
    () => rm(folder, { recursive: true, force: true }),
  );
}

/** A root file system in which the user `guide` has the packages: deploy/test-guide.sh makes it, and removes it. */
export const openRoot = (root: string): GuidePlace =>
  openPlace(
    {
      url: PAGES_URL,
      folder: join(root, 'home', 'guide', 'project'),
      environment: { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/bin', HOME: '/home/guide' },
      wrap: (script) => ['chroot', '--userspec=guide:guide', root, 'sh', '-c', `cd ~/project && ${script}`],
    },
    () => Promise.resolve(),
  );
