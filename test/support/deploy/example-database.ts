/** A database as deploy/compose makes it: its roles and its example, on a server of the test. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { withSession } from '../../../src/postgres/session.js';

const DEPLOY = join(packageRoot(), 'deploy');

export const PASSWORDS = {
  DBR_OWNER_PASSWORD: 'owner00owner00',
  DBR_SERVICE_PASSWORD: 'service00service00',
  AUTHENTICATOR_PASSWORD: 'authenticator00',
} as const;

export const psqlMissing = spawnSync('psql', ['--version']).error !== undefined;

/** The address of another database of the same server, or of another role. */
export function addressOf(serverUri: string, database: string, user?: string, password?: string): string {
  const address = new URL(serverUri);
  address.pathname = `/${database}`;
  if (user !== undefined) address.username = user;
  if (password !== undefined) address.password = password;
  return address.href;
}

/** Runs a file of deploy/ by psql. @throws with what psql printed, when it fails or warns */
export function runScript(uri: string, path: string): void {
  const { status, stderr } = spawnSync('psql', ['--no-psqlrc', '--quiet', '-f', join(DEPLOY, path), uri], {
    env: { ...process.env, ...PASSWORDS },
    encoding: 'utf8',
  });
  if (status !== 0 || stderr !== '') throw new Error(`${path}: ${stderr}`);
}

/** @returns the address of the database `app` for the superuser */
export async function createExampleDatabase(serverUri: string): Promise<string> {
  await withSession(serverUri, (session) => session.query('create database app'));
  const uri = addressOf(serverUri, 'app');
  runScript(uri, 'compose/roles.sql');
  runScript(uri, 'compose/example.sql');
  return uri;
}
