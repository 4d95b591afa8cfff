/**
 * The language of tests of policies. A file is a list of entries; an entry begins at the start of a line, and indented
 * lines continue it. `#` begins a comment line.
 *
 *     user NAME is ROLE [with JSON]      defines a caller: a database role, and the claims of the token
 *     fixture SQL                        runs as the role of migrate-db-uri; what follows sees its effects
 *     test TITLE                         heads the sentences that follow
 *     as NAME: [SQL] OUTCOME             one statement; without it, that of the sentence before
 *
 *     OUTCOME   sees N row(s) | changes N row(s) | is refused [with SQLSTATE]
 */

import { InputError, isObject, jsonIn } from '../../../../src/face.js';

interface TestUser {
  readonly role: string;
  /** JSON of the claims, with the role. */
  readonly claims: string;
}

export type ExpectedOutcome =
  | { readonly kind: 'sees' | 'changes'; readonly rows: number }
  | { readonly kind: 'refused'; readonly code: string };

export type TestStep = { readonly kind: 'fixture'; readonly line: number; readonly sql: string } | Sentence;

export interface Sentence {
  readonly kind: 'sentence';
  readonly line: number;
  /** The entry on one line, as reports show it. */
  readonly text: string;
  /** Of the `test` above it; empty without one. */
  readonly title: string;
  readonly user: TestUser;
  readonly sql: string;
  readonly expected: ExpectedOutcome;
}

/** A file that is not in the language. The message names the file and the line. */
export class PolicyTestError extends InputError {
  override readonly name = 'PolicyTestError';
}

interface Entry {
  readonly line: number;
  readonly text: string;
}

/** insufficient_privilege: of grants, and of a policy that refuses a new row (PostgreSQL manual, appendix A). */
const REFUSED = '42501';

/** @param name of the file, for errors. @throws PolicyTestError */
export function readPolicyTests(name: string, content: string): readonly TestStep[] {
  const users = new Map<string, TestUser>();
  const steps: TestStep[] = [];
  let title = '';
  let statement: string | null = null;
  for (const { line, text } of entriesOf(name, content)) {
    const fail = (problem: string): never => {
      throw new PolicyTestError(`${name}:${String(line)}: ${problem}`);
    };
    const [, word = '', rest = ''] = /^(\S+)\s*([^]*)$/.exec(text) ?? [];
    switch (word) {
      case 'user': {
        const user = readUser(rest);
        if (typeof user === 'string') return fail(user);
        users.set(user.name, user);
        break;
      }
      case 'fixture':
        if (rest === '') fail('a fixture has statements of SQL');
        steps.push({ kind: 'fixture', line, sql: rest });
        break;
      case 'test':
        title = oneLine(rest);
        break;
      case 'as': {
        const [, caller = '', said = ''] = /^([\w-]+)\s*:\s*([^]*)$/.exec(rest) ?? [];
        const user =
          users.get(caller) ??
          fail(
            `${caller === '' ? 'a sentence is' : `no user ${caller}:`} \`as NAME: SQL OUTCOME\`, with a user of the lines above`,
          );
        const { sql, expected } = readClaim(said) ?? fail(`a sentence ends with ${OUTCOMES}`);
        statement = sql === '' ? statement : sql;
        if (statement === null)
          return fail('a sentence without a statement repeats the one before, and there is none');
        steps.push({ kind: 'sentence', line, text: oneLine(text), title, user, sql: statement, expected });
        break;
      }
      default:
        fail(`an entry begins with user, fixture, test or as, not ${word}`);
    }
  }
  return steps;
}

/** Reads the users of a file, whatever else it has. @throws PolicyTestError */
export const readUsers = (name: string, content: string): readonly (TestUser & { readonly name: string })[] =>
  entriesOf(name, content).flatMap(({ line, text }) => {
    if (!/^user\s/.test(text)) return [];
    const user = readUser(text.slice('user'.length).trim());
    if (typeof user === 'string') throw new PolicyTestError(`${name}:${String(line)}: ${user}`);
    return [user];
  });

function entriesOf(name: string, content: string): readonly Entry[] {
  const entries: { readonly line: number; readonly lines: string[] }[] = [];
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    if (line.startsWith('#')) continue;
    if (/^\S/.test(line)) entries.push({ line: index + 1, lines: [line] });
    else if (entries.length > 0) entries.at(-1)?.lines.push(line);
    else if (line.trim() !== '')
      throw new PolicyTestError(
        `${name}:${String(index + 1)}: an indented line continues an entry, and there is none above`,
      );
  }
  return entries.map(({ line, lines }) => ({ line, text: lines.join('\n').trim() }));
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** @returns the user, or what is wrong */
function readUser(text: string): (TestUser & { readonly name: string }) | string {
  const [, name, role, json = '{}'] = /^([\w-]+)\s+is\s+(\S+)(?:\s+with\s+([^]+))?$/.exec(text) ?? [];
  if (name === undefined || role === undefined)
    return 'a user is `user NAME is ROLE` or `user NAME is ROLE with {claims}`';
  const claims = jsonIn(json);
  if (!isObject(claims)) return `the claims of ${name} are no object of JSON`;
  return { name, role, claims: JSON.stringify({ role, ...claims }) };
}

const OUTCOMES = '`sees N rows`, `changes N rows`, `is refused` or `is refused with SQLSTATE`';
const OUTCOME = /(?:^|\s)(?:(sees|changes)\s+(\d{1,9}|no)\s+rows?|is\s+refused(?:\s+with\s+([0-9A-Z]{5}))?)$/;

function readClaim(text: string): { readonly sql: string; readonly expected: ExpectedOutcome } | null {
  const found = OUTCOME.exec(text);
  if (found === null) return null;
  const [, verb, rows = '', code = REFUSED] = found;
  const sql = text.slice(0, found.index).trim();
  if (verb !== 'sees' && verb !== 'changes') return { sql, expected: { kind: 'refused', code } };
  return { sql, expected: { kind: verb, rows: rows === 'no' ? 0 : Number(rows) } };
}
