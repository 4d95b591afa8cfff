import { expect } from 'chai';
import { positionOf } from '../../../../src/data-api/grammar/complaint.js';
import { DEFAULT_LIMITS, startCount } from '../../../../src/data-api/grammar/limits.js';
import { failureOf, parseSelect } from '../../../support/data-api/grammar.js';

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
