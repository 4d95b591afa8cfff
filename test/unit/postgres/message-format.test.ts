import { expect } from 'chai';
import { MalformedMessage } from '../../../src/postgres/malformed-message.js';
import {
  columnCount,
  MESSAGE,
  messageEnd,
  transactionState,
  typeName,
  valueLength,
} from '../../../src/postgres/message-format.js';
import { int16, int32 } from '../../support/postgres/backend-messages.js';

describe('the format of messages (PostgreSQL manual, 55.7)', () => {
  it('ends a message after its length, which counts itself', () => {
    const header = (type: number, length: number): Buffer => Buffer.concat([Buffer.of(type), int32(length)]);
    const endOf = (type: number, length: number): number => messageEnd(header(type, length), 0);
    expect(endOf(MESSAGE.bindComplete, 4)).to.equal(5);
    expect(messageEnd(Buffer.concat([Buffer.alloc(3), header(MESSAGE.dataRow, 10)]), 3)).to.equal(14);
    expect(() => endOf(MESSAGE.bindComplete, 3)).to.throw(MalformedMessage);
    for (const type of [MESSAGE.dataRow, MESSAGE.errorResponse, MESSAGE.noticeResponse]) {
      expect(endOf(type, 1_073_741_824)).to.equal(1_073_741_825);
      expect(() => endOf(type, 1_073_741_825)).to.throw(MalformedMessage);
    }
    expect(endOf(MESSAGE.commandComplete, 1_048_576)).to.equal(1_048_577);
    expect(() => endOf(MESSAGE.commandComplete, 1_048_577)).to.throw(MalformedMessage);
  });

  it('has the types of the protocol', () => {
    const letters = Object.entries(MESSAGE).map(([name, type]) => `${String.fromCharCode(type)} ${name}`);
    expect(letters).to.have.members([
      ...['1 parseComplete', '2 bindComplete', '3 closeComplete', 'A notification', 'C commandComplete'],
      ...['D dataRow', 'E errorResponse', 'I emptyQuery', 'K backendKeyData', 'N noticeResponse'],
      ...['R authentication', 'S parameterStatus', 'T rowDescription', 'Z readyForQuery', 'n noData'],
      ...['s portalSuspended', 't parameterDescription', 'v negotiateProtocolVersion'],
    ]);
  });

  it('names a type by its letter, or by its number', () => {
    expect([0x21, 0x7e, 0x20, 0x7f, 0].map(typeName)).to.deep.equal(['"!"', '"~"', '32', '127', '0']);
  });

  it('counts the columns of a row', () => {
    expect(columnCount(int16(0), 0, 2)).to.equal(0);
    expect(columnCount(Buffer.concat([int16(9), int16(3)]), 2, 4)).to.equal(3);
    expect(() => columnCount(int16(1), 0, 1)).to.throw('a row without a number of columns');
    expect(() => columnCount(int16(-1), 0, 2)).to.throw('a row of -1 columns');
  });

  it('has the length of a value, which is within its row', () => {
    const row = (length: number): Buffer => Buffer.concat([int32(length), Buffer.from('abc')]);
    expect(valueLength(row(3), 0, 7)).to.equal(3);
    expect(valueLength(row(0), 0, 4)).to.equal(0);
    expect(valueLength(row(-1), 0, 4)).to.equal(-1);
    expect(valueLength(Buffer.concat([Buffer.alloc(2), row(3)]), 2, 9)).to.equal(3);
    expect(() => valueLength(row(4), 0, 7)).to.throw('a value of 4 bytes in a row that ends before');
    expect(() => valueLength(row(3), 0, 6)).to.throw('a value of 3 bytes in a row that ends before');
    expect(() => valueLength(row(-2), 0, 7)).to.throw('a value of -2 bytes in a row that ends before');
    expect(() => valueLength(row(0), 0, 3)).to.throw('a row with fewer values than columns');
  });

  it('has three states of a transaction', () => {
    expect(['I', 'T', 'E'].map((state) => transactionState(state.charCodeAt(0)))).to.deep.equal([
      ...['I', 'T', 'E'],
    ]);
    for (const byte of [undefined, 0, 0x46, 0x69])
      expect(() => transactionState(byte)).to.throw(MalformedMessage);
  });
});
