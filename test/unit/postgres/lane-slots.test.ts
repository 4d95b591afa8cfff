import { expect } from 'chai';
import fc from 'fast-check';
import {
  chooseSlot,
  emptySlots,
  endLease,
  fill,
  lease,
  slotRules,
  type LaneUse,
  type Slot,
} from '../../../src/postgres/lane-slots.js';
import type { Lane } from '../../../src/postgres/lane.js';

const LANE: Lane = {
  send: () => undefined,
  cancel: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
const ALL: readonly LaneUse[] = ['write', 'slow', 'shared'];

function openSlots(size: number, expiresAt = Infinity): readonly Slot[] {
  const slots = emptySlots(size);
  for (const slot of slots) fill(slot, LANE, expiresAt);
  return slots;
}

/** Takes lanes for one use until there is none. */
function exhaust(slots: readonly Slot[], use: LaneUse, depth = 8): number {
  const rules = slotRules(slots.length, depth);
  let count = 0;
  for (;;) {
    const { slot } = chooseSlot(slots, use, rules);
    if (slot === null) return count;
    lease(slot, use);
    count++;
  }
}

describe('chooseSlot', () => {
  it('gives quick reads two in five lanes, each up to the depth, evenly', () => {
    const slots = openSlots(10);
    expect(exhaust(slots, 'shared')).to.equal(32);
    expect(slots.map(({ busy }) => busy)).to.deep.equal([8, 8, 8, 8, 0, 0, 0, 0, 0, 0]);
  });

  it('gives quick reads every lane but those kept for others, where a lane carries one', () => {
    expect(exhaust(openSlots(10), 'shared', 1)).to.equal(8);
  });

  it('gives writes and slow reads a lane each, from the other end, but for what others need', () => {
    const slots = openSlots(10);
    expect(exhaust(slots, 'slow')).to.equal(8);
    expect(slots.map(({ busy }) => busy)).to.deep.equal([0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(exhaust(slots, 'write')).to.equal(1);
    expect(exhaust(slots, 'shared')).to.equal(8);
  });

  it('serves everything in turn on one lane, and keeps quick reads apart on two', () => {
    expect(slotRules(1, 8)).to.deep.include({ uses: ['write'], depth: 1 });
    expect(slotRules(2, 8)).to.deep.include({ uses: ['write', 'shared'], depth: 8 });
    const slots = openSlots(2);
    expect(exhaust(slots, 'write')).to.equal(1);
    expect(exhaust(slots, 'shared')).to.equal(8);
  });

  it('gives no more leases on a lane that has had its time', () => {
    const slots = openSlots(3, Infinity);
    const rules = slotRules(3, 8);
    const [first] = slots;
    if (first === undefined) throw new Error('no slot');
    lease(first, 'shared');
    expect(chooseSlot(slots, 'shared', rules).slot).to.equal(first);
    first.expiresAt = 0;
    expect(chooseSlot(slots, 'shared', rules).slot).to.equal(null);
  });

  it('asks for another connection where it may have one and none is idle', () => {
    const slots = emptySlots(5);
    const [first] = slots;
    if (first === undefined) throw new Error('no slot');
    const rules = slotRules(5, 8);
    expect(chooseSlot(slots, 'shared', rules)).to.deep.equal({ slot: null, wantsAnother: true });
    fill(first, LANE, Infinity);
    expect(chooseSlot(slots, 'shared', rules)).to.deep.equal({ slot: first, wantsAnother: false });
    lease(first, 'shared');
    expect(chooseSlot(slots, 'shared', rules)).to.deep.equal({ slot: first, wantsAnother: true });
    expect(chooseSlot(slots, 'write', rules)).to.deep.equal({ slot: null, wantsAnother: true });
  });

  it('always has a lane for a use that has none, whatever came before', () => {
    const size = fc.integer({ min: 3, max: 12 });
    const steps = fc.array(fc.record({ use: fc.constantFrom(...ALL), ends: fc.nat() }), { maxLength: 80 });
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 8 }), steps, (lanes, depth, history) => {
        const slots = openSlots(lanes);
        const rules = slotRules(lanes, depth);
        for (const { use, ends } of history) {
          const { slot } = chooseSlot(slots, use, rules);
          if (slot !== null) lease(slot, use);
          const ending = slots[ends % (lanes * 2)];
          if (ending !== undefined && ending.busy > 0) endLease(ending);
          for (const slotNow of slots) {
            expect(slotNow.busy).to.be.at.most(slotNow.use === 'shared' ? depth : 1);
            expect(slotNow.use === null).to.equal(slotNow.busy === 0);
          }
          for (const each of ALL)
            if (!slots.some((slotNow) => slotNow.use === each))
              expect(chooseSlot(slots, each, rules).slot, `a lane for ${each}`).not.to.equal(null);
        }
      }),
    );
  });
});
