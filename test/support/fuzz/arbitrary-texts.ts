/** Generators of texts that are no valid requests (fast-check). */
import fc, { type Arbitrary } from 'fast-check';

export const PIECES = [
  ...[
    'select',
    'order',
    'limit',
    'offset',
    'and',
    'or',
    'columns',
    'on_conflict',
    'id',
    'films.id',
    'details->a',
  ],
  ...[
    '(',
    ')',
    ',',
    '.',
    ':',
    '::',
    '->',
    '->>',
    '!',
    '*',
    '...',
    '"',
    '\\',
    '{',
    '}',
    '%',
    '%ff',
    '+',
    ' ',
    ';',
  ],
  ...[
    'eq',
    'not',
    'in',
    'is',
    'null',
    'fts(english)',
    'eq(any)',
    'count()',
    'sum()',
    'text',
    'directors',
    'inner',
  ],
  ...[
    '-1',
    '0',
    '9223372036854775808',
    'true',
    'é',
    '\u{1f3ac}',
    'asc',
    'desc',
    'nullslast',
    'having',
    'distinct',
  ],
] as const;

/** Query strings from pieces of the grammar in any order, most of which are invalid. */
export const wildQuery: Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'select',
        'order',
        'and',
        'or',
        'id',
        'title',
        'limit',
        'films.limit',
        'tags',
        'details',
        'having',
        'distinct',
      ),
      fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([key, pieces]) => `${key}=${pieces.map(encoded).join('')}`).join('&'));

/** Most pieces are encoded; a percent sign at times is not. */
const encoded = (piece: string): string => (piece.startsWith('%') ? piece : encodeURIComponent(piece));
