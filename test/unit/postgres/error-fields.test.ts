import { expect } from 'chai';
import fc from 'fast-check';
import { fieldReader } from '../../../src/postgres/backend.js';

function read(content: Buffer, size = content.length) {
  const reader = fieldReader();
  for (let offset = 0; offset < content.length; offset += size)
    reader.take(content.subarray(offset, offset + size));
  return reader.end();
}

const content = (fields: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    `${Object.entries(fields)
      .map(([code, text]) => `${code}${text}\0`)
      .join('')}\0`,
  );

describe('the fields of an error', () => {
  it('are read for every division into pieces', () => {
    const bytes = content({ S: 'ERROR', C: '23505', M: 'zwölf €', D: 'more', H: '', n: 'key', R: 'routine' });
    for (let size = 1; size <= bytes.length; size++) {
      expect(read(bytes, size)).to.deep.equal({
        code: '23505',
        message: 'zwölf €',
        detail: 'more',
        hint: '',
        schema: null,
        table: null,
        column: null,
        constraint: 'key',
        routine: 'routine',
        context: null,
      });
    }
  });

  it('are cut to 8 kB each, never within a character', () => {
    for (const character of ['x', 'é', '€', '😀']) {
      for (const ahead of ['', 'a', 'ab', 'abc']) {
        const long = ahead + character.repeat(20_000);
        const { message, detail, hint } = read(content({ M: long, D: long, H: 'short' }), 1000);
        const bytes = Buffer.byteLength(message);
        expect(bytes).to.be.within(8189, 8192);
        expect(long.startsWith(message), `${ahead}${character}`).to.equal(true);
        expect([detail, hint]).to.deep.equal([message, 'short']);
      }
    }
  });

  it('have as many bytes of the last characters as fit', () => {
    for (const [ahead, character, kept] of [
      [8191, 'a', 8192],
      [8192, 'a', 8192],
      [8190, 'é', 8192],
      [8191, 'é', 8191],
      [8189, '€', 8192],
      [8190, '€', 8190],
      [8191, '€', 8191],
      [8188, '😀', 8192],
      [8189, '😀', 8189],
      [8190, '😀', 8190],
      [8191, '😀', 8191],
      [8191, '\u0080', 8191],
      [8191, '\u07ff', 8191],
      [8190, '\u0800', 8190],
      [8189, '\u0800', 8192],
      [8190, '\uffff', 8190],
      [8189, '\u{10000}', 8189],
    ] as const) {
      const { message } = read(content({ M: `${'x'.repeat(ahead)}${character}y` }));
      expect(Buffer.byteLength(message), `${String(ahead)} ${character}`).to.equal(kept);
      expect(message).to.equal(
        `${'x'.repeat(ahead)}${character}`.slice(0, kept === ahead ? ahead : undefined),
      );
    }
    for (const short of ['', 'é', '€', '😀', '\u007f'])
      expect(read(content({ M: short })).message).to.equal(short);
  });

  it('are complete if they are short, for any bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const message = text.replaceAll('\0', '');
        expect(read(content({ M: message })).message).to.equal(Buffer.from(message).toString());
      }),
    );
  });

  it('use memory only for the kept bytes, and read each byte once', () => {
    const piece = Buffer.alloc(65_536, 'x');
    const reader = fieldReader();
    reader.take(Buffer.from('M'));
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 2000; count++) reader.take(piece);
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(10_000_000);
    reader.take(Buffer.from('\0\0'));
    expect(reader.end().message).to.equal('x'.repeat(8192));
  });
});
