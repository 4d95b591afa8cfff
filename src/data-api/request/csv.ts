/** A CSV body (RFC 4180) → JSON bytes for PostgreSQL (data API §1.8). */

/** Why a text is no CSV, for DBR102. */
export type CsvFault =
  { readonly kind: 'differentFieldCounts' } | { readonly kind: 'malformed'; readonly reason: string };

export type CsvResult =
  | { readonly ok: true; readonly header: readonly string[]; readonly body: Buffer }
  | { readonly ok: false; readonly fault: CsvFault };

/** Rows per piece: few enough to keep strings short, many enough to make few of them. */
const ROWS_PER_PIECE = 1000;

/**
 * Turns rows into an array of objects, whose keys are the fields of the first line. `NULL` is null, everything else a
 * string; empty lines do not count. Lines end by LF, CR or CR LF.
 */
export function csvToJson(text: string): CsvResult {
  if (text === '') return malformed('parse error (not enough input) at ""');
  const header: string[] = [];
  let prefixes: readonly string[] = [];
  let rows: string[] = [];
  const pieces: Buffer[] = [];
  let separator = '[';
  let at = 0;
  while (at < text.length) {
    const record = readRecord(text, at);
    if (!record.ok) return malformed(record.reason);
    at = record.end;
    const { fields } = record;
    if (fields.length === 1 && fields[0] === '') continue;
    if (header.length === 0) {
      header.push(...fields);
      prefixes = header.map((name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
      continue;
    }
    if (fields.length !== header.length) return { ok: false, fault: { kind: 'differentFieldCounts' } };
    rows.push(`${separator}${rowToJson(fields, prefixes)}`);
    separator = ',';
    if (rows.length < ROWS_PER_PIECE) continue;
    pieces.push(Buffer.from(rows.join('')));
    rows = [];
  }
  if (header.length === 0) return malformed('parse error (not enough input) at ""');
  pieces.push(Buffer.from(`${rows.join('')}${separator === '[' ? '[' : ''}]`));
  return { ok: true, header: [...new Set(header)], body: Buffer.concat(pieces) };
}

const malformed = (reason: string): CsvResult => ({ ok: false, fault: { kind: 'malformed', reason } });

function rowToJson(fields: readonly string[], prefixes: readonly string[]): string {
  let json = '';
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] ?? '';
    json += `${prefixes[index] ?? ''}${field === 'NULL' ? 'null' : JSON.stringify(field)}`;
  }
  return `${json}}`;
}

type CsvRecord =
  | { readonly ok: true; readonly fields: readonly string[]; readonly end: number }
  | { readonly ok: false; readonly reason: string };

const UNQUOTED = /[^,"\r\n]*/y;

function readRecord(text: string, start: number): CsvRecord {
  const fields: string[] = [];
  let at = start;
  for (;;) {
    if (text[at] === '"') {
      const end = endOfQuoted(text, at);
      if (end < 0) return { ok: false, reason: 'parse error (a quoted field is not closed)' };
      fields.push(text.slice(at + 1, end - 1).replaceAll('""', '"'));
      at = end;
    } else {
      UNQUOTED.lastIndex = at;
      const field = UNQUOTED.exec(text)?.[0] ?? '';
      fields.push(field);
      at += field.length;
    }
    const next = text[at];
    if (next === undefined) return { ok: true, fields, end: at };
    if (next === '\r' || next === '\n') {
      return { ok: true, fields, end: text.startsWith('\r\n', at) ? at + 2 : at + 1 };
    }
    if (next !== ',') return { ok: false, reason: 'parse error (a field has text beside its quotes)' };
    at += 1;
  }
}

/** Behind the closing quote; -1 when there is none. Two quotes are one of the field. */
function endOfQuoted(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return -1;
    if (text[quote + 1] !== '"') return quote + 1;
    at = quote + 2;
  }
}
