import { expect } from 'chai';
import {
  bytesOf,
  bytesText,
  hexOf,
  isHex,
  isPicture,
  mediaTypeOf,
  sizeText,
} from '../../page/src/fields/bytes.js';

describe('bytes of a row', () => {
  it('are read and written as PostgreSQL does', () => {
    expect([...bytesOf('\\x00ff10')]).to.deep.equal([0, 255, 16]);
    expect(hexOf(Uint8Array.of(0, 255, 16))).to.equal('\\x00ff10');
    expect(['\\x', '\\x0F', '\\x0', '\\xzz', 'x00'].map(isHex)).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('are named by their beginning and their size', () => {
    const png = '\\x89504e470d0a1a0a0000000d';
    expect(mediaTypeOf(png)).to.equal('image/png');
    expect(isPicture(mediaTypeOf(png))).to.equal(true);
    expect(bytesText(png)).to.equal('image/png, 12 bytes');
    expect(mediaTypeOf('\\x255044462d312e37')).to.equal('application/pdf');
    expect(bytesText('\\x00ff')).to.equal('2 bytes');
    expect([999, 1000, 12_345, 1_234_567].map(sizeText)).to.deep.equal([
      ...['999 bytes', '1 kB', '12.3 kB', '1.23 MB'],
    ]);
  });
});
