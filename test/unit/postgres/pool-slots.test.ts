import { expect } from 'chai';
import fc from 'fast-check';
import {
  chooseSlot,
  emptySlots,
  endLease,
  fill,
  isIdle,
  keepForSlow,
  lease,
  mayHold,
  mayTakeExclusively,
  slotToDrain,
  type BatchKind,
  type PoolView,
  type Slot,
} from '../../../src/postgres/pool-slots.js';
import type { PipelinedConnection } from '../../../src/postgres/pipelined-connection.js';

const LANE: PipelinedConnection = {
  send: () => undefined,
  cancel: () => Promise.resolve(),
  pause: () => undefined,
  resume: () => undefined,
  close: () => Promise.resolve(),
  abort: () => undefined,
  server: { host: 'a', port: 5432 },
  processId: 1,
  isSilent: () => false,
  awaitsResponse: () => false,
};
const KINDS: readonly BatchKind[] = ['quick', 'moderate', 'write', 'slow'];

function viewOf(slots: readonly Slot[], more: Partial<PoolView> = {}): PoolView {
  return { slots, depth: 8, capacity: slots.length, now: 0, ...more };
}

function openPool(size: number, more: Partial<PoolView> = {}): PoolView {
  const slots = emptySlots(size);
  for (const slot of slots) fill(slot, LANE, Infinity, 0);
  return viewOf(slots, more);
}

/** Takes connections for one kind until there is none. */
function exhaust(pool: PoolView, kind: BatchKind): number {
  for (let count = 0; ; count++) {
    const { slot } = chooseSlot(pool, kind);
    if (slot === null) return count;
    lease(slot, kind);
  }
}

const busy = ({ slots }: PoolView): readonly number[] => slots.map((slot) => slot.busy);

function slotAt({ slots }: PoolView, index: number): Slot {
  const slot = slots[index];
  if (slot === undefined) throw new Error('no slot');
  return slot;
}

describe('chooseSlot', () => {
  it('gives quick reads two in five connections as long as these suffice, then every idle one', () => {
    const pool = openPool(10);
    for (let count = 0; count < 32; count++) {
      const { slot } = chooseSlot(pool, 'quick');
      if (slot !== null) lease(slot, 'quick');
    }
    expect(busy(pool)).to.deep.equal([8, 8, 8, 8, 0, 0, 0, 0, 0, 0]);
    expect(exhaust(pool, 'quick')).to.equal(48);
  });

  it('gives every batch an idle connection if it may use one', () => {
    const pool = openPool(2);
    expect(exhaust(pool, 'quick')).to.equal(16);
    expect(busy(pool)).to.deep.equal([8, 8]);
  });

  it('gives one batch a connection where a pooler shares them out by transaction', () => {
    expect(exhaust(openPool(10, { depth: 1 }), 'quick')).to.equal(10);
  });

  it('reserves one connection for quick reads and one for writes against slow reads', () => {
    const pool = openPool(10);
    expect(exhaust(pool, 'slow')).to.equal(8);
    expect(exhaust(pool, 'write')).to.equal(1);
    expect(exhaust(pool, 'quick')).to.equal(8);
    expect(busy(pool)).to.deep.equal([8, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('allows one batch of an unknown shape on each connection, beside others', () => {
    const pool = openPool(10);
    exhaust(pool, 'slow');
    exhaust(pool, 'write');
    const quick = chooseSlot(pool, 'quick').slot;
    if (quick !== null) lease(quick, 'quick');
    expect(chooseSlot(pool, 'moderate').slot).to.equal(quick);
    if (quick !== null) lease(quick, 'moderate');
    expect(chooseSlot(pool, 'moderate').slot).to.equal(null);
  });

  it('keeps one of the connections of quick reads free of moderate ones', () => {
    const pool = openPool(4);
    expect(exhaust(pool, 'moderate')).to.equal(3);
    expect(chooseSlot(pool, 'quick').slot).to.equal(slotAt(pool, 3));
  });

  it('serves everything in turn on one connection', () => {
    const pool = openPool(1);
    expect(exhaust(pool, 'quick')).to.equal(8);
    for (const kind of ['write', 'slow'] as const) expect(chooseSlot(pool, kind).slot).to.equal(null);
    expect(slotToDrain(pool, 'slow')).to.equal(slotAt(pool, 0));
    slotAt(pool, 0).draining = true;
    endLease(slotAt(pool, 0), 'quick', 0);
    expect(chooseSlot(pool, 'quick').slot).to.equal(null);
    for (let left = 0; left < 7; left++) endLease(slotAt(pool, 0), 'quick', 0);
    expect(chooseSlot(pool, 'quick').slot).to.equal(null);
    expect(chooseSlot(pool, 'slow').slot).to.equal(slotAt(pool, 0));
  });

  it('gives no batch to a connection whose first batch is overdue or whose lifetime has ended', () => {
    for (const mark of [{ overdue: true }, { expiresAt: -1 }]) {
      const pool = openPool(2);
      exhaust(pool, 'slow');
      const shared = slotAt(pool, 0);
      lease(shared, 'quick');
      expect(chooseSlot(pool, 'quick').slot).to.equal(shared);
      Object.assign(shared, mark);
      expect(chooseSlot(pool, 'quick').slot).to.equal(null);
      expect(chooseSlot(pool, 'moderate').slot).to.equal(null);
    }
  });

  it('counts the open connections, not the configured maximum', () => {
    const slots = emptySlots(10);
    fill(slotAt(viewOf(slots), 0), LANE, Infinity, 0);
    const limited = viewOf(slots, { capacity: 1 });
    expect(exhaust(limited, 'slow')).to.equal(1);
    endLease(slotAt(limited, 0), 'slow', 0);
    fill(slotAt(limited, 1), LANE, Infinity, 0);
    expect(exhaust(viewOf(slots, { capacity: 2 }), 'slow')).to.equal(1);
    expect(chooseSlot(viewOf(slots, { capacity: 2 }), 'quick').slot).not.to.equal(null);
  });

  it('leaves the last open connection to quick reads until a slow read finds another one open', () => {
    const slots = emptySlots(10);
    const pool = viewOf(slots);
    fill(slotAt(pool, 0), LANE, Infinity, 0);
    expect(chooseSlot(pool, 'slow')).to.deep.equal({ slot: null, opensAnother: true });
    fill(slotAt(pool, 1), LANE, Infinity, 0);
    expect(chooseSlot(pool, 'slow').slot).to.equal(slotAt(pool, 1));
  });

  it('divides the connections that slow readers do not hold', () => {
    const pool = openPool(4);
    for (const index of [2, 3]) {
      lease(slotAt(pool, index), 'slow');
      slotAt(pool, index).held = true;
    }
    expect(mayHold(pool, false), 'two connections remain').to.equal(false);
    expect(exhaust(pool, 'slow')).to.equal(1);
    lease(slotAt(pool, 0), 'quick');
    expect(mayTakeExclusively(pool, 'write')).to.equal(false);
    slotAt(pool, 1).held = true;
    expect(mayHold(pool, true)).to.equal(false);
  });

  it('gives no slow read the last connection that slow readers of bodies leave, but a write', () => {
    const pool = openPool(2);
    lease(slotAt(pool, 1), 'slow');
    slotAt(pool, 1).held = true;
    expect(chooseSlot(pool, 'slow').slot).to.equal(null);
    expect(chooseSlot(pool, 'write').slot).to.equal(slotAt(pool, 0));
    expect(chooseSlot(pool, 'quick').slot).to.equal(slotAt(pool, 0));
  });

  it('counts an overdue batch among those of unknown shapes, so that one connection stays free of them', () => {
    const pool = openPool(3);
    lease(slotAt(pool, 2), 'slow');
    lease(slotAt(pool, 1), 'moderate');
    slotAt(pool, 1).overdue = true;
    expect(chooseSlot(pool, 'moderate').slot).to.equal(null);
    expect(chooseSlot(pool, 'quick').slot).to.equal(slotAt(pool, 0));
  });

  it('leaves a connection to quick reads if slow readers hold all but two, after any history', () => {
    const actions = fc.array(
      fc.record({
        kind: fc.constantFrom(...KINDS),
        at: fc.nat(),
        event: fc.constantFrom('take', 'take', 'end', 'overdue', 'hold'),
      }),
      { maxLength: 100 },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 8 }),
        actions,
        (size, depth, history) => {
          const pool = openPool(size, { depth });
          const taken = new Map<Slot, BatchKind[]>();
          for (const { kind, at, event } of history) {
            const touched = slotAt(pool, at % size);
            const own = taken.get(touched) ?? [];
            if (event === 'take') {
              const { slot } = chooseSlot(pool, kind);
              if (slot === null) continue;
              lease(slot, kind);
              taken.set(slot, [...(taken.get(slot) ?? []), kind]);
            } else if (event === 'end' && own.length > 0) {
              const [first, ...rest] = own;
              taken.set(touched, rest);
              touched.held = false;
              if (first !== undefined) endLease(touched, first, 0);
            } else if (event === 'overdue' && touched.use === 'shared' && mayTakeExclusively(pool, 'slow'))
              keepForSlow(touched);
            else if (event === 'hold' && touched.use === 'slow' && mayHold(pool, false)) touched.held = true;
            for (const slot of pool.slots) {
              expect(slot.busy).to.be.at.most(depth);
              expect(slot.use === null).to.equal(slot.busy === 0);
              expect(slot.moderate).to.equal(
                (taken.get(slot) ?? []).filter((each) => each === 'moderate').length,
              );
            }
            const shareable = pool.slots.filter(({ held }) => !held);
            const exclusive = shareable.filter(({ use }) => use === 'write' || use === 'slow').length;
            expect(exclusive, 'one is left').to.be.lessThan(Math.max(2, shareable.length));
            if (pool.slots.some((slot) => isIdle(slot)))
              expect(chooseSlot(pool, 'quick').slot).not.to.equal(null);
          }
        },
      ),
    );
  });
});
