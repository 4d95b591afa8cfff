import { expect } from 'chai';
import fc from 'fast-check';
import { quoteIdentifier } from '../../../../src/postgres/sql.js';
import { TABLES } from '../../../support/data-api/film-cache.js';
import { statementOf, type RequestParts } from '../../../support/data-api/planned.js';
import { runs } from '../../../support/runs.js';

/** A name in double quotes, as the query string takes any text. */
const quoted = (name: string): string => encodeURIComponent(`"${name.replaceAll(/["\\]/g, '\\$&')}"`);

const names = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((name) => !name.includes('\0'));

/** As many as columns of the statement, which lists each once. */
const distinctNames = fc
  .tuple(names, names, names, names)
  .filter((four) => new Set(four).size === four.length);

/** Returns a statement without its quoted names and parameters. */
const withoutNames = (text: string): string =>
  text.replaceAll(/"(?:[^"]|"")*"/g, '').replaceAll(/\$\d+/g, '');

interface Place {
  readonly line: (name: string) => string;
  readonly source: string;
  readonly parts?: RequestParts;
}

const FILMS = '"api"."films"';
const JSON_BODY = { 'content-type': 'application/json', prefer: 'return=representation' };
const onFilms = (line: (name: string) => string, parts: RequestParts = {}): Place => ({
  line,
  source: FILMS,
  parts,
});

/** Requests with the name in every place where a request can name a field. */
const PLACES: readonly Place[] = [
  onFilms((name) => `GET /films?select=${name}`),
  onFilms((name) => `GET /films?select=a:${name}::text`),
  onFilms((name) => `GET /films?select=${name}.sum(),year`),
  onFilms((name) => `GET /films?select=${name}->a->>b`),
  onFilms((name) => `GET /films?${name}=eq.1`),
  onFilms((name) => `GET /films?${name}=in.(1,2)`),
  onFilms((name) => `GET /films?${name}->>a=is.null`),
  onFilms((name) => `GET /films?order=${name}.desc`),
  onFilms((name) => `GET /films?or=(id.eq.1,not.and(year.eq.1,${name}.fts.a))`),
  onFilms((name) => `GET /films?${name}=eq.1`, { headers: { prefer: 'count=exact' } }),
  onFilms((name) => `HEAD /films?${name}=eq.1`),
  onFilms((name) => `GET /people?select=id,films!films_director_fk(${name})`),
  onFilms((name) => `GET /people?select=id,f:films!films_director_fk!inner(id)&f.${name}=eq.1`),
  onFilms((name) => `GET /people?select=id,f:films!films_director_fk(id)&f.order=${name}`),
  onFilms((name) => `GET /specs?select=aspect,...films(${name})`),
  onFilms((name) => `GET /specs?select=aspect,...films(${name}.max())`),
  onFilms((name) => `GET /specs?select=aspect,films(id)&order=films(${name})`),
  onFilms((name) => `POST /films?select=${name}`, { headers: JSON_BODY, body: '{"id":1}' }),
  onFilms((name) => `PATCH /films?${name}=eq.1`, { headers: JSON_BODY, body: '{"year":1}' }),
  onFilms((name) => `PATCH /films?limit=1&order=${name}`, { headers: JSON_BODY, body: '{"year":1}' }),
  onFilms((name) => `DELETE /films?or=(${name}.eq.1,id.eq.2)&select=id`, { headers: JSON_BODY }),
  onFilms((name) => `DELETE /films?id=eq.2&select=${name}`, { headers: JSON_BODY }),
  { line: (name) => `GET /nowhere?select=${name}`, source: '"api"."nowhere"' },
  { line: (name) => `GET /rpc/films_since?since=1&select=${name}`, source: '(' },
  { line: (name) => `GET /rpc/films_since?since=1&order=${name}`, source: '(' },
  { line: (name) => `GET /rpc/add?a=1&select=${name}`, source: '(' },
  {
    line: (name) => `POST /rpc/new_films?select=${name}`,
    source: '"rows"',
    parts: { headers: { ...JSON_BODY, prefer: 'count=exact' }, body: '{"titles":[]}' },
  },
];

/** Names that some relation or function of the cache has, and the one that stands for counting. */
const KNOWN: ReadonlySet<string> = new Set([
  ...TABLES.flatMap((table) => [...table.columns.keys()]),
  'count',
  'pgrst_scalar',
]);

describe('names and values of requests in SQL', () => {
  it('stay within their quotes for any text', () => {
    const plain = withoutNames(statementOf('GET /notes?select=b:a&c=eq.1&order=d').text);
    fc.assert(
      fc.property(distinctNames, ([alias, column, filtered, ordered]) => {
        const select = `${quoted(alias)}:${quoted(column)}`;
        const { text } = statementOf(
          `GET /notes?select=${select}&${quoted(filtered)}=eq.1&order=${quoted(ordered)}`,
        );
        expect(withoutNames(text)).to.equal(plain);
        for (const name of [alias, column, filtered, ordered]) expect(text).to.contain(quoteIdentifier(name));
      }),
      { numRuns: runs(300, 75) },
    );
  });

  it('never make a value part of the text', () => {
    const { text } = statementOf('GET /notes?a=eq.1&b=in.(1,2)&c=like.x&d=fts.x');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (value) => {
        const encoded = encodeURIComponent(value);
        const listed = encodeURIComponent(`"${value.replaceAll(/["\\]/g, '\\$&')}"`);
        const other = statementOf(
          `GET /notes?a=eq.${encoded}&b=in.(${listed})&c=like.${encoded}&d=fts.${encoded}`,
        );
        expect(other.text).to.equal(text);
      }),
      { numRuns: runs(300, 75) },
    );
  });

  it('are checked to be columns, unless the schema cache contains them', () => {
    const strange = names.filter((name) => !KNOWN.has(name));
    fc.assert(
      fc.property(fc.constantFrom(...PLACES), strange, (place, name) => {
        const { text } = statementOf(place.line(quoted(name)), place.parts);
        // An unqualified name in a derived table with one source is neither a call nor a column of another table.
        const [, ...assumed] = text.split('\n  left join (\n    select ');
        expect(assumed, text).to.have.length(1);
        expect(assumed[0]?.startsWith(`${quoteIdentifier(name)}\n      from ${place.source}`), text).to.equal(
          true,
        );
        expect(text.endsWith('\n     where false\n  ) as "assumed_0" on false'), text).to.equal(true);
        expect(text).not.to.contain(`from ${place.source} as ${quoteIdentifier(name)}\n     where false`);
      }),
      { numRuns: runs(500, 125) },
    );
  });

  it('are not checked if the schema cache contains them', () => {
    for (const line of [
      'GET /films?select=id,title,people!films_director_fk(name)&year=gt.1&order=details->a',
      'GET /films?select=count',
      'GET /rpc/films_since?since=1&select=id&title=eq.a',
      'GET /rpc/add?a=1&select=pgrst_scalar',
    ])
      expect(statementOf(line).text).not.to.contain('assumed');
  });

  it('keep their line ends', () => {
    const { text } = statementOf(`GET /films?select=id,${quoted('a\n  b')}:specs(${quoted('c\n d')}:aspect)`);
    expect(text).to.contain('"a\n  b"');
    expect(text).to.contain('"c\n d"');
  });
});
