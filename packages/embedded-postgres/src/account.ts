import { readFile, stat } from 'node:fs/promises';
import { EmbeddedServerError } from './embedded-server-error.js';

/**
 * The operating-system account that owns the data and runs the server; null for the account of this process.
 * PostgreSQL refuses to run as root (PostgreSQL manual, "The PostgreSQL User Account").
 */
export type Account = { readonly uid: number; readonly gid: number } | null;

/**
 * Chooses the account for a data folder. An ordinary user keeps its own account. Root uses the owner of existing
 * data, else `nobody`, which every system has, so that no account has to be created.
 *
 * @throws EmbeddedServerError if the data belongs to an account that this process cannot take.
 */
export async function chooseAccount(dataDirectory: string): Promise<Account> {
  const ownUid = process.getuid?.();
  const owner = await ownerOf(dataDirectory);
  if (ownUid !== 0) {
    if (owner !== null && owner.uid !== ownUid) {
      throw new EmbeddedServerError(
        `The data in ${dataDirectory} belongs to the user with id ${String(owner.uid)}, but dbr runs as id ${String(ownUid)}: ` +
          'start dbr as its owner, or choose another data-directory',
      );
    }
    return null;
  }
  if (owner !== null && owner.uid !== 0) return owner;
  return await accountNamed('nobody');
}

async function ownerOf(path: string): Promise<Account> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch {
    return null;
  }
}

async function accountNamed(name: string): Promise<Account> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
  if (uid === undefined || gid === undefined) {
    throw new EmbeddedServerError(
      `PostgreSQL does not run as root and there is no user "${name}" to run it: start dbr as an ordinary user, or set db-uri`,
    );
  }
  // Some systems give this account the number -2; system calls expect it as an unsigned integer.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}
