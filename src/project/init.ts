/** `dbr init`: writes the files of a new project. A file that exists is never written. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Choices } from './choices.js';
import { projectFiles, type Secrets } from './files.js';

/** @returns lines for the terminal: what was written, what was there, and what comes next */
export async function initProject(folder: string, choices: Choices): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { path, text, mode } of projectFiles(choices, makeSecrets())) {
    const written = await writeNew(join(folder, path), text, mode);
    lines.push(written ? `wrote ${path}` : `kept ${path}, which exists`);
  }
  return [...lines, '', ...nextSteps(folder, choices)];
}

/** @returns false if the file exists */
async function writeNew(path: string, text: string, mode: number): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx', mode });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Characters that need no quoting in SQL, in URLs and in the password file. */
function makeSecrets(): Secrets {
  const password = (): string => randomBytes(24).toString('base64url');
  return {
    owner: password(),
    authenticator: password(),
    service: password(),
    superuser: password(),
  };
}

function nextSteps(folder: string, { database, compose }: Choices): readonly string[] {
  const enter = folder === '.' ? [] : [`cd ${folder}`];
  if (database === null) return ['Next:', ...enter.map(step), step('dbr dev')];
  const superuser = database.replace('//', '//postgres@');
  return [
    'Next:',
    ...[
      ...enter,
      compose ? 'docker compose up --wait' : `psql ${superuser} -f roles.sql -f passwords.sql`,
      'dbr dev',
    ].map(step),
  ];
}

const step = (command: string): string => `  ${command}`;
