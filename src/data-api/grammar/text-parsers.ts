/** The parsers of characters, words and the end of the text. */
import { showText } from './complaint.js';
import { failure, type Parser, refusal, unfit } from './parser.js';

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
