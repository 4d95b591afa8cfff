import { expect } from 'chai';
import { exactJsonIn, hasRoundedNumber } from '../../../src/base/json.js';

describe('the value of JSON with long numbers', () => {
  it('has them as texts, and all else as it is', () => {
    const text = String.raw`{"id":9007199254740993,"a":[-12345678901234567.89,1,-2.5,true,null],"e":1E+400,"9007199254740993":"\"9007199254740993","c":"\\","ü":"ß"}`;
    expect(exactJsonIn(text)).to.deep.equal({
      id: '9007199254740993',
      a: ['-12345678901234567.89', 1, -2.5, true, null],
      e: '1E+400',
      '9007199254740993': '"9007199254740993',
      c: '\\',
      ü: 'ß',
    });
    expect(exactJsonIn('9007199254740993')).to.equal('9007199254740993');
    expect(exactJsonIn('[1,2]')).to.deep.equal([1, 2]);
    expect(exactJsonIn('[9007199254740993')).to.equal(undefined);
  });
});

describe('a number that JavaScript rounds', () => {
  const isFound = (json: string): boolean => hasRoundedNumber(Buffer.from(json));

  it('is found, except in strings', () => {
    for (const number of [
      '9007199254740993',
      '-9007199254740993',
      '12345678901234567890',
      '0.1234567890123456789',
      '1e400',
      '-1E-400',
      `1${'0'.repeat(400)}`,
    ]) {
      expect(isFound(number), number).to.equal(true);
      expect(isFound(`{"a":["\\"",${number}]}`), number).to.equal(true);
      expect(isFound(`{"${number}":"\\"${number}"}`), number).to.equal(false);
    }
  });

  it('is not one that has the same digits behind zeros, or with an exponent', () => {
    for (const number of [
      '0',
      '-0',
      '1.50',
      '9007199254740992',
      '0.30000000000000004',
      '1000000000000000000000000',
      '1.0000000000000000000000',
      '0.0000000000000000000001',
      '3.3333333333333334e-08',
      '5e-324',
      '0e99',
      '1.50e1',
    ])
      expect(isFound(number), number).to.equal(false);
  });
});
