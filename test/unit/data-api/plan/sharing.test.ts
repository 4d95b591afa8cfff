import { expect } from 'chai';
import type { Sharing } from '../../../../src/data-api/plan/sharing.js';
import type { ColumnType } from '../../../../src/data-api/schema-cache/types.js';
import { FILM_CACHE } from '../../../support/data-api/film-cache.js';
import { planOf, type RequestParts } from '../../../support/data-api/planned.js';

function sharingOf(line: string, parts: RequestParts = {}): Sharing | null {
  const plan = planOf(line, parts);
  if (plan.kind !== 'read') throw new Error('the plan is no read');
  return plan.sharing;
}

const tablesOf = (line: string, parts?: RequestParts): readonly string[] | undefined =>
  sharingOf(line, parts)?.relations.map(({ name }) => name);

describe('sharing of reads', () => {
  it('reads columns of tables alone', () => {
    expect(tablesOf('GET /films?select=id,title&year=gt.1990&order=year.desc&limit=20')).to.deep.equal([
      'films',
    ]);
    expect(tablesOf('HEAD /people?id=in.(1,2)')).to.deep.equal(['people']);
    expect(tablesOf('GET /people', { headers: { prefer: 'count=exact' } })).to.deep.equal(['people']);
  });

  it('names the tables of embeds, and those of junctions', () => {
    expect(tablesOf('GET /films?select=id,specs(*)')).to.deep.equal(['films', 'specs']);
    expect(tablesOf('GET /films?select=id,people!roles(name)')).to.have.members(['films', 'people', 'roles']);
  });

  it('excludes what calls functions, and views', () => {
    for (const line of [
      'GET /film_list?id=eq.1',
      'GET /films?select=poster',
      'GET /films?select=id::text',
      'GET /films?select=id,nothing',
      'GET /films?select=id&order=nothing',
      'GET /films?select=id&nothing=eq.a',
      'GET /films?select=id&poster=eq.a',
      'GET /films?select=id,headliner(id)',
      'GET /nowhere',
      'GET /films?select=year,id.count()',
    ])
      expect(sharingOf(line), line).to.equal(null);
  });

  it('excludes what operators or casts of the schema may compute: enums, filters on domains, links of domains', () => {
    const typed = (column: string, type: Partial<ColumnType>) => {
      const tables = new Map(FILM_CACHE.tables.get('api'));
      const films = tables.get('films');
      const own = films?.columns.get(column);
      if (films === undefined || own === undefined) throw new Error('no such column');
      const columns = new Map(films.columns).set(column, { ...own, type: { ...own.type, ...type } });
      tables.set('films', { ...films, columns });
      return { context: { cache: { ...FILM_CACHE, tables: new Map([['api', tables]]) } } };
    };
    const isEnum = typed('title', { baseName: 'api.mood', plainName: 'api.mood', enumLabels: ['glad'] });
    expect(sharingOf('GET /films?select=id', isEnum)).not.to.equal(null);
    expect(sharingOf('GET /films?select=title', isEnum)).to.equal(null);
    expect(sharingOf('GET /films?select=id&title=eq.glad', isEnum)).to.equal(null);
    const isDomain = typed('id', { plainName: 'api.key', isDomain: true });
    expect(sharingOf('GET /films?select=id', isDomain)).not.to.equal(null);
    expect(sharingOf('GET /films?select=id&id=eq.7', isDomain)).to.equal(null);
    expect(sharingOf('GET /films?select=id,specs(*)', isDomain)).to.equal(null);
    expect(sharingOf('GET /films?select=id,people!roles(name)', isDomain)).to.equal(null);
  });

  it('excludes estimates, plans and streams', () => {
    expect(sharingOf('GET /people', { headers: { prefer: 'count=planned' } })).to.equal(null);
    const plan = { headers: { accept: 'application/vnd.pgrst.plan' }, context: { planEnabled: true } };
    expect(sharingOf('GET /people', plan)).to.equal(null);
  });
});

describe('lookups', () => {
  const keysOf = (line: string, parts?: RequestParts): readonly string[] | undefined =>
    sharingOf(line, parts)?.lookup?.keys.map(({ type }) => type);

  it('are reads of one row by its primary key', () => {
    expect(keysOf('GET /people?id=eq.7')).to.deep.equal(['int4']);
    expect(keysOf('GET /films?id=eq.7&title=eq.A&limit=1&select=title')).to.deep.equal(['int4', 'text']);
    expect(
      keysOf('GET /people?id=eq.7', { headers: { accept: 'application/vnd.pgrst.object+json' } }),
    ).to.deep.equal(['int4']);
  });

  it('are no other reads', () => {
    for (const line of [
      'GET /people?id=gt.7',
      'GET /people?id=not.eq.7',
      'GET /people?id=eq(any).{7}',
      'GET /people?name=eq.A',
      'GET /people?id=eq.7&name=gt.A',
      'GET /people?id=eq.7&country=eq.AT',
      'GET /people?id=eq.7&order=id',
      'GET /people?id=eq.7&limit=0',
      'GET /people?id=eq.7&offset=1',
      'GET /films?id=eq.7&select=id,specs(*)',
      'GET /notes?line=eq.7',
      'HEAD /people?id=eq.7',
    ]) {
      const sharing = sharingOf(line);
      expect(sharing, line).not.to.equal(null);
      expect(sharing?.lookup, line).to.equal(null);
    }
    expect(keysOf('GET /people?id=eq.7', { headers: { prefer: 'count=exact' } })).to.equal(undefined);
  });
});
