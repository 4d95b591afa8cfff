/**
 * Parser combinators of the grammar. A parser reads the text from an offset and throws no exceptions. If it fails
 * after consuming text, `either` tries no alternative, unless `attempt` wraps it.
 */
import type { QueryValue } from './ast.js';
import { type Complaint, mergeComplaints, showText } from './complaint.js';
import { type Countable, countOne, type QueryCount } from './limits.js';

/** The text, and the state of its parse. */
export interface Source {
  readonly text: string;
  /** Counts and limits of the query string. */
  readonly count: QueryCount;
  /** Whether `is.not_null` is known. */
  readonly takesNotNull: boolean;
  /** The current depth of nesting. */
  depth: number;
  /** The values of the query string so far, by index. Those of this text begin at the first value of `nextIndex`. */
  readonly values: QueryValue[];
  /**
   * The index of the next value. Values are numbered when an operation is complete; no parser backtracks over a
   * complete operation.
   */
  nextIndex: number;
  /** Offset of the last list item that was tried. */
  itemAt: number;
  /** Complaints about earlier places are dropped; null drops all. Complaints do not affect the result of the parse. */
  readonly explainsFrom: number | null;
}

/** The result of a parser. After a failure that consumed no text, alternatives are tried. */
export type ParseStep<T> =
  | {
      readonly ok: true;
      readonly consumed: boolean;
      readonly at: number;
      readonly value: T;
      readonly complaint: Complaint | null;
    }
  | { readonly ok: false; readonly consumed: boolean; readonly complaint: Complaint | null };

export type Parser<T> = (source: Source, at: number) => ParseStep<T>;

/** Consumes nothing and returns `value`. */
export function succeed<T>(value: T): Parser<T> {
  return (_source, at) => ({ ok: true, consumed: false, at, value, complaint: null });
}

const MISSED = { ok: false, consumed: false, complaint: null } as const;

const BROKEN = { ok: false, consumed: true, complaint: null } as const;

/** Returns a failure, with or without consumed text. */
export function failure(consumed: boolean, complaint: Complaint | null): ParseStep<never> {
  if (complaint === null) return consumed ? BROKEN : MISSED;
  return { ok: false, consumed, complaint };
}

/** Whether the parse needs no complaints: only one that explains a failure does. */
export const isSilent = ({ explainsFrom }: Source): boolean => explainsFrom === null;

const explains = ({ explainsFrom }: Source, at: number): boolean =>
  explainsFrom !== null && at >= explainsFrom;

export function unfit(
  source: Source,
  at: number,
  found: number,
  expected: readonly string[],
): Complaint | null {
  return explains(source, at) ? { at, found, refused: [], expected } : null;
}

/** Returns a complaint about the character at `refused`, which matches but is not allowed. */
function refusal(source: Source, at: number, refused: number, expected: readonly string[]): Complaint | null {
  return explains(source, at) ? { at, found: null, refused: [refused], expected } : null;
}

export function map<A, B>(parser: Parser<A>, change: (value: A, source: Source) => B): Parser<B> {
  return (source, at) => {
    const reply = parser(source, at);
    if (!reply.ok) return reply;
    const { consumed, complaint } = reply;
    return { ok: true, consumed, at: reply.at, value: change(reply.value, source), complaint };
  };
}

/** Runs parsers one after the other and returns their values. */
export function sequence<const T extends readonly unknown[]>(
  ...parsers: { readonly [K in keyof T]: Parser<T[K]> }
): Parser<T>;

export function sequence(...parsers: readonly Parser<unknown>[]): Parser<readonly unknown[]> {
  return (source, start) => {
    // Most sequences fail at their first parser, as alternatives that do not apply, so nothing is allocated before.
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

/** Parses `parser`, then `after`, whose value is dropped. */
export function before<T>(parser: Parser<T>, after: Parser<unknown>): Parser<T> {
  return map(sequence(parser, after), ([value]) => value);
}

/** Parses `ahead`, whose value is dropped, then `parser`. */
export function after<T>(ahead: Parser<unknown>, parser: Parser<T>): Parser<T> {
  return map(sequence(ahead, parser), ([, value]) => value);
}

/** Tries parsers in order, until one succeeds or fails after consuming text. */
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

/** As `parser`, but a failure consumes no text. */
export function attempt<T>(parser: Parser<T>): Parser<T> {
  return (source, at) => {
    const reply = parser(source, at);
    return reply.ok ? reply : failure(false, reply.complaint);
  };
}

/**
 * As `attempt`, but errors do not name what was expected: recorded errors stay as they are when the grammar grows.
 */
export function quiet<T>(parser: Parser<T>): Parser<T> {
  return (source, at) => {
    const reply = parser(source, at);
    return reply.ok ? { ...reply, complaint: null } : MISSED;
  };
}

/** As `parser`; null if it fails without consuming text. */
export function optional<T>(parser: Parser<T>): Parser<T | null> {
  return either<T | null>(parser, succeed(null));
}

/** Succeeds if `parser` succeeds, and consumes no text. */
export function ahead(parser: Parser<unknown>): Parser<null> {
  return (source, at) => {
    const reply = parser(source, at);
    return reply.ok ? { ok: true, consumed: false, at, value: null, complaint: null } : reply;
  };
}

/** Fails if `parser`, which reads one character, succeeds; consumes no text. */
export function notAhead(parser: Parser<string>): Parser<null> {
  return (source, at) => {
    const reply = parser(source, at);
    if (reply.ok) return failure(false, refusal(source, reply.at, at, []));
    return { ok: true, consumed: false, at, value: null, complaint: reply.complaint };
  };
}

/**
 * Repeats `parser` until it fails. `parser` must consume text.
 * @param most repetitions; more are a failure
 */
export function many<T>(parser: Parser<T>, most = Infinity): Parser<readonly T[]> {
  return (source, start) => {
    const value: T[] = [];
    let at = start;
    for (;;) {
      const reply = parser(source, at);
      if (reply.ok) {
        if (value.length === most)
          return failure(true, unfit(source, at, at, [`at most ${String(most)} repetitions`]));
        value.push(reply.value);
        at = reply.at;
      } else if (reply.consumed) return reply;
      else return { ok: true, consumed: at > start, at, value, complaint: reply.complaint };
    }
  };
}

/** Parses one or more items, separated by `separator`. @param most further items; more are a failure */
export function separated<T>(
  parser: Parser<T>,
  separator: Parser<unknown>,
  most = Infinity,
): Parser<readonly T[]> {
  const item: Parser<T> = (source, at) => {
    source.itemAt = Math.max(source.itemAt, at);
    return parser(source, at);
  };
  return map(sequence(parser, many(after(separator, item), most)), ([first, rest]) => [first, ...rest]);
}

/** Names the expected item of `parser`, for errors at its beginning. */
export function named<T>(name: string, parser: Parser<T>): Parser<T> {
  return (source, at) => {
    const reply = parser(source, at);
    if (reply.consumed || reply.complaint === null) return reply;
    return { ...reply, complaint: { ...reply.complaint, expected: [name] } };
  };
}

/** Parses one level of nesting. Fails beyond the limit, because the parser and the functions over its trees recurse. */
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

/** Counts the items that `parser` reads. The parse ends beyond the limit, and `parseText` reports it. */
export function counted<T>(what: Countable, parser: Parser<T>): Parser<T> {
  return (source, at) => {
    const reply = parser(source, at);
    return !reply.ok || countOne(source.count, what) ? reply : BROKEN;
  };
}

// ---------------------------------------------------------------- Characters, words, the end of the text

/** A test of a code point. */
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

/** Zero or more characters that pass the test. */
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

/** One or more characters that pass the test. */
export function someCharacters(test: CharacterTest, ...expected: readonly string[]): Parser<string> {
  const any = characters(test, ...expected);
  return (source, at) => {
    const reply = any(source, at);
    return reply.ok && reply.at === at ? failure(false, reply.complaint) : reply;
  };
}

/** Exactly this text. If only its beginning matches, the beginning is consumed. */
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

/** This text, which is given in lower-case ASCII, in any case. */
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
