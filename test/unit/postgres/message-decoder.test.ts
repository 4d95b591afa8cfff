import { expect } from 'chai';
import fc from 'fast-check';
import { messageDecoder, type MessageListener } from '../../../src/postgres/message-decoder.js';

type Answer =
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

/** Feeds the stream cut into chunks of the given sizes, in turn, and returns the events that the listener received. */
function decode(
  stream: Buffer,
  sizes: readonly number[],
  { returnsRows = true, takesBodies = false } = {},
): readonly Answer[] {
  const seen: Answer[] = [];
  let taken: Buffer[] | null = null;
  const feed = messageDecoder({
    returnsRows: () => returnsRows,
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
    notice: ({ message: text }) => seen.push({ kind: 'notice', message: text }),
    queryDone: (tag) => seen.push({ kind: 'done', tag }),
    failed: ({ code, message: text, detail }) => seen.push({ kind: 'failed', code, message: text, detail }),
    ready: (state) => seen.push({ kind: 'ready', state }),
  });
  let offset = 0;
  for (let turn = 0; offset < stream.length; turn++) {
    const size = sizes[turn % sizes.length] ?? stream.length;
    feed(stream.subarray(offset, offset + size));
    offset += size;
  }
  return seen;
}

const DEAF: MessageListener = {
  returnsRows: () => false,
  row: () => undefined,
  openBody: () => null,
  parsed: () => undefined,
  queryDone: () => undefined,
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
      { numRuns: 1000 },
    );
  });

  it('skips unwanted rows for every division of the stream into chunks', () => {
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 20 }), sizes, (answers, cuts) => {
        const expected = answers.filter(({ kind }) => kind !== 'row');
        expect(decode(Buffer.concat(answers.map(encode)), cuts, { returnsRows: false })).to.deep.equal(
          expected,
        );
      }),
      { numRuns: 1000 },
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

  it('emits a large body as views of the received chunks', () => {
    const body = 'x'.repeat(200_000);
    const stream = encode({ kind: 'row', columns: ['3', body] });
    const chunks = [stream.subarray(0, 70_000), stream.subarray(70_000, 140_000), stream.subarray(140_000)];
    let pieces: readonly Buffer[] | null = null;
    const feed = messageDecoder({ ...DEAF, returnsRows: () => true, row: (row) => (pieces = row.body) });
    for (const chunk of chunks) feed(chunk);
    expect(pieces).to.have.length(3);
    expect((pieces ?? []).map((piece: Buffer) => piece.buffer === stream.buffer)).to.deep.equal([
      true,
      true,
      true,
    ]);
  });

  it('decodes every field of an error, for any bytes', () => {
    let seen: unknown = null;
    const feed = messageDecoder({ ...DEAF, failed: (error) => (seen = error) });
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
