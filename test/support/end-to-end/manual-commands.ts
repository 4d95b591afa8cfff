/** The commands of a page of the manual, each with the output that the page shows. */
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jsonIn } from '../../../src/base/json.js';
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

/** Whether a block has functions of the shell alone. */
export const isFunctions = ({ text }: ManualBlock): boolean => /^\w+\(\) \{$/m.test(text);

/** The commands of the `sh` blocks; a block without `$ ` is one command. */
export const manualCommandsIn = (blocks: readonly ManualBlock[]): readonly ManualCommand[] =>
  blocks
    .filter((block) => block.language === 'sh' && !isFunctions(block))
    .flatMap(({ text }) =>
      (text.startsWith('$ ') ? text.split(/^\$ /m).slice(1) : [])
        .map((each) => {
          const lines = each.split('\n');
          const length = lines.findIndex((_, index) => isComplete(lines.slice(0, index + 1).join('\n'))) + 1;
          return {
            command: lines.slice(0, length).join('\n'),
            shown: lines.slice(length).join('\n').trim(),
          };
        })
        .concat(text.startsWith('$ ') ? [] : [{ command: text, shown: '' }]),
    );

/** A command goes on behind a backslash or a pipe at the end of a line, and in an open quotation. */
const isComplete = (command: string): boolean =>
  !/[\\|]$/.test(command) && command.split("'").length % 2 === 1;

const execute = promisify(execFile);

export interface ManualShellOptions {
  /** The address of the service, in the place of the address of the manual. */
  readonly url: string;
  /** The address of the admin port, if the commands use it. */
  readonly adminUrl?: string;
  /** Variables of the shell, such as tokens; they are beside the environment of the test. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where the command runs. A variable that it sets is one of the next commands there. */
  readonly folder?: string;
  /** Functions of the shell that it calls. */
  readonly functions?: string;
}

/**
 * Runs a command in a shell.
 * @returns what it prints, errors of curl between
 * @throws when it fails
 */
export async function runManualCommand(
  command: string,
  { url, adminUrl = '', variables = {}, folder, functions = '' }: ManualShellOptions,
): Promise<string> {
  const here = command
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('http://127.0.0.1:3001', adminUrl)
    .replaceAll('curl ', 'curl --silent --globoff ');
  const kept = folder === undefined ? '' : `set -a\n[ -f variables ] && . ./variables\n`;
  const keep = folder === undefined ? '' : `\nended=$?\nexport -p > variables\nexit $ended`;
  const { stdout } = await execute('sh', ['-c', `exec 2>&1\n${kept}${functions}${here}${keep}`], {
    env: { ...process.env, ...variables },
    cwd: folder ?? packageRoot(),
  });
  return stdout;
}

/**
 * Compares an answer with what a page shows of it: some lines of the head, the whole body, or both with an empty line
 * between. `…` in a string of a JSON body stands for a text that differs each time, elsewhere for anything that is left out.
 */
export function expectShown(given: string, shown: string, command: string): void {
  const output = given.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const hasHead = /^(?:HTTP\/|[A-Z][\w-]*: )/.test(shown);
  const [head, body] = hasHead ? divide(shown, '\n\n') : ['', shown];
  const [outputHead, outputBody] = hasHead ? divide(output, '\r\n\r\n') : ['', output];
  const lines = outputHead.split(/\r?\n/);
  for (const line of head.split('\n').filter((each) => each !== '')) expect(lines, command).to.include(line);
  if (body === '') return;
  if (jsonIn(body) === undefined) return expectText(outputBody, body, command);
  const expected = JSON.stringify(JSON.parse(body)).split('…');
  const answer = JSON.stringify(JSON.parse(outputBody));
  if (expected.length === 1) expect(answer, command).to.equal(expected[0]);
  else expect(answer, command).to.match(new RegExp(`^${expected.map(escapePattern).join('[^"]*')}$`));
}

/** Compares lines of text, or, where something is left out, the text without the ends of its lines. */
function expectText(output: string, shown: string, command: string): void {
  const [actual, expected] = [output, shown].map((text) => text.split(/\r?\n/).map((line) => line.trim()));
  const parts = expected?.join('').split('…') ?? [];
  if (parts.length === 1) expect(actual?.join('\n').trim(), command).to.equal(expected?.join('\n'));
  else expect(actual?.join(''), command).to.match(new RegExp(`^${parts.map(looselyEscaped).join('[^]*')}$`));
}

function divide(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** A pattern that takes other blanks around the punctuation of JSON. */
const looselyEscaped = (text: string): string =>
  escapePattern(text.replaceAll(/\s*([:,[\]{}])\s*/g, '$1')).replaceAll(/\\?[:,[\]{}]/g, '\\s*$&\\s*');

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
