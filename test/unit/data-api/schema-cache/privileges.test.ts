import { expect } from 'chai';
import {
  addColumnGrants,
  buildAccessLists,
  buildRoles,
  privilegesOf,
} from '../../../../src/data-api/schema-cache/privileges.js';
import type { AccessList } from '../../../../src/data-api/schema-cache/types.js';

const ROLES = buildRoles([
  { name: 'anon', superuser: false, bypassesPolicies: false, inherits: [] },
  { name: 'editor', superuser: false, bypassesPolicies: false, inherits: ['writer'] },
  { name: 'writer', superuser: false, bypassesPolicies: false, inherits: ['reader'] },
  { name: 'reader', superuser: false, bypassesPolicies: false, inherits: ['writer'] },
  { name: 'auditor', superuser: false, bypassesPolicies: false, inherits: ['pg_read_all_data'] },
  { name: 'root', superuser: true, bypassesPolicies: true, inherits: [] },
]);

const LISTS = buildAccessLists([
  { acl: 'a', grants: [['reader', ['SELECT']]] },
  { acl: 'b', grants: [[null, ['EXECUTE']]] },
]);

const list = (acl: string): AccessList => LISTS.get(acl) ?? new Map();

describe('privilegesOf', () => {
  it('includes inherited privileges through any number of steps, and ends on cycles', () => {
    expect(privilegesOf(ROLES, 'editor')(list('a'), 'SELECT')).to.equal(true);
    expect(privilegesOf(ROLES, 'editor')(list('a'), 'INSERT')).to.equal(false);
    expect(privilegesOf(ROLES, 'anon')(list('a'), 'SELECT')).to.equal(false);
  });

  it('includes the privileges of PUBLIC, for unknown roles as well', () => {
    expect(privilegesOf(ROLES, 'anon')(list('b'), 'EXECUTE')).to.equal(true);
    expect(privilegesOf(ROLES, 'stranger')(list('b'), 'EXECUTE')).to.equal(true);
    expect(privilegesOf(ROLES, 'stranger')(list('a'), 'SELECT')).to.equal(false);
  });

  it('lets a superuser do everything', () => {
    expect(privilegesOf(ROLES, 'root')(list('a'), 'DELETE')).to.equal(true);
  });

  it('knows the predefined roles for all data', () => {
    expect(privilegesOf(ROLES, 'auditor')(new Map(), 'SELECT')).to.equal(true);
    expect(privilegesOf(ROLES, 'auditor')(new Map(), 'INSERT', 'UPDATE', 'DELETE')).to.equal(false);
  });

  it('counts privileges on single columns as ones on the table', () => {
    const sum = addColumnGrants(list('a'), { relation: 1, grants: [['anon', ['UPDATE']]] });
    expect(privilegesOf(ROLES, 'anon')(sum, 'UPDATE')).to.equal(true);
    expect(privilegesOf(ROLES, 'reader')(sum, 'SELECT')).to.equal(true);
    expect(addColumnGrants(list('a'), undefined)).to.equal(list('a'));
  });

  it('treats role names as plain names, including those of object properties', () => {
    for (const name of ['__proto__', 'constructor', '']) {
      expect(privilegesOf(ROLES, name)(list('a'), 'SELECT'), name).to.equal(false);
    }
  });
});
