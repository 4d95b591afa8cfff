import { expect } from 'chai';
import { planFacts, type PlanFacts } from '../../../src/live/plan-facts.js';
import { FILM_CACHE } from '../../support/data-api/film-cache.js';
import { planOf } from '../../support/data-api/planned.js';

function factsOf(line: string, values: readonly string[] = [], headers = {}): PlanFacts {
  const plan = planOf(line, { headers });
  if (plan.kind !== 'read' && plan.kind !== 'call') throw new Error('no live plan');
  return planFacts(plan, values, FILM_CACHE);
}

const FILMS = { schema: 'api', name: 'films' };

describe('facts of a plan', () => {
  it('have the demand, and the key that the body shows', () => {
    expect(factsOf('GET /films?select=id,title&director_id=eq.7', ['7'])).to.deep.equal({
      relations: [FILMS],
      functions: [],
      rows: { table: FILMS, keyNames: ['id'], key: ['id'], demand: { column: 'director_id', value: '7' } },
      readsClock: false,
    });
    expect(factsOf('GET /films?select=number:id,title').rows?.keyNames).to.deep.equal(['number']);
    expect(factsOf('GET /roles?select=part,person_id,film_id').rows?.keyNames).to.deep.equal([
      'film_id',
      'person_id',
    ]);
  });

  it('have no key that the body lacks, casts, or shows under a name of another value', () => {
    for (const query of [
      'select=title',
      'select=id::text',
      'select=id,id:title',
      'select=*,id:people!director_id(name)',
      'select=*,...people!director_id(name)',
      'select=count()',
    ])
      expect(factsOf(`GET /films?${query}`).rows?.keyNames ?? null, query).to.equal(null);
  });

  it('have no key by which rows are found where a row outside of the body counts', () => {
    const shifted = [
      factsOf('GET /films?offset=5', ['5']),
      factsOf('GET /films', [], { prefer: 'count=exact' }),
    ];
    for (const { rows } of shifted) {
      expect(rows?.keyNames).to.deep.equal(['id']);
      expect(rows?.key).to.equal(null);
    }
    expect(factsOf('GET /films?limit=5').rows?.key).to.deep.equal(['id']);
  });

  it('have no demand but that of an exact text in a column itself', () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['year=eq.07', ['07']],
      ['year=eq.+7', ['+7']],
      ['year=gt.7', ['7']],
      ['year=not.eq.7', ['7']],
      ['year=eq(any).{7}', ['{7}']],
      ['details->>year=eq.7', ['7']],
      ['poster=eq.red', ['red']],
      ['or=(year.eq.7,id.eq.1)', ['7', '1']],
    ];
    for (const [query, values] of cases)
      expect(factsOf(`GET /films?${query}`, values).rows?.demand, query).to.equal(null);
    expect(factsOf('GET /films?year=gt.3&title=eq.Sun', ['3', 'Sun']).rows?.demand).to.deep.equal({
      column: 'title',
      value: 'Sun',
    });
  });

  it('name everything that is read', () => {
    const facts = factsOf('GET /films?select=id,people!roles(name),headliner(name)&poster=eq.red', ['red']);
    expect(facts.relations).to.deep.equal([
      FILMS,
      { schema: 'api', name: 'roles' },
      { schema: 'api', name: 'people' },
      { schema: 'api', name: 'people' },
    ]);
    expect(facts.functions).to.deep.include({ schema: 'api', name: 'headliner' });
    expect(facts.functions).to.deep.include({ schema: 'api', name: 'colour_from_text' });
  });

  it('have no rows of a view', () => {
    expect(factsOf('GET /film_list').rows).to.equal(null);
  });

  it('tell words that PostgreSQL reads as moments', () => {
    expect(factsOf('GET /films?title=eq.now', ['now']).readsClock).to.equal(true);
    expect(factsOf('GET /films?title=in.(a,Today)', ['(a,Today)']).readsClock).to.equal(true);
    expect(factsOf('GET /films?title=eq.nowhere', ['nowhere']).readsClock).to.equal(false);
  });
});
