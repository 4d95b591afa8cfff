import { expect } from 'chai';
import fc from 'fast-check';
import { runAtOnce } from '../../../../src/base/turns.js';
import { lineEnds, outlineRecords, recordEnds } from '../../../../src/data-api/request/row-pieces.js';

describe('the last end of a line of NDJSON', () => {
  it('is behind the last line feed, and 0 without one', () => {
    expect(lineEnds.lastIn(Buffer.from('{}\n{}\n{'))).to.equal(6);
    expect(lineEnds.lastIn(Buffer.from('{}\r'))).to.equal(0);
  });
});

describe('the last end of a record of CSV', () => {
  const lastIn = (text: string): number => recordEnds().lastIn(Buffer.from(text));

  it('is behind a line feed, or a carriage return that another character follows', () => {
    expect(lastIn('a,b\nc')).to.equal(4);
    expect(lastIn('a,b\rc')).to.equal(4);
    expect(lastIn('a,b\r\nc')).to.equal(5);
    expect(lastIn('a,b\n\n')).to.equal(5);
    expect(lastIn('\nc')).to.equal(1);
  });

  it('is none without a line end, and after a carriage return that a line feed may follow', () => {
    for (const text of ['', 'a,b', 'a,b\r']) expect(lastIn(text), JSON.stringify(text)).to.equal(0);
    expect(lastIn('a\nb\r')).to.equal(2);
  });

  it('is not within quotes, which may go on in the next chunk', () => {
    expect(lastIn('a,"b\nc"')).to.equal(0);
    const ends = recordEnds();
    expect(ends.lastIn(Buffer.from('a\n"b'))).to.equal(2);
    expect(ends.lastIn(Buffer.from('\nc\n'))).to.equal(0);
    expect(ends.lastIn(Buffer.from('"\nd'))).to.equal(2);
  });
});

describe('the outline of records', () => {
  const outline = (text: string, { line = 1, skipsEmpty = false, most = Infinity } = {}) => {
    const { starts, ends, lines } = runAtOnce(outlineRecords(Buffer.from(text), line, skipsEmpty, most));
    return starts.map((start, index) => [text.slice(start, ends[index]), lines[index]]);
  };

  it('has each record with its end, and the number of its first line', () => {
    expect(outline('a\n"b\n\nc"\nd', { line: 7 })).to.deep.equal([
      ['a\n', 7],
      ['"b\n\nc"\n', 8],
      ['d', 11],
    ]);
    expect(outline('a\r\nb\r\n')).to.deep.equal([
      ['a\r\n', 1],
      ['b\r\n', 2],
    ]);
    expect(outline('a\rb')).to.deep.equal([
      ['a\r', 1],
      ['b', 2],
    ]);
    expect(outline('')).to.deep.equal([]);
  });

  it('has an unfinished record last', () => {
    expect(outline('a\n"b\nc')).to.deep.equal([
      ['a\n', 1],
      ['"b\nc', 2],
    ]);
  });

  it('has empty records only where they count', () => {
    const text = '\na\n\r\n\nb\n\r';
    expect(outline(text).map(([record]) => record)).to.deep.equal([
      ...['\n', 'a\n', '\r\n', '\n', 'b\n', '\r'],
    ]);
    expect(outline(text, { skipsEmpty: true })).to.deep.equal([
      ['a\n', 2],
      ['b\n', 5],
    ]);
  });

  it('ends after the given number of records', () => {
    expect(outline('a\nb\nc', { most: 2 })).to.deep.equal([
      ['a\n', 1],
      ['b\n', 2],
    ]);
    expect(outline('a\nb', { most: 2 })).to.have.length(2);
    expect(outline('a', { most: 1 })).to.deep.equal([['a', 1]]);
    expect(outline('a\nb\n', { most: 1 })).to.deep.equal([['a\n', 1]]);
    expect(outline('a\n\nb\n', { most: 1, skipsEmpty: true })).to.deep.equal([['a\n', 1]]);
  });

  it('is the same for texts of any length', () => {
    const record = `${'x'.repeat(999)}\n`;
    const { starts, ends } = runAtOnce(outlineRecords(Buffer.from(record.repeat(100)), 1, false));
    expect(starts).to.deep.equal(Array.from({ length: 100 }, (_, index) => 1000 * index));
    expect(ends).to.deep.equal(Array.from({ length: 100 }, (_, index) => 1000 * (index + 1)));
  });
});

describe('the number of lines', () => {
  it('is that of the line feeds', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '\r'), maxLength: 80 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
        expect(lineEnds.linesIn(Buffer.from(lines.join('\n')))).to.equal(lines.length - 1);
      }),
    );
    for (const length of [31, 32, 33])
      expect(lineEnds.linesIn(Buffer.from(`${'x'.repeat(length)}\n${'x'.repeat(length)}\n`))).to.equal(2);
  });

  it('is that of the line ends of CSV', () => {
    const count = (text: string): number => recordEnds().linesIn(Buffer.from(text));
    expect(['', 'a', 'a\nb\n', 'a\r\nb\r\n', 'a\rb\r', 'a\r\r\n\n'].map(count)).to.deep.equal([
      0, 0, 2, 2, 2, 3,
    ]);
  });

  it('is that of the line ends of CSV', () => {
    const count = (text: string): number => recordEnds().linesIn(Buffer.from(text));
    expect(['', 'a', 'a\nb\n', 'a\r\nb\r\n', 'a\rb\r', 'a\r\r\n\n'].map(count)).to.deep.equal([
      0, 0, 2, 2, 2, 3,
    ]);
  });
});
