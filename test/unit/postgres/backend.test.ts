import { expect } from 'chai';
import fc from 'fast-check';
import { BLOCK_BYTES } from '../../../src/base/blocks.js';
import type { Column } from '../../../src/postgres/batch.js';
import {
  type CurrentQuery,
  type MessageDecoder,
  type MessageListener,
  messageDecoder,
} from '../../../src/postgres/backend.js';
import { runs } from '../../support/runs.js';

type Answer =
  | { readonly kind: 'described'; readonly columns: readonly Column[] }
  | { readonly kind: 'row'; readonly columns: readonly (string | null)[] }
  | { readonly kind: 'parsed' }
  | { readonly kind: 'done'; readonly tag: string }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly detail: string | null;
    }
  | { readonly kind: 'notice'; readonly message: string }
  | { readonly kind: 'ready'; readonly state: 'I' | 'T' | 'E' };

const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const message = (type: string, ...content: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from(type), int32(bytes.length + 4), bytes]);
};
const column = (value: string | null): readonly Buffer[] =>
  value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)];

function encode(answer: Answer): Buffer {
  switch (answer.kind) {
    case 'row':
      return message('D', int16(answer.columns.length), ...answer.columns.flatMap(column));
    case 'parsed':
      return message('1');
    case 'described':
      return message(
        'T',
        int16(answer.columns.length),
        ...answer.columns.flatMap(({ name, type }) => [
          Buffer.from(`${name}\0`),
          Buffer.alloc(6),
          int32(type),
          Buffer.alloc(8),
        ]),
      );
    case 'done':
      return message('C', Buffer.from(`${answer.tag}\0`));
    case 'failed':
      return message(
        'E',
        Buffer.from(
          `SERROR\0C${answer.code}\0M${answer.message}\0${answer.detail === null ? '' : `D${answer.detail}\0`}\0`,
        ),
      );
    case 'notice':
      return message('N', Buffer.from(`SNOTICE\0C00000\0M${answer.message}\0\0`));
    case 'ready':
      return message('Z', Buffer.from(answer.state));
  }
}

/**
 * Feeds the stream cut into chunks of the given sizes, in turn, and returns the events that the listener received. Each
 * chunk is overwritten after the call, as the buffer of a socket is.
 */
function decode(
  stream: Buffer,
  sizes: readonly number[],
  { returnsRows = true, takesBodies = false, usesBlocks = true } = {},
): readonly Answer[] {
  const seen: Answer[] = [];
  let taken: Buffer[] | null = null;
  const listener: MessageListener = {
    rowBytes: () => false,
    row: ({ columns, body, bodyLength }) => {
      if (taken !== null) expect(body).to.deep.equal([]);
      const bytes = body === null ? null : Buffer.concat(taken ?? body);
      taken = null;
      expect(bodyLength).to.equal(bytes?.length ?? 0);
      seen.push({ kind: 'row', columns: [...columns, bytes?.toString() ?? null] });
    },
    malformed: (error) => {
      throw error;
    },
    openBody: () => {
      if (!takesBodies) return null;
      taken = [];
      return (piece) => void taken?.push(piece);
    },
    parsed: () => seen.push({ kind: 'parsed' }),
    described: (columns) => seen.push({ kind: 'described', columns }),
    notice: ({ message: text }) => seen.push({ kind: 'notice', message: text }),
    queryDone: (tag) => seen.push({ kind: 'done', tag }),
    suspended: () => seen.push({ kind: 'done', tag: 'portion' }),
    failed: ({ code, message: text, detail }) => seen.push({ kind: 'failed', code, message: text, detail }),
    ready: (state) => seen.push({ kind: 'ready', state }),
  };
  const decoder = messageDecoder(listener, {
    query: { returnsRows, describesRows: true, inBlocks: usesBlocks },
  });
  let offset = 0;
  for (let turn = 0; offset < stream.length; turn++) {
    const size = sizes[turn % sizes.length] ?? stream.length;
    offset += receive(decoder, stream.subarray(offset, offset + size));
  }
  return seen;
}

/** Gives bytes to the decoder where it wants them; returns how many. */
function receive({ bodySpace, feed, fillBody }: MessageDecoder, bytes: Buffer): number {
  const space = bodySpace();
  if (space !== null) {
    const received = bytes.copy(space);
    fillBody(received);
    return received;
  }
  const chunk = Buffer.from(bytes);
  feed(chunk);
  chunk.fill(0xff);
  return chunk.length;
}

const ROWS: CurrentQuery = { query: { returnsRows: true } };

const DEAF: MessageListener = {
  rowBytes: () => false,
  row: () => undefined,
  openBody: () => null,
  parsed: () => undefined,
  described: () => undefined,
  queryDone: () => undefined,
  suspended: () => undefined,
  failed: () => undefined,
  notice: () => undefined,
  ready: () => undefined,
  malformed: () => undefined,
};

const text = fc.string({ unit: 'binary', maxLength: 60 }).map((value) => value.replaceAll('\0', ''));
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.record({
    kind: fc.constant('row' as const),
    columns: fc.array(fc.option(text), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant('parsed' as const) }),
  fc.record({
    kind: fc.constant('described' as const),
    columns: fc.array(fc.record({ name: text, type: fc.nat() }), { maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('notice' as const), message: text }),
  fc.record({ kind: fc.constant('done' as const), tag: fc.constantFrom('SELECT 1', 'INSERT 0 1', 'BEGIN') }),
  fc.record({
    kind: fc.constant('failed' as const),
    code: fc.constantFrom('42501', '23505'),
    message: text,
    detail: fc.option(text),
  }),
  fc.record({ kind: fc.constant('ready' as const), state: fc.constantFrom('I', 'T', 'E') }),
);
const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12 });

describe('messageDecoder', () => {
  it('decodes the same messages for every division of the stream into chunks', () => {
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 20 }), sizes, fc.boolean(), (answers, cuts, takesBodies) => {
        expect(decode(Buffer.concat(answers.map(encode)), cuts, { takesBodies })).to.deep.equal(answers);
      }),
      { numRuns: runs(1000, 250) },
    );
  });

  it('decodes a conversation that is cut at any place', () => {
    const answers: readonly Answer[] = [
      { kind: 'parsed' },
      { kind: 'row', columns: ['one', null, 'zwölf', ''] },
      { kind: 'row', columns: [null] },
      { kind: 'row', columns: ['', 'last'] },
      { kind: 'done', tag: 'SELECT 3' },
      { kind: 'notice', message: 'hear' },
      { kind: 'done', tag: 'portion' },
      { kind: 'done', tag: '' },
      { kind: 'failed', code: '23505', message: 'there', detail: 'more' },
      { kind: 'ready', state: 'E' },
    ];
    const [parsed, ...others] = answers.map(encode);
    const portion = message('s');
    const empty = message('I');
    const ignored = [
      message('2'),
      message('3'),
      message('S', Buffer.from('a\0b\0')),
      message('A', int32(1), Buffer.from('a\0b\0')),
    ];
    const stream = Buffer.concat([
      ...[parsed ?? empty, ...ignored, ...others.slice(0, 5), portion, empty, ...others.slice(7)],
    ]);
    const dropped = answers
      .filter(({ kind }) => kind !== 'row')
      .map((each) => (each.kind === 'done' && each.tag === 'SELECT 3' ? { ...each, tag: '' } : each));
    for (let at = 1; at <= stream.length; at++)
      for (const sizes of [[at, stream.length], [at, 1, stream.length], [at]]) {
        expect(decode(stream, sizes), sizes.join()).to.deep.equal(answers);
        expect(decode(stream, sizes, { returnsRows: false }), sizes.join()).to.deep.equal(dropped);
      }
  });

  it('ends at the first message that violates the protocol', () => {
    const column1 = Buffer.concat([int16(1), int32(1), Buffer.from('a')]);
    for (const [violation, fault] of [
      [message('Z'), 'a state of the transaction that does not exist'],
      [message('Z', Buffer.from('X')), 'a state of the transaction that does not exist'],
      [message('G'), 'a message of type "G", which nothing asked for'],
      [message('D', Buffer.alloc(1)), 'a row without a number of columns'],
      [message('D', int16(-1)), 'a row of -1 columns'],
      [message('D', column1, Buffer.alloc(1)), 'a row with more values than columns'],
      [message('D', int16(1), int32(-1), Buffer.alloc(1)), 'a row with more values than columns'],
      [message('D', int16(1), int32(2), Buffer.from('a')), 'a value of 2 bytes in a row that ends before'],
      [message('D', int16(1), int32(-2)), 'a value of -2 bytes in a row that ends before'],
      [message('D', int16(2), int32(1), Buffer.from('a')), 'a row with fewer values than columns'],
      [message('D', int16(1), Buffer.alloc(3)), 'a row with fewer values than columns'],
      [message('D', int16(2), Buffer.alloc(3)), 'a row with fewer values than columns'],
    ] as const)
      for (const cut of [1, 2, 6, 7, 10, 1000]) {
        const seen: string[] = [];
        const listener: MessageListener = {
          ...DEAF,
          parsed: () => void seen.push('parsed'),
          row: () => void seen.push('row'),
          malformed: ({ message: reason }) => void seen.push(reason),
        };
        const decoder = messageDecoder(listener, ROWS);
        const stream = Buffer.concat([message('1'), violation, message('1'), message('1')]);
        for (let at = 0; at < stream.length; at += cut) decoder.feed(stream.subarray(at, at + cut));
        expect(seen).to.deep.equal(['parsed', `malformed answer of the database: ${fault}`]);
        expect(decoder.bodySpace()).to.equal(null);
      }
  });

  it('refuses rows of another number of columns than their query has', () => {
    const seen: string[] = [];
    const listener: MessageListener = {
      ...DEAF,
      row: ({ columns }) => void seen.push(`row of ${String(columns.length + 1)}`),
      malformed: ({ message: reason }) => void seen.push(reason),
    };
    const { feed } = messageDecoder(listener, { query: { returnsRows: true, columns: 2 } });
    feed(encode({ kind: 'row', columns: ['a', 'b'] }));
    feed(encode({ kind: 'row', columns: ['a'] }));
    expect(seen).to.deep.equal([
      'row of 2',
      'malformed answer of the database: a row of 1 columns where 2 were asked for',
    ]);
  });

  it('refuses a length that no message of a type can have, at its header', () => {
    const refused = (type: string, length: number): readonly string[] => {
      const seen: string[] = [];
      const listener: MessageListener = {
        ...DEAF,
        malformed: ({ message: reason }) => void seen.push(reason.replace(/^[^:]*: /, '')),
      };
      messageDecoder(listener, { query: null }).feed(Buffer.concat([Buffer.from(type), int32(length)]));
      return seen;
    };
    expect(refused('2', 4)).to.deep.equal([]);
    expect(refused('2', 3)).to.deep.equal(['a message of 3 bytes']);
    for (const type of ['D', 'E', 'N']) {
      expect(refused(type, 1_073_741_824)).to.deep.equal([]);
      expect(refused(type, 1_073_741_825)).to.deep.equal([
        `a message of type "${type}" with 1073741825 bytes`,
      ]);
    }
    expect(refused('C', 1_048_576)).to.deep.equal([]);
    expect(refused('C', 1_048_577)).to.deep.equal(['a message of type "C" with 1048577 bytes']);
    for (const [type, name] of [
      ['!', '"!"'],
      ['~', '"~"'],
      [' ', '32'],
      ['\u007f', '127'],
      ['\0', '0'],
    ] as const)
      expect(refused(type, 4)).to.deep.equal([`a message of type ${name}, which nothing asked for`]);
  });

  it('skips unwanted rows, and the tags of their queries, for every division of the stream into chunks', () => {
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 20 }), sizes, (answers, cuts) => {
        const expected = answers
          .filter(({ kind }) => kind !== 'row')
          .map((each) => (each.kind === 'done' ? { ...each, tag: '' } : each));
        expect(decode(Buffer.concat(answers.map(encode)), cuts, { returnsRows: false })).to.deep.equal(
          expected,
        );
      }),
      { numRuns: runs(1000, 250) },
    );
  });

  it('decodes a row without columns', () => {
    expect(decode(encode({ kind: 'row', columns: [] }), [3])).to.deep.equal([
      { kind: 'row', columns: [null] },
    ]);
  });

  it('distinguishes an empty body from a null body', () => {
    const rows = Buffer.concat([
      encode({ kind: 'row', columns: ['1', ''] }),
      encode({ kind: 'row', columns: ['1', null] }),
    ]);
    expect(decode(rows, [rows.length])).to.deep.equal([
      { kind: 'row', columns: ['1', ''] },
      { kind: 'row', columns: ['1', null] },
    ]);
  });

  it('decodes long bodies for every division of the stream into chunks', () => {
    const body = fc
      .integer({ min: 0, max: 700_000 })
      .map((length) => Buffer.from(Uint8Array.from({ length }, (_, at) => 0x20 + (at % 89))).toString());
    const row = fc.record({ kind: fc.constant('row' as const), columns: fc.tuple(fc.option(text), body) });
    const long = fc.array(fc.oneof(row, answer), { minLength: 1, maxLength: 4 });
    const reads = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(long, reads, fc.boolean(), fc.boolean(), (answers, cuts, takesBodies, usesBlocks) => {
        // Small reads of a long stream would take too long.
        const enough = [...cuts, 50_000];
        expect(decode(Buffer.concat(answers.map(encode)), enough, { takesBodies, usesBlocks })).to.deep.equal(
          answers,
        );
      }),
      { numRuns: runs(60, 20) },
    );
  });

  it('receives a long body in place, in blocks', () => {
    const body = Buffer.from(Uint8Array.from({ length: 150_000 }, (_, at) => 0x20 + (at % 89)));
    const stream = encode({ kind: 'row', columns: ['3', body.toString()] });
    let pieces: readonly Buffer[] = [];
    const row: MessageListener['row'] = (received) => (pieces = received.body ?? []);
    const decoder = messageDecoder({ ...DEAF, row }, { query: { returnsRows: true, inBlocks: true } });
    expect(decoder.bodySpace()).to.equal(null);
    decoder.feed(stream.subarray(0, 8192));
    const head = stream.length - body.length;
    expect(decoder.bodySpace()?.length).to.equal(BLOCK_BYTES - (8192 - head));
    for (let offset = 8192; offset < stream.length;)
      offset += receive(decoder, stream.subarray(offset, offset + 8192));
    expect(pieces.map(({ length }) => length)).to.deep.equal([
      BLOCK_BYTES,
      BLOCK_BYTES,
      150_000 - 2 * BLOCK_BYTES,
    ]);
    expect(Buffer.concat(pieces).equals(body)).to.equal(true);
  });

  for (const read of [1_000_000, 8192, 777])
    it(`keeps rows in memory of their length, in reads of ${String(read)} bytes`, () => {
      const lengths = [5000, 4096, 65_536, 70_000, 33_000];
      const rows = lengths.map((length) => encode({ kind: 'row', columns: ['3', 'x'.repeat(length)] }));
      const stream = Buffer.concat(Array.from({ length: 20 }, () => rows).flat());
      const kept: Buffer[] = [];
      const decoder = messageDecoder({ ...DEAF, row: ({ body }) => void kept.push(...(body ?? [])) }, ROWS);
      for (let offset = 0; offset < stream.length;)
        offset += receive(decoder, stream.subarray(offset, offset + read));
      const memory = new Set(kept.map(({ buffer }) => buffer));
      const bytes = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
      const used = kept.reduce((sum, { length }) => sum + length, 0);
      expect(used).to.equal(20 * lengths.reduce((sum, length) => sum + length));
      // Pieces below half of the pool's size (8 kB in Node.js 20, 64 kB in 24) share slabs of Node.js.
      expect(bytes - used).to.be.at.most(20 * lengths.length * Buffer.poolSize);
      const long = kept.filter(({ length }) => length >= Buffer.poolSize / 2);
      expect(long.every(({ buffer, length }) => buffer.byteLength === length)).to.equal(true);
    });

  it('wants a short rest of a body where all other bytes go', () => {
    const stream = encode({ kind: 'row', columns: ['3', 'x'.repeat(20_000)] });
    const decoder = messageDecoder(DEAF, ROWS);
    decoder.feed(stream.subarray(0, 8192));
    expect(decoder.bodySpace()).to.equal(null);
  });

  it('decodes every field of an error, for any bytes', () => {
    let seen: unknown = null;
    const { feed } = messageDecoder({ ...DEAF, failed: (error) => (seen = error) }, ROWS);
    const fields = [
      'SFEHLER',
      'VERROR',
      'C23505',
      'Mschon da: é',
      'D(1)',
      'Hnimm 2',
      'sapi',
      'tfilms',
      'cid',
      'nfilms_pkey',
      'R_bt_check_unique',
      'R_bt_check_unique',
    ];
    feed(message('E', Buffer.from(`${fields.join('\0')}\0\0`)));
    expect(seen).to.deep.equal({
      code: '23505',
      message: 'schon da: é',
      detail: '(1)',
      hint: 'nimm 2',
      schema: 'api',
      table: 'films',
      column: 'id',
      constraint: 'films_pkey',
      routine: '_bt_check_unique',
      context: null,
    });
  });
});
