/**
 * The complaint of a parser about a place in the text: what it found there and what it expected. Complaints are kept
 * after successes too, because the next error lists what could have followed. Their merging and wording follow the
 * Parsec family of parsers, whose messages clients know (data API §1.2): the furthest place wins, and complaints
 * about one place are joined.
 */
export interface Complaint {
  /** Offset in the text to which the complaint refers, in UTF-16 code units. */
  readonly at: number;
  /**
   * Offset of the unexpected character; the length of the text stands for its end. Null if no character is at fault.
   */
  readonly found: number | null;
  /** Offsets of characters that match but are refused by a later rule. They are named instead of `found`. */
  readonly refused: readonly number[];
  /** Names of the expected items, in the order in which the grammar tried them. */
  readonly expected: readonly string[];
}

/** Joins two complaints, the earlier one first. Null stands for no complaint. */
export function mergeComplaints(first: Complaint | null, second: Complaint | null): Complaint | null {
  if (first === null || second === null) return first ?? second;
  if (isSilent(second) && !isSilent(first)) return first;
  if (isSilent(first) && !isSilent(second)) return second;
  if (first.at !== second.at) return first.at > second.at ? first : second;
  return {
    at: first.at,
    found: first.found ?? second.found,
    refused: [...first.refused, ...second.refused],
    expected: [...first.expected, ...second.expected],
  };
}

function isSilent(complaint: Complaint): boolean {
  return complaint.found === null && complaint.refused.length === 0 && complaint.expected.length === 0;
}

/** `unexpected "u" expecting "asc", "desc" or "nullsfirst"`. */
export function describeComplaint(complaint: Complaint, text: string): string {
  const expected = [...new Set(complaint.expected)];
  const parts = [describeFound(complaint, text)];
  if (expected.length > 0) parts.push(`expecting ${joinWithOr(expected)}`);
  return parts.filter((part) => part !== '').join(' ') || 'unknown parse error';
}

function describeFound(complaint: Complaint, text: string): string {
  if (complaint.refused.length > 0) {
    const characters = complaint.refused.map((offset) => showCharacter(text, offset, "'"));
    return `unexpected ${joinWithOr([...new Set(characters)])}`;
  }
  if (complaint.found === null) return '';
  if (complaint.found >= text.length) return 'unexpected end of input';
  return `unexpected ${showCharacter(text, complaint.found, '"')}`;
}

function joinWithOr(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} or ${last}`;
}

/**
 * Returns the line and column of an offset, both from 1, in code points. A tab advances to the next multiple of
 * eight.
 */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let column = 1;
  for (let at = 0; at < offset; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) {
      line += 1;
      column = 1;
    } else if (code === TAB) column += 8 - ((column - 1) % 8);
    else if (code < FIRST_OF_SECONDS || !endsPair(text, at)) column += 1;
  }
  return { line, column };
}

const LINE_FEED = 10;
const TAB = 9;
/** The first code unit that may be the second one of a character. */
const FIRST_OF_SECONDS = 0xdc00;

/** Whether a code unit is the second one of a character, which counts as one column. */
const endsPair = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 && at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;

/** Returns a text in double quotes, the form of expected texts in error details. */
export const showText = (text: string): string =>
  `"${Array.from(text, (character) => escapeCharacter(character, '"')).join('')}"`;

function showCharacter(text: string, offset: number, quote: '"' | "'"): string {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return `${quote}${escapeCharacter(character, quote)}${quote}`;
}

const CONTROL_NAMES =
  'NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

/** Escapes control characters by name and characters beyond ASCII by decimal number, for example `\233`. */
function escapeCharacter(character: string, quote: '"' | "'"): string {
  const code = character.codePointAt(0) ?? 0;
  const control = CONTROL_NAMES[code];
  if (control !== undefined) return `\\${control}`;
  if (character === quote || character === '\\') return `\\${character}`;
  if (code === 127) return '\\DEL';
  return code > 127 ? `\\${code}` : character;
}

/** The reason why a text does not match the grammar. */
export interface ParseFailure {
  /** The parsed text and the position of the failure: `"failed to parse order (id.up)" (line 1, column 4)`. */
  readonly message: string;
  /** The text found and the expected texts: `unexpected "u" expecting "asc", "desc", "nullsfirst" or "nullslast"`. */
  readonly details: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  /** Most failures are not reported, and need no explanation. */
  | { readonly ok: false; readonly explain: () => ParseFailure };
