/**
 * The configuration file of PostgREST, in the syntax of its library (configurator-pg): `key = value` with values in
 * any number of lines, groups `app.settings { … }`, `import "file"`, `#` for a comment to the end of the line and
 * `#;` for a directive that is ignored. A value is a quoted text, a number, true, false, on, off or a list. `$(NAME)`
 * in a text is a preceding setting or an environment variable; `$$` is a dollar sign. The last value of a name is
 * used.
 */
import { dirname, isAbsolute, join } from 'node:path';
import { type FileEntry, type FileProblem, type ParsedFile, unescape } from './file.js';

interface PostgrestFileOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads an imported file. @throws the system's error */
  readonly read: (path: string) => string;
}

type Directive =
  | { readonly kind: 'bind'; readonly name: string; readonly value: Value; readonly line: number }
  | { readonly kind: 'group'; readonly name: string; readonly directives: readonly Directive[] }
  | { readonly kind: 'import'; readonly path: string; readonly line: number };

/** Only quoted texts are interpolated. */
interface Value {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Deepest nesting of files that import each other. */
const MAX_IMPORTS = 16;

/** Reads the whole file with its imports. A file that cannot be parsed gives one problem and no entry. */
export function parsePostgrestFile(path: string, content: string, options: PostgrestFileOptions): ParsedFile {
  const evaluation: Evaluation = { options, entries: new Map(), problems: [] };
  evaluateFile(path, content, '', 0, evaluation);
  return { entries: [...evaluation.entries.values()], problems: evaluation.problems };
}

interface Evaluation {
  readonly options: PostgrestFileOptions;
  /** By name; an imported file's entries have the line of the import. */
  readonly entries: Map<string, FileEntry>;
  readonly problems: FileProblem[];
}

function evaluateFile(path: string, content: string, group: string, depth: number, to: Evaluation): void {
  try {
    evaluate(parseDirectives(content), path, group, depth, to);
  } catch (error) {
    if (!(error instanceof FileSyntaxError)) throw error;
    to.problems.push({ line: error.line, problem: error.message });
  }
}

function evaluate(
  directives: readonly Directive[],
  path: string,
  group: string,
  depth: number,
  to: Evaluation,
): void {
  for (const directive of directives) {
    switch (directive.kind) {
      case 'group':
        evaluate(directive.directives, path, `${group}${directive.name}.`, depth, to);
        break;
      case 'import':
        evaluateImport(directive, path, group, depth, to);
        break;
      case 'bind': {
        const { line } = directive;
        const name = group + directive.name;
        to.entries.delete(name);
        to.entries.set(name, { name, line, value: valueOf(directive.value, group, line, to) });
      }
    }
  }
}

function evaluateImport(
  { path: named, line }: { readonly path: string; readonly line: number },
  importer: string,
  group: string,
  depth: number,
  to: Evaluation,
): void {
  const path = isAbsolute(named) ? named : join(dirname(importer), named);
  if (depth >= MAX_IMPORTS) throw new FileSyntaxError(line, `more than ${MAX_IMPORTS} nested imports`);
  let content: string;
  try {
    content = to.options.read(path);
  } catch (error) {
    throw new FileSyntaxError(line, `cannot read ${path}: ${error instanceof Error ? error.message : ''}`);
  }
  evaluateFile(path, content, group, depth + 1, to);
}

function valueOf({ text, isQuoted }: Value, group: string, line: number, to: Evaluation): string {
  if (!isQuoted || !text.includes('$')) return text;
  return text.replaceAll(/\$(?:(\$)|\(([^)]+)\))?/g, (_whole, dollar?: string, name?: string) => {
    if (dollar !== undefined) return '$';
    if (name === undefined) throw new FileSyntaxError(line, 'expected `$$` or `$(NAME)` in a text');
    const value = entryNear(group, name, to.entries) ?? to.options.environment[name];
    if (value === undefined) throw new FileSyntaxError(line, `no variable ${name}`);
    return value;
  });
}

/** Returns the value of a name in the group, or in an enclosing group. */
function entryNear(group: string, name: string, entries: Evaluation['entries']): string | undefined {
  const parts = group.split('.').slice(0, -1);
  for (let length = parts.length; length >= 0; length -= 1) {
    const entry = entries.get([...parts.slice(0, length), name].join('.'));
    if (entry !== undefined) return entry.value;
  }
  return undefined;
}

class FileSyntaxError extends Error {
  override readonly name = 'FileSyntaxError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** A text and the current offset. */
interface Reader {
  readonly text: string;
  at: number;
}

/** @throws FileSyntaxError */
function parseDirectives(content: string): readonly Directive[] {
  const reader: Reader = { text: content.replace(/^\uFEFF/, ''), at: 0 };
  const directives = readDirectives(reader);
  if (reader.at < reader.text.length) fail(reader, 'expected `name = value` on a line of its own');
  return directives;
}

function readDirectives(reader: Reader): readonly Directive[] {
  const directives: Directive[] = [];
  do {
    skipBlankLines(reader);
    if (reader.at >= reader.text.length || reader.text[reader.at] === '}') break;
    const isComment = take(reader, /#;[ \t]*/y) !== null;
    const directive = readDirective(reader);
    if (!isComment) directives.push(directive);
    take(reader, /[ \t]*(?:#[^\r\n]*)?/y);
  } while (take(reader, /[\r\n]/y) !== null);
  return directives;
}

function readDirective(reader: Reader): Directive {
  const line = lineOf(reader);
  const name = take(reader, NAME);
  if (name === null) return fail(reader, 'expected `name = value`');
  skipBlankLines(reader);
  if (name === 'import') return { kind: 'import', path: readText(reader), line };
  if (take(reader, /=/y) !== null) {
    skipBlankLines(reader);
    return { kind: 'bind', name, value: readValue(reader), line };
  }
  if (take(reader, /\{/y) === null) return fail(reader, `${name}: expected \`=\` or \`{\``);
  const directives = readDirectives(reader);
  if (take(reader, /\}/y) === null) return fail(reader, `${name}: the group does not end`);
  return { kind: 'group', name, directives };
}

const NAME = /\p{L}[\p{L}\p{N}_-]*(?:\.\p{L}[\p{L}\p{N}_-]*)*/uy;
const WORD = /true|false|on|off/y;
const NUMBER = /[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const QUOTED = /"(?:[^"\\]|\\[ntru"\\])*"/y;

function readValue(reader: Reader): Value {
  if (reader.text[reader.at] === '"') return { text: readText(reader), isQuoted: true };
  if (take(reader, /\[/y) !== null) return { text: readList(reader), isQuoted: false };
  const bare = take(reader, WORD) ?? plainNumber(take(reader, NUMBER));
  if (bare === null) return fail(reader, 'expected a "quoted text", a number, true, false or a list');
  return { text: bare, isQuoted: false };
}

/** Writes a whole number with a fraction or an exponent, such as `1e1` and `10.0`, in digits alone. */
function plainNumber(number: string | null): string | null {
  const value = Number(number);
  return number !== null && /[.eE]/.test(number) && Number.isSafeInteger(value) ? String(value) : number;
}

function readText(reader: Reader): string {
  const quoted = take(reader, QUOTED);
  return quoted === null ? fail(reader, 'expected a "quoted text"') : unescape(quoted.slice(1, -1));
}

/** The items of a list, separated by commas. */
function readList(reader: Reader): string {
  const items: string[] = [];
  skipBlankLines(reader);
  if (take(reader, /\]/y) !== null) return '[]';
  do {
    skipBlankLines(reader);
    items.push(readValue(reader).text);
    skipBlankLines(reader);
  } while (take(reader, /,/y) !== null);
  if (take(reader, /\]/y) === null) fail(reader, 'the list does not end');
  return items.join(', ');
}

/** Blanks, line ends, and comments except `#;`. */
const skipBlankLines = (reader: Reader): void => void take(reader, /(?:\s|#(?!;)[^\r\n]*)*/y);

/** Returns the text at the offset that matches a sticky pattern, and advances after it. */
function take(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  const [found] = pattern.exec(reader.text) ?? [];
  if (found === undefined) return null;
  reader.at += found.length;
  return found;
}

const lineOf = ({ text, at }: Reader): number => text.slice(0, at).split('\n').length;

function fail(reader: Reader, problem: string): never {
  throw new FileSyntaxError(lineOf(reader), problem);
}
