import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import { guardStream, messageChecker } from '../../../src/postgres/backend.js';
import { MalformedMessage } from '../../../src/postgres/postgres-error.js';
import {
  backendMessage,
  dataRow,
  int16,
  int32,
  rowDescription,
  text,
} from '../../support/postgres/backend-messages.js';

const bytes = (length: number): Buffer => Buffer.alloc(length, 1);

describe('the messages that reach the driver', () => {
  for (const [what, message] of [
    ['a completed Parse', backendMessage('1')],
    ['a completed Bind', backendMessage('2')],
    ['a completed Close', backendMessage('3')],
    ['an empty query', backendMessage('I')],
    ['no data', backendMessage('n')],
    ['a suspended portal', backendMessage('s')],
    ['a state', backendMessage('Z', Buffer.from('I'))],
    ['a command tag', backendMessage('C', text('SELECT 1'))],
    ['an empty command tag', backendMessage('C', text(''))],
    ['a parameter', backendMessage('S', text('TimeZone'), text(''))],
    ['a notification', backendMessage('A', int32(7), text('channel'), text('payload'))],
    ['an error without fields', backendMessage('E', Buffer.of(0))],
    ['an error', backendMessage('E', text('SERROR'), text('M'), Buffer.of(0))],
    ['a notice', backendMessage('N', text('Mhear'), Buffer.of(0))],
    ['no parameters', backendMessage('t', int16(0))],
    ['two parameters', backendMessage('t', int16(2), int32(25), int32(20))],
    ['a short cancellation key', backendMessage('K', int32(1), int32(2))],
    ['a long cancellation key', backendMessage('K', int32(1), bytes(32))],
    ['a negotiated version', backendMessage('v', int32(0), int32(0))],
    ['a login', backendMessage('R', int32(0))],
    ['mechanisms', backendMessage('R', int32(10), text('SCRAM-SHA-256'), text(''))],
    ['a description without columns', rowDescription()],
    ['a description of columns', rowDescription('a', '', 'b')],
    ['a row without a description', dataRow('one', null, '')],
    ['a row without columns', dataRow()],
    ['a row with its description', Buffer.concat([rowDescription('a'), dataRow('one'), dataRow(null)])],
    [
      'rows of two descriptions',
      Buffer.concat([rowDescription('a'), dataRow('x'), rowDescription('a', 'b'), dataRow('x', 'y')]),
    ],
    ['no row of no data', Buffer.concat([backendMessage('n'), dataRow()])],
  ] as const)
    it(`have ${what}, however it is cut`, () => {
      expect(messageChecker()(message)).to.deep.equal(message);
      for (const cut of [1, 3, 5, 6]) {
        const check = messageChecker();
        const passed: Buffer[] = [];
        for (let at = 0; at < message.length; at += cut) passed.push(check(message.subarray(at, at + cut)));
        expect(Buffer.concat(passed)).to.deep.equal(message);
      }
    });

  for (const [what, message, fault] of [
    ['an error without its end', backendMessage('E', text('Ma')), 'an error without an end'],
    ['a notice without content', backendMessage('N'), 'an error without an end'],
    ['a type that is no letter', backendMessage('\u0007'), 'a message of type 7, which nothing asked for'],
    ['a blank', backendMessage(' '), 'a message of type 32, which nothing asked for'],
    ['an exclamation mark', backendMessage('!'), 'a message of type "!", which nothing asked for'],
    ['a tilde', backendMessage('~'), 'a message of type "~", which nothing asked for'],
    ['a delete', backendMessage('\u007f'), 'a message of type 127, which nothing asked for'],
    ['a copy', backendMessage('G'), 'a message of type "G", which nothing asked for'],
    ['a length of 3', Buffer.from([0x31, 0, 0, 0, 3]), 'a message of 3 bytes'],
    [
      'a length beyond a megabyte',
      Buffer.from([0x43, 0, 0x10, 0, 1]),
      'a message of type "C" with 1048577 bytes',
    ],
    [
      'a row beyond a gigabyte',
      Buffer.from([0x44, 0x40, 0, 0, 1]),
      'a message of type "D" with 1073741825 bytes',
    ],
    [
      'an error beyond a gigabyte',
      Buffer.from([0x45, 0x40, 0, 0, 1]),
      'a message of type "E" with 1073741825 bytes',
    ],
    [
      'a notice beyond a gigabyte',
      Buffer.from([0x4e, 0x40, 0, 0, 1]),
      'a message of type "N" with 1073741825 bytes',
    ],
  ] as const)
    it(`do not have ${what}`, () => {
      expect(() => messageChecker()(Buffer.concat([message, backendMessage('1')])))
        .to.throw(MalformedMessage)
        .with.property('message', `malformed answer of the database: ${fault}`);
    });

  it('may be as long as their type allows', () => {
    for (const [type, length] of [
      [0x43, 0x10_0000],
      [0x44, 0x4000_0000],
      [0x45, 0x4000_0000],
      [0x4e, 0x4000_0000],
    ] as const) {
      const header = Buffer.from([type, 0, 0, 0, 0]);
      header.writeUInt32BE(length, 1);
      expect(messageChecker()(header)).to.deep.equal(Buffer.alloc(0));
    }
  });

  it('are whole, and the rest waits for its end', () => {
    const check = messageChecker();
    const row = dataRow('x'.repeat(10));
    expect(check(Buffer.concat([row, row.subarray(0, 7)]))).to.deep.equal(row);
    expect(check(row.subarray(7, 12))).to.deep.equal(Buffer.alloc(0));
    expect(check(row.subarray(12))).to.deep.equal(row);
    expect(check(Buffer.concat([row, row]))).to.deep.equal(Buffer.concat([row, row]));
  });
});

describe('a guarded stream', () => {
  /** What parsers were given, and what ended the stream. */
  const guarded = (parse: (chunk: Buffer) => void) => {
    const ended: Error[] = [];
    const given: string[] = [];
    const stream = Object.assign(new EventEmitter(), { destroy: (error: Error) => ended.push(error) });
    for (const name of ['one', 'two'])
      stream.on('data', (chunk: Buffer) => {
        given.push(`${name} ${chunk.toString('hex')}`);
        parse(chunk);
      });
    guardStream(stream);
    return { ended, given, emit: (chunk: Buffer) => stream.emit('data', chunk) };
  };

  it('gives each parser whole messages alone', () => {
    const { ended, given, emit } = guarded(() => undefined);
    emit(Buffer.from('3100', 'hex'));
    expect(given).to.deep.equal([]);
    emit(Buffer.from('000004', 'hex'));
    expect(given).to.deep.equal(['one 3100000004', 'two 3100000004']);
    expect(ended).to.deep.equal([]);
  });

  it('ends with the violation of the protocol, and with the error of a parser', () => {
    const { ended, given, emit } = guarded(() => undefined);
    emit(backendMessage('G'));
    expect(given).to.deep.equal([]);
    expect(ended.map(({ message }) => message)).to.deep.equal([
      'malformed answer of the database: a message of type "G", which nothing asked for',
    ]);
    const failing = guarded(() => {
      throw new TypeError('undefined is not a function');
    });
    failing.emit(backendMessage('1'));
    expect(failing.ended.map((error) => [error instanceof MalformedMessage, error.message])).to.deep.equal([
      [true, 'malformed answer of the database: undefined is not a function'],
    ]);
  });
});
