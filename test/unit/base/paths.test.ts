import { expect } from 'chai';
import { isPathPrefix, pathBelow } from '../../../src/base/paths.js';

describe('the prefix of paths', () => {
  it('is a path of plain segments outside of the paths of areas A and B', () => {
    for (const prefix of ['/rest', '/rest/v1', '/api', '/api/v2', '/a.b/c-d/~e_f', '/accounts-of-old'])
      expect(isPathPrefix(prefix), prefix).to.equal(true);
    const refused = [
      '',
      '/',
      'rest',
      '/rest/',
      '//rest',
      '/rest//v1',
      '/rest v1',
      '/rest%20v1',
      '/rest?a',
      '/..',
      '/rest/./v1',
      '/api/v1',
      '/api/v1/rest',
      '/accounts',
      '/accounts/rest',
    ];
    for (const prefix of refused) expect(isPathPrefix(prefix), prefix).to.equal(false);
  });

  it('is removed from the paths below it', () => {
    const cases: readonly (readonly [string, string, string | null])[] = [
      ['', '/films', '/films'],
      ['', '', ''],
      ['/rest/v1', '/rest/v1', '/'],
      ['/rest/v1', '/rest/v1/', '/'],
      ['/rest/v1', '/rest/v1/films', '/films'],
      ['/rest/v1', '/rest/v1/rpc/f', '/rpc/f'],
      ['/rest/v1', '/rest/v1films', null],
      ['/rest/v1', '/rest', null],
      ['/rest/v1', '/films', null],
    ];
    for (const [prefix, path, below] of cases) expect(pathBelow(prefix, path), path).to.equal(below);
  });
});
