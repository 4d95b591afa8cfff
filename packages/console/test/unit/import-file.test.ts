import { expect } from 'chai';
import { readCsv, readImport } from '../../page/src/table/import-file.js';

const file = (name: string, text: string): Promise<unknown> =>
  readImport(new File([text], name)).then(({ names, rows }) => ({ names, rows }));

async function problemOf(name: string, text: string): Promise<string> {
  try {
    await file(name, text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

describe('a file that is imported', () => {
  it('is CSV by RFC 4180, with nulls and empty texts apart', () => {
    expect(readCsv('a,b\r\n1,\r\n"",“x”\n"q""q","two\nlines"')).to.deep.equal([
      ['a', 'b'],
      ['1', null],
      ['', '“x”'],
      ['q"q', 'two\nlines'],
    ]);
    expect(readCsv('a,b\n\n1,2\n\n')).to.deep.equal([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(readCsv('a,\n')).to.deep.equal([['a', null]]);
  });

  it('is an array of JSON, or a line of JSON a row', async () => {
    const read = { names: ['a', 'b'], rows: [{ a: 1 }, { a: 2, b: 'x' }] };
    expect(await file('x.json', '[{"a":1},{"a":2,"b":"x"}]')).to.deep.equal(read);
    expect(await file('x.ndjson', '{"a":1}\n\n{"a":2,"b":"x"}\n')).to.deep.equal(read);
  });

  it('is refused with what is wrong with it', async () => {
    expect(await problemOf('x.csv', 'a,b\n1\n')).to.equal('Row 1 has 1 fields, and the first line has 2.');
    expect(await problemOf('x.csv', 'a\n"x"y\n')).to.contain('a comma is missing');
    expect(await problemOf('x.csv', '')).to.equal('The file is empty.');
    expect(await problemOf('x.ndjson', '{"a":1}\n{')).to.equal('Line 2 is not JSON.');
    expect(await problemOf('x.json', '[1]')).to.equal('Row 1 is not an object.');
  });
});
