/**
 * The configuration file: one `key = value` on each line, `#` begins a comment. A value is bare (to the end of the
 * line), a `"quoted text with \\ escapes"`, a number, true or false, or a list `["a", "b"]`, which means the same as
 * `"a, b"`. A list with an object, `[{…}]`, is JSON on one line.
 */

import { isObject, jsonIn, listOf as itemsIn } from '../base/json.js';

export interface FileEntry {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

export interface FileProblem {
  readonly line: number;
  readonly problem: string;
}

export interface ParsedFile {
  readonly entries: readonly FileEntry[];
  readonly problems: readonly FileProblem[];
}

type Value = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly problem: string };

const ENTRY = /^\s*([A-Za-z][A-Za-z0-9_.-]*)\s*=\s*(.*?)\s*$/;

/** Reads the whole text. Every line that cannot be read is one problem. */
export function parseFile(content: string): ParsedFile {
  const entries: FileEntry[] = [];
  const problems: FileProblem[] = [];
  const seen = new Set<string>();
  for (const [index, text] of content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    if (/^\s*(#|$)/.test(text)) continue;
    const [, name, raw] = ENTRY.exec(text) ?? [];
    if (name === undefined || raw === undefined) {
      problems.push({ line, problem: 'expected `name = value`' });
      continue;
    }
    const value = parseValue(raw);
    if (!value.ok) problems.push({ line, problem: `${name}: ${value.problem}` });
    else if (seen.has(name)) problems.push({ line, problem: `${name}: set twice` });
    else entries.push({ name, value: value.value, line });
    seen.add(name);
  }
  return { entries, problems };
}

function parseValue(raw: string): Value {
  if (raw.startsWith('"')) return quoted(raw);
  if (raw.startsWith('[')) return listOf(raw);
  return { ok: true, value: raw.replace(/\s+#.*$/, '').replace(/^#.*$/, '') };
}

const QUOTED = /^"((?:[^"\\]|\\.)*)"/;
const REST = /^\s*(#.*)?$/;

function quoted(raw: string): Value {
  const [whole, inner] = QUOTED.exec(raw) ?? [];
  if (whole === undefined || inner === undefined)
    return { ok: false, problem: 'the quoted text does not end' };
  if (!REST.test(raw.slice(whole.length))) return { ok: false, problem: 'text after the quoted text' };
  return { ok: true, value: unescape(inner) };
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['"', '"'],
  ['\\', '\\'],
]);

/** The text inside of quotes. */
export function unescape(inner: string): string {
  return inner.replaceAll(
    /\\(?:u([0-9A-Fa-f]{4})|(.))/g,
    (_whole, hex: string | undefined, char: string | undefined) =>
      hex !== undefined
        ? String.fromCharCode(Number.parseInt(hex, 16))
        : (ESCAPES.get(char ?? '') ?? `\\${char ?? ''}`),
  );
}

function listOf(raw: string): Value {
  const ends = [...raw.matchAll(/\]/g)]
    .map(({ index }) => index + 1)
    .filter((end) => REST.test(raw.slice(end)));
  let value: Value = { ok: false, problem: 'the list does not end' };
  // A bracket may be part of an item, or of a comment.
  for (const end of ends) {
    value = listUpTo(raw.slice(0, end));
    if (value.ok) return value;
  }
  return value;
}

function listUpTo(text: string): Value {
  if (hasObjects(text)) return { ok: true, value: text };
  const items: string[] = [];
  let rest = text.slice(1, -1).trim();
  while (rest !== '') {
    const [whole = ''] = /^("(?:[^"\\]|\\.)*"|[^",]+)\s*/.exec(rest) ?? [];
    if (whole === '') return { ok: false, problem: 'expected list items separated by commas' };
    const item = whole.trim();
    items.push(item.startsWith('"') ? unescape(item.slice(1, -1)) : item);
    rest = rest.slice(whole.length);
    if (rest.startsWith(',')) rest = rest.slice(1).trim();
    else if (rest !== '') return { ok: false, problem: 'expected a comma between list items' };
  }
  return { ok: true, value: items.length === 0 ? '[]' : items.join(', ') };
}

/** Whether a text is a JSON array with an object. */
const hasObjects = (text: string): boolean => itemsIn(jsonIn(text)).some(isObject);
