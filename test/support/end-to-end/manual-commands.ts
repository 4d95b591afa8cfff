/** The commands of a page of the manual, each with the output that the page shows. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../src/base/package.js';

export interface ManualBlock {
  /** The word after the fence, such as `sh` or `sql`; empty without one. */
  readonly language: string;
  readonly text: string;
}

export interface ManualCommand {
  /** A shell command, as the page has it after `$ `. */
  readonly command: string;
  /** The text between this command and the next; empty where the page shows none. */
  readonly shown: string;
}

/** The fenced blocks of a page, in their order. @param page relative to the root of the package */
export async function manualBlocks(page: string): Promise<readonly ManualBlock[]> {
  const text = await readFile(join(packageRoot(), page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}

/** @param page relative to the root of the package */
export const manualCommands = async (page: string): Promise<readonly ManualCommand[]> =>
  manualCommandsIn(await manualBlocks(page));

/** The commands of the `sh` blocks. */
export const manualCommandsIn = (blocks: readonly ManualBlock[]): readonly ManualCommand[] =>
  blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) =>
      text
        .split(/^\$ /m)
        .slice(1)
        .map((each) => {
          const end = each.indexOf('\n');
          return { command: each.slice(0, end), shown: each.slice(end + 1).trim() };
        }),
    );

const execute = promisify(execFile);

/**
 * Runs a command in a shell. `…` and the address of the manual stand for the service.
 * @param variables of the shell, such as tokens; they are beside the environment of the test
 * @throws when it fails
 */
export async function runManualCommand(
  command: string,
  serviceUrl: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const here = command.replaceAll('…', serviceUrl).replaceAll('http://127.0.0.1:3000', serviceUrl);
  const { stdout } = await execute('sh', ['-c', here.replace('curl ', 'curl --silent --globoff ')], {
    env: { ...process.env, ...variables },
  });
  return stdout;
}
