/** Programs that tests start: run to their end, or until they print what is waited for. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';

export interface ProgramOptions {
  readonly cwd: string;
  /** The environment is this one alone, with PATH and HOME. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The PATH of a machine on which only Node is installed. */
const NODE_ALONE = `${dirname(process.execPath)}:/usr/bin:/bin`;

const start = (command: string, args: readonly string[], options: ProgramOptions): ChildProcess =>
  spawn(command, args, {
    cwd: options.cwd,
    env: { PATH: NODE_ALONE, HOME: process.env['HOME'], ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what the program starts ends with it.
    detached: true,
  });

/** Runs a program to its end and returns its standard output. @throws with all that it printed, unless it exits with 0 */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<string> {
  const child = start(command, args, options);
  const output = { stdout: '', all: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString();
    output.all += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => (output.all += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}: ${output.all}`);
  return output.stdout;
}

export interface RunningProgram {
  output(): string;
  /** Resolves with the first match of the pattern in the output after `from` characters. @throws when the program ends first */
  until(pattern: RegExp, from?: number): Promise<RegExpExecArray>;
  /** Sends SIGTERM to the whole group and waits for its end. */
  stop(): Promise<void>;
}

/** Starts a program that goes on until it is stopped. */
export function startProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): RunningProgram {
  const child = start(command, args, options);
  let output = '';
  let ended = false;
  let notify = (): void => undefined;
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
    notify();
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  const closed = once(child, 'close').then(() => {
    ended = true;
    notify();
  });
  return {
    output: () => output,
    async until(pattern, from = 0) {
      for (;;) {
        const found = pattern.exec(output.slice(from));
        if (found !== null) return found;
        if (ended) throw new Error(`${command} ended: ${output}`);
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
    },
    async stop() {
      if (!ended && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await closed;
    },
  };
}
