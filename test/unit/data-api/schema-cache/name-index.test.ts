import { expect } from 'chai';
import fc from 'fast-check';
import {
  buildNameIndex,
  findSimilar,
  findSimilarAmong,
} from '../../../../src/data-api/schema-cache/name-index.js';
import { runAtOnce } from '../../../../src/base/turns.js';

const NAMES = ['films', 'film_list', 'reviews', 'translations', 'countries', 'Größen'];

describe('name-index', () => {
  it('finds the most similar name for a misspelled one', () => {
    expect(findSimilarAmong(NAMES, 'film')?.name).to.equal('films');
    expect(findSimilarAmong(NAMES, 'transaltions')?.name).to.equal('translations');
    expect(findSimilarAmong(NAMES, 'countrymen')?.name).to.equal('countries');
    expect(findSimilarAmong(NAMES, 'größe')?.name).to.equal('Größen');
  });

  it('gives 1 to the same name in any case', () => {
    expect(findSimilarAmong(NAMES, 'FILMS')).to.deep.equal({ name: 'films', value: null, score: 1 });
  });

  it('returns nothing if no name is similar', () => {
    for (const word of ['qqqq', '', '-', '\u0000', '🦊', 'x'.repeat(300)]) {
      expect(findSimilarAmong(NAMES, word), word).to.equal(null);
    }
    expect(findSimilarAmong([], 'films')).to.equal(null);
  });

  it('never returns a name that the filter excludes', () => {
    const index = runAtOnce(buildNameIndex(NAMES.map((name) => [name, name] as const)));
    expect(findSimilar(index, 'film', ({ value }) => value !== 'films')?.name).to.equal('film_list');
    expect(findSimilar(index, 'films', ({ value }) => !value.startsWith('film'))).to.equal(null);
  });

  it('searches beyond the nearest fifty names if these are excluded', () => {
    const names = Array.from({ length: 200 }, (_, at) => `secret_plan_${at}`).concat('secret_garden');
    const index = runAtOnce(buildNameIndex(names.map((name) => [name, null] as const)));
    expect(findSimilar(index, 'secret_plan', ({ name }) => name === 'secret_garden')?.name).to.equal(
      'secret_garden',
    );
  });

  it('finds every name by itself', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1 }), (names) => {
        for (const name of names) expect(findSimilarAmong(names, name)?.score).to.equal(1);
      }),
    );
  });

  it('gives scores between the minimum and 1 for all words', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string({ unit: 'binary' }), (names, word) => {
        const match = findSimilarAmong(names, word);
        if (match !== null) expect(match.score).to.be.within(0.33, 1);
      }),
    );
  });
});
