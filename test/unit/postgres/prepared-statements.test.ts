import { expect } from 'chai';
import { createPreparedStatements, type PreparedStatements } from '../../../src/postgres/frontend.js';
import { prepare, type Statement } from '../../../src/postgres/batch.js';
import { quoteLiteral, sql } from '../../../src/postgres/sql.js';

const [A, B, C] = [prepare(sql`select 1`), prepare(sql`select 2`), prepare(sql`select 3`)];

/** Uses each statement in a batch of its own. Returns the statements that were closed. */
const useEach = (book: PreparedStatements, statements: readonly Statement[]): readonly string[] =>
  statements.flatMap((statement) => {
    book.use(statement);
    return book.takeCloses();
  });

describe('createPreparedStatements', () => {
  it('requests Parse once for each statement', () => {
    const book = createPreparedStatements(2);
    expect([book.use(A), book.use(A), book.use(B)]).to.deep.equal(['parse', 'known', 'parse']);
    expect(book.takeCloses()).to.deep.equal([]);
  });

  it('closes the least recently used one for a new one, once', () => {
    const book = createPreparedStatements(2);
    expect(useEach(book, [A, B, A, C])).to.deep.equal([B.name]);
    expect(book.takeCloses()).to.deep.equal([]);
    expect(book.size).to.equal(2);
    expect([book.use(A), book.use(C)]).to.deep.equal(['known', 'known']);
  });

  it('closes as many statements as a long one needs', () => {
    const long = prepare(sql`select ${quoteLiteral('x'.repeat(90))}`);
    const book = createPreparedStatements(10, 110);
    expect(useEach(book, [A, B, C, long])).to.deep.equal([A.name, B.name]);
    expect([book.use(long), book.use(C)]).to.deep.equal(['known', 'known']);
    book.renew(long);
    for (const statement of [A, B]) book.use(statement);
    expect(book.takeCloses(), 'the room of the long one is free').to.deep.equal([long.name]);
  });

  it('closes none for a statement that is too long to be kept', () => {
    const long = prepare(sql`select ${quoteLiteral('x'.repeat(120))}`);
    const book = createPreparedStatements(10, 110);
    expect(useEach(book, [A, B, long])).to.deep.equal([]);
    expect([book.use(A), book.use(B), book.use(long)]).to.deep.equal(['known', 'known', 'unnamed']);
  });

  it('holds as many statements, and as much text, as it may', () => {
    const sizes = (most: number) => {
      const book = createPreparedStatements(10, most);
      const closed = useEach(book, [A, B, C]);
      return [book.size, closed];
    };
    const { length } = A.text;
    expect(sizes(3 * length)).to.deep.equal([3, []]);
    expect(sizes(3 * length - 1)).to.deep.equal([2, [A.name]]);
    expect(sizes(0)).to.deep.equal([0, []]);
  });

  it('closes no statement of a batch for another one of it, which is then unnamed', () => {
    const book = createPreparedStatements(1);
    useEach(book, [C]);
    expect([A, A, B, B, A].map((statement) => book.use(statement))).to.deep.equal([
      'parse',
      'known',
      'unnamed',
      'unnamed',
      'known',
    ]);
    expect(book.takeCloses()).to.deep.equal([C.name]);
    expect(book.use(B)).to.equal('parse');
    expect(book.takeCloses()).to.deep.equal([A.name]);
  });

  it('parses all again on request', () => {
    const book = createPreparedStatements(3);
    for (const statement of [A, B]) book.use(statement);
    book.renewAll();
    expect([book.size, book.takeCloses()]).to.deep.equal([0, [A.name, B.name]]);
    expect([A, B, C].map((statement) => book.use(statement))).to.deep.equal(['parse', 'parse', 'parse']);
    book.renewAll();
    book.renewAll();
    expect(book.takeCloses()).to.deep.equal([A.name, B.name, C.name]);
  });

  it('closes and parses a renewed statement again if it was prepared', () => {
    const book = createPreparedStatements(2);
    book.use(A);
    book.renew(A);
    book.renew(B);
    expect(book.takeCloses()).to.deep.equal([A.name]);
    expect(book.use(A)).to.equal('parse');
  });
});
