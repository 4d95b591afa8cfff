import { expect } from 'chai';
import type { Policy, Table } from '../../../src/check/catalogue.js';
import {
  RuleFileError,
  claimConstants,
  claimOf,
  equalitiesOf,
  ownersDecide,
  ownersOf,
  readRules,
} from '../../../src/check/owners.js';

const SUB = `((current_setting('request.jwt.claims'::text, true))::json ->> 'sub'::text)`;
const OWN = `(owner = ${SUB})`;

const policy = (using: string | null, more: Partial<Policy> = {}): Policy => ({
  ...{ name: 'p', command: '*', isPermissive: true, roles: [], using, check: null, columns: ['owner'] },
  ...{ readsOtherTables: false, functions: [] },
  ...more,
});

const table = (...policies: readonly Policy[]): Table => ({
  ...{
    oid: 1,
    schema: 'api',
    name: 'notes',
    isExposed: true,
    kind: 'r',
    isUpdatable: true,
    hasRowSecurity: true,
  },
  ...{ columns: [], key: [], uniques: [], indexed: [], foreignKeys: [], grants: [], reads: [] },
  ...{ readCode: [], writeCode: [] },
  policies,
});

describe('owners of rows', () => {
  it('finds comparisons of a text of pg_get_expr, and none in constants and names', () => {
    expect(
      equalitiesOf(`((a = b) AND (c = (d)::text) AND (e = ' (f = g) ''') AND ("(x = y)" = z))`),
    ).to.deep.equal([
      { text: '(a = b)', left: 'a', right: 'b' },
      { text: '(c = (d)::text)', left: 'c', right: '(d)::text' },
      { text: `(e = ' (f = g) ''')`, left: 'e', right: `' (f = g) '''` },
      { text: '("(x = y)" = z)', left: '"(x = y)"', right: 'z' },
    ]);
  });

  it('finds comparisons by the operator of an extension', () => {
    expect(
      equalitiesOf(
        `((owner OPERATOR(ext.=) (me())::ext.citext) OR (x OPERATOR("a.=) b".=) y) OR (a OPERATOR(ext.<>) b))`,
      ),
    ).to.deep.equal([
      { text: '(owner OPERATOR(ext.=) (me())::ext.citext)', left: 'owner', right: '(me())::ext.citext' },
      { text: '(x OPERATOR("a.=) b".=) y)', left: 'x', right: 'y' },
    ]);
    const found = ownersOf(table(policy(`((owner)::ext."My Text" OPERATOR(ext.=) (${SUB})::ext.citext)`)));
    expect(found.map(({ column, claim }) => [column, claim])).to.deep.equal([['owner', ['sub']]]);
  });

  it('reads the claim of an expression', () => {
    expect(claimOf(SUB)).to.deep.equal(['sub']);
    expect(claimOf(`((x -> 'app_metadata'::text) ->> 'org_id'::text)`)).to.deep.equal([
      'app_metadata',
      'org_id',
    ]);
    expect(claimOf(`(x #>> '{a,b}'::text[])`)).to.deep.equal(['a', 'b']);
    expect(claimOf(`current_setting('request.jwt.claim.sub', true)`)).to.deep.equal(['sub']);
    expect(claimOf('auth.uid()')).to.equal(null);
  });

  it('finds owner columns on either side, cast, quoted, and by a function', () => {
    const functions = [{ name: 'auth.uid', source: `select x ->> 'user'` }];
    const found = ownersOf(
      table(
        policy(`((owner)::text = ${SUB})`),
        policy(`(( SELECT auth.uid() AS uid) = "User Id")`, { columns: ['User Id'], functions }),
        policy(`(state = 'draft'::text)`, { columns: ['state'] }),
        policy(`(m.owner = ${SUB})`),
      ),
    );
    expect(found).to.deep.equal([
      { column: 'owner', expression: SUB, claim: ['sub'] },
      { column: 'User Id', expression: '( SELECT auth.uid() AS uid)', claim: ['user'] },
    ]);
  });

  it('says that owners decide only where policies ask for nothing else', () => {
    const decides = (...policies: readonly Policy[]): boolean => ownersDecide(table(...policies), 'ada', 'r');
    expect(decides(policy(OWN))).to.equal(true);
    expect(decides(policy(`(${OWN} OR (owner IS NOT NULL))`))).to.equal(true);
    expect(decides(policy(OWN), policy('true'))).to.equal(true);
    expect(decides(policy(OWN), policy('true', { command: 'r' }))).to.equal(false);
    expect(decides(policy(OWN), policy('true', { command: 'r', roles: ['bob'] }))).to.equal(true);
    expect(decides(policy(`(${OWN} OR is_public)`, { columns: ['owner', 'is_public'] }))).to.equal(false);
    expect(decides(policy(OWN, { readsOtherTables: true }))).to.equal(false);
    expect(decides(policy(`(${OWN} OR (owner = 'all'::text))`))).to.equal(false);
    const functions = [{ name: 'is_admin', source: '' }];
    expect(decides(policy(`(${OWN} OR is_admin())`, { functions }))).to.equal(false);
  });

  it('finds constants of claims in policies and in the functions that they call', () => {
    const functions = [{ name: 'is_admin', source: `current_setting('c')::json ->> 'kind' = 'admin'` }];
    const tables = [
      table(policy(`((${SUB.replace('sub', 'tier')}) = 'gold'::text)`), policy('is_admin()', { functions })),
    ];
    expect(claimConstants(tables)).to.deep.equal([
      { claim: ['tier'], value: 'gold' },
      { claim: ['kind'], value: 'admin' },
    ]);
  });

  it('reads a rule file, and names the line of a mistake', () => {
    expect(
      readRules('r', '# owners\n\napi.notes owner = sub\r\napi.tasks, org = app_metadata.org\n'),
    ).to.deep.equal([
      { table: 'api.notes', column: 'owner', expression: null, claim: ['sub'] },
      { table: 'api.tasks', column: 'org', expression: null, claim: ['app_metadata', 'org'] },
    ]);
    for (const line of ['notes owner = sub', 'api.notes owner', 'api.notes owner = '])
      expect(() => readRules('r', `\n${line}`)).to.throw(
        RuleFileError,
        'r:2: a rule is `SCHEMA.TABLE COLUMN = CLAIM`',
      );
  });
});
