import { expect } from 'chai';
import fc from 'fast-check';
import type { BodyChunks } from '../../../../src/contract/request.js';
import { rowPieces, type RowPiece } from '../../../../src/data-api/request/row-pieces.js';

/** A body that arrives in chunks of these lengths. */
function chunksOf(
  text: string,
  lengths: readonly number[],
): BodyChunks & { readonly released: () => number } {
  const bytes = Buffer.from(text);
  let at = 0;
  let turn = 0;
  let released = 0;
  return {
    next() {
      if (at >= bytes.length) return Promise.resolve(null);
      const length = lengths[turn++ % lengths.length] ?? 1;
      const chunk = bytes.subarray(at, at + length);
      at += length;
      return Promise.resolve(chunk);
    },
    release: (count) => void (released += count),
    released: () => released,
  };
}

const OPTIONS = { maxKeys: 100, maxLine: 1_000_000, columns: null };

async function all(pieces: AsyncIterable<RowPiece>): Promise<readonly RowPiece[]> {
  const list: RowPiece[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

const failureOf = (outcome: Promise<unknown>): Promise<unknown> =>
  outcome.then(
    () => null,
    (failure: unknown) => failure,
  );

const rowsOf = (pieces: readonly RowPiece[]): readonly unknown[] =>
  pieces.flatMap((piece) => JSON.parse(piece.all.toString()) as unknown[]);

describe('rows of streamed bodies', () => {
  it('are those of the lines, however the body is divided', async () => {
    const row = fc.record({ a: fc.jsonValue(), b: fc.string({ unit: 'binary' }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        fc.constantFrom('\n', '\r\n', '\n\n'),
        async (list, lengths, end) => {
          // A number is read again as JSON reads it.
          const rows = JSON.parse(JSON.stringify(list)) as unknown[];
          const text = list.map((each) => JSON.stringify(each)).join(end);
          const pieces = await all(rowPieces(chunksOf(text, lengths), 'ndjson', OPTIONS));
          expect(rowsOf(pieces)).to.deep.equal(rows);
        },
      ),
      { seed: 182 },
    );
  });

  it('are those of CSV, however the body is divided', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', '\n', '\r', ',', 'é'), maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(field, field), { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        async (list, lengths, end) => {
          const text = [['x', 'y'], ...list]
            .map((fields) => fields.map((each) => `"${each.replaceAll('"', '""')}"`).join(',') + end)
            .join('');
          const pieces = await all(rowPieces(chunksOf(text, lengths), 'csv', OPTIONS));
          expect(rowsOf(pieces)).to.deep.equal(list.map(([x, y]) => ({ x, y })));
        },
      ),
      { seed: 183 },
    );
  });

  it('are those of CSV of RFC 4180, of which a null alone is an empty line, however the body is divided', async () => {
    const field = fc.option(fc.string({ unit: fc.constantFrom(...'aNUL"\n\r,é\\'), maxLength: 6 }), {
      nil: null,
    });
    const shown = (value: string | null): string =>
      value === null ? '' : `"${value.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2 }),
        fc.array(fc.tuple(field, field), { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        async (width, list, lengths, end) => {
          const names = ['x', 'y'].slice(0, width);
          const rows = list.map((row) => row.slice(0, width));
          const lines = [names.join(','), ...rows.map((row) => row.map(shown).join(','))];
          const text = lines.map((line) => line + end).join('');
          const expected = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
          const pieces = await all(rowPieces(chunksOf(text, lengths), 'rfc4180', OPTIONS));
          expect(rowsOf(pieces)).to.deep.equal(expected);
          const parts: string[] = [];
          for (const piece of pieces) {
            const { count, part } = await piece.rows();
            for (let at = 0; at < count; at += 1) parts.push((await part(at, at + 1)).toString());
          }
          expect(parts.map((part) => (JSON.parse(part) as unknown[])[0])).to.deep.equal(expected);
        },
      ),
      { seed: 184 },
    );
  });

  it('have the columns that the query names, of RFC 4180 alone', async () => {
    const keysOf = async (format: 'csv' | 'rfc4180') =>
      (await all(rowPieces(chunksOf('a,b\n1,2\n', [9]), format, { ...OPTIONS, columns: ['b', 'c'] })))[0]
        ?.keys;
    expect(await keysOf('rfc4180')).to.deep.equal(['b', 'c']);
    expect(await keysOf('csv')).to.deep.equal(['a', 'b']);
  });

  it('come in pieces, each with its lines and parts', async () => {
    const lines = Array.from(
      { length: 30_000 },
      (_, id) => `{"id":${String(id)},"text":"${'x'.repeat(50)}"}`,
    );
    const chunks = chunksOf(`\n${lines.join('\n')}\n`, [65_536]);
    const pieces = await all(rowPieces(chunks, 'ndjson', OPTIONS));
    expect(pieces.length).to.be.greaterThan(2);
    const first = await pieces[0]?.rows();
    const second = await pieces[1]?.rows();
    expect(first?.lineOf(0)).to.equal(2);
    const before = first?.count ?? 0;
    expect(second?.lineOf(1)).to.equal(before + 3);
    expect(JSON.parse((await second?.part(1, 2))?.toString() ?? '')).to.deep.equal([
      { id: before + 1, text: 'x'.repeat(50) },
    ]);
    expect(chunks.released()).to.be.greaterThan(1_500_000);
  });

  it('refuse a record that does not end, with its line', async () => {
    const options = { ...OPTIONS, maxLine: 1000 };
    const error = await failureOf(
      all(rowPieces(chunksOf(`a\n1\n"${'x\n'.repeat(2000)}`, [100]), 'csv', options)),
    );
    expect(error).to.include({
      name: 'LineTooLong',
      message: 'Line 3 of the body is longer than 1000 bytes',
    });
  });

  it('pass over blank lines, however many there are', async () => {
    const text = `${'\n'.repeat(300_000)}{"a":1}\n${' \r\n'.repeat(100_000)}{"a":2}\né`;
    const pieces = rowPieces(chunksOf(text, [700_000]), 'ndjson', OPTIONS);
    const first = await pieces.next();
    if (first.done === true) throw new Error('no rows');
    const { count, lineOf } = await first.value.rows();
    expect([count, lineOf(0), lineOf(1)]).to.deep.equal([2, 300_001, 400_002]);
    expect(await failureOf(all(pieces))).to.include({ message: 'Line 400003 of the body cannot be read' });
  });

  it('name the faulty record of CSV, however long the names are', async () => {
    const text = `${'a'.repeat(30_000)}\n${'1\n'.repeat(15_000)}`;
    const error = await failureOf(all(rowPieces(chunksOf(text, [65_536]), 'csv', OPTIONS)));
    expect(error).to.include({
      name: 'InvalidLine',
      details: 'the rows are too long with the names of their columns',
    });
  });

  for (const [what, text, line] of [
    ['first', 'a,b\n1\n2,3\n4,5\n', 2],
    ['middle', 'a,b\n1,2\n\n3\n4,5\n', 4],
    ['last', 'a,b\n1,2\n\n3,4\n5', 5],
    ['later', `a,b\n${'1,2\n'.repeat(200_000)}3\n4,5\n`, 200_002],
    ['carriage-returned', 'a,b\r1,2\r\r3\r4,5\r', 4],
    ['later carriage-returned', `a,b\r${'1,2\r'.repeat(200_000)}3\r4,5\r`, 200_002],
  ] as const)
    it(`name the line of the ${what} record of CSV that is faulty`, async () => {
      const error = await failureOf(all(rowPieces(chunksOf(text, [65_536]), 'csv', OPTIONS)));
      expect(error).to.include({ message: `Line ${String(line)} of the body cannot be read` });
    });

  it('are whole if they arrive in thousands of chunks', async () => {
    const row = { a: Array.from({ length: 2000 }, (_, index) => String(index)).join(' ') };
    const text = `${JSON.stringify(row)}\n${JSON.stringify(row)}`;
    expect(rowsOf(await all(rowPieces(chunksOf(text, [1, 2]), 'ndjson', OPTIONS)))).to.deep.equal([row, row]);
  });
});
