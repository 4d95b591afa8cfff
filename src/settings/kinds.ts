/** The kinds of setting values: how a text from file, environment or database becomes a typed value, and back. */

export type SettingValue<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly expected: string };

export interface Kind<T> {
  /** Word for the manual: `text`, `integer`, `list`, … */
  readonly name: string;
  parse(text: string): SettingValue<T>;
  /** The text that `parse` reads back to the same value. */
  print(value: T): string;
}

const ok = <T>(value: T): SettingValue<T> => ({ ok: true, value });
const wrong = (expected: string): { readonly ok: false; readonly expected: string } => ({
  ok: false,
  expected,
});

export const text: Kind<string> = { name: 'text', parse: ok, print: (value) => value };

export const optionalText: Kind<string | null> = {
  name: 'text',
  parse: (raw) => ok(raw === '' ? null : raw),
  print: (value) => value ?? '',
};

const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
]);

/**
 * true, false, on or off in any case, or a number, which is true above zero. Characters around a word that are not
 * letters are ignored, as in files of the reference.
 */
export const boolean: Kind<boolean> = {
  name: 'boolean',
  parse(raw) {
    if (/^\s*-?\d+\s*$/.test(raw)) return ok(Number(raw) > 0);
    const word = BOOLEAN_WORDS.get(raw.replaceAll(/[^A-Za-z]/g, '').toLowerCase());
    return word === undefined ? wrong('true or false') : ok(word);
  },
  print: String,
};

export function integer(minimum: number, maximum: number): Kind<number> {
  const expected = `a whole number from ${minimum} to ${maximum}`;
  return {
    name: 'integer',
    parse(raw) {
      if (!/^-?\d{1,16}$/.test(raw.trim())) return wrong(expected);
      const value = Number(raw.trim());
      return value < minimum || value > maximum ? wrong(expected) : ok(value);
    },
    print: String,
  };
}

/** A decimal number between 0 and 1. */
export const ratio: Kind<number> = {
  name: 'number',
  parse(raw) {
    const value = /^\d{1,9}(\.\d{1,9})?$/.test(raw.trim()) ? Number(raw) : NaN;
    return value >= 0 && value <= 1 ? ok(value) : wrong('a number from 0 to 1');
  },
  print: String,
};

function isHeaderPair(item: string): boolean {
  const [, encoded] = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\s*=\s*([\x21-\x7e]*)$/.exec(item) ?? [];
  if (encoded === undefined) return false;
  try {
    return /^[\t\x20-\x7e]*$/.test(decodeURIComponent(encoded));
  } catch {
    return false;
  }
}

export function optionalInteger(minimum: number, maximum: number): Kind<number | null> {
  const inner = integer(minimum, maximum);
  return {
    name: 'integer',
    parse: (raw) => (raw.trim() === '' ? ok(null) : inner.parse(raw)),
    print: (value) => (value === null ? '' : String(value)),
  };
}

/** @param expected what the text must be, for the message of a refusal */
export const textThat = (isRight: (value: string) => boolean, expected: string): Kind<string> => ({
  name: 'text',
  parse: (raw) => (isRight(raw) ? ok(raw) : wrong(expected)),
  print: (value) => value,
});

/** @param expected what the text must be, for the message of a refusal */
export const optionalTextThat = (
  isRight: (value: string) => boolean,
  expected: string,
): Kind<string | null> => ({
  ...optionalText,
  parse: (raw) => (raw === '' || isRight(raw) ? optionalText.parse(raw) : wrong(expected)),
});

/** Items separated by commas; blanks around them are ignored; `[]` or an empty text is the empty list. */
export const list: Kind<readonly string[]> = {
  name: 'list',
  parse(raw) {
    const trimmed = raw.trim();
    if (trimmed === '' || trimmed === '[]') return ok([]);
    const items = trimmed.split(',').map((item) => item.trim());
    return items.includes('') ? wrong('items separated by single commas') : ok(items);
  },
  print: (value) => (value.length === 0 ? '[]' : value.join(', ')),
};

/** @param expected what the items must be, for the message of a refusal */
export const listOf = (isRight: (item: string) => boolean, expected: string): Kind<readonly string[]> => ({
  ...list,
  parse(raw) {
    const parsed = list.parse(raw);
    return parsed.ok && !parsed.value.every(isRight) ? wrong(expected) : parsed;
  },
});

/** Headers as `name=value`, with values percent-encoded (OTEL_EXPORTER_OTLP_HEADERS). */
export const headerPairs = listOf(
  isHeaderPair,
  'headers as name=value, separated by commas, with values percent-encoded',
);

/** The same kind without the empty list. */
export const nonEmpty = (kind: Kind<readonly string[]>): Kind<readonly string[]> => ({
  ...kind,
  parse(raw) {
    const parsed = kind.parse(raw);
    return parsed.ok && parsed.value.length === 0 ? wrong('at least one item') : parsed;
  },
});

/** A list that may be absent, which differs from an empty list. */
export const optionalList: Kind<readonly string[] | null> = {
  name: 'list',
  parse: (raw) => (raw.trim() === '' ? ok(null) : list.parse(raw)),
  print: (value) => (value === null ? '' : list.print(value)),
};

/** A number of processes, or `auto` for one for each core. */
export function processes(maximum: number): Kind<number | 'auto'> {
  const inner = integer(1, maximum);
  return {
    name: 'integer | auto',
    parse: (raw) => (raw.trim() === 'auto' ? ok('auto') : inner.parse(raw)),
    print: String,
  };
}

export function oneOf<const W extends string>(...words: readonly W[]): Kind<W> {
  return {
    name: words.join(' | '),
    parse(raw) {
      const found = words.find((word) => word === raw.trim());
      return found === undefined ? wrong(`one of ${words.join(', ')}`) : ok(found);
    },
    print: (value) => value,
  };
}

export function someOf<const W extends string>(...words: readonly W[]): Kind<readonly W[]> {
  return {
    name: 'list',
    parse(raw) {
      const items = list.parse(raw);
      if (!items.ok) return items;
      const found = items.value.flatMap((item) => words.find((word) => word === item) ?? []);
      return found.length === items.value.length && found.length > 0
        ? ok(found)
        : wrong(`some of ${words.join(', ')}`);
    },
    print: (value) => value.join(', '),
  };
}

/** A file mode in octal between two bounds, e.g. 660. */
export function octal(minimum: number, maximum: number): Kind<number> {
  const expected = `an octal file mode from ${minimum.toString(8)} to ${maximum.toString(8)}`;
  return {
    name: 'octal',
    parse(raw) {
      if (!/^0?[0-7]{3}$/.test(raw.trim())) return wrong(expected);
      const value = Number.parseInt(raw.trim(), 8);
      return value < minimum || value > maximum ? wrong(expected) : ok(value);
    },
    print: (value) => value.toString(8),
  };
}

/** An absolute http or https address without a user name and a password, which logs and `/config` would show; or nothing. */
export const optionalUrl: Kind<string | null> = {
  name: 'URL',
  parse(raw) {
    if (raw === '') return ok(null);
    if (!URL.canParse(raw) || !/^https?:/i.test(raw)) return wrong('an absolute http or https address');
    const { username, password } = new URL(raw);
    return username === '' && password === ''
      ? ok(raw)
      : wrong('an address without a user name and a password');
  },
  print: (value) => value ?? '',
};
