import { expect } from 'chai';
import type { Definer, Policy, Table } from '../../../src/check/catalogue.js';
import { unjudged } from '../../../src/check/unjudged.js';

const ME = `(current_setting('request.jwt.claims'::text) ->> 'sub'::text)`;
const POLICY: Policy = {
  ...{ name: 'own', command: '*', isPermissive: true, roles: [], check: null, columns: ['owner'] },
  ...{ using: `(owner = ${ME})`, readsOtherTables: false, functions: [] },
};
const GRANT = { role: 'web_user', select: ['id'], insert: [], update: [], delete: true };
const column = (name: string, type: string) => ({
  ...{ name, type, category: 'U', label: null, isGenerated: false, hasSequence: false },
});
const TABLE: Table = {
  ...{ oid: 1, schema: 'api', name: 'notes', isExposed: true, kind: 'r', isUpdatable: true },
  ...{ hasRowSecurity: true, columns: [column('owner', 'text'), column('data', 'jsonb')], key: ['id'] },
  ...{ uniques: [], indexed: [], foreignKeys: [], policies: [POLICY], grants: [GRANT], reads: [] },
  ...{ readCode: [], writeCode: [] },
};
const DEFINER: Definer = {
  ...{ schema: 'api', name: 'count_all', isVolatile: false, isComputed: false, isBoolean: false },
  ...{ arguments: [], argumentNames: [], returns: null, roles: ['web_user'] },
};

describe('what a check does not judge', () => {
  const of = (tables: readonly Table[], definers: readonly Definer[] = [], rules: readonly string[] = []) =>
    unjudged(
      { roles: ['web_user'], tables, definers },
      rules.map((table) => ({ table, column: 'owner', expression: null, claim: ['sub'] })),
    );

  it('is nothing where owners decide', () => {
    expect(of([TABLE], [DEFINER])).to.deep.equal([]);
  });

  it('is an owner inside a document', () => {
    const using = `((data ->> 'owner'::text) = ${ME})`;
    expect(of([{ ...TABLE, policies: [{ ...POLICY, columns: ['data'], using }] }])).to.deep.equal([
      'api.notes: the policy own finds the owner inside the document data',
    ]);
  });

  it('is a policy that asks for more than the owner, unless a rule says whose the rows are', () => {
    const policies = [
      { ...POLICY, columns: ['owner', 'archived'], using: `((owner = ${ME}) AND (NOT archived))` },
    ];
    expect(of([{ ...TABLE, policies }])).to.deep.equal([
      'api.notes: its policies ask for more than the owner, so which rows are of others is for --rules',
    ]);
    expect(of([{ ...TABLE, policies }], [], ['api.notes'])).to.deep.equal([]);
    const open: Policy = { ...POLICY, name: 'all', command: 'r', using: 'true', columns: [] };
    expect(of([{ ...TABLE, policies: [...policies, open] }])).to.deep.equal([]);
  });

  it('is a delete that deletes rows of others', () => {
    const key = { columns: ['note'], table: 1, keys: ['id'], cascades: true };
    const child: Table = { ...TABLE, oid: 2, name: 'comments', foreignKeys: [key], grants: [] };
    expect(of([TABLE, child])).to.deep.equal([
      'api.notes: a delete deletes rows of api.comments, also those of others',
    ]);
    expect(of([TABLE, { ...child, foreignKeys: [{ ...key, cascades: false }] }])).to.deep.equal([]);
    expect(of([{ ...TABLE, grants: [{ ...GRANT, delete: false }] }, child])).to.deep.equal([]);
  });

  it('is a computed column and a boolean function with the rights of their owner', () => {
    expect(
      of(
        [],
        [
          { ...DEFINER, name: 'secret', isComputed: true },
          { ...DEFINER, name: 'is_member', isBoolean: true },
          { ...DEFINER, name: 'hidden', isBoolean: true, roles: [] },
        ],
      ),
    ).to.deep.equal([
      'api.is_member: it answers true or false with the rights of its owner',
      'api.secret: a computed column, which reads with the rights of its owner',
    ]);
  });
});
