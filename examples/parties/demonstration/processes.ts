/** Processes of the demonstration: started, waited for until they say that they are ready, and ended. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface Running {
  /** What the process printed so far. */
  output(): string;
  /** Waits for its end. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

export interface ProcessOptions {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** All of these are printed once the process is ready. */
  readonly readyWhen: readonly RegExp[];
  /** Aborted: the process is asked to end, ready or not. */
  readonly signal: AbortSignal;
}

/** Longest time until a process is ready, in milliseconds. */
const START_MS = 60_000;

/** Runs Node with only the environment that is given. @throws where the process ends, or says nothing, before it is ready */
export async function start({ args, environment = {}, readyWhen, signal }: ProcessOptions): Promise<Running> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let output = '';
  const running = { output: () => output, stop: (name: NodeJS.Signals) => stop(child, name) };
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (what: string): void => reject(new Error(`${args.join(' ')} ${what}: ${output}`));
      timer = setTimeout(() => fail('is not ready'), START_MS);
      const read = (chunk: Buffer): void => {
        output += chunk.toString();
        if (readyWhen.every((pattern) => pattern.test(output))) resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('close', () => fail('ended'));
      child.once('error', (error) => fail(error.message));
    });
    return running;
  } catch (error) {
    await running.stop('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}
