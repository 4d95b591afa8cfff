/**
 * The right to start a server on a folder, which one process of the machine has, in whatever container it runs.
 *
 * Node.js has no file locks, so the lock is a listening Unix socket in the folder: it accepts connections until its
 * process ends, however it ends, and across namespaces of processes and networks. The sockets have numbers, and the
 * highest one counts. A process whose predecessor accepts no connection links its own socket, which already listens, to
 * the next number; `link` fails if another process was faster. The socket with the highest number is never removed. So a
 * process that links a number after a later process has removed that number finds the later process.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { link, open, readdir, readlink, rm } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { EmbeddedServerError } from './embedded-server-error.js';

/** Another process has the folder. */
export class FolderInUse extends EmbeddedServerError {
  /** Whether waiting may help: the process runs in the same container, where it makes its server known, or may be ending. */
  readonly mayPass: boolean;

  constructor(folder: string, holder: string, mayPass: boolean) {
    super(
      `The data in ${folder} is in use by ${holder}: two servers would destroy it. Stop that one, or choose another data-directory`,
    );
    this.mayPass = mayPass;
  }
}

export interface FolderLock {
  /**
   * Takes the lock, unless this process has it. Resolves to false if the file system has no sockets, so that nothing
   * is known of other processes.
   * @throws FolderInUse
   */
  take(): Promise<boolean>;
  release(): Promise<void>;
}

/** @param folder exists, and belongs to the account of this process */
export function createFolderLock(folder: string): FolderLock {
  let held: Server | null = null;
  return {
    async take() {
      held ??= await withShortNames(folder, (nameOf) => takeLock(folder, nameOf));
      return held !== null;
    },
    async release() {
      const server = held;
      held = null;
      if (server === null) return;
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether a process accepts connections at one of the sockets of a server in its data folder. */
export const hasLiveServer = (dataDirectory: string): Promise<boolean> =>
  withShortNames(dataDirectory, async (nameOf) => {
    const sockets = (await readdir(dataDirectory)).filter((name) => SERVER_SOCKET.test(name));
    const holders = await Promise.all(sockets.map((name) => holderAt(nameOf(name))));
    return holders.some((holder) => holder !== null);
  });

const SERVER_SOCKET = /^\.s\.PGSQL\.\d+$/;
const NUMBERED = /^lock\.(\d+)$/;
const DRAFT = /^lock-draft\./;

/** The address of a socket has at most 107 bytes. Linux gives the folder a short name, by its descriptor. */
async function withShortNames<Result>(
  folder: string,
  work: (nameOf: (file: string) => string) => Promise<Result>,
): Promise<Result> {
  if (process.platform !== 'linux') return work((file) => join(folder, file));
  const handle = await open(folder, 'r');
  try {
    return await work((file) => `/proc/self/fd/${String(handle.fd)}/${file}`);
  } catch (error) {
    if (error instanceof Error)
      error.message = error.message.replace(`/proc/self/fd/${String(handle.fd)}/`, `${folder}/`);
    throw error;
  } finally {
    await handle.close();
  }
}

type NameOf = (file: string) => string;

/** Null if the file system has no sockets. @throws FolderInUse */
async function takeLock(folder: string, nameOf: NameOf): Promise<Server | null> {
  for (;;) {
    const before = Math.max(0, ...(await numbersIn(folder)));
    const holder = before === 0 ? null : await holderAt(nameOf(`lock.${String(before)}`));
    if (holder !== null) throw inUse(folder, holder, await namespaceOfProcesses());
    const draft = `lock-draft.${randomUUID()}`;
    const server = await listenAt(nameOf(draft));
    if (server === null) return null;
    const own = before + 1;
    const linked = await link(nameOf(draft), nameOf(`lock.${String(own)}`)).then(
      () => true,
      (error: unknown) => {
        // Another process was faster, or has the lock and has removed the draft.
        if (hasCode(error, ['EEXIST', 'ENOENT'])) return false;
        server.close();
        throw error;
      },
    );
    await rm(nameOf(draft), { force: true });
    if (linked && Math.max(...(await numbersIn(folder))) === own) {
      await removeOthers(folder, nameOf, own);
      return server;
    }
    server.close();
    if (linked) await rm(nameOf(`lock.${String(own)}`), { force: true });
  }
}

const numbersIn = async (folder: string): Promise<readonly number[]> =>
  (await readdir(folder)).flatMap((name) => {
    const number = NUMBERED.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });

async function removeOthers(folder: string, nameOf: NameOf, own: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const number = NUMBERED.exec(name)?.[1];
    if (DRAFT.test(name) || (number !== undefined && Number(number) < own))
      await rm(nameOf(name), { force: true });
  }
}

/** A socket that names this process to each client. Null where the file system has none. */
async function listenAt(path: string): Promise<Server | null> {
  const greeting = `${await namespaceOfProcesses()}\nprocess ${String(process.pid)} on ${hostname()}\n`;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(greeting);
  });
  server.listen(path).unref();
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (hasCode(error, ['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EINVAL', 'ENAMETOOLONG'])) return null;
    throw error;
  }
}

/** Time in which a process that listens names itself, in milliseconds. */
const GREETING_MS = 1000;

/** Returns the greeting of the process that listens at a socket, which may be empty; null if no process listens. */
const holderAt = (path: string): Promise<string | null> =>
  new Promise((resolve) => {
    let text = '';
    const socket = createConnection(path);
    const timer = setTimeout(() => socket.destroy(), GREETING_MS);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.once('error', (error) => {
      // Any other error, for example that of a full queue, is one of a socket that a process has open.
      resolve(hasCode(error, ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']) ? null : text);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
    // PostgreSQL sends nothing before its client does.
    socket.end();
  });

function inUse(folder: string, greeting: string, namespace: string): FolderInUse {
  const [ofHolder = '', holder = ''] = greeting.split('\n');
  // A process that releases the lock resets the connections that it has not accepted.
  if (holder === '') return new FolderInUse(folder, 'another process', true);
  return new FolderInUse(folder, holder, ofHolder === namespace);
}

/** The namespace in which numbers of processes have a meaning; empty on systems that have one for all. */
const namespaceOfProcesses = (): Promise<string> => readlink('/proc/self/ns/pid').catch(() => '');

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
