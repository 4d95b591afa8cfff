import { isObject, jsonIn } from '../../../src/embedded-face.js';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { EmbeddedServerError } from './embedded-server-error.js';

/** The roles as which dbr connects to the embedded database. */
export const EMBEDDED_ROLES = ['superuser', 'owner', 'authenticator', 'service'] as const;
export type EmbeddedRole = (typeof EMBEDDED_ROLES)[number];

export type Passwords = Readonly<Record<EmbeddedRole, string>>;

/** Each password has 192 random bits, in characters that need no quoting in URLs, SQL or files. */
export function makePasswords(): Passwords {
  const password = (): string => randomBytes(24).toString('base64url');
  return { superuser: password(), owner: password(), authenticator: password(), service: password() };
}

/** Writes the passwords to a file that only this account may read (0600). */
export async function writePasswords(file: string, passwords: Passwords): Promise<void> {
  await writeFile(file, `${JSON.stringify(passwords, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
}

/** @throws EmbeddedServerError if the file is missing or damaged; the error contains no text of the file. */
export async function readPasswords(file: string): Promise<Passwords> {
  const text = await readFile(file, 'utf8').catch(() => 'null');
  const value = jsonIn(text);
  if (!isPasswords(value)) {
    throw new EmbeddedServerError(
      `The passwords of the embedded database (${file}) are missing or damaged: restore the file, or remove its folder to begin with an empty database`,
    );
  }
  return value;
}

const isPasswords = (value: unknown): value is Passwords =>
  isObject(value) && EMBEDDED_ROLES.every((role) => typeof value[role] === 'string');
