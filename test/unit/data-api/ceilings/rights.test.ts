import { expect } from 'chai';
import {
  mayEstimate,
  mayFilterAsCursors,
  requireEstimates,
  requireRights,
} from '../../../../src/data-api/ceilings/rights.js';
import type { RoleCeilings } from '../../../../src/data-api/ceilings/role-ceilings.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { requestOf } from '../../../support/data-api/planned.js';

const CEILINGS: RoleCeilings = {
  maxCost: null,
  maxResultBytes: null,
  shapes: 'off',
  operators: null,
  orders: null,
};

/** Returns the refusal of a query; null if the role may send it. */
function refusalOf(query: string, rights: Partial<RoleCeilings>): string | null {
  try {
    requireRights(requestOf(`GET /films?${query}`).query, { ...CEILINGS, ...rights });
  } catch (error) {
    if (!(error instanceof DbrError)) throw error;
    expect(error.status).to.equal(403);
    return error.message;
  }
  return null;
}

describe('the operators of a role', () => {
  const operators = new Set(['eq']);

  for (const [query, operator] of [
    ['id=gt.1', 'gt'],
    ['id=not.gt.1', 'gt'],
    ['title=fts.x', 'fts'],
    ['id=in.(1)', 'in'],
    ['id=is.null', 'is'],
    ['or=(id.eq.1,and(id.eq.1,id.lt.2))', 'lt'],
    ['select=year,n:id.sum()&having=(n.gte.1)', 'gte'],
    ['select=count().filter(id.neq.1)', 'neq'],
    ['select=id.sum().filter(id.lte.1)', 'lte'],
    ['select=id,people(films(id.sum().filter(title.like.x)))', 'like'],
    ['select=...people(count().filter(title.ilike.x))', 'ilike'],
  ] as const)
    it(`end with ${operator} in ${query}`, () => {
      const refusal = refusalOf(query, { operators });
      expect(refusal).to.be.a('string').and.contain(operator);
      expect(refusalOf(query, { operators: new Set(['eq', operator]) })).to.equal(null);
      expect(refusalOf(query, {})).to.equal(null);
    });

  it('are those of cursors, too', () => {
    expect(mayFilterAsCursors(CEILINGS)).to.equal(true);
    expect(mayFilterAsCursors({ ...CEILINGS, operators: new Set(['gt']) })).to.equal(false);
    expect(mayFilterAsCursors({ ...CEILINGS, operators: new Set(['lt']) })).to.equal(false);
    expect(mayFilterAsCursors({ ...CEILINGS, operators: new Set(['gt', 'lt']) })).to.equal(true);
  });
});

describe('the orders of a role', () => {
  const orders = new Set(['id']);

  for (const [query, column] of [
    ['order=id,title', 'title'],
    ['order=details->>a', 'details'],
    ['distinct=(title)', 'title'],
    ['distinct=(*)', '*'],
    ['people.order=name', 'name'],
    ['select=id:year.sum()&order=id', 'year'],
    ['select=year.sum()&order=sum', 'sum'],
    ['select=id:count()&order=id', 'count'],
  ] as const)
    it(`do not have ${column} in ${query}`, () => {
      const refusal = refusalOf(query, { orders });
      expect(refusal).to.be.a('string').and.contain(column);
      expect(refusalOf(query, {})).to.equal(null);
    });

  it('are all that the query needs', () => {
    for (const query of ['order=id.desc', 'distinct=(id)', 'people.order=id', 'select=year.sum()', 'id=gt.1'])
      expect(refusalOf(query, { orders }), query).to.equal(null);
    expect(refusalOf('select=sum:year.sum()&order=sum', { orders: new Set(['sum', 'year']) })).to.equal(null);
    expect(refusalOf('select=count()&order=count', { orders: new Set(['count']) })).to.equal(null);
  });
});

describe('estimates', () => {
  const ROLE = { superuser: false, bypassesPolicies: false, inherits: [] };
  const bounds = (allowed: boolean) => ({
    settings: { 'db-estimates-under-policies': allowed },
    cache: {
      roles: new Map([
        ['owner', { ...ROLE, bypassesPolicies: true }],
        ['reader', ROLE],
      ]),
    },
  });
  const codeOf = (
    count: 'exact' | 'planned' | 'estimated' | null,
    maxCost: number | null,
    role: string,
    allowed: boolean,
  ): string | null => {
    try {
      requireEstimates({ count, maxCost }, role, bounds(allowed));
    } catch (error) {
      return error instanceof DbrError ? error.name : 'another error';
    }
    return null;
  };

  it('are for roles that policies do not hold for, unless the setting allows them to all', () => {
    expect(['owner', 'reader', 'other'].map((role) => mayEstimate(role, bounds(false)))).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(mayEstimate('reader', bounds(true))).to.equal(true);
  });

  it('are refused where the answer depends on one', () => {
    for (const count of ['planned', 'estimated'] as const) {
      expect(codeOf(count, null, 'reader', false)).to.equal('EstimateNotAllowed');
      expect(codeOf(count, null, 'owner', false)).to.equal(null);
      expect(codeOf(count, null, 'reader', true)).to.equal(null);
    }
    expect(codeOf(null, 5, 'reader', false)).to.equal('EstimateNotAllowed');
    expect(codeOf('exact', null, 'reader', false)).to.equal(null);
    expect(codeOf(null, null, 'reader', false)).to.equal(null);
  });
});
