import { expect } from 'chai';
import { cookiesJson, headersJson } from '../../../../src/data-api/request/headers.js';
import {
  bodyFormOf,
  isAccepted,
  parameterTypesOf,
  readAccept,
  readContentType,
  replyFormOf,
  withCharset,
} from '../../../../src/data-api/request/media-types.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { appliedPreferences, readPreferences } from '../../../../src/data-api/request/preferences.js';

const zones = { allowTx: true, isTimezone: (name: string) => name === 'Asia/Tokyo' };
const NONE = {
  resolution: null,
  missing: null,
  return: null,
  match: null,
  params: null,
  count: null,
  tx: null,
  handling: null,
  pagination: null,
  timezone: null,
  maxAffected: null,
  maxCost: null,
  explain: false,
  stream: false,
  invalid: [],
};

describe('the headers that functions see', () => {
  it('contain each header in lower case with its last line, without cookies', () => {
    const raw = [
      'X-A',
      '1',
      'Cookie',
      'c=1',
      'x-a',
      '2',
      '__proto__',
      'p',
      'X-U',
      Buffer.from('é').toString('latin1'),
    ];
    expect(headersJson(raw)).to.equal('{"x-a":"2","__proto__":"p","x-u":"é"}');
  });

  it('contain no header for none, and values that JSON must escape', () => {
    expect(headersJson([])).to.equal('{}');
    expect(headersJson(['COOKIE', 'a=1'])).to.equal('{}');
    expect(headersJson(['a', ' !#[]~', 'b', '"', 'c', '\\', 'd', ''])).to.equal(
      '{"a":" !#[]~","b":"\\"","c":"\\\\","d":""}',
    );
    expect(headersJson(['a', '1', 'b', '2', 'A', '3', 'c', '4'])).to.equal('{"a":"3","b":"2","c":"4"}');
  });

  for (const count of [49, 50, 51, 52, 600])
    it(`contain all of ${String(count)} headers, and the last line of a repeated one`, () => {
      const names = Array.from({ length: count }, (_, index) => `X-${String(index)}`);
      const raw = ['Cookie', 'c', ...names.flatMap((name) => [name, `v ${name}`])];
      const members = names.map((name) => `"${name.toLowerCase()}":"v ${name}"`);
      expect(headersJson(raw)).to.equal(`{${members.join(',')}}`);
      expect(headersJson([...raw, 'x-0', 'last'])).to.equal(`{"x-0":"last",${members.slice(1).join(',')}}`);
    });

  it('contain names of any length', () => {
    for (const length of [63, 64, 65, 1000])
      for (const repeated of [1, 2])
        expect(headersJson(['N'.repeat(length), String(repeated)])).to.equal(
          `{"${'n'.repeat(length)}":"${String(repeated)}"}`,
        );
  });

  it('contain cookies without a name, and without a value', () => {
    expect(cookiesJson('=a; b=')).to.equal('{"":"a","b":""}');
    expect(cookiesJson('a=1;a=2')).to.equal('{"a":"2"}');
    expect(cookiesJson('')).to.equal('{}');
    expect(cookiesJson(Buffer.from('é=ü').toString('latin1'))).to.equal('{"é":"ü"}');
  });

  it('contain the values of cookies unchanged', () => {
    expect(cookiesJson('a=1; b="2"; c=d=e;; f')).to.equal('{"a":"1","b":"\\"2\\"","c":"d=e","f":""}');
    expect(cookiesJson(undefined)).to.equal('{}');
  });
});

describe('Prefer', () => {
  it('is empty without preferences', () => {
    expect(readPreferences(undefined, zones)).to.deep.equal(NONE);
    expect(readPreferences(' , ,', zones)).to.deep.equal(NONE);
  });

  it('reads every preference, the first of a kind', () => {
    const header =
      'resolution=ignore-duplicates, missing=default,return=headers-only,params=single-object,count=planned, ' +
      'count=exact,tx=rollback,handling=strict,timezone=Asia/Tokyo,max-affected=5,max-cost=700';
    expect(readPreferences(header, zones)).to.deep.equal({
      resolution: 'ignore-duplicates',
      missing: 'default',
      return: 'headers-only',
      match: null,
      params: 'single-object',
      count: 'planned',
      tx: 'rollback',
      handling: 'strict',
      pagination: null,
      timezone: 'Asia/Tokyo',
      maxAffected: 5n,
      maxCost: 700,
      explain: false,
      stream: false,
      invalid: [],
    });
  });

  it('reads explain only of a role that may ask for it', () => {
    for (const options of [zones, { ...zones, allowExplain: false }])
      expect(readPreferences('explain', options)).to.deep.equal({ ...NONE, invalid: ['explain'] });
    const allowed = { ...zones, allowExplain: true };
    expect(readPreferences('explain', allowed)).to.deep.equal({ ...NONE, explain: true });
    expect(readPreferences('stream', allowed)).to.deep.equal({ ...NONE, stream: true });
    expect(readPreferences('explained', allowed)).to.deep.equal({ ...NONE, invalid: ['explained'] });
  });

  it('reads numbers up to their digits', () => {
    const [affected, cost] = ['9'.repeat(18), '9'.repeat(13)];
    expect(readPreferences(`handling=strict,max-affected=${affected},max-cost=${cost}`, zones)).to.deep.equal(
      {
        ...NONE,
        handling: 'strict',
        maxAffected: BigInt(affected),
        maxCost: Number(cost),
      },
    );
    const longer = [`max-affected=1${affected}`, `max-cost=1${cost}`, 'max-cost=', 'max-cost=1.5'];
    expect(readPreferences(`handling=strict,${longer.join()}`, zones)).to.deep.equal({
      ...{ ...NONE, handling: 'strict', invalid: longer },
    });
    expect(readPreferences('max-cost=few,max-cost=0,max-cost=1', zones)).to.deep.equal({
      ...{ ...NONE, maxCost: 0, invalid: ['max-cost=few'] },
    });
  });

  it('lists unknown preferences as written', () => {
    const header =
      'count=none, Count=exact, wait=5, count="exact", handling=strict; x, timezone=Mars, max-affected=few, max-affected=-1, tx=maybe';
    expect(readPreferences(header, zones)).to.deep.equal({ ...NONE, invalid: header.split(', ') });
  });

  it('ignores tx if clients may not choose the end of transactions', () => {
    expect(readPreferences('tx=commit', { ...zones, allowTx: false })).to.deep.equal(NONE);
  });

  it('reads max-affected only with strict handling', () => {
    expect(readPreferences('max-affected=1', zones).maxAffected).to.equal(null);
    expect(readPreferences('max-affected=1,handling=lenient', zones).maxAffected).to.equal(null);
    expect(readPreferences('max-affected=1,handling=strict', zones).maxAffected).to.equal(1n);
  });

  it('names the applied preferences, by action and in order', () => {
    const all = readPreferences(
      'max-affected=5,timezone=Asia/Tokyo,handling=strict,tx=commit,count=exact,params=single-object,' +
        'return=minimal,missing=null,resolution=merge-duplicates',
      zones,
    );
    const base = 'count=exact, tx=commit, handling=strict, timezone=Asia/Tokyo';
    expect(appliedPreferences(all, 'read')).to.equal(base);
    expect(appliedPreferences(all, 'insert')).to.equal(
      `resolution=merge-duplicates, missing=null, return=minimal, ${base}`,
    );
    expect(appliedPreferences(all, 'insert', new Set(['resolution']))).to.equal(
      `missing=null, return=minimal, ${base}`,
    );
    expect(appliedPreferences(all, 'update')).to.equal(
      `missing=null, return=minimal, ${base}, max-affected=5`,
    );
    expect(appliedPreferences(all, 'upsert')).to.equal(`return=minimal, ${base}`);
    expect(appliedPreferences(all, 'delete')).to.equal(`return=minimal, ${base}, max-affected=5`);
    expect(appliedPreferences(all, 'call')).to.equal(`params=single-object, ${base}, max-affected=5`);
    expect(appliedPreferences(readPreferences('return=minimal', zones), 'read')).to.equal(null);
    const others = readPreferences(
      'max-cost=9,max-affected=5,handling=strict,return=minimal,match=keys,pagination=keyset',
      zones,
    );
    expect(appliedPreferences(others, 'read')).to.equal('handling=strict, pagination=keyset, max-cost=9');
    expect(appliedPreferences(others, 'update')).to.equal(
      'match=keys, return=minimal, handling=strict, max-affected=5, max-cost=9',
    );
  });
});

describe('Accept', () => {
  const texts = (header: string | undefined) => readAccept(header).map(({ text }) => text);

  it('is anything when absent', () => {
    expect(readAccept(undefined)).to.deep.equal([{ kind: 'any', text: '*/*' }]);
  });

  it('orders by the number of parameters and stars where q is the same', () => {
    expect(texts('a/*, a/b, a/b;x=1')).to.deep.equal(['a/b; x=1', 'a/b', 'a/*']);
    expect(texts('*/*, a/*;x=1, a/*')).to.deep.equal(['a/*; x=1', 'a/*', '*/*']);
    expect(texts('a/b, c/d, e/f')).to.deep.equal(['a/b', 'c/d', 'e/f']);
  });

  it('reads q behind a type, up to the first of it', () => {
    expect(texts('a/b;q=0.2;q=1, c/d;q=0.3')).to.deep.equal(['c/d', 'a/b']);
    expect(texts('a/b; q=0.2, c/d ; q=.3,e/f;q=1')).to.deep.equal(['e/f', 'c/d', 'a/b']);
    expect(texts('a/b;q=12, c/d;q=2, e/f')).to.deep.equal(['a/b', 'c/d', 'e/f']);
    expect(texts('a/b;Q=0.1, c/d;q=0.9')).to.deep.equal(['a/b; Q=0.1', 'c/d']);
  });

  it('has at most 200 types', () => {
    const types = (number: number): string =>
      Array.from({ length: number }, (_, at) => `a/${String(at)}`).join();
    expect(texts(types(200))).to.have.length(200);
    expect(() => texts(types(201)))
      .to.throw(DbrError)
      .that.includes({
        code: 'DBR107',
        status: 406,
        message: `None of these media types are available: ${types(201).slice(0, 200)}…`,
      });
  });

  it('orders by q, then by specificity, then as written', () => {
    expect(texts('text/csv;q=0.5, application/json')).to.deep.equal(['application/json', 'text/csv']);
    expect(texts('*/*, text/html')).to.deep.equal(['text/html', '*/*']);
    expect(texts('text/html, text/csv;q=0.3, */*;q=0.1')).to.deep.equal(['text/html', 'text/csv', '*/*']);
    expect(texts('image/png, text/html')).to.deep.equal(['image/png', 'text/html']);
    expect(texts('a/b;q=x, c/d;q=0')).to.deep.equal(['a/b', 'c/d']);
  });

  it('keeps parts that it cannot parse', () => {
    expect(texts('')).to.deep.equal(['']);
    expect(texts(';q=1')).to.deep.equal(['']);
    expect(texts('json')).to.deep.equal(['json']);
    expect(texts('a/b/c')).to.deep.equal(['a/b/c']);
    expect(texts('Text/X;level=1')).to.deep.equal(['Text/X; level=1']);
  });

  it('recognises built-in types in any case, without their parameters', () => {
    expect(readAccept('Application/JSON;charset=ISO-8859-1;;')).to.deep.equal([
      { kind: 'type', text: 'application/json', name: 'application/json' },
    ]);
  });

  it('reads the dialect of CSV', () => {
    const rfc4180 = 'text/csv; dialect=rfc4180';
    for (const header of [
      rfc4180,
      'Text/CSV;Dialect="RFC4180";header=present',
      'text/csv;charset=utf-8;dialect=rfc4180',
    ])
      expect(readAccept(header), header).to.deep.equal([{ kind: 'type', text: rfc4180, name: rfc4180 }]);
    expect(texts('text/csv;dialect=rfc4180;q=0.5, text/csv;dialect=excel, text/csv')).to.deep.equal([
      'text/csv; dialect=excel',
      'text/csv',
      rfc4180,
    ]);
  });

  it('reads vendor types', () => {
    const object = 'application/vnd.pgrst.object+json';
    for (const header of [
      object,
      'application/vnd.pgrst.object',
      `${object}; charset=utf-8`,
      `${object};nulls=kept`,
    ]) {
      expect(readAccept(header)).to.deep.equal([{ kind: 'object', text: object, stripNulls: false }]);
    }
    expect(readAccept(`${object}; NULLS=stripped`)).to.deep.equal([
      { kind: 'object', text: `${object};nulls=stripped`, stripNulls: true },
    ]);
    expect(readAccept('application/vnd.pgrst.array;nulls=stripped')).to.deep.equal([
      { kind: 'array', text: 'application/vnd.pgrst.array+json;nulls=stripped' },
    ]);
    expect(texts('application/vnd.pgrst.array+json')).to.deep.equal(['application/json']);
  });

  it('reads plan media types', () => {
    const plan = (header: string) => readAccept(header)[0];
    expect(plan('application/vnd.pgrst.plan')).to.deep.equal({
      kind: 'plan',
      text: 'application/vnd.pgrst.plan+text; for="application/json"',
      format: 'text',
      of: { kind: 'type', text: 'application/json', name: 'application/json' },
      options: [],
    });
    expect(
      plan('application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object+json"; options=wal|x|analyze'),
    ).to.deep.equal({
      kind: 'plan',
      text: 'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object+json"; options=analyze|wal',
      format: 'json',
      of: { kind: 'object', text: 'application/vnd.pgrst.object+json', stripNulls: false },
      options: ['analyze', 'wal'],
    });
    expect(plan('application/vnd.pgrst.plan; for="application/vnd.pgrst.plan"')).to.deep.include({
      of: { kind: 'type', text: 'application/vnd.pgrst.plan', name: 'application/vnd.pgrst.plan' },
    });
  });
});

describe('a media type', () => {
  it('names its charset if it is one of text', () => {
    for (const name of [
      'application/json',
      'text/csv',
      'text/csv; dialect=rfc4180',
      'text/plain',
      'application/geo+json',
    ])
      expect(withCharset(name), name).to.equal(`${name}; charset=utf-8`);
    expect(withCharset('application/vnd.pgrst.array+json;nulls=stripped')).to.equal(
      'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
    );
    for (const name of ['application/octet-stream', 'application/x-ndjson', 'image/png', 'vnd.pgrst.x', ''])
      expect(withCharset(name), name).to.equal(name);
  });

  it('has the types of the parameter that takes it as a whole', () => {
    for (const [name, types] of [
      ['application/json', ['json', 'jsonb']],
      ['text/plain', ['text']],
      ['text/xml', ['xml']],
      ['application/octet-stream', ['bytea']],
      ['text/csv', []],
      ['image/png', []],
    ] as const)
      expect(parameterTypesOf(name), name).to.deep.equal(types);
  });

  it('has a form of response, a form of body, both or none', () => {
    for (const [name, reply, body] of [
      ['application/json', 'json', 'json'],
      ['text/csv', 'csv', 'csv'],
      ['text/csv; dialect=rfc4180', 'rfc4180', 'rfc4180'],
      ['application/x-ndjson', 'lines', 'lines'],
      ['application/x-www-form-urlencoded', null, 'form'],
      ['application/geo+json', 'geojson', null],
      ['text/plain', null, 'whole'],
      ['application/vnd.dbr.batch+json', 'batch', 'batch'],
      ['image/png', null, null],
    ] as const)
      expect([replyFormOf(name), bodyFormOf(name)], name).to.deep.equal([reply, body]);
  });

  it('is accepted for rows, for arguments or for none', () => {
    for (const [name, rows, args] of [
      ['application/json', true, true],
      ['text/csv', true, true],
      ['text/csv; dialect=rfc4180', true, true],
      ['application/x-www-form-urlencoded', true, true],
      ['text/plain', false, true],
      ['application/octet-stream', false, true],
      ['application/x-ndjson', false, false],
      ['application/vnd.dbr.batch+json', false, false],
      ['image/png', false, false],
    ] as const)
      expect(
        [isAccepted({ name, text: '' }, 'rows'), isAccepted({ name, text: '' }, 'arguments')],
        name,
      ).to.deep.equal([rows, args]);
  });

  it('has parameters with a name', () => {
    const plan = (header: string) => readAccept(header)[0]?.text;
    const json = 'application/vnd.pgrst.plan+text; for="application/json"';
    expect(plan('application/vnd.pgrst.plan;=x;for;options=wal')).to.equal(`${json}; options=wal`);
    expect(plan('application/vnd.pgrst.plan;OPTIONS="wal|buffers"')).to.equal(`${json}; options=buffers|wal`);
    expect(plan('application/vnd.pgrst.plan;for=')).to.equal('application/vnd.pgrst.plan+text; for=""');
    expect(plan('application/vnd.pgrst.plan+json;for="text/csv"')).to.equal(
      'application/vnd.pgrst.plan+json; for="text/csv"',
    );
  });
});

describe('Content-Type', () => {
  it('is JSON when absent, and without parameters when known', () => {
    const json = { name: 'application/json', text: 'application/json' };
    expect(readContentType(undefined)).to.deep.equal(json);
    expect(readContentType('Application/JSON; charset=utf-8')).to.deep.equal(json);
    expect(readContentType('nonsense')).to.deep.equal({ name: 'nonsense', text: 'nonsense' });
  });

  it('contains the dialect of CSV', () => {
    for (const text of ['text/csv; dialect=rfc4180', 'text/csv; dialect=excel'])
      expect(readContentType(`${text.toUpperCase()}; charset=utf-8`)).to.deep.equal({ name: text, text });
  });

  it('contains the charset of a text that is not UTF-8', () => {
    const latin = 'text/csv; dialect=rfc4180; charset=iso-8859-1';
    expect(readContentType('text/csv;charset="ISO-8859-1";dialect=rfc4180')).to.deep.equal({
      ...{ name: latin, text: latin },
    });
    for (const charset of ['UTF-8', '"utf-8"', 'utf8', 'us-ascii'])
      expect(readContentType(`application/json;charset=${charset}`).name, charset).to.equal(
        'application/json',
      );
    expect(readContentType('application/octet-stream; charset=utf-16').name).to.equal(
      'application/octet-stream',
    );
  });
});
