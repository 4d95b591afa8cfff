import { expect } from 'chai';
import {
  claimValue,
  claimsJson,
  generateCallers,
  inventedRow,
  strangeValue,
} from '../../../src/check/callers.js';
import type { Table } from '../../../src/check/catalogue.js';
import type { CheckedCaller, Subject } from '../../../src/check/probe.js';
import { curlOf } from '../../../src/check/report.js';

const TEXT = { type: 'text', category: 'S', label: null, isGenerated: false, hasSequence: false };
const UUID = { ...TEXT, type: 'uuid', category: 'U' };
const OWNERS = [
  { column: 'owner', expression: null, claim: ['sub'], isRule: false },
  { column: 'org', expression: null, claim: ['app', 'org'], isRule: false },
];
const SUB = `((current_setting('c'::text))::json ->> 'tier'::text)`;
const TABLE: Table = {
  ...{
    oid: 1,
    schema: 'api',
    name: 'notes',
    isExposed: true,
    kind: 'r',
    isUpdatable: true,
    hasRowSecurity: true,
  },
  columns: [
    { ...TEXT, name: 'owner' },
    { ...TEXT, name: 'org', type: 'integer', category: 'N' },
  ],
  ...{
    key: [],
    uniques: [],
    indexed: [],
    foreignKeys: [],
    grants: [],
    reads: [],
    readCode: [],
    writeCode: [],
  },
  policies: [
    {
      ...{ name: 'p', command: '*', isPermissive: true, roles: [], check: null, columns: [] },
      ...{ readsOtherTables: false, functions: [], using: `(${SUB} = 'gold'::text)` },
    },
  ],
};
const subject = (rows: Subject['rows'], table = TABLE): Subject => ({
  ...{ table, owners: OWNERS, rows, ownerValues: rows, indexCosts: [], planted: null },
});
const SUBJECTS = [
  subject([
    { owner: 'ada', org: '7' },
    { owner: 'ada', org: null },
    { owner: 'bob', org: '7' },
  ]),
];
const generate = (subjects: readonly Subject[], seed = 1): readonly CheckedCaller[] =>
  generateCallers(['anon', 'web'], 'anon', subjects, seed);

describe('callers of a check', () => {
  it('generates users of rows, of constants, a stranger, and one without claims, the same for a seed', () => {
    const callers = generate(SUBJECTS);
    expect(callers.map(({ name, role }) => `${name} ${role}`)).to.deep.equal([
      'anonymous anon',
      'web-1 web',
      'web-2 web',
      'web-gold web',
      'web-stranger web',
      'web-without-claims web',
    ]);
    expect(
      callers
        .slice(0, 3)
        .map(({ claims }) => String(claims))
        .sort(),
    ).to.deep.equal(
      [
        'null',
        '{"role":"web","sub":"ada","app":{"org":"7"}}',
        '{"role":"web","sub":"bob","app":{"org":"7"}}',
      ].sort(),
    );
    expect(callers[3]?.claims).to.match(/^\{"role":"web","sub":"...","app":\{"org":"7"\},"tier":"gold"\}$/);
    expect(callers[4]?.claims).to.match(
      /^\{"role":"web","sub":"check-[0-9a-f]{12}","app":\{"org":"19\d{8}"\}\}$/,
    );
    expect(generate(SUBJECTS)).to.deep.equal(callers);
    expect(generate(SUBJECTS, 2)).not.to.deep.equal(callers);
  });

  it('makes two strangers where there are no rows, with claims of the types of the columns', () => {
    const [, gold, ...others] = generate([subject([])]);
    expect(gold?.name).to.equal('web-gold');
    expect(others.map(({ name }) => name)).to.deep.equal([
      'web-stranger',
      'web-other-stranger',
      'web-without-claims',
    ]);
    for (const { claims } of others.slice(0, 2))
      expect(claims).to.match(
        /^\{"role":"web","sub":"[0-9a-f]{8}-[0-9a-f-]{27}","app":\{"org":"19\d{8}"\}\}$/,
      );
    expect(others[0]?.claims).not.to.equal(others[1]?.claims);
  });

  it('makes strange values of the kind of known ones', () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(strangeValue(TEXT, 1, 'x', '00000000-0000-4000-8000-000000000001')).to.match(uuid);
    expect(strangeValue(UUID, 1, 'x')).to.match(uuid);
    expect(Number(strangeValue(TEXT, 1, 'x', '12'))).to.be.within(1_900_000_000, 2_147_483_647);
    expect(Number(strangeValue({ type: 'smallint', category: 'N' }, 1, 'x'))).to.be.within(32_000, 32_767);
    expect(strangeValue({ type: 'jsonb', category: 'U' }, 1, 'x')).to.equal(null);
  });

  it('invents rows for columns of simple types', () => {
    const column = (name: string, type: string, category: string, label: string | null = null) => ({
      ...{ ...TEXT, name, type, category, label },
    });
    const row = inventedRow(
      [
        column('state', 'api.state', 'E', 'open'),
        column('tags', 'text[]', 'A'),
        column('data', 'jsonb', 'U'),
        column('day', 'date', 'D'),
        column('shape', 'polygon', 'G'),
      ],
      1,
    );
    expect(row).to.deep.equal({ state: 'open', tags: '{}', data: '{}', day: '2199-12-31', shape: null });
  });

  it('reads claims by their path', () => {
    const claims = claimsJson(
      'web',
      new Map([
        ['["a","b"]', '1'],
        ['["a","c"]', '2'],
      ]),
    );
    expect(claims).to.equal('{"role":"web","a":{"b":"1","c":"2"}}');
    const caller = { name: 'x', role: 'web', claims };
    expect(claimValue(caller, ['a', 'c'])).to.equal('2');
    expect(claimValue(caller, ['a'])).to.equal('{"b":"1","c":"2"}');
    expect(claimValue(caller, ['b', 'c'])).to.equal(null);
    expect(claimValue({ ...caller, claims: null }, ['a'])).to.equal(null);
  });

  it('quotes requests for a shell', () => {
    const request = { method: 'POST', path: 'notes', schema: 'api', body: { a: "it's" } } as const;
    expect(curlOf('http://h', { name: 'x', role: 'web', claims: '{}' }, request)).to.equal(
      `curl -X POST 'http://h/notes' -H "Authorization: Bearer $TOKEN" -H 'Content-Profile: api' -H 'Content-Type: application/json' -d '{"a":"it'\\''s"}'`,
    );
    expect(
      curlOf(
        'http://h',
        { name: 'x', role: 'anon', claims: null },
        { method: 'GET', path: 'a', schema: 'b' },
      ),
    ).to.equal(`curl 'http://h/a' -H 'Accept-Profile: b'`);
  });
});
