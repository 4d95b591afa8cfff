import { expect } from 'chai';
import fc from 'fast-check';
import { type Batch, type Parameter, prepare, type Statement } from '../../../src/postgres/batch.js';
import {
  type PreparedStatements,
  createPreparedStatements,
  encodeBatch,
  encodeParameters,
} from '../../../src/postgres/frontend.js';
import { sql } from '../../../src/postgres/sql.js';
import { runs } from '../../support/runs.js';

interface Message {
  readonly type: string;
  readonly content: Buffer;
}

const batchOf = (queries: readonly (readonly [Statement, readonly Parameter[]])[]): Batch => ({
  access: 'read',
  use: 'shared',
  queries: queries.map(([statement, parameters]) => ({ statement, parameters, returnsRows: true })),
});

/** Parses the messages as a backend would. */
function messagesOf(pieces: readonly Buffer[]): readonly Message[] {
  const bytes = Buffer.concat(pieces);
  const messages: Message[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const end = offset + 1 + bytes.readInt32BE(offset + 1);
    messages.push({
      type: String.fromCharCode(bytes[offset] ?? 0),
      content: bytes.subarray(offset + 5, end),
    });
    offset = end;
  }
  expect(offset).to.equal(bytes.length);
  return messages;
}

interface Bind {
  readonly portal: string;
  readonly statement: string;
  readonly values: readonly (string | null)[];
}

function readBind(content: Buffer): Bind {
  let offset = 0;
  const name = (): string => {
    const end = content.indexOf(0, offset);
    const value = content.toString('latin1', offset, end);
    offset = end + 1;
    return value;
  };
  const portal = name();
  const statement = name();
  expect(content.readInt16BE(offset), 'parameter formats').to.equal(0);
  const count = content.readUInt16BE(offset + 2);
  offset += 4;
  const values: (string | null)[] = [];
  for (let index = 0; index < count; index++) {
    const length = content.readInt32BE(offset);
    offset += 4;
    values.push(length < 0 ? null : content.toString('utf8', offset, offset + length));
    offset += Math.max(0, length);
  }
  expect(content.readInt16BE(offset), 'result formats').to.equal(0);
  expect(offset + 2).to.equal(content.length);
  return { portal, statement, values };
}

function encode(batch: Batch, prepared: PreparedStatements | null) {
  const pieces: Buffer[] = [];
  const parsing = encodeBatch(batch, prepared, pieces);
  return { pieces, parsing };
}

const types = (pieces: readonly Buffer[]): string =>
  messagesOf(pieces)
    .map(({ type }) => type)
    .join('');

describe('encodeBatch', () => {
  it('parses a statement the first time only', () => {
    const prepared = createPreparedStatements(10);
    const [one, two] = [prepare(sql`select $1`), prepare(sql`select $1, $2`)];
    const first = encode(
      batchOf([
        [one, ['a']],
        [two, ['b', null]],
      ]),
      prepared,
    );
    expect(types(first.pieces)).to.equal('PBEPBES');
    expect(first.parsing).to.deep.equal([one, two]);
    const second = encode(
      batchOf([
        [one, ['a']],
        [two, ['b', null]],
      ]),
      prepared,
    );
    expect(types(second.pieces)).to.equal('BEBES');
    expect(second.parsing).to.deep.equal([]);
  });

  it('parses the unnamed statement each time when no statement is kept', () => {
    const statement = prepare(sql`select $1`);
    for (let turn = 0; turn < 2; turn++) {
      const [parse, bind] = messagesOf(encode(batchOf([[statement, ['a']]]), null).pieces);
      expect(parse?.content.toString()).to.equal('\0select $1\0\0\0');
      expect(readBind(bind?.content ?? Buffer.alloc(0))).to.deep.equal({
        portal: '',
        statement: '',
        values: ['a'],
      });
    }
  });

  it('sends Close messages ahead of every query', () => {
    const prepared = createPreparedStatements(1);
    const [one, two] = [prepare(sql`select 1`), prepare(sql`select 2`)];
    const [parse] = messagesOf(encode(batchOf([[one, []]]), prepared).pieces);
    const [name = ''] = parse?.content.toString().split('\0') ?? [];
    const { pieces } = encode(batchOf([[two, []]]), prepared);
    expect(types(pieces)).to.equal('CPBES');
    expect(messagesOf(pieces)[0]?.content.toString()).to.equal(`S${name}\0`);
  });

  it('encodes the given parameter types', () => {
    const [parse] = messagesOf(encode(batchOf([[prepare(sql`select $1`, [25]), ['a']]]), null).pieces);
    expect(parse?.content.subarray(-6)).to.deep.equal(Buffer.from([0, 1, 0, 0, 0, 25]));
  });

  it('writes every value whole: text of any kind, bytes, null, short and larger than the slab', () => {
    const prepared = createPreparedStatements(10);
    const statement = prepare(sql`select 1`);
    const value = fc.oneof(
      fc.constant(null),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc.integer({ min: 0, max: 600_000 }).map((length) => 'é'.repeat(length)),
      fc.integer({ min: 0, max: 600_000 }).map((length) => Buffer.alloc(length, 'x')),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (parameters) => {
        const { pieces } = encode(batchOf([[statement, parameters]]), prepared);
        const bind = messagesOf(pieces).find(({ type }) => type === 'B');
        expect(readBind(bind?.content ?? Buffer.alloc(0)).values).to.deep.equal(
          parameters.map((each) => (Buffer.isBuffer(each) ? each.toString() : each)),
        );
      }),
      { numRuns: runs(100, 30) },
    );
  });

  it('writes as many parameters as the protocol can count', () => {
    const parameters = Array.from({ length: 65_535 }, (_, index) => String(index));
    const { pieces } = encode(batchOf([[prepare(sql`select 1`), parameters]]), null);
    const bind = messagesOf(pieces).find(({ type }) => type === 'B');
    expect(readBind(bind?.content ?? Buffer.alloc(0)).values).to.deep.equal(parameters);
  });

  it('does not change batches that were encoded before', () => {
    const prepared = createPreparedStatements(10);
    const statement = prepare(sql`select $1`);
    const encoded = Array.from({ length: 3000 }, (_, index) =>
      encode(batchOf([[statement, [`value ${String(index)} ${'x'.repeat(200)}`]]]), prepared),
    );
    encoded.forEach(({ pieces }, index) => {
      const bind = messagesOf(pieces).find(({ type }) => type === 'B');
      expect(readBind(bind?.content ?? Buffer.alloc(0)).values).to.deep.equal([
        `value ${String(index)} ${'x'.repeat(200)}`,
      ]);
    });
  });

  it('parses an unnamed query again in each batch', () => {
    const prepared = createPreparedStatements(10);
    const [named, unnamed] = [prepare(sql`select 1`), prepare(sql`select 2`)];
    const batch: Batch = {
      access: 'read',
      use: 'shared',
      queries: [
        { statement: named, parameters: [], returnsRows: true },
        { statement: unnamed, parameters: [], returnsRows: true, unnamed: true },
      ],
    };
    const namesBound = (): readonly string[] =>
      messagesOf(encode(batch, prepared).pieces)
        .filter(({ type }) => type === 'P' || type === 'B')
        .map(({ type, content }) => `${type} ${type === 'B' ? readBind(content).statement : ''}`);
    const { name } = named;
    expect(namesBound()).to.deep.equal(['P ', `B ${name}`, 'P ', 'B ']);
    expect(namesBound(), 'the second time').to.deep.equal([`B ${name}`, 'P ', 'B ']);
    expect(prepared.size).to.equal(1);
  });

  it('has the bytes of the protocol (PostgreSQL manual, 55.7)', () => {
    const parameters = ['a', null, Buffer.of(7)];
    const pieces: Buffer[] = [];
    const query = { statement: prepare(sql`select 1`), parameters, returnsRows: true, describesRows: true };
    encodeBatch({ queries: [query] }, null, pieces);
    expect(Buffer.concat(pieces).toString('hex')).to.equal(
      [
        // Parse: unnamed statement, text, no types.
        `500000001000${Buffer.from('select 1').toString('hex')}000000`,
        // Bind: unnamed portal and statement, no formats, three values (a, null, a byte), no formats of results.
        `420000001a0000000000030000000161ffffffff00000001070000`,
        // Describe of the unnamed portal, Execute of all its rows, Sync.
        `44000000065000`,
        `45000000090000000000`,
        `5300000004`,
      ].join(''),
    );
  });

  it('parses under the name of a statement, with its types, and closes it by its name', () => {
    const text = 'select $1, $2, $3, 4';
    const statement = prepare(sql`select $1, $2, $3, 4`, [25, 0, 4_294_967_295]);
    const prepared = createPreparedStatements(1);
    const [parse] = messagesOf(encode(batchOf([[statement, []]]), prepared).pieces);
    const oids = ['0003', '00000019', '00000000', 'ffffffff'].join('');
    expect(parse?.content.toString('hex')).to.equal(
      `${Buffer.from(`${statement.name}\0${text}\0`).toString('hex')}${oids}`,
    );
    expect(statement.bindHead).to.equal(`\0${statement.name}\0\0\0`);
    const [close] = messagesOf(encode(batchOf([[prepare(sql`select 1`), []]]), prepared).pieces);
    expect(close).to.deep.equal({ type: 'C', content: Buffer.from(`S${statement.name}\0`) });
  });

  it('describes the rows of a query that asks for it', () => {
    const [one, two] = [prepare(sql`select 1`), prepare(sql`select 2`)];
    const pieces: Buffer[] = [];
    const of = (statement: Statement) => ({ statement, parameters: [], returnsRows: true });
    encodeBatch({ queries: [of(one), { ...of(two), describesRows: true }] }, null, pieces);
    expect(types(pieces)).to.equal('PBEPBDES');
  });

  it('fetches the first portion of a portal, and later ones without Bind', () => {
    const statement = prepare(sql`select 1`);
    const portion = (isFirst: boolean) => {
      const query = { statement, parameters: [], returnsRows: true, portion: { maxRows: 300, isFirst } };
      return encode({ access: 'read', use: 'shared', queries: [query] }, null).pieces;
    };
    expect(types(portion(true))).to.equal('PBES');
    expect(types(portion(false))).to.equal('ES');
    expect(messagesOf(portion(false))[0]?.content.toString('hex')).to.equal('000000012c');
  });

  it('fills a slab to its last byte, and begins another one for a message without room', () => {
    const SLAB = 262_144;
    const prepared = createPreparedStatements(10);
    const statement = prepare(sql`select $1`);
    const valueOf = (bytes: number): Buffer => Buffer.alloc(bytes, 'x');
    const pieceOf = (parameter: Parameter): Buffer => {
      const { pieces } = encode(batchOf([[statement, [parameter]]]), prepared);
      const bind = messagesOf(pieces).find(({ type }) => type === 'B');
      expect(readBind(bind?.content ?? Buffer.alloc(0)).values).to.deep.equal([String(parameter)]);
      return pieces[0] ?? Buffer.alloc(0);
    };
    /** Encodes until less than 60,000 bytes are free in the slab. Returns their number. */
    const fill = (): number => {
      for (;;) {
        const piece = pieceOf(valueOf(20_000));
        const left = SLAB - (piece.byteOffset + piece.length);
        if (left > 1000 && left < 60_000) return left;
      }
    };
    // Head of the message, names, formats, number and length of the value, formats of the results.
    const around = 11 + statement.bindHead.length + 4;
    for (const [room, begins] of [
      [0, false],
      [1, true],
    ] as const) {
      const left = fill();
      expect(
        pieceOf(valueOf(left - around + room)).byteOffset === 0,
        `a value of bytes: ${String(room)}`,
      ).to.equal(begins);
    }
    // A text may have three bytes a character.
    for (const [room, begins] of [
      [0, false],
      [3, true],
    ] as const) {
      const left = fill() - around;
      const piece = pieceOf('x'.repeat(Math.floor((left + room) / 3)));
      expect(piece.byteOffset === 0, `a text: ${String(room)}`).to.equal(begins);
    }
    for (let count = 0; count < 60; count++) pieceOf('€'.repeat(5000 + 251 * count));
  });

  it('puts encoded parameters before the others, of any length', () => {
    const statement = prepare(sql`select 1`);
    for (const length of [0, 1, 31, 32, 33, 65_000, 70_000])
      for (const last of ['b', 'b'.repeat(70_000)]) {
        const values = ['ä'.repeat(length), ''];
        const encoded = encodeParameters(values);
        expect(encoded.count).to.equal(2);
        expect(encoded.bytes).to.have.length(8 + 2 * length);
        const query = { statement, encoded, parameters: [last, null], returnsRows: true };
        const { pieces } = encode({ access: 'read', use: 'shared', queries: [query] }, null);
        const bind = messagesOf(pieces).find(({ type }) => type === 'B');
        expect(readBind(bind?.content ?? Buffer.alloc(0)).values).to.deep.equal([...values, last, null]);
      }
  });
});
