import { expect } from 'chai';
import fc from 'fast-check';
import { EventEmitter } from 'node:events';
import { PassThrough, type Duplex } from 'node:stream';
import pgPromise from 'pg-promise';
import { guardStream, messageChecker } from '../../../src/postgres/check-messages.js';
import { messageDecoder } from '../../../src/postgres/message-decoder.js';
import { MalformedMessage } from '../../../src/postgres/malformed-message.js';
import {
  alteredStreams,
  backendMessage,
  dataRow,
  errorResponse,
  int16,
  int32,
  rowDescription,
  text,
} from '../../support/postgres/backend-messages.js';
import { runs } from '../../support/runs.js';

const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });

function* chunksOf(stream: Buffer, cuts: readonly number[]): Generator<Buffer> {
  let offset = 0;
  for (let turn = 0; offset < stream.length; turn++) {
    const size = cuts[turn % cuts.length] ?? stream.length;
    yield stream.subarray(offset, offset + size);
    offset += size;
  }
}

/** Returns the events that the decoder emits for a stream, as lines. The decoder does not throw. */
function decoded(stream: Buffer, cuts: readonly number[]): readonly string[] {
  const said: string[] = [];
  const { feed } = messageDecoder({
    returnsRows: () => true,
    usesBlocks: () => false,
    row: ({ columns, body }) =>
      void said.push(JSON.stringify([columns, Buffer.concat(body ?? []).toString()])),
    openBody: () => null,
    parsed: () => void said.push('parsed'),
    queryDone: (tag) => void said.push(tag),
    suspended: () => void said.push('suspended'),
    failed: ({ message }) => void said.push(message),
    notice: ({ message }) => void said.push(message),
    ready: (state) => void said.push(state),
    malformed: ({ message }) => void said.push(message),
  });
  for (const chunk of chunksOf(stream, cuts)) feed(chunk);
  return said;
}

const isMalformed = (line: string): boolean => line.startsWith('malformed answer');

const WRONG: readonly (readonly [string, Buffer])[] = [
  ['a length below its own', Buffer.from([0x44, 0, 0, 0, 3])],
  ['a row longer than any message', Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff])],
  ['a short message that is long', Buffer.from([0x43, 0x10, 0, 0, 0])],
  ['a row with a negative number of columns', backendMessage('D', int16(-1))],
  ['a row with more columns than values', backendMessage('D', int16(3), int32(1), Buffer.from('a'))],
  ['a row with more values than columns', backendMessage('D', int16(1), int32(1), Buffer.from('ab'))],
  ['a value longer than its row', backendMessage('D', int16(1), int32(99), Buffer.from('a'))],
  ['a value of a negative length', backendMessage('D', int16(2), int32(-2), int32(0))],
  ['an error without an end', backendMessage('E', Buffer.from('Mabc'))],
  ['an error that goes on', backendMessage('E', text('Mabc'), Buffer.from('\0more'))],
  ['a command tag without an end', backendMessage('C', Buffer.from('SELECT 1'))],
  ['a state that does not exist', backendMessage('Z')],
  ['a completion with content', backendMessage('2', Buffer.from('x'))],
  ['an unknown type', backendMessage('\u00ff')],
  ['a copy that was not requested', backendMessage('G', Buffer.from([0, 0, 0]))],
];

describe('messages that violate the protocol', () => {
  for (const [what, bytes] of WRONG) {
    it(`${what}: refused by the decoder and before the driver, however it is cut`, () => {
      for (const cut of [1, 2, 5, 7, bytes.length]) {
        const said = decoded(Buffer.concat([bytes, backendMessage('1')]), [cut]);
        expect(said.filter(isMalformed), JSON.stringify(said)).to.have.length(1);
        expect(said.at(-1)).to.satisfy(isMalformed);
        const check = messageChecker();
        expect(() => [...chunksOf(bytes, [cut])].map(check)).to.throw(MalformedMessage);
      }
    });
  }

  it('a malformed row description, or a row that does not fit to it, does not reach the driver', () => {
    for (const bytes of [
      backendMessage('T', int16(-1)),
      backendMessage('T', int16(2), text('a'), Buffer.alloc(18)),
      backendMessage('T', int16(1), Buffer.from('without an end')),
      Buffer.concat([rowDescription('a', 'b'), dataRow('one')]),
      Buffer.concat([rowDescription('a'), dataRow('one', 'two')]),
      backendMessage('R', int32(10), Buffer.from('SCRAM')),
      backendMessage('S', text('TimeZone')),
      backendMessage('A', int32(1), text('channel')),
      backendMessage('K', int32(1)),
    ])
      expect(() => messageChecker()(bytes), bytes.toString('latin1')).to.throw(MalformedMessage);
  });

  it('are not requests to authenticate in each of their forms', () => {
    for (const bytes of [
      backendMessage('R', int32(0)),
      backendMessage('R', int32(5), Buffer.alloc(4)),
      backendMessage('R', int32(10), text('')),
      backendMessage('R', int32(10), text('SCRAM-SHA-256'), text('')),
      backendMessage('R', int32(10), text('SCRAM-SHA-256-PLUS'), text('SCRAM-SHA-256'), text('')),
    ])
      expect(messageChecker()(bytes)).to.deep.equal(bytes);
    for (const bytes of [
      backendMessage('R', Buffer.alloc(3)),
      backendMessage('R', int32(10), text('SCRAM-SHA-256')),
      backendMessage('R', int32(10), text(''), text('')),
    ])
      expect(() => messageChecker()(bytes), bytes.toString('latin1')).to.throw(MalformedMessage);
  });

  it('make the decoder report one failure, without throwing, for every division of the stream', () => {
    fc.assert(
      fc.property(alteredStreams, sizes, (stream, cuts) => {
        const said = decoded(stream, cuts);
        const at = said.findIndex(isMalformed);
        if (at >= 0) expect(at).to.equal(said.length - 1);
        expect(said).to.deep.equal(decoded(stream, [1]));
      }),
      // A row that ends within the length of its last value.
      {
        numRuns: runs(1000, 250),
        examples: [[backendMessage('D', int16(2), int32(1), Buffer.from('a\0\0\0')), [3]]],
      },
    );
  });

  it('leave only whole messages for the driver', () => {
    fc.assert(
      fc.property(alteredStreams, sizes, (stream, cuts) => {
        const { messages, ended } = driven([...chunksOf(stream, cuts)]);
        expect(ended === null || ended instanceof MalformedMessage).to.equal(true);
        if (ended === null) expect(messages).to.be.at.most(stream.length / 5);
      }),
      { numRuns: runs(1000, 250) },
    );
  });

  it('end the connection of the driver, not the process', () => {
    const { messages, ended } = driven([
      backendMessage('1'),
      backendMessage('T', int16(-1)),
      backendMessage('1'),
    ]);
    expect(messages).to.equal(1);
    expect(ended).to.be.instanceOf(MalformedMessage);
  });
});

describe('an error that repeats a long value', () => {
  it('is read piece by piece, each field cut to 8 kB', () => {
    const value = 'v'.repeat(20_000_000);
    const stream = Buffer.concat([errorResponse(value), backendMessage('Z', Buffer.from('I'))]);
    expect(decoded(stream, [16_384])).to.deep.equal([value.slice(0, 8192), 'I']);
  });
});

/** Lets a connection of the driver read chunks. */
function driven(chunks: readonly Buffer[]): { readonly messages: number; readonly ended: unknown } {
  const { pg } = pgPromise();
  const Connection: unknown = Reflect.get(pg, 'Connection');
  if (typeof Connection !== 'function') throw new Error('no connections');
  const stream = new FakeSocket();
  const connection: unknown = Reflect.construct(Connection, [{ stream }]);
  if (!(connection instanceof EventEmitter)) throw new Error('no connection');
  let messages = 0;
  connection.on('message', () => messages++);
  Reflect.apply(Reflect.get(connection, 'attachListeners') as (stream: Duplex) => void, connection, [stream]);
  guardStream(stream);
  for (const chunk of chunks) if (stream.ended === null) stream.emit('data', chunk);
  return { messages, ended: stream.ended };
}

/** Holds what it was destroyed with. */
class FakeSocket extends PassThrough {
  ended: unknown = null;

  override destroy(error?: Error): this {
    this.ended = error ?? null;
    return this;
  }
}
