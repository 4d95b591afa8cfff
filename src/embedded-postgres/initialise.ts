import { once } from 'node:events';
import { chown, mkdir, open, rm, writeFile } from 'node:fs/promises';
import type { Account } from './account.js';
import type { Binaries } from './binaries.js';
import { EmbeddedServerError } from './embedded-server-error.js';
import { ROLE_NAMES } from './provision.js';
import { ownName, spawnInData } from './server-process.js';

export interface NewCluster {
  readonly binaries: Binaries;
  readonly account: Account;
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
      detached: false,
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
