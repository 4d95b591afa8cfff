import { expect } from 'chai';
import {
  createCosts,
  lowerCeiling,
  needsGuard,
  notePassed,
  noteRefused,
  requireCost,
  type CostCheck,
} from '../../../../src/data-api/ceilings/cost.js';
import { costGuardSql } from '../../../../src/data-api/sql/context.js';
import { sql } from '../../../../src/postgres/sql.js';

const TEXT = sql`select 'it''s' from t where a = $1 and b = $2`;

describe('the cost of a statement', () => {
  const checkOf = (ceiling: number, costs = createCosts()): CostCheck => ({
    ceiling,
    known: costs.of('role\0schema', TEXT),
    hidesCost: false,
    text: TEXT,
    parameters: 2,
  });

  it('is guarded until a guard has passed, also for other shapes of the same statement', () => {
    const costs = createCosts();
    const check = checkOf(100, costs);
    expect(costGuardSql(TEXT, 2, 100))
      .to.match(/^do '/)
      .and.contain('explain (format json) execute dbr_cost(null, null)')
      .and.contain("it''''''''s");
    notePassed(check);
    expect(needsGuard(check)).to.equal(false);
    expect(needsGuard(checkOf(101, costs))).to.equal(false);
    expect(needsGuard(checkOf(99, costs))).to.equal(true);
    notePassed(checkOf(500, costs));
    expect(needsGuard(check)).to.equal(false);
    expect(needsGuard(checkOf(100))).to.equal(true);
  });

  it('refuses without the database once a guard has named it', () => {
    const costs = createCosts();
    const check = checkOf(100, costs);
    requireCost(check);
    expect(noteRefused(check, 250)).to.include({ code: 'DBR190' });
    expect(() => requireCost(check)).to.throw('too costly');
    expect(() => requireCost(checkOf(249, costs))).to.throw('too costly');
    requireCost(checkOf(250, costs));
    expect(needsGuard(checkOf(250, costs))).to.equal(false);
  });

  it('is kept in bounded memory, whatever the number of statements', () => {
    const costs = createCosts();
    const first = costs.of('scope', 'statement 0');
    first.exact = 7;
    for (let number = 1; number <= 50_000; number += 1) costs.of('scope', `statement ${String(number)}`);
    expect(costs.of('scope', 'statement 0').exact).to.equal(null);
    expect(costs.of('scope', 'statement 50000')).to.equal(costs.of('scope', 'statement 50000'));
  });

  it('has the lower of two ceilings', () => {
    expect([
      lowerCeiling(null, null),
      lowerCeiling(1, null),
      lowerCeiling(null, 2),
      lowerCeiling(2, 1),
    ]).to.deep.equal([null, 1, 2, 1]);
  });
});
