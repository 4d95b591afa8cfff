/** `dbr init`: writes the files of a new project. A file that exists is never written. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolders, MIGRATIONS_FOLDER, quoteShell } from '../../../../src/face.js';
import type { Choices } from './choices.js';
import { deploymentFolder } from './deployment.js';
import { openLine } from './existing-schema.js';
import {
  FIRST_MIGRATION,
  FIRST_TEST,
  GRANTS_MIGRATION,
  IGNORE_FILE,
  ignoredFiles,
  PASSFILE,
  PASSWORDS_FILE,
  projectFiles,
  type ProjectFile,
  type Secrets,
} from './files.js';

/**
 * Writes all files of the project, or none: the files share passwords, and a later run keeps those that exist.
 * @param isStopWanted whether to give up, asked before each file
 * @returns lines for the terminal: what was written, what was there, and what comes next
 * @throws the reason why a file cannot be written, after the files and folders that it made are removed
 */
export async function initProject(
  folder: string,
  choices: Choices,
  isStopWanted = (): boolean => false,
): Promise<readonly string[]> {
  const undo: Undo[] = [];
  try {
    return await writeProject(folder, choices, { undo, isStopWanted });
  } catch (error) {
    for (const step of undo.toReversed()) await step().catch(() => undefined);
    throw error;
  }
}

/** Removes a file or a folder that was made. */
type Undo = () => Promise<void>;

interface Writing {
  readonly undo: Undo[];
  readonly isStopWanted: () => boolean;
}

async function writeProject(folder: string, choices: Choices, writing: Writing): Promise<readonly string[]> {
  const lines: string[] = [];
  if (choices.database !== null) requireBothPasswords(folder);
  const hasMigrations = await hasOtherMigrations(folder);
  const open = choices.existing === null ? null : openLine(choices.existing, GRANTS_MIGRATION);
  for (const { path, text, mode } of projectFiles(choices, makeSecrets())) {
    if (hasMigrations && FIRST_FILES.includes(path)) {
      lines.push(`left out ${path}: ${MIGRATIONS_FOLDER} has migrations`);
      continue;
    }
    const written = await writeNew(join(folder, path), { text, mode }, writing);
    lines.push(written ? `wrote ${path}` : `kept ${path}, which exists`);
  }
  return [
    ...lines,
    ...(await missingIgnores(folder, choices)),
    ...(open === null ? [] : ['', open]),
    '',
    ...nextSteps(folder, choices),
  ];
}

const FIRST_FILES: readonly string[] = [FIRST_MIGRATION, FIRST_TEST, GRANTS_MIGRATION];

/** A new file would have other passwords than the one that is kept. */
function requireBothPasswords(folder: string): void {
  const there = [PASSWORDS_FILE, PASSFILE].filter((file) => existsSync(join(folder, file)));
  if (there.length === 1)
    throw new Error(
      `${PASSWORDS_FILE} and ${PASSFILE} have the same passwords, and only ${String(there[0])} exists: restore the other one, or remove it`,
    );
}

/** A first migration beside them would have a number that is taken. */
async function hasOtherMigrations(folder: string): Promise<boolean> {
  const names = await readdir(join(folder, MIGRATIONS_FOLDER)).catch(() => []);
  return names.some(
    (name) => name.endsWith('.sql') && !FIRST_FILES.some((first) => basename(first) === name),
  );
}

/** Returns lines about the files that an existing `.gitignore` does not exclude, since they have passwords. */
async function missingIgnores(folder: string, choices: Choices): Promise<readonly string[]> {
  const lines = (await readFile(join(folder, IGNORE_FILE), 'utf8')).split(/\r?\n/);
  const missing = ignoredFiles(choices).filter((file) => !lines.includes(file));
  return missing.length === 0 ? [] : ['', `Add to ${IGNORE_FILE}:`, ...missing.map(step)];
}

/**
 * @returns false if the file exists
 * @throws with the path and the reason
 */
async function writeNew(
  path: string,
  { text, mode }: Pick<ProjectFile, 'text' | 'mode'>,
  { undo, isStopWanted }: Writing,
): Promise<boolean> {
  try {
    for (const folder of await makeFolders(dirname(path))) undo.push(() => rmdir(folder));
    if (isStopWanted()) throw new Error('interrupted');
    const file = await open(path, 'wx', mode);
    undo.push(() => unlink(path));
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot write ${path}: ${reason}`, { cause: error });
  }
}

/** Characters that need no quoting in SQL, in URLs and in the password file. */
function makeSecrets(): Secrets {
  const password = (bytes = 24): string => randomBytes(bytes).toString('base64url');
  return {
    owner: password(),
    authenticator: password(),
    service: password(),
    superuser: password(),
    // Enough for all three algorithms of shared secrets (RFC 7518, 3.2).
    tokens: password(48),
  };
}

function nextSteps(folder: string, { database, existing, compose, deploy }: Choices): readonly string[] {
  const enter = folder === '.' ? [] : [`cd ${shellWord(folder)}`];
  if (database === null) return ['Next:', ...enter.map(step), step('dbr dev')];
  const superuser = database.replace('//', '//postgres@');
  return [
    'Next:',
    ...[
      ...enter,
      compose ? 'docker compose up --wait' : `psql ${shellWord(superuser)} -f roles.sql -f passwords.sql`,
      ...(existing === null ? [] : [`dbr migrate --folder ${MIGRATIONS_FOLDER}`, 'dbr lint']),
      'dbr dev',
    ].map(step),
    ...(deploy === null
      ? []
      : ['', `${deploymentFolder(deploy)}/README.md has the commands of the deployment.`]),
  ];
}

const shellWord = (text: string): string => (/^[\w@%:.,/-]+$/.test(text) ? text : quoteShell(text));

const step = (command: string): string => `  ${command}`;
