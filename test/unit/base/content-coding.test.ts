import { expect } from 'chai';
import { acceptedCoding } from '../../../src/base/content-coding.js';

describe('the content coding of a response', () => {
  const cases: readonly (readonly [header: string | undefined, coding: 'br' | 'gzip' | null])[] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', null],
    ['gzip;q=nonsense', null],
  ];
  for (const [header, coding] of cases)
    it(`is ${coding ?? 'none'} for ${header ?? 'a request without Accept-Encoding'}`, () => {
      expect(acceptedCoding(header, ['br', 'gzip'])).to.equal(coding);
    });
});
