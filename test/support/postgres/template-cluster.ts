/** New clusters for tests. initdb takes 0.8 s of the processor and a copy 0.1 s, so initdb runs once a run. */
import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from '../../../packages/embedded-postgres/src/account.js';
import type { Binaries } from '../../../packages/embedded-postgres/src/binaries.js';
import { initialise } from '../../../packages/embedded-postgres/src/cluster.js';
import { until } from '../until.js';
import { runFolder } from './run-folder.js';

/** Makes a cluster in `dataDirectory`, and returns the password of its superuser. */
export async function makeCluster(
  binaries: Binaries,
  account: Account,
  dataDirectory: string,
): Promise<string> {
  const superuserPassword = randomBytes(16).toString('hex');
  await initialise({ binaries, account, dataDirectory, superuserPassword, sync: false });
  return superuserPassword;
}

/** The same by a copy: clusters of one run have the same superuser's password and system identifier. */
export async function copyCluster(
  binaries: Binaries,
  account: Account,
  dataDirectory: string,
): Promise<string> {
  template ??= openTemplate(binaries, account);
  const folder = await template;
  await promisify(execFile)('cp', ['-a', join(folder, 'cluster'), dataDirectory]);
  return await readFile(join(folder, 'password'), 'utf8');
}

let template: Promise<string> | null = null;

/** Makes the template, or waits for the process of this run that makes it: the first one, whose claim stays. */
async function openTemplate(binaries: Binaries, account: Account): Promise<string> {
  const folder = join(runFolder(), 'template');
  const draft = `${folder}.draft`;
  try {
    await mkdir(`${folder}.claimed`);
  } catch {
    await until(() => existsSync(folder));
    return folder;
  }
  await mkdir(draft, { mode: 0o711 });
  await writeFile(join(draft, 'password'), await makeCluster(binaries, account, join(draft, 'cluster')));
  await rename(draft, folder);
  return folder;
}
