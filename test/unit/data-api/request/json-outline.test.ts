import { expect } from 'chai';
import fc from 'fast-check';
import {
  createLineReader,
  outlineJson,
  type JsonOutline,
} from '../../../../src/data-api/request/json-outline.js';
import { runAtOnce } from '../../../../src/base/turns.js';
import { runs } from '../../../support/runs.js';

/** Unlimited keys. */
function outlineOf(bytes: Buffer): JsonOutline | null {
  const outline = runAtOnce(outlineJson(bytes, Infinity));
  if (outline === 'too many keys') throw new Error(outline);
  return outline;
}

const outline = (text: string) => outlineOf(Buffer.from(text));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('outline of a JSON body', () => {
  it('finds the keys of an object', () => {
    expect(outline(' {"b":1,"a":{"c":[{"d":2}]},"b":null} ')).to.deep.equal({
      form: 'object',
      uniform: true,
      keys: ['b', 'a'],
      nested: true,
    });
    expect(outline('{"a":null}')?.nested).to.equal(true);
    expect(outline('[{"a":1},{"a":[]}]')?.nested).to.equal(true);
    expect(outline('{"a":"[]"}')?.nested).to.equal(false);
  });

  it('finds the keys of rows, in any order and any spelling', () => {
    expect(outline('[{"a":1,"\\u00e9":2},{"é":1,"\\u0061":2},{"a":0,"a":1,"é":2}]')).to.deep.equal({
      form: 'array',
      uniform: true,
      keys: ['a', 'é'],
      nested: false,
    });
  });

  it('keeps keys that are special property names in JavaScript', () => {
    expect(outline('{"__proto__":1,"constructor":2}')?.keys).to.deep.equal(['__proto__', 'constructor']);
    expect(outline('[{"__proto__":1},{"constructor":2}]')?.uniform).to.equal(false);
  });

  for (const text of [
    '[{"a":1},{}]',
    '[{},{"a":1}]',
    '[{"a":1},{"b":1}]',
    '[{"a":1},{"a":1,"b":1}]',
    '[{"a":1,"b":1},{"a":1,"a":2}]',
    '[{"a":1},1]',
    '[1]',
    '[[]]',
    '[null,{"a":1}]',
  ]) {
    it(`sees that ${text} is not uniform`, () => {
      expect(outline(text)).to.include({ form: 'array', uniform: false });
    });
  }

  it('accepts empty arrays and scalars', () => {
    expect(outline('[]')).to.deep.equal({ form: 'array', uniform: true, keys: [], nested: false });
    for (const text of ['1', '-0.5e+3', '"x"', 'null', 'true', 'false', '1e400']) {
      expect(outline(text)).to.deep.equal({ form: 'scalar', uniform: true, keys: [], nested: false });
    }
  });

  for (const text of [
    ...['', ' ', '{', '[', '{"a"', '{"a":', '{"a":1', '{"a":1,}', '[1,]', '[,1]', '{,}', '{a:1}', "{'a':1}"],
    ...[
      '01',
      '1.',
      '.5',
      '-',
      '1e',
      '+1',
      'nul',
      'truex',
      'NaN',
      '1 2',
      '{}{}',
      '{}x',
      '"a',
      '"\n"',
      '"\\x"',
    ],
    ...[
      '"\\u12g4"',
      '"\\ud800"',
      '"\\udc00"',
      '"\\ud800\\u0041"',
      '[}',
      '{]',
      '{"a":1]',
      '\ufeff{}',
      '{"a" 1}',
    ],
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(outline(text)).to.equal(null);
    });
  }

  it('refuses bytes that are not UTF-8', () => {
    expect(outlineOf(Buffer.from('7b2263223a22ff227d', 'hex'))).to.equal(null);
  });

  it('bounds nesting, and does not overflow the stack', () => {
    const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(outline(`{"a":${deep(9_000)}}`)?.form).to.equal('object');
    expect(outline(`{"a":${deep(11_000)}}`)).to.equal(null);
    expect(outline('['.repeat(1_000_000))).to.equal(null);
  });

  it('agrees with JSON.parse on whether a text is JSON', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"b\\n"',
        '1',
        '-2.5',
        '0',
        'e1',
        'null',
        'true',
        ' ',
        '"',
        '\\',
      ],
    );
    const text = fc.oneof(
      fc.json(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.tuple(fc.json(), fc.nat(), piece).map(([json, at, one]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + one + json.slice(place + 1);
      }),
    );
    fc.assert(
      fc.property(text, (one) => {
        expect(outline(one) !== null, one).to.equal(isJson(one));
      }),
      { numRuns: runs(2000, 500) },
    );
  });

  it('distinguishes an object without keys from one with the empty key', () => {
    expect(outline('[{},{"":1}]')).to.include({ uniform: false });
    expect(outline('[{"":1}]')?.keys).to.deep.equal(['']);
  });

  it('returns the same result for every pause', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const body = fc.oneof(fc.array(fc.dictionary(fc.string(), value)), value, fc.array(value));
    const text = fc
      .tuple(body, fc.constantFrom(0, 2), fc.nat(), fc.boolean())
      .map(([one, indent, cut, whole]) => {
        const json = JSON.stringify(one, null, indent);
        return whole ? json : json.slice(0, cut % json.length);
      });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (one, window) => {
        const work = outlineJson(Buffer.from(one), Infinity, window);
        expect(runAtOnce(work)).to.deep.equal(outline(one));
      }),
      { numRuns: runs(2000, 500) },
    );
  });

  it('pauses within long arrays, objects and strings', () => {
    const long = 1_000_000;
    for (const text of [
      `[${'{},'.repeat(long / 4)}{}]`,
      `[${'1,'.repeat(long / 2)}1]`,
      `{"a":"${'x'.repeat(long)}"}`,
      `{"a":["${'\\"'.repeat(long / 2)}"]}`,
      `{${'"a":1,'.repeat(long / 6)}"a":1}`,
    ]) {
      const work = outlineJson(Buffer.from(text), 10);
      let pauses = 0;
      let step = work.next();
      for (; step.done !== true; step = work.next()) pauses += 1;
      expect(pauses).to.be.greaterThan(10);
      expect(step.value).to.not.equal(null);
    }
  });

  it('stops at the first key beyond the limit', () => {
    const object = (count: number): string =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index)}`, 1])),
      );
    for (const text of [object(11), `[${object(11)}]`])
      expect(runAtOnce(outlineJson(Buffer.from(text), 10))).to.equal('too many keys');
    expect(runAtOnce(outlineJson(Buffer.from(object(10)), 10))).to.include({ form: 'object' });
    // Keys of values, and of further objects, are not kept.
    expect(runAtOnce(outlineJson(Buffer.from(`[{"a":${object(50)}},${object(50)}]`), 10))).to.include({
      uniform: false,
    });
  });

  it('accepts blanks and names up to a length', () => {
    expect(outline(`${' '.repeat(1000)}{}`)?.form).to.equal('object');
    expect(outline(`${' '.repeat(2_000_000)}{}`)).to.equal(null);
    expect(outline(`{"${'n'.repeat(2_000_000)}":1}`)).to.equal(null);
    expect(outline('1'.repeat(2_000_000))).to.equal(null);
  });

  it('agrees with JSON.parse on the keys', () => {
    const rows = fc.array(fc.dictionary(fc.string({ unit: 'binary', maxLength: 3 }), fc.jsonValue()), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(rows, (all) => {
        const text = JSON.stringify(all);
        const parsed = JSON.parse(text) as readonly object[];
        // Compared as JSON, because joined texts do not distinguish no key from the empty key.
        const keys = parsed.map((row) => JSON.stringify(Object.keys(row).sort()));
        const found = outline(text);
        expect(JSON.stringify([...(found?.keys ?? [])].sort())).to.equal(keys[0]);
        expect(found?.uniform).to.equal(keys.every((one) => one === keys[0]));
      }),
    );
  });
});

describe('the objects of lines', () => {
  const reading = ({ maxKeys = 2, anyKeys = false, window = 65_536 } = {}) => {
    const reader = createLineReader(maxKeys, anyKeys, window);
    return {
      keys: () => reader.keys(),
      read: (text: string | Buffer) => runAtOnce(reader.read(Buffer.from(text))),
    };
  };

  for (const [text, starts, ends, lines] of [
    ['', [], [], []],
    [' \n\t\r\n', [], [], []],
    ['{}', [0], [2], [0]],
    ['{}\n', [0], [2], [0]],
    ['{"a":1}\n{"a":2}', [0, 8], [7, 15], [0, 1]],
    [' {"a":1} \r\n\n \n  {"a":[2]}\t', [1, 16], [8, 25], [0, 3]],
    ['\n{"a":1}\n\n', [1], [8], [1]],
    ['\n\n\n{"a":"\u00e9"}\n', [3], [13], [3]],
  ] as const)
    for (const window of [1, 3, 65_536])
      it(`of ${JSON.stringify(text)} are found, with a pause after ${String(window)} bytes`, () => {
        expect(reading({ window }).read(text)).to.deep.equal({ starts, ends, lines });
      });

  for (const [text, kind, line] of [
    ['[]', 'not an object', 0],
    ['{"a":1}\n\n1', 'not an object', 2],
    ['null\n{"a":1}', 'not an object', 0],
    ['{"a":1}{"a":1}', 'not JSON', 0],
    ['{"a":1} x', 'not JSON', 0],
    ['{"a":1}\n{"a":\n1}', 'not JSON', 1],
    ['{"a":1', 'not JSON', 0],
    ['{"a":1}\n{"a":01}', 'not JSON', 1],
    ['{"a":1}\n{"b":1}', 'other keys', 1],
    ['{"a":1}\n{}', 'other keys', 1],
    ['{}\n{"a":1}', 'other keys', 1],
    ['{"a":1}\n{"a":1,"b":2}', 'other keys', 1],
    ['{"a":1}\n\n{"a":1}\n{"b":1}', 'other keys', 3],
    ['{"a":1,"b":2,"c":3}', 'too many keys', 0],
  ] as const)
    for (const window of [1, 65_536])
      it(`of ${JSON.stringify(text)} are refused: ${kind}, with a pause after ${String(window)} bytes`, () => {
        expect(reading({ window }).read(text)).to.deep.equal({ kind, line });
      });

  it('are UTF-8, of which the first line that is not is named', () => {
    const text = Buffer.concat([
      Buffer.from('{"a":"é"}\n'),
      Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
      Buffer.from('{'),
    ]);
    expect(reading().read(text)).to.deep.equal({ kind: 'not UTF-8', line: 1 });
    expect(reading().read(Buffer.from([0x31, 0x0a, 0xff]))).to.deep.equal({ kind: 'not an object', line: 0 });
  });

  it('have the keys of the first one, in any order and spelling', () => {
    const reader = reading();
    expect(reader.keys()).to.deep.equal([]);
    expect(reader.read('{"b":1,"a":{"c":1}}\n{"a":1,"\\u0062":[],"a":2}')).to.deep.include({ lines: [0, 1] });
    expect(reader.keys()).to.deep.equal(['b', 'a']);
  });

  it('have the keys of the first one of the pieces before', () => {
    const reader = reading();
    expect(reader.read('{"a":1}\n')).to.deep.include({ lines: [0] });
    expect(reader.read('{"a":1}\n{"b":1}\n')).to.deep.equal({ kind: 'other keys', line: 1 });
  });

  it('may have other keys, of which those of the first one are known', () => {
    const reader = reading({ anyKeys: true });
    expect(reader.read('{"a":1}\n{"b":1,"c":2,"d":3}\n{}')).to.deep.equal({
      starts: [0, 8, 28],
      ends: [7, 27, 30],
      lines: [0, 1, 2],
    });
    expect(reader.keys()).to.deep.equal(['a']);
    expect(reader.read('{"a":1}x')).to.deep.equal({ kind: 'not JSON', line: 0 });
  });

  it('are read with pauses', () => {
    const work = createLineReader(2, false, 10).read(
      Buffer.from(`${'\n'.repeat(25)}{"a":"${'x'.repeat(35)}"}`),
    );
    let pauses = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) pauses += 1;
    expect(step.value).to.deep.equal({ starts: [25], ends: [68], lines: [25] });
    expect(pauses).to.equal(6);
  });
});
