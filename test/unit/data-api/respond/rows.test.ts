import { expect } from 'chai';
import { readPairs } from '../../../../src/data-api/request/query-string.js';
import { bytesOfHex } from '../../../../src/data-api/respond/reply-headers.js';
import {
  contentLocation,
  rowLocation,
  rangeHeaders,
  rangeStatus,
} from '../../../../src/data-api/respond/respond.js';

import { DbrError } from '../../../../src/errors/dbr-error.js';

describe('Content-Range', () => {
  for (const [offset, count, total, expected] of [
    [0n, 5, null, '0-4/*'],
    [10n, 5, 20n, '10-14/20'],
    [0n, 0, null, '*/*'],
    [0n, 0, 0n, '*/0'],
    [5n, 0, 5n, '*/5'],
    [9_007_199_254_740_993n, 1, null, '9007199254740993-9007199254740993/*'],
  ] as const) {
    it(`says ${expected}`, () => {
      expect(rangeHeaders({ offset, count, total })).to.deep.equal([
        ['Content-Range', expected],
        ['Range-Unit', 'items'],
      ]);
    });
  }

  it('is 200 for all rows or without a total, 206 for a part', () => {
    expect(rangeStatus({ offset: 3n, count: 0, total: null }, [])).to.equal(200);
    expect(rangeStatus({ offset: 0n, count: 3, total: 3n }, [])).to.equal(200);
    expect(rangeStatus({ offset: 0n, count: 0, total: 0n }, [])).to.equal(200);
    expect(rangeStatus({ offset: 0n, count: 2, total: 3n }, [])).to.equal(206);
    expect(rangeStatus({ offset: 3n, count: 0, total: 3n }, [])).to.equal(206);
  });

  it('is 416 for an offset beyond the last row, with the total', () => {
    try {
      rangeStatus({ offset: 4n, count: 0, total: 3n }, [['Content-Range', '*/3']]);
      expect.fail('not refused');
    } catch (error) {
      if (!(error instanceof DbrError)) throw error;
      expect(error.status).to.equal(416);
      expect(error.details).to.equal('An offset of 4 was requested, but there are only 3 rows.');
      expect(error.headers).to.deep.equal({ 'Content-Range': '*/3' });
    }
  });
});

describe('locations', () => {
  it('have the canonical spelling of the query', () => {
    const pairs = readPairs('b=eq.1&a=in.(1,2)&a=gt.0&c') ?? [];
    expect(contentLocation('/the%20films', pairs)).to.deep.equal([
      'Content-Location',
      '/the%20films?a=in.%281%2C2%29,gt.0&b=eq.1&c=',
    ]);
    expect(contentLocation('/rest/v1/films', [])).to.deep.equal(['Content-Location', '/rest/v1/films']);
  });

  it('have each byte of UTF-8 encoded as a character', () => {
    const location = (query: string): string => contentLocation('/f', readPairs(query) ?? [])[1];
    expect(location('a=%C3%A9')).to.equal('/f?a=%C3%83%C2%A9');
    expect(location('%C3%A9=a&b')).to.equal('/f?b=&%C3%83%C2%A9=a');
    expect(location('%C3%A9&%C3%A9=%C3%A9')).to.equal('/f?%C3%83%C2%A9=,%C3%83%C2%A9');
    expect(location('a=%7F')).to.equal('/f?a=%7F');
  });

  it('identify a row by its key', () => {
    expect(rowLocation('/films', ['a b', 'c'], ['x&y', null])).to.deep.equal([
      'Location',
      '/films?a%20b=eq.x%26y&c=is.null',
    ]);
  });
});

describe('bytes from hexadecimal digits', () => {
  it('are complete for every division of the digits', () => {
    const digits = '00ff10fe';
    for (let at = 0; at <= digits.length; at += 1) {
      const pieces = [Buffer.from(digits.slice(0, at)), Buffer.from(digits.slice(at))];
      expect(Buffer.concat(bytesOfHex(pieces)).toString('hex'), String(at)).to.equal(digits);
    }
    expect(Buffer.concat(bytesOfHex([])).length).to.equal(0);
  });
});
