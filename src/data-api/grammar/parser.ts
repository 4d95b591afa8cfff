/**
 * The parsers that the grammar is written with. A parser reads the text from an offset on, without
 * exceptions. After it has consumed something, the alternatives of `either` are closed unless `attempt` opens them.
 */
import {
  type Complaint,
  describeComplaint,
  mergeComplaints,
  type Parsed,
  type ParseFailure,
  positionOf,
  showText,
} from './complaint.js';
import { type Countable, countOne, excessOf, type QueryCount } from './limits.js';

/** The text and the little that changes while it is parsed. */
export interface Source {
  readonly text: string;
  /** What the query string holds so far, and may hold. */
  readonly count: QueryCount;
  /** Levels entered at the moment. */
  depth: number;
  /** The index of the next value. Values are numbered when an operation is complete, which no parser takes back. */
  nextIndex: number;
  /** Where the last item of a list begins, of those that were tried. */
  itemAt: number;
  /** Complaints about earlier places are left out; null leaves out all. Complaints never change what is parsed. */
  readonly explainsFrom: number | null;
}

/** What a parser says. A failure that consumed nothing leaves the way free for alternatives. */
export type Reply<T> =
  | {
      readonly ok: true;
      readonly consumed: boolean;
      readonly at: number;
      readonly value: T;
      readonly complaint: Complaint | null;
    }
  | { readonly ok: false; readonly consumed: boolean; readonly complaint: Complaint | null };

export type Parser<T> = (source: Source, at: number) => Reply<T>;

/** Takes nothing and gives `value`. */
export function succeed<T>(value: T): Parser<T> {
  return (_source, at) => ({ ok: true, consumed: false, at, value, complaint: null });
}

const MISSED = { ok: false, consumed: false, complaint: null } as const;
const BROKEN = { ok: false, consumed: true, complaint: null } as const;

/** A failure that consumed or not. */
function failure(consumed: boolean, complaint: Complaint | null): Reply<never> {
  if (complaint === null) return consumed ? BROKEN : MISSED;
  return { ok: false, consumed, complaint };
}

const explains = ({ explainsFrom }: Source, at: number): boolean =>
  explainsFrom !== null && at >= explainsFrom;

function unfit(source: Source, at: number, found: number, expected: readonly string[]): Complaint | null {
  return explains(source, at) ? { at, found, refused: [], expected } : null;
}

/** A complaint about the character at `refused`, which fits but must not be there. */
function refusal(source: Source, at: number, refused: number, expected: readonly string[]): Complaint | null {
  return explains(source, at) ? { at, found: null, refused: [refused], expected } : null;
}

/** True for a code point. */
export type CharacterTest = (code: number) => boolean;

const width = (code: number): number => (code > 0xffff ? 2 : 1);

/** One character that passes the test. */
export function character(test: CharacterTest, ...expected: readonly string[]): Parser<string> {
  return (source, at) => {
    const code = source.text.codePointAt(at);
    if (code === undefined || !test(code)) return failure(false, unfit(source, at, at, expected));
    return {
      ok: true,
      consumed: true,
      at: at + width(code),
      value: String.fromCodePoint(code),
      complaint: null,
    };
  };
}

/** Characters that pass the test, as many as there are. */
export function characters(test: CharacterTest, ...expected: readonly string[]): Parser<string> {
  return (source, at) => {
    let end = at;
    for (;;) {
      const code = source.text.codePointAt(end);
      if (code === undefined || !test(code)) break;
      end += width(code);
    }
    const complaint = unfit(source, end, end, expected);
    return { ok: true, consumed: end > at, at: end, value: source.text.slice(at, end), complaint };
  };
}

/** Characters that pass the test, at least one. */
export function someCharacters(test: CharacterTest, ...expected: readonly string[]): Parser<string> {
  const any = characters(test, ...expected);
  return (source, at) => {
    const reply = any(source, at);
    return reply.ok && reply.at === at ? failure(false, reply.complaint) : reply;
  };
}

/** Exactly this text. When only its beginning is there, it counts as consumed. */
export function literal<T extends string>(wanted: T): Parser<T> {
  const expected = [showText(wanted)];
  return (source, at) => {
    if (source.text.startsWith(wanted, at)) {
      return { ok: true, consumed: true, at: at + wanted.length, value: wanted, complaint: null };
    }
    let matched = 0;
    while (source.text[at + matched] === wanted[matched]) matched += 1;
    return failure(matched > 0, unfit(source, at, at + matched, expected));
  };
}

/** This text in lower-case ASCII, in any case. */
export function caseless<T extends string>(wanted: T): Parser<T> {
  return (source, at) => {
    for (let matched = 0; matched < wanted.length; matched += 1) {
      const lower = wanted.charAt(matched);
      const upper = lower.toUpperCase();
      const there = source.text.charAt(at + matched);
      if (there === lower || there === upper) continue;
      const expected = [showText(lower), showText(upper)];
      return failure(matched > 0, unfit(source, at + matched, at + matched, expected));
    }
    return { ok: true, consumed: true, at: at + wanted.length, value: wanted, complaint: null };
  };
}

/** The end of the text. */
export const end: Parser<null> = (source, at) => {
  if (at < source.text.length) return failure(false, refusal(source, at, at, ['end of input']));
  const complaint = unfit(source, at, at, ['end of input']);
  return { ok: true, consumed: false, at, value: null, complaint };
};

export function map<A, B>(parser: Parser<A>, change: (value: A, source: Source) => B): Parser<B> {
  return (source, at) => {
    const reply = parser(source, at);
    if (!reply.ok) return reply;
    const { consumed, complaint } = reply;
    return { ok: true, consumed, at: reply.at, value: change(reply.value, source), complaint };
  };
}

/** One parser after the other; the values of all. */
export function sequence<const T extends readonly unknown[]>(
  ...parsers: { readonly [K in keyof T]: Parser<T[K]> }
): Parser<T>;
export function sequence(...parsers: readonly Parser<unknown>[]): Parser<readonly unknown[]> {
  return (source, start) => {
    // Most sequences fail at once, as alternatives that do not apply: they should cost nothing.
    let values: unknown[] | null = null;
    let at = start;
    let consumed = false;
    let complaint: Complaint | null = null;
    for (const parser of parsers) {
      const reply = parser(source, at);
      complaint = reply.consumed ? reply.complaint : mergeComplaints(complaint, reply.complaint);
      consumed ||= reply.consumed;
      if (!reply.ok) return failure(consumed, complaint);
      if (values === null) values = [reply.value];
      else values.push(reply.value);
      at = reply.at;
    }
    return { ok: true, consumed, at, value: values ?? [], complaint };
  };
}

/** `parser` between `open` and `close`. */
export function between<T>(open: Parser<unknown>, parser: Parser<T>, close: Parser<unknown>): Parser<T> {
  return map(sequence(open, parser, close), ([, value]) => value);
}

/** `parser`, then `after`, whose value is dropped. */
export function before<T>(parser: Parser<T>, after: Parser<unknown>): Parser<T> {
  return map(sequence(parser, after), ([value]) => value);
}

/** `ahead`, whose value is dropped, then `parser`. */
export function after<T>(ahead: Parser<unknown>, parser: Parser<T>): Parser<T> {
  return map(sequence(ahead, parser), ([, value]) => value);
}

/** The first parser that does not fail without having consumed. */
export function either<T>(...parsers: readonly Parser<T>[]): Parser<T> {
  return (source, at) => {
    let complaint: Complaint | null = null;
    for (const parser of parsers) {
      const reply = parser(source, at);
      if (reply.consumed) return reply;
      complaint = mergeComplaints(complaint, reply.complaint);
      if (reply.ok) return complaint === null ? reply : { ...reply, complaint };
    }
    return failure(false, complaint);
  };
}

/** As `parser`, but a failure takes back what was consumed. */
export function attempt<T>(parser: Parser<T>): Parser<T> {
  return (source, at) => {
    const reply = parser(source, at);
    return reply.ok ? reply : failure(false, reply.complaint);
  };
}

/** `parser`, or null where it fails without having consumed. */
export function optional<T>(parser: Parser<T>): Parser<T | null> {
  return either<T | null>(parser, succeed(null));
}

/** Succeeds where `parser` does, and takes nothing. */
export function ahead(parser: Parser<unknown>): Parser<null> {
  return (source, at) => {
    const reply = parser(source, at);
    return reply.ok ? { ok: true, consumed: false, at, value: null, complaint: null } : reply;
  };
}

/** Fails where `parser`, which takes one character, succeeds; takes nothing. */
export function notAhead(parser: Parser<string>): Parser<null> {
  return (source, at) => {
    const reply = parser(source, at);
    if (reply.ok) return failure(false, refusal(source, reply.at, at, []));
    return { ok: true, consumed: false, at, value: null, complaint: reply.complaint };
  };
}

/** `parser` as often as it succeeds. It must consume. */
export function many<T>(parser: Parser<T>): Parser<readonly T[]> {
  return (source, start) => {
    const value: T[] = [];
    let at = start;
    for (;;) {
      const reply = parser(source, at);
      if (reply.ok) {
        value.push(reply.value);
        at = reply.at;
      } else if (reply.consumed) return reply;
      else return { ok: true, consumed: at > start, at, value, complaint: reply.complaint };
    }
  };
}

/** One or more of `parser`, apart by `separator`. */
export function separated<T>(parser: Parser<T>, separator: Parser<unknown>): Parser<readonly T[]> {
  const item: Parser<T> = (source, at) => {
    source.itemAt = Math.max(source.itemAt, at);
    return parser(source, at);
  };
  return map(sequence(parser, many(after(separator, item))), ([first, rest]) => [first, ...rest]);
}

/** Names what `parser` wants, for errors at its beginning. */
export function named<T>(name: string, parser: Parser<T>): Parser<T> {
  return (source, at) => {
    const reply = parser(source, at);
    if (reply.consumed || reply.complaint === null) return reply;
    return { ...reply, complaint: { ...reply.complaint, expected: [name] } };
  };
}

/** A level of nesting. Deeper than the limit it fails: the parser, and all who walk its trees, recurse. */
export function nested<T>(parser: Parser<T>): Parser<T> {
  return (source, at) => {
    const { maxDepth } = source.count.limits;
    if (source.depth >= maxDepth) {
      const expected = [`at most ${String(maxDepth)} levels of nesting (db-max-depth)`];
      return failure(false, unfit(source, at, at, expected));
    }
    source.depth += 1;
    const reply = parser(source, at);
    source.depth -= 1;
    return reply;
  };
}

/** Counts what `parser` reads. One too many ends the parse: `parseText` says why. */
export function counted<T>(what: Countable, parser: Parser<T>): Parser<T> {
  return (source, at) => {
    const reply = parser(source, at);
    return !reply.ok || countOne(source.count, what) ? reply : BROKEN;
  };
}

/** What surrounds a parse. */
export interface ParseOptions {
  /** Heads the message of a failure: `failed to parse order (id.up)`. */
  readonly context: string;
  /** Goes on counting where the parameters before stopped. */
  readonly count: QueryCount;
  /** The index of the first value. */
  readonly firstIndex?: number;
  /** Text in front that counts for columns only. */
  readonly prefix?: string;
}

/**
 * Parses the text by a parser that goes to its `end`: once, and a second time to say why not. The complaint about the
 * furthest place counts, so the second time need not look at places before the last item that was tried; should the
 * complaint be about one of those after all, a third time finds it.
 */
export function parseText<T>(whole: Parser<T>, text: string, options: ParseOptions): Parsed<T> {
  const { count, firstIndex = 0 } = options;
  const before = { ...count };
  const source: Source = { text, count, depth: 0, nextIndex: firstIndex, itemAt: 0, explainsFrom: null };
  const reply = whole(source, 0);
  const excess = excessOf(count);
  if (excess !== null) return { ok: false, failure: excess };
  if (reply.ok) return { ok: true, value: reply.value };
  const complaintFrom = (explainsFrom: number): Complaint | null =>
    whole({ ...source, count: { ...before }, depth: 0, explainsFrom }, 0).complaint;
  const complaint = complaintFrom(source.itemAt) ?? complaintFrom(0);
  return { ok: false, failure: describeFailure(complaint, text, options) };
}

const SILENT: Complaint = { at: 0, found: null, refused: [], expected: [] };

function describeFailure(complaint: Complaint | null, text: string, options: ParseOptions): ParseFailure {
  const { at } = complaint ?? SILENT;
  const { context, prefix = '' } = options;
  const { line, column } = positionOf(prefix + text, prefix.length + at);
  return {
    message: `"${context}" (line ${line}, column ${column})`,
    details: describeComplaint(complaint ?? SILENT, text)
      .replaceAll('\n', ' ')
      .trim(),
  };
}
