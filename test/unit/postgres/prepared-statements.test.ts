import { expect } from 'chai';
import { createPreparedStatements } from '../../../src/postgres/prepared-statements.js';
import { prepare } from '../../../src/postgres/statement.js';
import { quoteLiteral, sql } from '../../../src/postgres/sql.js';

const [A, B, C] = [prepare(sql`select 1`), prepare(sql`select 2`), prepare(sql`select 3`)];

describe('createPreparedStatements', () => {
  it('requests Parse once for each statement', () => {
    const book = createPreparedStatements(2);
    expect([book.mustParse(A), book.mustParse(A), book.mustParse(B)]).to.deep.equal([true, false, true]);
    expect(book.takeCloses()).to.deep.equal([]);
  });

  it('closes the least recently used one for a new one, once', () => {
    const book = createPreparedStatements(2);
    for (const statement of [A, B, A, C]) book.mustParse(statement);
    expect(book.takeCloses()).to.deep.equal([B.name]);
    expect(book.takeCloses()).to.deep.equal([]);
    expect(book.size).to.equal(2);
    expect([book.mustParse(A), book.mustParse(C)]).to.deep.equal([false, false]);
  });

  it('closes as many statements as a long one needs', () => {
    const long = prepare(sql`select ${quoteLiteral('x'.repeat(90))}`);
    const book = createPreparedStatements(10, 110);
    for (const statement of [A, B, C, long]) book.mustParse(statement);
    expect(book.takeCloses()).to.deep.equal([A.name, B.name]);
    expect([book.mustParse(long), book.mustParse(C)]).to.deep.equal([false, false]);
    book.renew(long);
    for (const statement of [A, B]) book.mustParse(statement);
    expect(book.takeCloses(), 'the room of the long one is free').to.deep.equal([long.name]);
  });

  it('holds as many statements, and as much text, as it may', () => {
    const sizes = (most: number) => {
      const book = createPreparedStatements(10, most);
      for (const statement of [A, B, C]) book.mustParse(statement);
      return [book.size, book.takeCloses()];
    };
    const { length } = A.text;
    expect(sizes(3 * length)).to.deep.equal([3, []]);
    expect(sizes(3 * length - 1)).to.deep.equal([2, [A.name]]);
    expect(sizes(0)).to.deep.equal([0, [A.name, B.name, C.name]]);
    const book = createPreparedStatements(1);
    expect([A, A, B, B, A].map((statement) => book.mustParse(statement))).to.deep.equal([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(book.takeCloses()).to.deep.equal([A.name, B.name]);
  });

  it('parses all again on request', () => {
    const book = createPreparedStatements(3);
    for (const statement of [A, B]) book.mustParse(statement);
    book.renewAll();
    expect([book.size, book.takeCloses()]).to.deep.equal([0, [A.name, B.name]]);
    expect([A, B, C].map((statement) => book.mustParse(statement))).to.deep.equal([true, true, true]);
    book.renewAll();
    book.renewAll();
    expect(book.takeCloses()).to.deep.equal([A.name, B.name, C.name]);
  });

  it('closes and parses a renewed statement again if it was prepared', () => {
    const book = createPreparedStatements(2);
    book.mustParse(A);
    book.renew(A);
    book.renew(B);
    expect(book.takeCloses()).to.deep.equal([A.name]);
    expect(book.mustParse(A)).to.equal(true);
  });
});
