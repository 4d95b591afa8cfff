/** Unique bytes, and every encoding in which they could occur in a text. */
import { randomBytes } from 'node:crypto';

export interface Mark {
  readonly name: string;
  /** The text to search for; visible ASCII. */
  readonly text: string;
}

/** 24 bytes: short enough for the start of an encapsulated key, long enough to be no accident. */
export const mark = (name: string): Mark => ({
  name,
  text: `canary-${name}-${randomBytes(16).toString('hex')}`.slice(0, 24),
});

/** A value of so many bytes that begins with the mark, never the same twice. */
export function marked({ text }: Mark, size: number): Buffer {
  return Buffer.concat([Buffer.from(text), randomBytes(size)]).subarray(0, size);
}

/** A text of several parts that would leak unchanged, such as a token or a ticket. */
export const known = (name: string, text: string): Mark => ({ name, text });

/**
 * As it is, in hexadecimal (as PostgreSQL, JSON and `util.inspect` print bytes), as a list of numbers, and in base64,
 * wherever in a group of three bytes it may begin: the characters at either end depend on what is beside them.
 */
export function formsOf({ text }: Mark): readonly string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  const numbers = [...bytes];
  const inBase64 = [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = padded.subarray(0, padded.length - (padded.length % 3));
    const start = offset === 0 ? 0 : 4;
    return [whole.toString('base64').slice(start), whole.toString('base64url').slice(start)];
  });
  return [
    text,
    hex,
    hex.toUpperCase(),
    (hex.match(/../g) ?? []).join(' '),
    numbers.join(','),
    numbers.join(', '),
    numbers.map((value) => `\\${value.toString(8).padStart(3, '0')}`).join(''),
    encodeURIComponent(text),
    ...inBase64,
  ];
}

/** The names of the marks that `text` holds in one form or another. */
export const found = (text: string, marks: readonly Mark[]): readonly string[] =>
  marks.filter((one) => formsOf(one).some((form) => text.includes(form))).map(({ name }) => name);
