import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  chown,
  open,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../../../src/embedded-face.js';
import { chooseAccount, type Account } from './account.js';
import { exists } from './binaries-cache.js';
import { findBinaries, type Binaries, type BinariesSource } from './binaries.js';
import { EmbeddedServerError } from './embedded-server-error.js';
import { isAlive, ownName, spawnInData } from './server-process.js';
import { makePasswords, readPasswords, writePasswords, type Passwords } from './passwords.js';
import { ROLE_NAMES } from './provision.js';

/** A cluster on disk, with the programs and passwords to run it. */
export interface Cluster {
  /** Contains the data and what belongs to them. */
  readonly folder: string;
  readonly dataDirectory: string;
  readonly logFile: string;
  readonly portFile: string;
  readonly account: Account;
  readonly binaries: Binaries;
  readonly passwords: Passwords;
}

const FOLDER = 'postgres';

/**
 * Opens the cluster below `directory`, and creates it if there is none: `postgres/data` (the cluster),
 * `postgres/passwords.json`, `postgres/port`, `postgres/server.log`.
 *
 * @throws EmbeddedServerError if it has another version of PostgreSQL, belongs to another user, or its passwords are
 * missing
 */
export async function openCluster(directory: string, source?: BinariesSource): Promise<Cluster> {
  await makeFolders(directory, 0o700);
  const folder = join(directory, FOLDER);
  const paths = pathsIn(folder);
  const account = await chooseAccount((await exists(paths.dataDirectory)) ? paths.dataDirectory : directory);
  await removeAbandonedDrafts(directory);
  const binaries = await findBinaries(account, source);
  if (needsOpenFolders(account, binaries)) await requireReachable(directory, account, binaries);
  if (!(await exists(folder))) await createCluster(directory, folder, account, binaries);
  await checkVersion(paths.dataDirectory, binaries);
  return { folder, ...paths, account, binaries, passwords: await readPasswords(paths.passwordsFile) };
}

const pathsIn = (folder: string) => ({
  dataDirectory: join(folder, 'data'),
  passwordsFile: join(folder, 'passwords.json'),
  portFile: join(folder, 'port'),
  logFile: join(folder, 'server.log'),
});

/**
 * Creates the cluster beside its place and renames it: a process that is killed leaves no partial cluster, and two
 * processes that begin together use the cluster of the first to finish.
 */
async function createCluster(
  directory: string,
  folder: string,
  account: Account,
  binaries: Binaries,
): Promise<void> {
  const draft = await mkdtemp(join(directory, `${FOLDER}.${String(process.pid)}.`));
  try {
    if (needsOpenFolders(account, binaries)) await chmod(draft, PASSABLE);
    const { dataDirectory, passwordsFile } = pathsIn(draft);
    const passwords = makePasswords();
    await writePasswords(passwordsFile, passwords);
    await initialise({
      binaries,
      account,
      dataDirectory,
      superuserPassword: passwords.superuser,
      sync: true,
    });
    await rename(draft, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Other accounts may enter the folder and cannot list it. */
const PASSABLE = 0o711;
/** Earlier versions leave the data folder and enter it again by its path. */
const ENTERS_ONCE = 16;

const needsOpenFolders = (account: Account, { major }: Binaries): account is NonNullable<Account> =>
  account !== null && major < ENTERS_ONCE;

/** @throws EmbeddedServerError if the account cannot enter the folder by its path */
async function requireReachable(
  directory: string,
  account: NonNullable<Account>,
  { major, postgres }: Binaries,
): Promise<void> {
  await chmod(directory, PASSABLE);
  const child = spawn('/bin/sh', ['-c', 'cd -- "$0"', directory], { ...account, cwd: '/', stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  throw new EmbeddedServerError(
    `${postgres} is PostgreSQL ${String(major)}, which runs as the user with id ${String(account.uid)} for root and cannot reach ${directory}: ` +
      'let other users enter the folders above it (chmod o+x), choose another data-directory, start dbr as an ordinary user, or install PostgreSQL 16 or newer',
  );
}

async function removeAbandonedDrafts(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const maker = /^postgres\.(\d+)\./.exec(name)?.[1];
    if (maker !== undefined && !isAlive(Number(maker))) {
      // If the initdb of a killed process still writes to it, a later start removes it.
      await rm(join(directory, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function checkVersion(dataDirectory: string, { major, postgres }: Binaries): Promise<void> {
  const version = (await readFile(join(dataDirectory, 'PG_VERSION'), 'utf8').catch(() => 'none')).trim();
  if (version === String(major)) return;
  throw new EmbeddedServerError(
    version === 'none'
      ? `${dataDirectory} contains no PostgreSQL cluster: restore it, or remove the folder to begin with an empty database`
      : `The data in ${dataDirectory} was written by PostgreSQL ${version}, but ${postgres} is version ${String(major)}: ` +
          'migrate it with pg_dump of the old version, or run the old version of dbr',
  );
}

interface NewCluster extends Pick<Cluster, 'binaries' | 'account'> {
  /** A folder that does not exist; its parent exists. */
  readonly dataDirectory: string;
  readonly superuserPassword: string;
  /** Whether to wait for the disk. Only tests need not. */
  readonly sync: boolean;
}

/**
 * Creates a cluster (`initdb`): encoding UTF8, sort order by code point, SCRAM passwords on every connection.
 *
 * @throws EmbeddedServerError with the output of initdb
 */
export async function initialise({
  binaries,
  account,
  dataDirectory,
  superuserPassword,
  sync,
}: NewCluster): Promise<void> {
  await mkdir(dataDirectory, { mode: 0o700 });
  const passwordFile = `${dataDirectory}.password`;
  await writeFile(passwordFile, `${superuserPassword}\n`, { mode: 0o600 });
  if (account !== null) {
    await chown(dataDirectory, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  try {
    await runInitdb(binaries, account, dataDirectory, passwordFile, sync);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function runInitdb(
  binaries: Binaries,
  account: Account,
  dataDirectory: string,
  passwordFile: string,
  sync: boolean,
): Promise<void> {
  const password = await open(passwordFile, 'r');
  try {
    const child = spawnInData({
      command: binaries.initdb,
      arguments: [
        `--pgdata=${ownName(dataDirectory, account)}`,
        `--username=${ROLE_NAMES.superuser}`,
        `--pwfile=${ownName(dataDirectory, account) === dataDirectory ? passwordFile : '/proc/self/fd/3'}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        ...localeArguments(binaries.major),
        ...(sync ? [] : ['--no-sync']),
      ],
      account,
      dataDirectory,
      output: 'pipe',
      extra: password.fd,
    });
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stdout?.resume();
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new EmbeddedServerError(`initdb failed in ${dataDirectory}: ${output.trim()}`);
  } finally {
    await password.close();
  }
}

/** Since version 17, PostgreSQL provides the locale C.UTF-8 itself; earlier versions need it from the system. */
function localeArguments(major: number): readonly string[] {
  const system = process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=UTF-8'] : ['--locale=C.UTF-8'];
  return major >= 17 ? [...system, '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : system;
}
