import { expect } from 'chai';
import fc from 'fast-check';
import {
  endOfLastRecord,
  parsePosition,
  renderPosition,
  requestedPosition,
  UNKNOWN_POSITION,
} from '../../../src/replicas/position.js';

describe('a position of the log', () => {
  it('is read and written as PostgreSQL does', () => {
    expect(parsePosition('0/3000148')).to.equal(0x3000148n);
    expect(parsePosition('16/B374D848')).to.equal(0x16_b374_d848n);
    expect(parsePosition('ffffffff/ffffffff')).to.equal(UNKNOWN_POSITION);
    expect(renderPosition(0x16_b374_d848n)).to.equal('16/B374D848');
    expect(renderPosition(0n)).to.equal('0/0');
    fc.assert(
      fc.property(fc.bigInt(0n, UNKNOWN_POSITION), (position) => {
        expect(parsePosition(renderPosition(position))).to.equal(position);
      }),
    );
  });

  it('is refused in any other form', () => {
    for (const header of [
      '',
      '0',
      '0/',
      '/0',
      '0/0/0',
      '0/G',
      '-1/0',
      '000000001/0',
      '0/0, 0/1',
      "0/0'",
      '0/0\0',
    ])
      expect(() => requestedPosition(header), header).to.throw('The header Dbr-Position cannot be read');
    expect(() => requestedPosition(['0/1', '0/2'])).to.throw('The header Dbr-Position cannot be read');
    expect(requestedPosition(undefined)).to.equal(null);
    expect(requestedPosition(' 0/1 ')).to.equal(1n);
  });

  it('is the beginning of a page that contains no record yet', () => {
    expect(endOfLastRecord(8192n * 3n + 24n, 8192n)).to.equal(8192n * 3n);
    expect(endOfLastRecord(16_777_216n + 40n, 8192n)).to.equal(16_777_216n);
    for (const position of [8192n * 3n, 8192n * 3n + 32n, 8192n * 3n + 8n])
      expect(endOfLastRecord(position, 8192n)).to.equal(position);
  });
});
