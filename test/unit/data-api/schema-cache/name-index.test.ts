import { expect } from 'chai';
import fc from 'fast-check';
import { findSimilar, findSimilarAmong } from '../../../../src/data-api/schema-cache/name-index.js';

const NAMES = ['films', 'film_list', 'reviews', 'translations', 'countries', 'Größen'];

describe('name-index', () => {
  it('finds the most similar name for a misspelled one', () => {
    expect(findSimilarAmong(NAMES, 'film')?.name).to.equal('films');
    expect(findSimilarAmong(NAMES, 'transaltions')?.name).to.equal('translations');
    expect(findSimilarAmong(NAMES, 'countrymen')?.name).to.equal('countries');
    expect(findSimilarAmong(NAMES, 'größe')?.name).to.equal('Größen');
  });

  it('gives 1 to the same name in any case', () => {
    expect(findSimilarAmong(NAMES, 'FILMS')).to.deep.equal({ name: 'films', value: true, score: 1 });
  });

  it('returns nothing if no name is similar', () => {
    for (const word of ['qqqq', '', '-', '\u0000', '🦊', 'x'.repeat(300)]) {
      expect(findSimilarAmong(NAMES, word), word).to.equal(null);
    }
    expect(findSimilarAmong([], 'films')).to.equal(null);
  });

  it('never returns a name that the filter excludes', () => {
    const names = new Map(NAMES.map((name) => [name, name.length] as const));
    expect(findSimilar(names, 'film', (_, name) => name !== 'films')).to.deep.include({
      name: 'film_list',
      value: 9,
    });
    expect(findSimilar(names, 'films', (length) => length > 9)).to.equal(null);
  });

  it('searches beyond the nearest fifty names if these are excluded', () => {
    const names = Array.from({ length: 200 }, (_, at) => `secret_plan_${at}`).concat('secret_garden');
    const values = new Map(names.map((name) => [name, true]));
    const match = findSimilar(values, 'secret_plan', (_, name) => name === 'secret_garden');
    expect(match?.name).to.equal('secret_garden');
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
