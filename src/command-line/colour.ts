/** Colours of reports on a terminal: the words at the beginnings of lines that say how grave the line is. */
import { isatty } from 'node:tty';
import { styleText } from 'node:util';

const STYLES = [
  [/^(?:error|fault)(?= )|^ +wrong(?= )|^dbr:/gm, 'red'],
  [/^warning(?= )/gm, 'yellow'],
  [/^ *ok(?= )|^(?:applied|wrote)(?= )/gm, 'green'],
  [/^info(?= )/gm, 'cyan'],
  [/^ +cure:/gm, 'bold'],
] as const;

/** Whether a descriptor is a terminal that takes colours (no-color.org). */
export const takesColours = (descriptor: 1 | 2): boolean =>
  isatty(descriptor) && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';

/** @param text whose control characters are replaced already */
export const coloured = (text: string): string =>
  STYLES.reduce(
    (painted, [pattern, style]) =>
      painted.replaceAll(pattern, (word) => styleText(style, word, { validateStream: false })),
    text,
  );
