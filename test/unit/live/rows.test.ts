import { expect } from 'chai';
import fc from 'fast-check';
import { runAtOnce } from '../../../src/base/turns.js';
import { changeOfRows, changeText, isNoChange, readRows } from '../../../src/live/rows.js';
import { foldChange } from '../../support/live/fold.js';

const read = (text: string, names: readonly string[]) => runAtOnce(readRows(Buffer.from(text), names));

describe('rows of live reads', () => {
  it('keep the digits and the order of PostgreSQL', () => {
    const rows = read('[{"id":12345678901234567890,"a":1.50}, \n {"a":null,"id":2}]', ['id']);
    expect(rows?.keys).to.deep.equal(['[12345678901234567890]', '[2]']);
    expect(rows?.byKey.get('[12345678901234567890]')).to.equal('{"id":12345678901234567890,"a":1.50}');
  });

  it('have no keys if a row lacks a member of the key, or two rows have the same one', () => {
    expect(read('[{"id":1},{"a":1}]', ['id'])).to.equal(null);
    expect(read('[{"id":1},{"id":1}]', ['id'])).to.equal(null);
    expect(read('{"id":1}', ['id'])).to.equal(null);
  });

  it('name the rows that differ, those that are gone, and no order where new rows follow at the end', () => {
    const before = read('[{"id":1,"a":"x"},{"id":2,"a":"y"},{"id":3,"a":"z"}]', ['id']);
    const after = read('[{"id":1,"a":"x"},{"id":3,"a":"Z"},{"id":4,"a":"n"}]', ['id']);
    if (before === null || after === null) throw new Error('no rows');
    expect(changeText(['id'], changeOfRows(before, after), 3n)).to.equal(
      '{"key":["id"],"upsert":[{"id":3,"a":"Z"},{"id":4,"a":"n"}],"delete":[[2]],"total":3}',
    );
  });

  it('have an order where a row moves', () => {
    const before = read('[{"id":1},{"id":2}]', ['id']);
    const after = read('[{"id":2},{"id":1}]', ['id']);
    if (before === null || after === null) throw new Error('no rows');
    expect(changeText(['id'], changeOfRows(before, after), null)).to.equal(
      '{"key":["id"],"upsert":[],"delete":[],"order":[[2],[1]]}',
    );
  });

  it('fold to the next answer (property)', () => {
    const row = fc.record({ k: fc.integer({ min: 0, max: 12 }), t: fc.constantFrom('a', 'b]', '"') });
    const body = fc
      .uniqueArray(row, { selector: ({ k, t }) => `${String(k)} ${t}` })
      .map((rows) => rows.map((each, index) => ({ ...each, v: index % 3 })));
    fc.assert(
      fc.property(body, body, (first, second) => {
        const [before, after] = [first, second].map((rows) => read(JSON.stringify(rows), ['k', 't']));
        if (before == null || after == null) throw new Error('no rows');
        const change = changeOfRows(before, after);
        const folded = foldChange({ rows: first, total: null }, changeText(['k', 't'], change, null));
        expect(folded.rows).to.deep.equal(second);
        expect(isNoChange(change)).to.equal(JSON.stringify(first) === JSON.stringify(second));
      }),
    );
  });
});
