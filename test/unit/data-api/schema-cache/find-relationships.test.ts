import { expect } from 'chai';
import { findRelationships } from '../../../../src/data-api/schema-cache/relationships.js';
import { derive, lines, type Described } from '../../../support/data-api/catalogue-rows.js';
import { cacheOf } from '../../../support/data-api/cache-of.js';

const PEOPLE: Described = {
  oid: 1,
  name: 'people',
  columns: ['id', 'mentor_id', 'spouse_id'],
  constraints: [
    ['p', [1]],
    ['f', [2], 'mentor', 1, [1]],
  ],
};
const FILMS: Described = {
  oid: 2,
  name: 'films',
  columns: ['id', 'director_id', 'producer_id'],
  constraints: [
    ['p', [1]],
    ['f', [2], 'director', 1, [1]],
    ['f', [3], 'producer', 1, [1]],
  ],
};
const CREDITS: Described = {
  oid: 3,
  name: 'credits',
  columns: ['film_id', 'person_id'],
  constraints: [
    ['p', [1, 2]],
    ['f', [1], 'credits_film', 2, [1]],
    ['f', [2], 'credits_person', 1, [1]],
  ],
};
const FACES: Described = { oid: 4, name: 'faces', columns: ['id'], shows: [[1, 1]] };
const BEST = {
  schema: 'public',
  name: 'best',
  relation: 1,
  gives: 2,
  type: 'films',
  many: false,
  single: true,
  alone: true,
  heirs: [],
};

const cache = cacheOf({ relationships: derive([PEOPLE, FILMS, CREDITS, FACES], [BEST]) });

const search = (source: string, target: string, hint: string | null = null): string[] =>
  lines(findRelationships(cache, { schema: 'public', name: source }, target, hint));

describe('findRelationships', () => {
  it('finds by the name of the relation', () => {
    expect(search('credits', 'films')).to.deep.equal(['many-to-one films credits_film film_id=id']);
    expect(search('films', 'people')).to.have.length(3);
  });

  it('finds by constraint and by single column', () => {
    expect(search('films', 'director')).to.deep.equal(['many-to-one people director director_id=id']);
    expect(search('films', 'director_id')).to.deep.equal(['many-to-one people director director_id=id']);
  });

  it('does not find a view by constraint or column', () => {
    expect(search('films', 'faces')).to.have.length(3);
    expect(search('films', 'director').join()).not.to.contain('faces');
  });

  it('narrows by constraint, own column, their column or junction', () => {
    expect(search('films', 'people', 'director')).to.deep.equal([
      'many-to-one people director director_id=id',
    ]);
    expect(search('films', 'people', 'producer_id')).to.deep.equal([
      'many-to-one people producer producer_id=id',
    ]);
    expect(search('people', 'films', 'producer_id')).to.deep.equal([
      'one-to-many films producer id=producer_id',
    ]);
    expect(search('films', 'people', 'id')).to.have.length(2);
    expect(search('films', 'people', 'credits')).to.deep.equal([
      'many-to-many people by credits id=film_id person_id=id',
    ]);
    expect(search('films', 'faces', 'director')).to.deep.equal(['many-to-one faces director director_id=id']);
  });

  it('requires the name of the relation if there is a hint', () => {
    expect(search('films', 'director', 'director')).to.deep.equal([]);
    expect(search('films', 'people', 'nope')).to.deep.equal([]);
  });

  it('finds the to-many side of a self-reference by the relation, and the to-one side by the column', () => {
    expect(search('people', 'people')).to.deep.equal(['one-to-many people mentor id=mentor_id']);
    expect(search('people', 'people', 'mentor_id')).to.deep.equal(['one-to-many people mentor id=mentor_id']);
    expect(search('people', 'mentor_id')).to.deep.equal(['many-to-one people mentor mentor_id=id']);
    expect(search('people', 'people', 'mentor')).to.deep.equal([]);
    expect(search('people', 'mentor')).to.deep.equal([]);
  });

  it('finds computed ones by the name of the function', () => {
    expect(search('people', 'best')).to.deep.equal(['to-one films best()']);
  });

  it('returns nothing for unknown names, including those of object properties', () => {
    for (const name of ['nope', '', '__proto__', 'constructor', 'toString']) {
      expect(search('films', name)).to.deep.equal([]);
      expect(search(name, 'films')).to.deep.equal([]);
    }
  });
});
