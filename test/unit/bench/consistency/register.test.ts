import { expect } from 'chai';
import fc from 'fast-check';
import {
  judgeRegister,
  type Effect,
  type RegisterOperation,
} from '../../../../bench/consistency/register.js';
import { randomOf } from '../../../../src/base/random.js';
import { runs } from '../../../support/runs.js';

const MAX_STEPS = 100_000;

/** Tries every order: a definition to compare with. */
function hasOrder(operations: readonly RegisterOperation[], value: number): boolean {
  if (operations.every(({ end }) => end === Infinity)) return true;
  return operations.some((operation, place) => {
    const rest = operations.filter((_, other) => other !== place);
    if (rest.some(({ end }) => end < operation.begin)) return false;
    const after = afterwards(operation.effect, value);
    return after !== null && hasOrder(rest, after);
  });
}

function afterwards(effect: Effect, value: number): number | null {
  if (effect.kind === 'write') return effect.value;
  if (effect.kind === 'read') return effect.value === value ? value : null;
  if (effect.kind === 'swap') return effect.expected === value ? effect.value : null;
  return effect.expected === value ? null : value;
}

const small = fc.integer({ min: 0, max: 3 });
const effect: fc.Arbitrary<Effect> = fc.oneof(
  fc.record({ kind: fc.constant('read' as const), value: small }),
  fc.record({ kind: fc.constant('write' as const), value: small }),
  fc.record({ kind: fc.constant('swap' as const), expected: small, value: small }),
  fc.record({ kind: fc.constant('unlike' as const), expected: small }),
);
/** Reads and refusals without an answer are not recorded. */
const operation = fc
  .record({
    effect,
    begin: fc.integer({ min: 0, max: 12 }),
    took: fc.integer({ min: 0, max: 8 }),
    lost: fc.boolean(),
  })
  .map(({ effect, begin, took, lost }): RegisterOperation => {
    const isWrite = effect.kind === 'write' || effect.kind === 'swap';
    return { effect, begin, end: lost && isWrite ? Infinity : begin + took };
  });

describe('the search for an order of one register', () => {
  it('finds an order exactly where there is one', () => {
    let orders = 0;
    let total = 0;
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 6 }), (operations) => {
        const expected = hasOrder(operations, 0);
        total++;
        if (expected) orders++;
        expect(judgeRegister(operations, 0, MAX_STEPS)).to.equal(
          expected ? 'linearizable' : 'not linearizable',
        );
      }),
      { numRuns: runs(20_000, 2000), seed: 1 },
    );
    expect(orders)
      .to.be.greaterThan(total / 20)
      .and.lessThan((total * 19) / 20);
  });
  it('gives up after the steps that it may take', () => {
    const writes = Array.from({ length: 12 }, (_, value): RegisterOperation => ({
      ...{ begin: 0, end: 10, effect: { kind: 'write', value: value + 1 } },
    }));
    const impossible: RegisterOperation = { begin: 20, end: 30, effect: { kind: 'read', value: 99 } };
    expect(judgeRegister([...writes, impossible], 0, 1000)).to.equal('undecided');
  });
  it('judges a long history of few clients', () => {
    const operations = Array.from({ length: 400 }, (_, place): RegisterOperation => {
      const value = Math.floor(place / 2);
      const effect = { kind: place % 2 === 0 ? ('write' as const) : ('read' as const), value };
      return { begin: place * 2, end: place * 2 + 3, effect };
    });
    expect(judgeRegister(operations, 0, MAX_STEPS)).to.equal('linearizable');
    const stale: RegisterOperation = { begin: 700, end: 701, effect: { kind: 'read', value: 1 } };
    expect(judgeRegister([...operations, stale], 0, MAX_STEPS)).to.equal('not linearizable');
  });
  it('judges rows that many clients read and write at once', () => {
    const random = randomOf(1);
    let value = 0;
    const operations = Array.from({ length: 300 }, (_, place): RegisterOperation => {
      const begin = place * 10 - random(150);
      const end = place * 10 + random(150);
      const dice = random(10);
      if (dice < 7) return { begin, end, effect: { kind: 'read', value } };
      if (dice === 7)
        return { begin, end, effect: { kind: 'unlike', expected: random(value + 2) + value + 1 } };
      const expected = value++;
      const effect =
        dice === 8 ? ({ kind: 'swap', expected, value } as const) : ({ kind: 'write', value } as const);
      return { begin, end, effect };
    });
    expect(judgeRegister(operations, 0, MAX_STEPS)).to.equal('linearizable');
    const lost = operations.map((operation): RegisterOperation =>
      operation.effect.kind === 'read' && operation.effect.value === value - 5
        ? { ...operation, effect: { kind: 'read', value: value - 30 } }
        : operation,
    );
    expect(judgeRegister(lost, 0, MAX_STEPS)).to.equal('not linearizable');
  });
});
