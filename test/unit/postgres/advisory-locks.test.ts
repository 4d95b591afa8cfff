import { expect } from 'chai';
import { sourceTexts } from '../../support/source-files.js';

const NUMBER = /\b(5_?347_?1\d\d)\b/g;
/** The locks of this file are in a database of their own. */
const ELSEWHERE = /\/start-embedded\.ts$/;

describe('the advisory locks of the database', () => {
  it('have a number each, so that no work waits for other work', () => {
    const numbers = sourceTexts()
      .filter(([path]) => !ELSEWHERE.test(path))
      .flatMap(([, text]) => [...text.matchAll(NUMBER)])
      .map(([, number = '']) => Number(number.replaceAll('_', '')));
    expect(numbers).to.include.members([5347114, 5347116, 5347118, 5347124, 5347125]);
    expect([...new Set(numbers)]).to.deep.equal(numbers);
  });
});
