/** The processes of the demonstration: started, waited for until they say that they are ready, and ended. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface ProcessOptions {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** All of these are printed once the process is ready. */
  readonly readyWhen: readonly RegExp[];
}

export interface Processes {
  /**
   * Runs Node with only the environment that is given. A later process of the same name takes the place of an earlier one.
   * @returns what it printed until it was ready
   * @throws where the process ends, or says nothing, before it is ready
   */
  start(name: string, options: ProcessOptions): Promise<string>;
  /** Waits for the end. */
  stop(name: string, signal: NodeJS.Signals): Promise<void>;
  /** What all of them printed. */
  output(): string;
  /** Ends all, ready or not. */
  close(): Promise<void>;
}

interface Process {
  readonly name: string;
  readonly child: ChildProcess;
  output: string;
}

/** Longest time until a process is ready, in milliseconds. */
const START_MS = 60_000;

export function createProcesses(): Processes {
  const started: Process[] = [];
  let closed = false;

  function run(
    name: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Process {
    if (closed) throw new Error('the demonstration is over');
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const one: Process = { name, child, output: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (one.output += chunk.toString()));
    started.push(one);
    return one;
  }

  return {
    async start(name, { args, environment = {}, readyWhen }) {
      const one = run(name, args, environment);
      await untilReady(one, readyWhen);
      return one.output;
    },
    async stop(name, signal) {
      const one = started.findLast((candidate) => candidate.name === name);
      if (one !== undefined) await stop(one.child, signal);
    },
    output: () => started.map(({ name, output }) => `--- ${name}\n${output}`).join(''),
    async close() {
      closed = true;
      await Promise.all(started.map(({ child }) => stop(child, 'SIGTERM')));
    },
  };
}

function untilReady(one: Process, readyWhen: readonly RegExp[]): Promise<void> {
  const { name, child } = one;
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => reject(new Error(`${name} ${what}: ${one.output}`));
    const timer = setTimeout(() => fail('is not ready'), START_MS);
    const look = (): void => {
      if (!readyWhen.every((pattern) => pattern.test(one.output))) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', () => {
      clearTimeout(timer);
      fail('ended');
    });
    child.once('error', (error) => fail(error.message));
  });
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill(signal);
  await ended;
}
