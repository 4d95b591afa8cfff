import { expect } from 'chai';
import fc from 'fast-check';
import {
  elementsOfJson,
  isJson,
  membersOfJson,
  next,
  readJson,
  skip,
  textOfJson,
  type Token,
} from '../../../../src/data-api/request/json-reader.js';
import { runAtOnce } from '../../../../src/base/turns.js';
import { runs } from '../../../support/runs.js';

const membersOf = (text: string, most = 10): readonly (readonly [string, string])[] | null =>
  runAtOnce(membersOfJson(Buffer.from(text), most))?.map(({ name, value }) => [name, value.toString()]) ??
  null;

describe('escapes of a text', () => {
  const isText = (characters: string): boolean => runAtOnce(isJson(Buffer.from(`"${characters}"`)));

  it('are those of RFC 8259', () => {
    for (const letter of '"\\/bfnrt') expect(isText(`\\${letter}`), letter).to.equal(true);
    for (const letter of 'avx0U') expect(isText(`\\${letter}`), letter).to.equal(false);
    for (const digits of ['0000', '00fF', 'd7ff', 'e000', 'ffff'])
      expect(isText(`\\u${digits}`)).to.equal(true);
    for (const digits of ['000', '00g0', '']) expect(isText(`\\u${digits}`), digits).to.equal(false);
  });

  it('have both halves of a surrogate pair, as PostgreSQL demands', () => {
    for (const pair of ['\\ud800\\udc00', '\\udbff\\udfff']) expect(isText(pair), pair).to.equal(true);
    for (const half of [
      ...['\\ud800', '\\udbff', '\\udc00', '\\udfff', '\\ud800x', '\\ud800\\n'],
      ...['\\ud800\\udbff', '\\ud800\\ue000', '\\udc00\\ud800', '\\udc00\\udc00'],
    ])
      expect(isText(half), half).to.equal(false);
  });

  it('are needed for control characters alone', () => {
    expect(isText('\u001f')).to.equal(false);
    expect(isText(' \u007fé')).to.equal(true);
  });
});

describe('membersOfJson', () => {
  it('returns the bytes of each value', () => {
    expect(membersOf(' { "a" : 1.50 , "\\u0062":{"c":[1e400,"}"]},"d":"x\\"" } ')).to.deep.equal([
      ['a', '1.50'],
      ['b', '{"c":[1e400,"}"]}'],
      ['d', '"x\\""'],
    ]);
    expect(membersOf('{}')).to.deep.equal([]);
  });

  it('keeps members with equal names', () => {
    expect(membersOf('{"a":1,"a":2}')).to.deep.equal([
      ['a', '1'],
      ['a', '2'],
    ]);
  });

  it('pauses within long values', () => {
    const value = `[${'1,'.repeat(200_000)}1]`;
    const work = membersOfJson(Buffer.from(`{"a":${value}}`), 1);
    expect(work.next().done).to.equal(false);
    expect(runAtOnce(work)?.[0]?.value.toString()).to.equal(value);
  });

  it('is null for any other text', () => {
    for (const text of [
      '',
      '[]',
      '{',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{a:1}',
      '{"a":1}}',
      '{"a":01}',
      'null',
    ])
      expect(membersOf(text), text).to.equal(null);
  });

  it('ends after one more member than allowed', () => {
    expect(membersOf('{"a":1,"b":2,"c":3', 1)).to.have.lengthOf(2);
  });

  it('reads long texts in parts that divide no character and no escape', () => {
    for (const part of ['é', '\ud83d\ude00', '\\', '"', '\n', 'aé\\'])
      for (const shift of ['', 'a', 'ab', 'abc']) {
        const text = shift + part.repeat(70_000);
        for (const json of [JSON.stringify(text), escapedJson(text)])
          expect(runAtOnce(textOfJson(Buffer.from(json))) === text, part).to.equal(true);
      }
  });
});

/** Every character as an escape. */
const escapedJson = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

/** The tokens of a text with their bytes, without pauses, and the number of pauses. */
function tokensOf(text: string, window: number, passed: (token: Token) => boolean = () => false) {
  const reader = readJson(Buffer.from(text), window);
  const tokens: (readonly [Token, string])[] = [];
  let pauses = 0;
  for (;;) {
    const token = next(reader);
    if (token === 'pause') pauses += 1;
    else if (passed(token)) skip(reader);
    else tokens.push([token, reader.bytes.toString('utf8', reader.start, reader.end)]);
    if (token === 'done' || token === 'invalid') return { tokens, pauses };
  }
}

/** Makes the value again from its tokens, without the reader. */
function valueFrom(tokens: readonly (readonly [Token, string])[]): unknown {
  const parts: string[] = [];
  const needsComma = (): boolean => parts.length > 0 && !/[[{:,]$/.test(parts.at(-1) ?? '');
  for (const [token, text] of tokens) {
    if (token === 'done') break;
    if (token === 'end') parts.push(text.endsWith('}') ? '}' : ']');
    else parts.push(`${needsComma() ? ',' : ''}${text}${token === 'name' ? ':' : ''}`);
  }
  return JSON.parse(parts.join('')) as unknown;
}

/** Valid texts with blanks, and texts that are broken at one place. */
const texts = fc
  .tuple(
    fc.jsonValue({ maxDepth: 4 }),
    fc.constantFrom(0, 1, '\t\r\n'),
    fc.nat(),
    fc.constantFrom(
      '',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\\u00e9',
      '-',
      '0',
      'e1',
      '.',
      'null',
      '"a":',
      '\n',
      ' ',
    ),
    fc.integer({ min: 0, max: 2 }),
  )
  .map(([value, indent, at, piece, removed]) => {
    const json = JSON.stringify(value, null, indent);
    const place = at % (json.length + 1);
    return json.slice(0, place) + piece + json.slice(place + (piece === '' ? 0 : removed));
  })
  // A lone surrogate has no UTF-8.
  .filter((text) => Buffer.from(text).toString() === text);

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** JSON.parse accepts escapes of lone surrogates, which PostgreSQL refuses. */
const hasLoneSurrogate = (text: string): boolean => {
  const json = parsed(text);
  return (
    json !== null && /"(?:[^"\\]|\\.)*\\u[dD][89a-fA-F]/.test(text) && JSON.stringify(json).includes('\\ud')
  );
};

describe('the reader of JSON', () => {
  it('agrees with JSON.parse on whether a text is JSON, and on its value, for every window', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, window) => {
        fc.pre(!hasLoneSurrogate(text));
        const { tokens } = tokensOf(text, window);
        const expected = parsed(text);
        expect(tokens.at(-1)?.[0], text).to.equal(expected === null ? 'invalid' : 'done');
        expect(runAtOnce(isJson(Buffer.from(text)))).to.equal(expected !== null);
        if (expected !== null) expect(valueFrom(tokens)).to.deep.equal(expected.value);
      }),
      { numRuns: runs(3000, 750) },
    );
  });

  it('agrees with JSON.parse on members and elements', () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!hasLoneSurrogate(text));
        const value = parsed(text)?.value;
        const members = runAtOnce(membersOfJson(Buffer.from(text), Infinity));
        const elements = runAtOnce(elementsOfJson(Buffer.from(text), Infinity));
        if (Array.isArray(value))
          expect(elements?.map((bytes) => JSON.parse(bytes.toString()) as unknown)).to.deep.equal(value);
        else expect(elements).to.equal(null);
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
          expect(
            new Map(members?.map((member) => [member.name, JSON.parse(member.value.toString()) as unknown])),
          ).to.deep.equal(new Map(Object.entries(value)));
        else expect(members).to.equal(null);
      }),
      { numRuns: runs(2000, 500) },
    );
  });

  it('passes containers as one value', () => {
    const { tokens } = tokensOf(' {"a": [1, {"b":2}] , "c":3}\n', 2, (token) => token === 'array');
    expect(tokens.map(([token, text]) => `${token} ${text}`.trimEnd())).to.deep.equal([
      'object {',
      'name "a"',
      'value [1, {"b":2}]',
      'name "c"',
      'value 3',
      'end {"a": [1, {"b":2}] , "c":3}',
      'done {"a": [1, {"b":2}] , "c":3}',
    ]);
  });

  it('pauses within everything that is long', () => {
    const long = 100_000;
    for (const text of [
      `"${'x'.repeat(long)}"`,
      `"${'\\u00e9'.repeat(long / 6)}"`,
      `[${'[],'.repeat(long / 3)}1]`,
      `{${'"":1,'.repeat(long / 5)}"":1}`,
      `${'['.repeat(long / 20)}${']'.repeat(long / 20)}`,
    ]) {
      const { tokens, pauses } = tokensOf(text, 100);
      expect(tokens.at(-1)?.[0]).to.equal('done');
      expect(pauses).to.be.within(text.length / 200, text.length / 100 + 1);
    }
  });
});

describe('a scalar of JSON', () => {
  const isValue = (text: string): boolean => runAtOnce(isJson(Buffer.from(text)));

  for (const text of [
    ...['0', '-0', '9', '10', '19', '90', '-1', '1234567890', '0.0', '0.5', '10.05', '-9.99'],
    ...['1e1', '1E1', '0e0', '1e+1', '1e-1', '1E+10', '1E-19', '1.5e9', '0.1E-0'],
    ...['true', 'false', 'null'],
    ...['""', '" "', '"\\u0aF9"', '"\\uABCD"', '"\\uabcf"', '"\\uFACE"', '"\\ud9ff\\udeAD"'],
  ])
    it(`is ${text}`, () => {
      for (const valid of [text, ` ${text}`, `${text}\n`, `[${text}]`, `{"a":${text},"b":${text}}`])
        expect(isValue(valid), valid).to.equal(true);
    });

  for (const text of [
    ...[
      '-',
      '+1',
      '00',
      '01',
      '-01',
      '1.',
      '.1',
      '1.e1',
      '1e',
      '1e+',
      '1e-',
      '1e+-1',
      '1e1.5',
      '0x1',
      '1:',
      '1/',
    ],
    ...['1f1', '1D1', '--1', '1-', '1e1e1', 'tru', 'truE', 'fals', 'nul', 'True', 'NULL', 'n', 'x', "'a'"],
    ...['"', '"a', '"\\"', '"\\u00g0"', '"\\u00@0"', '"\\u00`0"', '"\\u00:0"', '"\\u00/0"', '"\\x"'],
    ...['"\\ud800u0000"', '"\\ud800\\n0000"', '"\\ud800xudc00"', '"\\ud800\\xdc00"'],
  ])
    it(`is not ${text}`, () => {
      for (const invalid of [text, `[${text}]`, `{"a":${text}}`])
        expect(isValue(invalid), invalid).to.equal(false);
    });

  it('has at most 1,048,576 digits, behind at most as many blanks', () => {
    const most = 1_048_576;
    expect(isValue('1'.repeat(most))).to.equal(true);
    expect(isValue('1'.repeat(most + 1))).to.equal(false);
    expect(isValue(`${' '.repeat(most)}1`)).to.equal(true);
    expect(isValue(`${' '.repeat(most + 1)}1`)).to.equal(false);
  });

  it('is behind a name of at most 1,048,576 bytes with its opening quote', () => {
    const named = (length: number): boolean => isValue(`{"${'n'.repeat(length)}":1}`);
    expect(named(1_048_574)).to.equal(true);
    expect(named(1_048_575)).to.equal(false);
  });
});

describe('the depth of JSON', () => {
  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  it('is at most 10,000', () => {
    expect(runAtOnce(isJson(Buffer.from(deep(10_000))))).to.equal(true);
    expect(runAtOnce(isJson(Buffer.from(deep(10_001))))).to.equal(false);
  });

  it('is that of each value, where values are passed', () => {
    const elements = (depth: number) => runAtOnce(elementsOfJson(Buffer.from(`[0,${deep(depth)}]`), 10));
    expect(elements(10_000)?.map((value) => value.length)).to.deep.equal([1, 20_000]);
    expect(elements(10_001)).to.equal(null);
    const members = (depth: number) => runAtOnce(membersOfJson(Buffer.from(`{"a":${deep(depth)}}`), 10));
    expect(members(10_000)?.map(({ value }) => value.length)).to.deep.equal([20_000]);
    expect(members(10_001)).to.equal(null);
  });
});

describe('the items of JSON', () => {
  const elementsOf = (text: string, most = 10): readonly string[] | null =>
    runAtOnce(elementsOfJson(Buffer.from(text), most))?.map((bytes) => bytes.toString()) ?? null;

  it('are the bytes of the elements of an array', () => {
    expect(elementsOf(' [1.50, {"a":[2]},[ ], "x,]" ] ')).to.deep.equal([
      '1.50',
      '{"a":[2]}',
      '[ ]',
      '"x,]"',
    ]);
    expect(elementsOf('[]')).to.deep.equal([]);
  });

  it('are none for any other text', () => {
    for (const text of ['', '{}', '1', 'null', '[', '[1', '[1,]', '[1]]', '[1] x', '[{]', '[1 2]'])
      expect(elementsOf(text), text).to.equal(null);
  });

  it('end after one more than allowed', () => {
    expect(elementsOf('[1,2]', 2)).to.deep.equal(['1', '2']);
    expect(elementsOf('[1,2,3,4,', 2)).to.deep.equal(['1', '2', '3']);
    expect(elementsOf('[1,2', 0)).to.deep.equal(['1']);
  });
});

describe('the text of a JSON string', () => {
  const WINDOW = 65_536;
  const read = (text: string): readonly [boolean, number] => {
    const work = textOfJson(Buffer.from(JSON.stringify(text)));
    let pauses = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) pauses += 1;
    return [step.value === text, pauses];
  };

  for (const [text, pauses] of [
    ['', 0],
    ['a\n', 0],
    ['x'.repeat(WINDOW - 2), 0],
    ['x'.repeat(WINDOW - 1), 1],
    ['x'.repeat(WINDOW), 1],
    ['x'.repeat(WINDOW + 1), 2],
    ['x'.repeat(2 * WINDOW), 2],
    ['x'.repeat(2 * WINDOW + 1), 3],
    [`${'x'.repeat(WINDOW - 1)}\n`, 1],
    [`${'x'.repeat(WINDOW - 1)}é`, 1],
    [`${'x'.repeat(WINDOW - 1)}\ny`, 2],
    [`${'x'.repeat(WINDOW - 2)}😀"`, 2],
  ] as const)
    it(`of ${String(text.length)} characters is read with ${String(pauses)} pauses`, () => {
      expect(read(text)).to.deep.equal([true, pauses]);
    });
});
