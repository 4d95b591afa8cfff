import { expect } from 'chai';
import fc from 'fast-check';
import { EventEmitter } from 'node:events';
import { PassThrough, type Duplex } from 'node:stream';
import pgPromise from 'pg-promise';
import {
  type MessageListener,
  guardStream,
  messageChecker,
  messageDecoder,
} from '../../../src/postgres/backend.js';
import { MalformedMessage } from '../../../src/postgres/postgres-error.js';
import {
  alteredStreams,
  backendMessage,
  errorResponse,
  int16,
  int32,
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
  const listener: MessageListener = {
    rowBytes: () => false,
    row: ({ columns, body }) =>
      void said.push(JSON.stringify([columns, Buffer.concat(body ?? []).toString()])),
    openBody: () => null,
    parsed: () => void said.push('parsed'),
    described: () => undefined,
    queryDone: (tag) => void said.push(tag),
    suspended: () => void said.push('suspended'),
    failed: ({ message }) => void said.push(message),
    notice: ({ message }) => void said.push(message),
    ready: (state) => void said.push(state),
    malformed: ({ message }) => void said.push(message),
  };
  const { feed } = messageDecoder(listener, { query: { returnsRows: true } });
  for (const chunk of chunksOf(stream, cuts)) feed(chunk);
  return said;
}

const isMalformed = (line: string): boolean => line.startsWith('malformed answer');

/** Frames that are broken, or have a type that nothing asked for. */
const WRONG: readonly (readonly [string, Buffer])[] = [
  ['a length below its own', Buffer.from([0x44, 0, 0, 0, 3])],
  ['a row longer than any message', Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff])],
  ['a short message that is long', Buffer.from([0x43, 0x10, 0, 0, 0])],
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

  it('make the decoder report one failure, without throwing, for every division of the stream', () => {
    fc.assert(
      fc.property(alteredStreams, sizes, (stream, cuts) => {
        const said = decoded(stream, cuts);
        const at = said.findIndex(isMalformed);
        if (at >= 0) expect(at).to.equal(said.length - 1);
        expect(said).to.deep.equal(decoded(stream, [1]));
      }),
      // A row that ends within the length of its last value, and one with more than its columns.
      {
        numRuns: runs(1000, 250),
        examples: [
          [backendMessage('D', int16(2), int32(1), Buffer.from('a\0\0\0')), [3]],
          [
            Buffer.concat([
              backendMessage('D', int16(0), int32(0x0003_0002), Buffer.alloc(7)),
              backendMessage('1'),
            ]),
            [8],
          ],
        ],
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
    const value = 'v'.repeat(2_000_000);
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
