/** Rows of a file: CSV by RFC 4180, JSON, or a line of JSON a row. */
import { isObject, parseJson, textOf, type Json, type JsonRow } from '../json.js';

export interface ImportedFile {
  readonly name: string;
  readonly format: 'csv' | 'json';
  /** Names of the columns in the file. */
  readonly names: readonly string[];
  readonly rows: readonly JsonRow[];
  /** The file as it is, if it is CSV. */
  readonly content: Blob | null;
}

/** @throws Error with what is wrong with the file */
export async function readImport(file: File): Promise<ImportedFile> {
  const text = (await file.text()).replace(/^\uFEFF/, '');
  const isJson = /\.(?:json|ndjson|jsonl)$/i.test(file.name) || /^\s*[[{]/.test(text);
  return isJson ? readJsonFile(file, text) : readCsvFile(file, text);
}

function readJsonFile({ name }: File, text: string): ImportedFile {
  const values = text.trimStart().startsWith('[') ? parseJson(text) : linesOf(text);
  if (!Array.isArray(values)) throw new Error('The file is not an array of objects.');
  const rows = (values as readonly Json[]).map((value, index) => {
    if (!isObject(value)) throw new Error(`Row ${String(index + 1)} is not an object.`);
    return value;
  });
  return { name, format: 'json', names: [...new Set(rows.flatMap(Object.keys))], rows, content: null };
}

const linesOf = (text: string): Json =>
  text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [parseJson(line)];
    } catch {
      throw new Error(`Line ${String(index + 1)} is not JSON.`);
    }
  });

function readCsvFile(file: File, text: string): ImportedFile {
  const [head, ...records] = readCsv(text);
  if (head === undefined) throw new Error('The file is empty.');
  const names = head.map(textOf);
  const rows = records.map((record, index) => {
    if (record.length !== names.length)
      throw new Error(
        `Row ${String(index + 1)} has ${String(record.length)} fields, and the first line has ${String(names.length)}.`,
      );
    return Object.fromEntries(names.map((name, at) => [name, record[at] ?? null]));
  });
  return { name: file.name, format: 'csv', names, rows, content: file };
}

/** A field: in quotes, in which two quotes are one; or up to the next comma or end of the line. */
const FIELD = /"((?:[^"]|"")*)"|([^,\r\n]*)/y;

/** Records of CSV (RFC 4180): an empty field is null, `""` an empty text. Empty lines between records are skipped. */
export function readCsv(text: string): readonly (readonly (string | null)[])[] {
  const records: (string | null)[][] = [];
  let record: (string | null)[] = [];
  let at = 0;
  while (at < text.length || record.length > 0) {
    FIELD.lastIndex = at;
    const [whole = '', inQuotes, plain = ''] = FIELD.exec(text) ?? [];
    record.push(inQuotes === undefined ? (plain === '' ? null : plain) : inQuotes.replaceAll('""', '"'));
    at += whole.length;
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    const [end] = /^(?:\r\n|\n|\r)?/.exec(text.slice(at, at + 2)) ?? [''];
    if (end === '' && at < text.length)
      throw new Error(`After ${JSON.stringify(text.slice(Math.max(0, at - 20), at))} a comma is missing.`);
    at += end.length;
    if (record.length > 1 || record[0] !== null) records.push(record);
    record = [];
  }
  return records;
}
