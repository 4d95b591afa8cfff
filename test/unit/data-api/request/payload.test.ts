import { expect } from 'chai';
import fc from 'fast-check';
import type { Action } from '../../../../src/data-api/request/api-request.js';
import { csvToJson, type CsvResult } from '../../../../src/data-api/request/csv.js';
import { readContentType } from '../../../../src/data-api/request/media-types.js';
import { payloadWork } from '../../../../src/data-api/request/payload.js';
import { runAtOnce, runInSlices } from '../../../../src/base/turns.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { runs } from '../../../support/runs.js';

const INSERT: Action = { kind: 'insert' };
const CALL: Action = { kind: 'call', reading: false, headersOnly: false };

const csvOf = (bytes: Buffer, maxKeys = Infinity): CsvResult => runAtOnce(csvToJson(bytes, 'csv', maxKeys));

function payload(
  body: string,
  { action = INSERT, type = 'application/json', columns = null as readonly string[] | null } = {},
) {
  const head = { action, contentType: readContentType(type), query: { columns } };
  const read = runAtOnce(payloadWork(head, Buffer.from(body)));
  return read?.kind === 'json' || read?.kind === 'whole' ? { ...read, body: read.body.toString() } : read;
}

const JSON_ROWS = { kind: 'json', many: false, uniform: true, checked: true, nested: false, graph: null };

describe('payload', () => {
  it('is absent if the action has no body', () => {
    const actions: readonly Action[] = [
      { kind: 'read', headersOnly: false },
      { kind: 'delete' },
      { kind: 'inspect' },
      { kind: 'document', headersOnly: true },
      { kind: 'call', reading: true, headersOnly: false },
    ];
    for (const action of actions) expect(payload('{', { action })).to.equal(null);
  });

  it('passes JSON through unchanged, with its keys', () => {
    const body = ' {"b": 1.000000000000000000001, "a": 1e400}';
    expect(payload(body)).to.deep.equal({ ...JSON_ROWS, body, keys: ['a', 'b'] });
    expect(payload('[{"a":1}]')).to.deep.equal({
      ...JSON_ROWS,
      many: true,
      body: '[{"a":1}]',
      keys: ['a'],
    });
  });

  it('reads a scalar as no rows', () => {
    expect(payload('5')).to.deep.equal({ ...JSON_ROWS, many: true, body: '[]', keys: [] });
  });

  it('does not parse JSON if the request names the columns', () => {
    const named = { columns: ['b', 'a', 'b'] };
    const unchecked = { ...JSON_ROWS, checked: false, keys: ['a', 'b'] };
    expect(payload(' \n{"x":', named)).to.deep.equal({ ...unchecked, body: ' \n{"x":' });
    const padded = `${' \t\r\n'.repeat(1000)}{"a":1}`;
    expect(payload(padded, named)).to.deep.equal({ ...unchecked, body: padded });
    expect(payload('7', named)).to.deep.equal({ ...unchecked, many: true, body: '7' });
    expect(payload('', named)).to.deep.equal({ ...unchecked, many: true, body: '' });
    expect(payload('{"c":1}', { ...named, action: { kind: 'upsert' } })).to.deep.include({ keys: ['c'] });
  });

  it('reads CSV', () => {
    expect(payload('a,b\r\n1,"x, ""y""\nz"\r\n\r\nNULL,\n', { type: 'text/csv' })).to.deep.equal({
      ...JSON_ROWS,
      many: true,
      body: '[{"a":"1","b":"x, \\"y\\"\\nz"},{"a":null,"b":""}]',
      keys: ['a', 'b'],
    });
    expect(payload('a,b\n', { type: 'text/csv' })).to.deep.include({ body: '[]', keys: ['a', 'b'] });
  });

  it('reads a form as one row with the last value of each key', () => {
    const type = 'application/x-www-form-urlencoded';
    expect(payload('a=1+2&b&a=%C3%BC&', { type })).to.deep.equal({
      ...JSON_ROWS,
      body: '{"a":"ü","b":""}',
      keys: ['a', 'b'],
    });
    expect(payload('', { type })).to.deep.include({ body: '{}', keys: [] });
  });

  it('reads the arguments of a function', () => {
    const call = (body: string, type?: string) =>
      payload(body, type === undefined ? { action: CALL } : { action: CALL, type });
    expect(call('')).to.deep.equal({ ...JSON_ROWS, body: '', keys: [] });
    expect(call('5')).to.deep.equal({ ...JSON_ROWS, body: '5', keys: [] });
    expect(call('[1,2]')).to.deep.equal({
      ...JSON_ROWS,
      many: true,
      uniform: false,
      body: '[1,2]',
      keys: [],
    });
    expect(call('v=1&v=2', 'application/x-www-form-urlencoded')).to.deep.equal({
      kind: 'form',
      pairs: [
        ['v', '1'],
        ['v', '2'],
      ],
      keys: ['v'],
    });
    for (const type of ['text/plain; charset=utf-8', 'text/xml', 'application/octet-stream']) {
      expect(call('x', type)).to.deep.equal({ kind: 'whole', body: 'x' });
    }
  });

  const refusals: readonly (readonly [about: string, read: () => unknown, code: string, message: string])[] =
    [
      ['no JSON', () => payload(''), 'DBR102', 'Empty or invalid json'],
      ['broken JSON', () => payload('{'), 'DBR102', 'Empty or invalid json'],
      ['broken arguments', () => payload('{', { action: CALL }), 'DBR102', 'Empty or invalid json'],
      ['different keys', () => payload('[{"a":1},{"b":1}]'), 'DBR102', 'All object keys must match'],
      ['rows that are none', () => payload('[1]'), 'DBR102', 'All object keys must match'],
      ['no CSV', () => payload('', { type: 'text/csv' }), 'DBR102', 'parse error (not enough input) at ""'],
      ...['a,b\n1\n', 'a\n1,2\n', 'a,b\n1,2\n3\n'].map(
        (body) =>
          [
            `uneven CSV ${JSON.stringify(body)}`,
            () => payload(body, { type: 'text/csv' }),
            'DBR102',
            'All lines must have same number of fields',
          ] as const,
      ),
      [
        'an open quote',
        () => payload('a\n"x', { type: 'text/csv' }),
        'DBR102',
        'parse error (a quoted field is not closed)',
      ],
      [
        'text beside quotes',
        () => payload('a\n"x"y', { type: 'text/csv' }),
        'DBR102',
        'parse error (a field has text beside its quotes)',
      ],
      [
        'a vendor type',
        () => payload('{}', { type: 'application/vnd.pgrst.object+json' }),
        'DBR107',
        'Content-Type not acceptable: application/vnd.pgrst.object+json',
      ],
      [
        'multipart',
        () => payload('', { type: 'multipart/form-data; boundary=x' }),
        'DBR107',
        'Content-Type not acceptable: multipart/form-data; boundary=x',
      ],
      [
        'text for a relation',
        () => payload('x', { type: 'text/plain' }),
        'DBR107',
        'Content-Type not acceptable: text/plain',
      ],
      [
        'an image for a function',
        () => payload('x', { action: CALL, type: 'image/png' }),
        'DBR107',
        'Content-Type not acceptable: image/png',
      ],
    ];
  for (const [about, read, code, message] of refusals) {
    it(`refuses ${about}`, () => {
      const status = code === 'DBR107' ? 415 : 400;
      expect(read).to.throw(DbrError).that.includes({ code, status, message });
    });
  }
});

describe('CSV', () => {
  it('reads back every table that can be written', () => {
    const cell = fc.string({ unit: fc.constantFrom(...'ab",\r\n\t\\\0\x1f\x7fé😀 ') });
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((width) =>
        fc.tuple(
          fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: width, maxLength: width }),
          fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 5 }),
        ),
      );
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n', '\r'), ([header, rows], lineEnd) => {
        const lines = [header, ...rows].map((fields) =>
          fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(','),
        );
        const text = lines.join(lineEnd) + (rows.length === 0 ? lineEnd : '');
        const result = csvOf(Buffer.from(text));
        if (!result.ok) throw new Error('refused');
        const expected = rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at]])));
        expect(JSON.parse(result.body.toString())).to.deep.equal(expected);
      }),
    );
  });

  it('ignores empty lines', () => {
    for (const text of ['\n', '\r\n', '\r', '\n\n\r\n']) {
      expect(csvOf(Buffer.from(text)), JSON.stringify(text)).to.deep.equal({
        ok: true,
        header: [],
        body: Buffer.from('[]'),
      });
    }
  });

  it('refuses a text that ends within its first line', () => {
    for (const text of ['', 'a', 'a,b', '\na,b', '"a"']) {
      expect(csvOf(Buffer.from(text)), JSON.stringify(text)).to.deep.equal({
        ok: false,
        fault: { kind: 'malformed', reason: 'parse error (not enough input) at ""' },
      });
    }
    for (const text of ['a,b\n', 'a,b\r\n', 'a,b\r']) {
      expect(csvOf(Buffer.from(text)), JSON.stringify(text)).to.deep.equal({
        ok: true,
        header: ['a', 'b'],
        body: Buffer.from('[]'),
      });
    }
  });

  it('writes JSON that is longer than the CSV text', () => {
    for (const count of [0, 1, 2, 2500]) {
      const text = `n\n${Array.from({ length: count }, (_, at) => String(at)).join('\n')}\n`;
      const result = csvOf(Buffer.from(text));
      if (!result.ok) throw new Error('refused');
      const rows = JSON.parse(result.body.toString()) as readonly { readonly n: string }[];
      expect(rows.map(({ n }) => Number(n))).to.deep.equal(Array.from({ length: count }, (_, at) => at));
    }
  });

  it('reads only the word NULL as null, with and without quotes', () => {
    const result = csvOf(Buffer.from('a,b,c,d,e\nNULL,"NULL",null, NULL,NULLS\n'));
    expect(result).to.deep.include({
      ok: true,
      body: Buffer.from('[{"a":null,"b":null,"c":"null","d":" NULL","e":"NULLS"}]'),
    });
  });

  it('reads an empty field of RFC 4180 as null, and NULL as text', () => {
    const read = (text: string) => {
      const result = runAtOnce(csvToJson(Buffer.from(text), 'rfc4180', 10));
      return result.ok ? [result.header, JSON.parse(result.body.toString()) as unknown] : result.fault;
    };
    expect(read('a,b,c\r\n,"",NULL\r\n\r\n"","x""y\\",\r\n')).to.deep.equal([
      ['a', 'b', 'c'],
      [
        { a: null, b: '', c: 'NULL' },
        { a: '', b: 'x"y\\', c: null },
      ],
    ]);
    expect(read('a\n\n""\n\r\n')).to.deep.equal([['a'], [{ a: null }, { a: '' }, { a: null }]]);
    for (const [text, names] of [
      ['', []],
      ['a,b', ['a', 'b']],
      ['a\n', ['a']],
    ] as const)
      expect(read(text), JSON.stringify(text)).to.deep.equal([names, []]);
    expect(read('a,b\n1\n')).to.deep.equal({ kind: 'differentFieldCounts' });
  });

  it('refuses a name that is there twice', () => {
    for (const dialect of ['csv', 'rfc4180'] as const)
      expect(runAtOnce(csvToJson(Buffer.from('a,b,"a"\n1,2,3\n'), dialect, 10))).to.deep.equal({
        ok: false,
        fault: { kind: 'malformed', reason: 'the first line has the name "a" twice' },
      });
  });

  it('bounds the growth of a short body whose rows repeat a long name', () => {
    const name = 'n'.repeat(200_000);
    const faults = [`${name}\n${'1\n'.repeat(20_000)}`, `a,${name}\n${',\n'.repeat(20_000)}`].map((text) =>
      csvOf(Buffer.from(text)),
    );
    const fault = {
      kind: 'malformed',
      reason: 'the rows are too long with the names of their columns',
    };
    for (const result of faults) expect(result).to.deep.equal({ ok: false, fault });
  });

  it('accepts the longest names of PostgreSQL with the shortest fields', () => {
    const name = 'n'.repeat(62);
    const header = [`${name}1`, `${name}2`];
    const result = csvOf(Buffer.from(`${header.join(',')}\n${',\n'.repeat(20_000)}`));
    if (!result.ok) throw new Error('refused');
    expect(JSON.parse(result.body.toString())).to.have.length(20_000);
  });

  it('returns the same result for every pause', () => {
    const field = fc.oneof(fc.constantFrom('', 'NULL', 'a', '"a""b"', '"a,b"', '"x\ny"', '"'), fc.string());
    const text = fc
      .array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 6 })
      .map((rows) => rows.map((row) => row.join(',')).join('\n'));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 8 }), (one, window) => {
        const bytes = Buffer.from(one);
        expect(runAtOnce(csvToJson(bytes, 'csv', Infinity, window))).to.deep.equal(csvOf(bytes));
      }),
      { numRuns: runs(1000, 250) },
    );
  });

  it('pauses, also within long lines', () => {
    for (const text of [`a\n${'1\n'.repeat(200_000)}`, `a,b\n1,2\n${',1'.repeat(200_000)}`]) {
      let pauses = 0;
      const work = csvToJson(Buffer.from(text), 'csv', 10);
      while (work.next().done !== true) pauses += 1;
      expect(pauses).to.be.greaterThan(4);
    }
  });

  it('has fields of at most a megabyte, with their opening quotes', () => {
    const bodyOf = (field: string): number | null => {
      const result = csvOf(Buffer.from(`a\n${field}\n`));
      return result.ok ? result.body.length : null;
    };
    const around = '[{"a":""}]'.length;
    expect(bodyOf('x'.repeat(1_048_576))).to.equal(1_048_576 + around);
    expect(bodyOf('x'.repeat(1_048_577))).to.equal(null);
    expect(bodyOf(`"${'x'.repeat(1_048_575)}"`)).to.equal(1_048_575 + around);
    expect(bodyOf(`"${'x'.repeat(1_048_576)}"`)).to.equal(null);
  });

  it('has names in quotes, and at most as many as allowed', () => {
    const named = (text: string, maxKeys: number) => {
      const result = csvOf(Buffer.from(text), maxKeys);
      return result.ok ? [result.header, result.body.toString()] : result.fault;
    };
    expect(named('"a""b",c""\n1,2\n', 2)).to.deep.equal({
      ...{ kind: 'malformed', reason: 'parse error (a field has text beside its quotes)' },
    });
    expect(named('"a""b","c,"\n"1""",\n', 2)).to.deep.equal([['a"b', 'c,'], '[{"a\\"b":"1\\"","c,":""}]']);
    expect(named('\n\na,b\n', 2)).to.deep.equal([['a', 'b'], '[]']);
    expect(named('a,b\n', 1)).to.deep.equal({ kind: 'tooManyKeys' });
    expect(named('a,b,c,d\n', 1)).to.deep.equal({ kind: 'tooManyKeys' });
  });

  it('may become 72 times as long as JSON, and a megabyte', () => {
    const ROWS = 10_000;
    const isRead = (name: number): boolean =>
      csvOf(Buffer.from(`${'n'.repeat(name)}\n${'1\n'.repeat(ROWS)}`)).ok;
    // Before the last bracket: `[{"n…":"1"},{"n…":"1"}`.
    const isShort = (name: number): boolean => (name + 9) * ROWS <= 72 * (name + 1 + 2 * ROWS) + 1_048_576;
    let name = 1;
    while (isShort(name + 1)) name += 1;
    expect([isRead(name), isRead(name + 1)]).to.deep.equal([true, false]);
  });

  it('refuses a field of many megabytes', () => {
    const fault = { kind: 'malformed', reason: 'a field is longer than 1048576 bytes' };
    for (const field of ['x'.repeat(5_000_000), `"${'x'.repeat(5_000_000)}"`])
      expect(csvOf(Buffer.from(`a\n${field}\n`))).to.deep.equal({ ok: false, fault });
  });
});

describe('a form', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const pairsOf = (body: string, maxKeys = 4): unknown => {
    const head = { action: CALL, contentType: readContentType(FORM), query: { columns: null } };
    const read = runAtOnce(payloadWork(head, Buffer.from(body), maxKeys));
    return read?.kind === 'form' ? [read.pairs, read.keys] : read;
  };

  for (const [body, pairs, keys] of [
    ['', [], []],
    ['a', [['a', '']], ['a']],
    ['&;', [], []],
    ['=', [['', '']], ['']],
    [
      '=1&a=',
      [
        ['', '1'],
        ['a', ''],
      ],
      ['', 'a'],
    ],
    [
      'b=1;a=2&b=3',
      [
        ['b', '1'],
        ['a', '2'],
        ['b', '3'],
      ],
      ['a', 'b'],
    ],
  ] as const)
    it(`of ${JSON.stringify(body)} has the pairs ${JSON.stringify(pairs)}`, () => {
      expect(pairsOf(body)).to.deep.equal([pairs, keys]);
    });

  it('has at most as many pairs as a body has keys, whatever separates them', () => {
    for (const body of ['a&b&c&d', ';b&c;d', 'a;b;c;d']) expect(() => pairsOf(body)).not.to.throw();
    for (const body of ['a&b&c&d&e', 'a;b;c;d;e', '&&&&', 'a;;;;'])
      expect(() => pairsOf(body), body)
        .to.throw(DbrError)
        .that.includes({ code: 'DBR130', status: 400 });
  });

  it('has at most a megabyte', () => {
    const longest = 'a='.padEnd(1_048_576, 'x');
    expect(pairsOf(longest)).to.deep.equal([[['a', longest.slice(2)]], ['a']]);
    expect(() => pairsOf(`${longest}x`))
      .to.throw(DbrError)
      .that.includes({ code: 'DBR408', status: 413 });
  });

  it('is UTF-8', () => {
    expect(() => pairsOf('a=%ff')).to.throw(DbrError, 'Empty or invalid json');
  });
});

describe('a body behind a byte order mark', () => {
  it('is refused as JSON, and read as CSV', () => {
    for (const columns of [null, ['a']])
      expect(() => payload('\ufeff{"a":1}', { columns })).to.throw(DbrError, 'Empty or invalid json');
    expect(payload('\ufeffa\n1\n', { type: 'text/csv' })).to.deep.include({
      keys: ['a'],
      body: '[{"a":"1"}]',
    });
  });
});

describe('the keys of a body', () => {
  const names = Array.from({ length: 11 }, (_, index) => `k${String(index)}`);
  const bodies: readonly (readonly [type: string, text: string])[] = [
    ['application/json', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))],
    ['text/csv', `${names.join(',')}\n${names.map(() => 1).join(',')}\n`],
    ['application/x-www-form-urlencoded', names.map((name) => `${name}=1`).join('&')],
  ];
  for (const action of [INSERT, CALL])
    for (const [type, text] of bodies)
      it(`are bounded: ${action.kind}, ${type}`, async () => {
        const head = { action, contentType: readContentType(type), query: { columns: null } };
        const read = (maxKeys: number) => runAtOnce(payloadWork(head, Buffer.from(text), maxKeys));
        expect(read(11)).to.not.equal(null);
        expect(() => read(10))
          .to.throw(DbrError)
          .with.property('code', 'DBR130');
        const long = await runInSlices(payloadWork(head, Buffer.from(text), 11));
        expect(long).to.deep.equal(read(11));
      });
});
