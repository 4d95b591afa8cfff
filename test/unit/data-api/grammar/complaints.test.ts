import { expect } from 'chai';
import {
  type Complaint,
  describeComplaint,
  mergeComplaints,
  positionOf,
  showText,
} from '../../../../src/data-api/grammar/complaint.js';
import { DEFAULT_LIMITS, startCount } from '../../../../src/data-api/grammar/limits.js';
import { failureOf, parseOperation, parseSelect } from '../../../support/data-api/grammar.js';

describe('two complaints', () => {
  const at = (place: number, of: Partial<Complaint> = {}): Complaint => ({
    ...{ at: place, found: null, refused: [], expected: [] },
    ...of,
  });
  const joined = (first: Complaint | null, second: Complaint | null) => mergeComplaints(first, second);

  it('are the one that there is', () => {
    expect(joined(null, null)).to.equal(null);
    expect(joined(at(1), null)).to.deep.equal(at(1));
    expect(joined(null, at(1))).to.deep.equal(at(1));
  });

  it('are the one that says something, however near it is', () => {
    for (const of of [{ found: 0 }, { refused: [0] }, { expected: ['a'] }]) {
      expect(joined(at(1, of), at(5))).to.deep.equal(at(1, of));
      expect(joined(at(5), at(1, of))).to.deep.equal(at(1, of));
    }
  });

  it('are the further one', () => {
    const [near, far] = [at(1, { expected: ['a'] }), at(2, { expected: ['b'] })];
    expect(joined(near, far)).to.equal(far);
    expect(joined(far, near)).to.equal(far);
  });

  it('are joined at one place, with the character that the first one found', () => {
    const [one, two] = [
      at(3, { found: 3, refused: [1], expected: ['a'] }),
      at(3, { found: 4, refused: [2], expected: ['a', 'b'] }),
    ];
    expect(joined(one, two)).to.deep.equal(at(3, { found: 3, refused: [1, 2], expected: ['a', 'a', 'b'] }));
    expect(joined({ ...one, found: null }, two)).to.deep.include({ found: 4 });
    expect(joined({ ...one, found: 0 }, { ...two, found: null })).to.deep.include({ found: 0 });
    expect(joined(at(3), at(3))).to.deep.equal(at(3));
  });

  for (const [complaint, text, details] of [
    [at(0), 'a', 'unknown parse error'],
    [at(0, { found: 0 }), 'a', 'unexpected "a"'],
    [at(0, { found: 1 }), 'a', 'unexpected end of input'],
    [at(0, { found: 0 }), '', 'unexpected end of input'],
    [at(0, { expected: ['x'] }), 'a', 'expecting x'],
    [at(0, { expected: ['x', 'y', 'x'] }), 'a', 'expecting x or y'],
    [at(0, { found: 0, expected: ['x', 'y', 'z'] }), 'a', 'unexpected "a" expecting x, y or z'],
    [at(0, { refused: [0] }), 'a', "unexpected 'a'"],
    [at(0, { refused: [0, 1, 0] }), 'ab', "unexpected 'a' or 'b'"],
    [at(0, { found: 1, refused: [0] }), 'ab', "unexpected 'a'"],
    [at(0, { found: 0 }), '"', 'unexpected "\\""'],
    [at(0, { refused: [0] }), '"', `unexpected '"'`],
    [at(0, { refused: [0] }), "'", "unexpected '\\''"],
    [at(0, { found: 0 }), "'", `unexpected "'"`],
    [at(0, { found: 0 }), '\\', 'unexpected "\\\\"'],
    [at(0, { found: 1 }), 'a😀', 'unexpected "\\128512"'],
    [at(0, { found: 0 }), '\x7f', 'unexpected "\\DEL"'],
    [at(0, { found: 0 }), '~', 'unexpected "~"'],
    [at(0, { found: 0 }), '\x80', 'unexpected "\\128"'],
    [at(0, { found: 0 }), '\x1f', 'unexpected "\\US"'],
    [at(0, { found: 0 }), ' ', 'unexpected " "'],
    [at(0, { found: 0 }), '\0', 'unexpected "\\NUL"'],
  ] as const)
    it(`are described as ${details}`, () => {
      expect(describeComplaint(complaint, text)).to.equal(details);
    });

  it('show texts in double quotes', () => {
    expect(showText('a"b\\\n😀\'')).to.equal('"a\\"b\\\\\\n\\128512\'"');
  });
});

describe('a text in quotes', () => {
  const nameOf = (text: string): string | null => {
    const parsed = parseSelect(text, startCount(DEFAULT_LIMITS));
    const [item] = parsed.ok ? parsed.value : [];
    return item?.kind === 'field' ? item.field.name : null;
  };

  it('has any character behind a backslash, once or often', () => {
    for (const count of [0, 1, 2, 15, 16, 17, 18, 200])
      for (const [escaped, character] of [
        ['\\"', '"'],
        ['\\\\', '\\'],
        ['\\xé', 'xé'],
        ['😀\\,', '😀,'],
      ] as const) {
        expect(nameOf(`"${escaped.repeat(count)}"`)).to.equal(character.repeat(count));
        expect(nameOf(`"a${escaped.repeat(count)}b"`)).to.equal(`a${character.repeat(count)}b`);
      }
  });

  it('ends with its quote, however long it is', () => {
    for (const length of [0, 1, 62, 63, 64, 65, 66, 2000]) {
      expect(nameOf(`"${'x'.repeat(length)}"`)).to.equal('x'.repeat(length));
      expect(nameOf(`"${'x'.repeat(length)}`)).to.equal(null);
      expect(nameOf(`a,"${'x'.repeat(length)}`)).to.equal(null);
      expect(nameOf(`"${'x'.repeat(length)}\\"`)).to.equal(null);
      const failure = parseSelect(`"${'x'.repeat(length)}`, startCount(DEFAULT_LIMITS));
      expect(failure.ok ? null : failureOf(failure).details).to.equal(
        'unexpected end of input expecting "\\\\" or "\\""',
      );
    }
    for (const text of ['"', '"\\', '"a\\', '"a\0"', '"\\\0"', '"\\'])
      expect(nameOf(text), text).to.equal(null);
  });

  it('keeps its blanks, and a name without quotes loses those around it', () => {
    for (const [text, name] of [
      ['" a "', ' a '],
      [' a b ', 'a b'],
      ['a\t', 'a'],
      ['\t"a"\t', 'a'],
      ['a!', null],
      ['a\u0080', null],
      ['é b', 'é b'],
      [' é ', 'é'],
      ['ÿ', 'ÿ'],
      ['a$ ', 'a$'],
      ['$', '$'],
      ['_', '_'],
      ['~', null],
    ] as const)
      expect(nameOf(text), text).to.equal(name);
  });
});

describe('a name and a path', () => {
  const isRead = (text: string): boolean => parseSelect(text, startCount(DEFAULT_LIMITS)).ok;

  it('have at most 63 dashes and 250 steps', () => {
    expect([63, 64].map((dashes) => isRead(`a${'-a'.repeat(dashes)}`))).to.deep.equal([true, false]);
    expect([63, 64].map((dashes) => isRead(`a->b${'-b'.repeat(dashes)}`))).to.deep.equal([true, false]);
    expect([250, 251].map((steps) => isRead(`a${'->b'.repeat(steps)}`))).to.deep.equal([true, false]);
  });
});

describe('a frequent operation', () => {
  const read = (text: string): unknown => {
    const parsed = parseOperation(text, 0);
    return parsed.ok ? parsed.value : null;
  };
  const list = (elements: readonly string[]) => ({
    kind: 'in',
    negated: false,
    value: { index: 0, elements },
  });
  const comparison = (operator: string, quantifier: string | null, text: string) => ({
    ...{ kind: 'comparison', negated: false, operator, quantifier, value: { index: 0, text } },
  });

  for (const [text, operation] of [
    ['in.()', list([])],
    ['in.(a)', list(['a'])],
    ['in.("")', list([])],
    ['in.("","")', list(['', ''])],
    ['in.(,)', list(['', ''])],
    ['in.(a,)', list(['a', ''])],
    ['in.(" ")', list([' '])],
    ['in.( a)', list(['a'])],
    ['in.( "a" , b)', list(['"a" ', ' b'])],
    ['in.("a"b,c)', list(['"a"b', 'c'])],
    ['in.("a",b)', list(['a', 'b'])],
    ['in.(a"b,"c")', list(['a"b', 'c'])],
    ['in.("a","b\\"c")', list(['a', 'b"c'])],
    ['in.("a,b","c)")', list(['a,b', 'c)'])],
    ['in.("a","b"', null],
    ['in.("a"', null],
    ['in.a)', null],
    ['in(a)', null],
    ['in.(a)b', null],
    ['in.(a)b)', null],
    ['eq.', comparison('eq', null, '')],
    ['eq.(any).x', comparison('eq', null, '(any).x')],
    ['eq(any).x', comparison('eq', 'any', 'x')],
    ['eq(all).', comparison('eq', 'all', '')],
    ['eq(any)x', null],
    ['eq(none).x', null],
    ['eq().x', null],
    ['neq(any).x', null],
    ['neq.x', comparison('neq', null, 'x')],
    ['isdistinct.x', comparison('isdistinct', null, 'x')],
    ['isdistincts.x', null],
    ['isdistinctxx.x', null],
    ['zz.x', null],
    ['{q.x', null],
  ] as const)
    it(`${text} is ${operation === null ? 'refused' : 'read'}`, () => {
      expect(read(text)).to.deep.equal(operation);
      const negated = operation === null ? null : { ...operation, negated: true };
      expect(read(`not.${text}`)).to.deep.equal(negated);
    });
});

describe('the place of a complaint', () => {
  const places = (text: string): readonly string[] =>
    Array.from({ length: text.length + 1 }, (_, offset) => {
      const { line, column } = positionOf(text, offset);
      return `${String(line)}:${String(column)}`;
    });

  it('counts code points, of which some have two code units', () => {
    expect(places('a😀b')).to.deep.equal(['1:1', '1:2', '1:3', '1:3', '1:4']);
  });

  it('counts a lone surrogate as one column', () => {
    expect(places('\udc00a')).to.deep.equal(['1:1', '1:2', '1:3']);
    expect(places('a\udc00b')).to.deep.equal(['1:1', '1:2', '1:3', '1:4']);
    expect(places('\ud800b')).to.deep.equal(['1:1', '1:2', '1:3']);
  });

  it('begins again with each line, and advances to the next multiple of eight at a tab', () => {
    expect(places('a\n\tb\tc')).to.deep.equal(['1:1', '1:2', '2:1', '2:9', '2:10', '2:17', '2:18']);
  });
});

describe('an identifier', () => {
  const read = (text: string): string => {
    const result = parseSelect(text, startCount(DEFAULT_LIMITS));
    return result.ok ? 'read' : String(failureOf(result).details);
  };

  it('has letters of every script, digits, underscores, blanks and dollars', () => {
    for (const name of ['aé', 'z', 'A', 'Z', 'a0', 'a9', 'a_', 'a b', 'a$', '漢字'])
      expect(read(name)).to.equal('read');
  });

  for (const code of [47, 58, 64, 91, 94, 96, 123, 126, 127, 128, 215])
    it(`has no character ${String(code)}`, () => {
      expect(read(`a${String.fromCharCode(code)}`)).to.match(/^unexpected /);
    });
});
