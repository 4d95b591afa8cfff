import { expect } from 'chai';
import { parseFile } from '../../../src/settings/file.js';

/** The value of a setting of one line, or its problem. */
function valueOf(text: string): string {
  const { entries, problems } = parseFile(`a = ${text}`);
  const [entry] = entries;
  return entry === undefined ? `problem: ${problems[0]?.problem ?? ''}` : entry.value;
}

describe('a line of the configuration file', () => {
  it('has a bare value up to its comment', () => {
    expect(valueOf('web_anon')).to.equal('web_anon');
    expect(valueOf('web anon  # who')).to.equal('web anon');
    expect(valueOf('a#b')).to.equal('a#b');
    expect(valueOf('# none')).to.equal('');
  });

  it('has a quoted text with escapes', () => {
    expect(valueOf(String.raw`"a \"b\" \\ \n\t\r \u00e9 \x" # c`)).to.equal('a "b" \\ \n\t\r é \\x');
    expect(valueOf('"a')).to.equal('problem: a: the quoted text does not end');
    expect(valueOf('"a" b')).to.equal('problem: a: text after the quoted text');
    expect(valueOf('""')).to.equal('');
  });

  it('has a list, whose items are quoted or not', () => {
    expect(valueOf('["a", b ,"c d"] # e')).to.equal('a, b, c d');
    expect(valueOf('["a"]')).to.equal('a');
    expect(valueOf('[x]')).to.equal('x');
    expect(valueOf('[]')).to.equal('[]');
    expect(valueOf('[ ]')).to.equal('[]');
    expect(valueOf(String.raw`["a\"b"]`)).to.equal('a"b');
    expect(valueOf('["a"')).to.equal('problem: a: the list does not end');
    expect(valueOf('["a"] b')).to.equal('problem: a: the list does not end');
    expect(valueOf('["a" "b"]')).to.equal('problem: a: expected a comma between list items');
    expect(valueOf('[,]')).to.equal('problem: a: expected list items separated by commas');
  });

  it('has brackets in the items and the comment of a list', () => {
    expect(valueOf('["a"] # the [first]')).to.equal('a');
    expect(valueOf('["a] # b", c]')).to.equal('a] # b, c');
  });

  it('has no list without its bracket', () => {
    for (const text of ['[', '["a', '[a b', '[] ]x'])
      expect(valueOf(text), text).to.equal('problem: a: the list does not end');
    expect(valueOf('[a]#')).to.equal('a');
    expect(valueOf('[a, ]')).to.equal('a');
    expect(valueOf('["a""b"]')).to.equal('problem: a: expected a comma between list items');
  });

  it('has a list of objects as JSON', () => {
    expect(valueOf('[{"a": [1]}] # b')).to.equal('[{"a": [1]}]');
    expect(valueOf('[ {}]')).to.equal('[ {}]');
    expect(valueOf('["a", {"b": "] # "}] # [c]')).to.equal('["a", {"b": "] # "}]');
  });

  it('is counted from 1, and may be empty or a comment', () => {
    expect(parseFile('\uFEFF# x\r\n\n  # y\na = 1\r\nwrong\nb = "\na = 2\nB.c-d = 3')).to.deep.equal({
      entries: [
        { name: 'a', value: '1', line: 4 },
        { name: 'B.c-d', value: '3', line: 8 },
      ],
      problems: [
        { line: 5, problem: 'expected `name = value`' },
        { line: 6, problem: 'b: the quoted text does not end' },
        { line: 7, problem: 'a: set twice' },
      ],
    });
  });
});
