import { expect } from 'chai';
import { createCeilings } from '../../../../src/data-api/ceilings/role-ceilings.js';

const GENERAL = {
  'db-max-cost': 5000,
  'db-shapes': 'off',
} as const;

const OF_SERVICE = {
  maxCost: 5000,
  maxResultBytes: null,
  shapes: 'off',
  operators: null,
  orders: null,
};

describe('the ceilings of a role', () => {
  const ceilingsOf = (settings: Readonly<Record<string, string>>) => {
    const roles = new Map([['editor', { ceilings: new Map(Object.entries(settings)) }]]);
    const made = createCeilings(GENERAL, roles);
    return { ceilings: made.of('editor'), others: made.of('reader'), problems: made.problems };
  };

  it('are those of the service without settings of its own', () => {
    expect(ceilingsOf({})).to.deep.equal({ ceilings: OF_SERVICE, others: OF_SERVICE, problems: [] });
  });

  it('take the place of those of the service, for this role alone', () => {
    const settings = {
      'dbr.db_max_cost': '7',
      'dbr.db_max_result_bytes': '65536',
      'dbr.db_shapes': 'record',
      'dbr.operators': 'eq, in',
      'dbr.orders': 'id',
    };
    expect(ceilingsOf(settings)).to.deep.equal({
      ceilings: {
        maxCost: 7,
        maxResultBytes: 65_536,
        shapes: 'record',
        operators: new Set(['eq', 'in']),
        orders: new Set(['id']),
      },
      others: OF_SERVICE,
      problems: [],
    });
  });

  it('allow no operator and no order by the word none', () => {
    const { ceilings, problems } = ceilingsOf({ 'dbr.operators': 'none', 'dbr.orders': ' none ' });
    expect(ceilings).to.deep.equal({ ...OF_SERVICE, operators: new Set(), orders: new Set() });
    expect(problems).to.deep.equal([]);
  });

  it('are the strictest where a setting is invalid, and name it', () => {
    const { ceilings, problems } = ceilingsOf({
      'dbr.db_max_cost': '0',
      'dbr.db_max_result_bytes': '65535',
      'dbr.db_shapes': 'some',
      'dbr.operators': 'eq,like_any,toString',
    });
    expect(ceilings).to.deep.equal({
      maxCost: 0,
      maxResultBytes: 65_536,
      shapes: 'enforce',
      operators: new Set(['eq', 'like_any', 'toString']),
      orders: null,
    });
    expect(problems).to.deep.equal([
      'dbr.operators of the role editor must be names of operators, which like_any, toString is not',
      'dbr.db_max_cost of the role editor must be a whole number from 1 to 1000000000000',
      'dbr.db_max_result_bytes of the role editor must be a whole number from 65536 to 1073741824',
      'dbr.db_shapes of the role editor must be one of off, record, enforce',
    ]);
  });
});
