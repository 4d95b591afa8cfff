/**
 * SQL text. Only this file makes values of type `Sql`: from text in the source code, quoted names, and text that
 * PostgreSQL wrote. A string of a request cannot become SQL. Values are parameters.
 */

declare const brand: unique symbol;

export type Sql = string & { readonly [brand]: 'Sql' };

/** SQL, a whole number, or a string whose type is a literal, which only source code can supply. */
type Part<Given> = Given extends string ? (string extends Given ? never : Given) : Given;

/** The one place where text becomes SQL. */
const make = (text: string): Sql => text as Sql;

/**
 * SQL from a template.
 * @throws RangeError for a number that is not a safe integer
 */
export function sql<const Given extends readonly (string | number | bigint)[]>(
  strings: TemplateStringsArray,
  ...parts: { readonly [Index in keyof Given]: Part<Given[Index]> }
): Sql {
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'number' && !Number.isSafeInteger(part))
      throw new RangeError(`${String(part)} is no whole number`);
    text += String(part) + (strings[index + 1] ?? '');
  }
  return make(text);
}

/** @param separator a string in the source code, such as `', '` */
export const joinSql = <Separator extends string>(parts: readonly Sql[], separator: Part<Separator>): Sql =>
  make(parts.join(separator));

/** Text that PostgreSQL wrote as SQL: the name of a type (format_type), an expression (pg_get_expr). */
export const catalogueSql = (text: string): Sql => make(text);

/**
 * Returns a delimited identifier (PostgreSQL manual, 4.1.1). A name is cut at a NUL, which no identifier can contain.
 */
export function quoteIdentifier(name: string): Sql {
  const nul = name.indexOf('\0');
  return make(`"${(nul < 0 ? name : name.slice(0, nul)).replaceAll('"', '""')}"`);
}

export const quoteQualified = (schema: string, name: string): Sql =>
  sql`${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;

// SQL of several lines and with parameters is text with marks, which `print` replaces. NULs enclose a mark, since no name,
// literal or text of PostgreSQL contains one; line ends of names and literals stay as they are.

/** A parameter that has no number yet. Equal keys are one parameter. */
export const unnumbered = (key: string): Sql => make(`\0$${key.replaceAll('\0', '')}\0`);

const LINE_END = '\0\n\0';

/** Begins a line with each text; leaves out empty ones. */
export const clauses = (...texts: readonly Sql[]): Sql =>
  make(texts.filter((text) => text !== '').join(LINE_END));

/** Aligns the lines of a text with its beginning. */
export const hung = (text: Sql): Sql => make(`\0>\0${text}\0<\0`);

/** Encloses a text, for example a sub-select, in parentheses, as lines within the line of the first one. */
export const block = (text: Sql): Sql => make(`\0(\0${text}\0)\0`);

/** Lists texts after a word, one on each line. */
export const listed = (word: Sql, texts: readonly Sql[]): Sql =>
  sql`${word}${hung(make(texts.join(`,${LINE_END}`)))}`;

/** Whether a text has several lines. */
export const hasLines = (text: Sql): boolean => /\0[\n(]/.test(text);

/**
 * Writes the lines with their margins, and the parameters with numbers by their first places.
 * @returns the text, and the keys of the parameters in the order of their numbers
 */
export function print(marked: Sql): { readonly text: Sql; readonly keys: readonly string[] } {
  const numbers = new Map<string, number>();
  const outer: number[] = [];
  let [text, lineStart, margin, indent] = ['', 0, 0, -1];
  const append = (piece: string): void => {
    if (piece !== '' && indent < 0)
      indent = text.length - lineStart + piece.length - piece.trimStart().length;
    text += piece;
  };
  const beginLine = (): void => {
    text += '\n';
    lineStart = text.length;
    text += ' '.repeat(margin);
    indent = -1;
  };
  const enter = (inner: number): void => {
    outer.push(margin);
    margin = inner;
  };
  for (const [index, piece] of marked.split('\0').entries()) {
    const mark = index % 2 === 0 ? 'text' : piece;
    switch (mark) {
      case 'text':
        append(piece);
        break;
      case '\n':
        beginLine();
        break;
      case '>':
        enter(text.length - lineStart);
        break;
      case '<':
        margin = outer.pop() ?? 0;
        break;
      case '(':
        append(mark);
        enter(Math.max(margin, indent) + 2);
        beginLine();
        break;
      case ')':
        margin -= 2;
        beginLine();
        append(mark);
        margin = outer.pop() ?? 0;
        break;
      default: {
        const number = numbers.get(mark) ?? numbers.size + 1;
        numbers.set(mark, number);
        append(`$${String(number)}`);
      }
    }
  }
  return { text: make(text), keys: [...numbers.keys()].map((mark) => mark.slice(1)) };
}

/** A name whose schema, if it has one, is before the first dot: as settings write it. */
export function quoteDotted(name: string): Sql {
  const dot = name.indexOf('.');
  return dot < 0 ? quoteIdentifier(name) : quoteQualified(name.slice(0, dot), name.slice(dot + 1));
}

/** The characters of a `traceparent` (W3C Trace Context), which cannot end a comment. */
const TRACEPARENT = /^[0-9a-f-]{55}$/;

/**
 * Puts the parent of a trace before a statement, in the form of sqlcommenter, for the log of PostgreSQL.
 * @throws RangeError for a text of any other form
 */
export function withTraceparent(traceparent: string, text: Sql): Sql {
  if (!TRACEPARENT.test(traceparent)) throw new RangeError('the text is no traceparent');
  return make(`/*traceparent='${traceparent}'*/ ${text}`);
}

/** Returns a string constant, for utility statements that take no parameters (NOTIFY, CREATE ROLE … PASSWORD). */
export const quoteLiteral = (text: string): Sql => {
  const escaped = text.replaceAll('\0', '').replaceAll("'", "''");
  return make(escaped.includes('\\') ? ` E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`);
};
