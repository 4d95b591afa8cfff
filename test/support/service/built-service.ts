/** The compiled service as users run it: a process of its own. `make test` builds it first. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { mintToken, type TokenRequest } from '../../../src/auth/mint-token.js';
import { loadSettings } from '../../../src/settings/load.js';

const mainIn = (root: string): string => join(root, 'dist', 'src', 'main.js');
const MAIN = mainIn(packageRoot());

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

/** Only the variables that a process needs: settings of the caller's environment do not reach the service. */
const bare = (more: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  ...more,
});

/** Runs `dbr` to its end. @param folder where it runs; the current folder without it */
export async function runDbr(
  args: readonly string[],
  environment: Environment = {},
  folder = process.cwd(),
): Promise<Finished> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: bare(environment),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return finish(child);
}

async function finish(child: ChildProcess): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** The token that `dbr token` prints, without its process. A day is long enough. */
export const developmentToken = (
  claims: Pick<TokenRequest, 'tenant' | 'user'> & Partial<TokenRequest>,
): Promise<string> =>
  mintToken(loadSettings({ file: undefined, environment: {} }), {
    ...{ role: undefined, scope: undefined, expiresIn: 86_400 },
    ...claims,
  });

export interface StartingProcess {
  readonly child: ChildProcess;
  /** Resolves when the process has ended. */
  readonly finished: Promise<Finished>;
}

/** Starts `dbr` in a process group of its own, whose id is that of the process. */
export function startGroup(args: readonly string[], environment: Environment): StartingProcess {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: bare(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  return { child, finished: finish(child) };
}

export interface ServingProcess {
  readonly url: string;
  readonly adminUrl: string;
  readonly child: ChildProcess;
  /** The output of the process so far. */
  output(): string;
  /** Sends the signal and waits for the end; returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ServingOptions {
  /** The folder of another build. */
  readonly root?: string;
  /** Where it runs. */
  readonly folder?: string;
}

/** Starts `dbr serve` on free ports and waits until it says that it serves. */
export async function serveDbr(
  environment: Environment,
  args: readonly string[] = [],
  { root = packageRoot(), folder = process.cwd() }: ServingOptions = {},
): Promise<ServingProcess> {
  const ports = {
    DBR_SERVER_HOST: '127.0.0.1',
    DBR_SERVER_PORT: '0',
    DBR_ADMIN_SERVER_PORT: '0',
    DBR_ROUTER_PORT: '0',
  };
  const child = spawn(process.execPath, [mainIn(root), 'serve', ...args], {
    env: bare({ ...ports, ...environment }),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const serving = new Promise<RegExpExecArray>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /serves on (\S+), admin on ([^\s"]+)/.exec(output);
      if (found !== null) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => reject(new Error(`dbr ended with ${String(code)}: ${output}`)));
  });
  const [, url = '', adminUrl = ''] = await serving;
  return {
    url,
    adminUrl,
    child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const closed = once(child, 'close') as Promise<[number | null]>;
      child.kill(signal);
      return (await closed)[0];
    },
  };
}
