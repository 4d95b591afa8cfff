import { expect } from 'chai';
import fc from 'fast-check';
import { PostgresError } from '../../../../src/postgres/postgres-error.js';
import { rowsOf, statementOf } from '../../../support/data-api/planned.js';
import { runs } from '../../../support/runs.js';

const castIn = (type: string): string =>
  rowsOf(`GET /films?select=a:id::${encodeURIComponent(type)}`)
    .replace('select cast("films"."id" as ', '')
    .replace(/\) as "a"\n.*/s, '');

describe('casts', () => {
  for (const [type, sql] of [
    ['text', 'pg_catalog."text"'],
    ['TEXT', 'pg_catalog."text"'],
    ['json ', 'pg_catalog."json"'],
    ['_text', 'pg_catalog."_text"'],
    ['int', 'int'],
    ['double  Precision', 'double precision'],
    ['char', 'char'],
    ['timestamp with time zone', 'timestamp with time zone'],
    ['mood', '"mood"'],
    ['Mood', '"mood"'],
  ] as const) {
    it(`name the type ${type} as ${sql}`, () => {
      expect(castIn(type)).to.equal(sql);
    });
  }

  const PLACES: readonly ((type: string) => string)[] = [
    (type) => `GET /films?select=id::${type}`,
    (type) => `HEAD /films?select=id::${type}`,
    (type) => `GET /films?select=details->a::${type}`,
    (type) => `GET /films?select=id::${type}.max()`,
    (type) => `GET /films?select=id.max()::${type}`,
    (type) => `GET /films?select=n:count()::${type}`,
    (type) => `GET /films?select=id,specs(aspect::${type})`,
    (type) => `GET /specs?select=aspect,...films(id::${type})`,
    (type) => `GET /specs?select=aspect,...films(id.max()::${type})`,
    (type) => `GET /nowhere?select=id::${type}`,
    (type) => `GET /rpc/films_since?since=1&select=id::${type}`,
    (type) => `GET /rpc/add?a=1&select=pgrst_scalar::${type}`,
    (type) => `GET /film_list?select=tableoid::${type}`,
  ];

  const refusalOf = (line: string): unknown => {
    try {
      return statementOf(line).text;
    } catch (error) {
      return error;
    }
  };

  it('to unknown types and to types that look names up never become SQL', () => {
    for (const type of [
      'regclass',
      'regrole',
      'REGROLE',
      '_regclass',
      'aclitem',
      'nonsense',
      '$$',
      '1',
      'films',
    ])
      for (const place of PLACES) {
        const refusal = refusalOf(place(type));
        expect(refusal, place(type)).to.be.instanceOf(PostgresError);
        if (!(refusal instanceof PostgresError)) continue;
        const { code, message } = refusal.fields;
        expect({ code, message }).to.deep.equal({ code: '42704', message: `type "${type}" does not exist` });
      }
  });

  it('return the table of a row by regclass, and no other value of that type', () => {
    expect(statementOf('GET /films?select=tableoid::regclass').text).to.contain(
      'cast("films"."tableoid" as pg_catalog.regclass)',
    );
    for (const item of ['tableoid->a::regclass', 'tableoid.max()::regclass', 'a:id::regclass'])
      expect(refusalOf(`GET /films?select=${item}`), item).to.be.instanceOf(PostgresError);
  });

  it('contain only known spellings and quoted names, for any request', () => {
    const letters = fc.constantFrom(...'abgrlsx_ $019AZé');
    const word = fc.array(letters, { minLength: 1, maxLength: 12 }).map((all) => all.join(''));
    const type = fc.oneof(word, fc.constantFrom('text', 'int', 'mood', 'regclass', ' regclass', 'reg class'));
    fc.assert(
      fc.property(type, (name) => {
        const sql = refusalOf(`GET /films?select=a:id::${encodeURIComponent(name)}`);
        if (sql instanceof Error) return;
        expect(/cast\("films"."id" as ([^)]*)\) as "a"/.exec(String(sql))?.[1]).to.match(
          /^(?:int|pg_catalog\."(?:text|int4|json|_text)"|"mood")$/,
        );
      }),
      { numRuns: runs(500, 125) },
    );
  });
});
