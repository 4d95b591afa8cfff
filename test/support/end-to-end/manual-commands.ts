/** The commands of a page of the manual, each with the output that the page shows. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../src/base/package.js';

export interface ManualCommand {
  /** A shell command, as the page has it after `$ `. */
  readonly command: string;
  /** The text between this command and the next; empty where the page shows none. */
  readonly shown: string;
}

/** @param page relative to the root of the package */
export async function manualCommands(page: string): Promise<readonly ManualCommand[]> {
  const text = await readFile(join(packageRoot(), page), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((each) => {
        const end = each.indexOf('\n');
        return { command: each.slice(0, end), shown: each.slice(end + 1).trim() };
      }),
  );
}

const execute = promisify(execFile);

/** Runs a command in a shell. `…` and the address of the manual stand for the service. @throws when it fails */
export async function runManualCommand(command: string, serviceUrl: string): Promise<string> {
  const here = command.replaceAll('…', serviceUrl).replaceAll('http://127.0.0.1:3000', serviceUrl);
  const { stdout } = await execute('sh', ['-c', here.replace('curl ', 'curl --silent --globoff ')]);
  return stdout;
}
