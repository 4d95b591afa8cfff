import { expect } from 'chai';
import { readColumnOrigins } from '../../../../src/data-api/schema-cache/views.js';

const entry = (
  number: number,
  name: string,
  table: number,
  column: number,
  expression = '{VAR :varno 1}',
): string =>
  `{TARGETENTRY :expr ${expression} :resno ${number} :resname ${name} :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${column} :resjunk false}`;

const query = (entries: readonly string[], rest = ''): string =>
  `({QUERY :commandType 1 :cteList <> ${rest} :targetList (${entries.join(' ')}) :override 0 :setOperations <>})`;

describe('node-tree', () => {
  it('reads number, table and column of each entry', () => {
    expect(readColumnOrigins(query([entry(1, 'id', 16530, 1), entry(2, 'title', 16530, 3)]))).to.deep.equal([
      { column: 1, relation: 16530, relationColumn: 1 },
      { column: 2, relation: 16530, relationColumn: 3 },
    ]);
  });

  it('leaves out expressions, which have no origin', () => {
    expect(readColumnOrigins(query([entry(1, 'total', 0, 0)]))).to.deep.equal([]);
  });

  it('does not mistake the target list of a sub-query for the view’s own', () => {
    const inner = query([entry(9, 'inner', 777, 7)]).slice(1, -1);
    const text = query(
      [entry(1, 'id', 16530, 1, `{SUBLINK :subselect ${inner}}`)],
      `:rtable ({RANGETBLENTRY :subquery ${inner}})`,
    );
    expect(readColumnOrigins(text)).to.deep.equal([{ column: 1, relation: 16530, relationColumn: 1 }]);
  });

  it('reads names that contain brackets, blanks and labels', () => {
    const names = [
      String.raw`a\ \{b\}\(\)\\`,
      ':resno',
      String.raw`:resorigtbl\ 5`,
      String.raw`:targetList\ \(`,
    ];
    for (const name of names) {
      expect(readColumnOrigins(query([entry(1, name, 16530, 1)])), name).to.deep.equal([
        { column: 1, relation: 16530, relationColumn: 1 },
      ]);
    }
  });

  it('leaves out an entry without one of its three numbers, also after a whole one', () => {
    const whole = entry(1, 'id', 16530, 1);
    const first = [{ column: 1, relation: 16530, relationColumn: 1 }];
    for (const other of [
      entry(2, 'x', 0, 3),
      entry(0, 'x', 16530, 3),
      '{TARGETENTRY :expr <>}',
      '{X :resno 2}',
    ])
      expect(readColumnOrigins(query([whole, other])), other).to.deep.equal(first);
    expect(readColumnOrigins(query(['{TARGETENTRY :resorigtbl 16530 :resorigcol 1}']))).to.deep.equal([]);
  });

  it('reads a target list of the query alone, in round brackets', () => {
    const list = `:targetList (${entry(1, 'id', 16530, 1)})`;
    expect(readColumnOrigins(`({QUERY ${list}})`)).to.have.length(1);
    expect(readColumnOrigins(`({QUERY {X ${list}}})`)).to.deep.equal([]);
    expect(readColumnOrigins(`(${list})`)).to.deep.equal([]);
  });

  it('finds nothing in text that is not a query', () => {
    for (const text of ['', '<>', '({QUERY', '({QUERY :targetList <> :override 0})', ')))}}}', '\\']) {
      expect(readColumnOrigins(text), text).to.deep.equal([]);
    }
  });
});
