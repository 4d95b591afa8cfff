import { expect } from 'chai';
import fc from 'fast-check';
import { clear, emptySlots, fill, isIdle, type Slot } from '../../../src/postgres/pool-connections.js';
import {
  beginLease as lease,
  chooseSlot,
  endLease,
  keepForLong,
  mayHold,
  mayTakeExclusively,
  type PoolView,
  slotToDrain,
} from '../../../src/postgres/pool-dispatch.js';
import type { BatchUse } from '../../../src/postgres/batch.js';
import type { PipelinedConnection } from '../../../src/postgres/connection.js';

const LANE: PipelinedConnection = {
  send: () => undefined,
  cancel: () => Promise.resolve(true),
  pause: () => undefined,
  resume: () => undefined,
  close: () => Promise.resolve(),
  abort: () => undefined,
  server: { host: 'a', port: 5432 },
  processId: 1,
  isSilent: () => false,
  awaitsResponse: () => false,
};
const USES: readonly BatchUse[] = ['shared', 'brief', 'long'];

function viewOf(slots: readonly Slot[], more: Partial<PoolView> = {}): PoolView {
  return { slots, depth: 8, capacity: slots.length, now: 0, ...more };
}

function openPool(size: number, more: Partial<PoolView> = {}): PoolView {
  const slots = emptySlots(size);
  for (const slot of slots) fill(slot, LANE, Infinity, 0);
  return viewOf(slots, more);
}

/** Takes connections for one use until there is none. */
function exhaust(pool: PoolView, use: BatchUse): number {
  for (let count = 0; ; count++) {
    const { slot } = chooseSlot(pool, use);
    if (slot === null) return count;
    lease(slot, use, 0);
  }
}

const busy = ({ slots }: PoolView): readonly number[] => slots.map((slot) => slot.busy);

function slotAt({ slots }: PoolView, index: number): Slot {
  const slot = slots[index];
  if (slot === undefined) throw new Error('no slot');
  return slot;
}

describe('chooseSlot', () => {
  it('gives shared reads two in five connections as long as these suffice, then every idle one', () => {
    const pool = openPool(10);
    for (let count = 0; count < 32; count++) {
      const { slot } = chooseSlot(pool, 'shared');
      if (slot !== null) lease(slot, 'shared', 0);
    }
    expect(busy(pool)).to.deep.equal([8, 8, 8, 8, 0, 0, 0, 0, 0, 0]);
    expect(exhaust(pool, 'shared')).to.equal(48);
  });

  it('gives every batch an idle connection if it may use one', () => {
    const pool = openPool(2);
    expect(exhaust(pool, 'shared')).to.equal(16);
    expect(busy(pool)).to.deep.equal([8, 8]);
  });

  it('gives one batch a connection where a pooler shares them out by transaction', () => {
    expect(exhaust(openPool(10, { depth: 1 }), 'shared')).to.equal(10);
  });

  it('gives long reads half of the connections, and reserves one for shared reads against brief batches', () => {
    const pool = openPool(10);
    expect(exhaust(pool, 'long')).to.equal(5);
    expect(exhaust(pool, 'brief')).to.equal(4);
    expect(exhaust(pool, 'shared')).to.equal(8);
    expect(busy(pool)).to.deep.equal([8, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('reserves one connection for long reads against brief batches', () => {
    const pool = openPool(10);
    expect(exhaust(pool, 'brief')).to.equal(8);
    expect(exhaust(pool, 'long')).to.equal(1);
  });

  it('serves everything in turn on one connection', () => {
    const pool = openPool(1);
    expect(exhaust(pool, 'shared')).to.equal(8);
    for (const use of ['brief', 'long'] as const) expect(chooseSlot(pool, use).slot).to.equal(null);
    expect(slotToDrain(pool, 'long')).to.equal(slotAt(pool, 0));
    slotAt(pool, 0).draining = true;
    endLease(slotAt(pool, 0), true, 0);
    expect(chooseSlot(pool, 'shared').slot).to.equal(null);
    for (let left = 0; left < 7; left++) endLease(slotAt(pool, 0), true, 0);
    expect(chooseSlot(pool, 'shared').slot).to.equal(null);
    expect(chooseSlot(pool, 'long').slot).to.equal(slotAt(pool, 0));
  });

  it('gives no batch to a connection whose first batch is late or whose lifetime has ended', () => {
    for (const mark of [{ headSince: -20 }, { expiresAt: -1 }]) {
      const pool = openPool(2);
      exhaust(pool, 'long');
      const shared = slotAt(pool, 0);
      lease(shared, 'shared', 0);
      expect(chooseSlot(pool, 'shared').slot).to.equal(shared);
      Object.assign(shared, mark);
      expect(chooseSlot(pool, 'shared').slot).to.equal(null);
    }
  });

  it('uses another connection while the first batch of a shared one is late', () => {
    const pool = openPool(3);
    lease(slotAt(pool, 0), 'shared', -20);
    lease(slotAt(pool, 0), 'shared', 0);
    expect(chooseSlot(pool, 'shared').slot).to.equal(slotAt(pool, 1));
    endLease(slotAt(pool, 0), false, 0);
    expect(chooseSlot(pool, 'shared').slot).to.equal(slotAt(pool, 1));
    lease(slotAt(pool, 1), 'shared', 0);
    lease(slotAt(pool, 0), 'shared', 0);
    endLease(slotAt(pool, 0), true, 0);
    expect(chooseSlot(pool, 'shared').slot).to.equal(slotAt(pool, 0));
  });

  it('counts the open connections, not the configured maximum', () => {
    const slots = emptySlots(10);
    fill(slotAt(viewOf(slots), 0), LANE, Infinity, 0);
    const limited = viewOf(slots, { capacity: 1 });
    expect(exhaust(limited, 'long')).to.equal(1);
    endLease(slotAt(limited, 0), true, 0);
    fill(slotAt(limited, 1), LANE, Infinity, 0);
    expect(exhaust(viewOf(slots, { capacity: 2 }), 'long')).to.equal(1);
    expect(chooseSlot(viewOf(slots, { capacity: 2 }), 'shared').slot).not.to.equal(null);
  });

  it('leaves the last open connection to shared reads until a long read finds another one open', () => {
    const slots = emptySlots(10);
    const pool = viewOf(slots);
    fill(slotAt(pool, 0), LANE, Infinity, 0);
    expect(chooseSlot(pool, 'long')).to.deep.equal({ slot: null, wantsConnection: true });
    fill(slotAt(pool, 1), LANE, Infinity, 0);
    expect(chooseSlot(pool, 'long').slot).to.equal(slotAt(pool, 1));
  });

  it('divides the connections that slow readers do not hold', () => {
    const pool = openPool(4);
    for (const index of [2, 3]) {
      lease(slotAt(pool, index), 'long', 0);
      slotAt(pool, index).held = true;
    }
    expect(mayHold(pool, false), 'two connections remain').to.equal(false);
    expect(exhaust(pool, 'long')).to.equal(1);
    lease(slotAt(pool, 0), 'shared', 0);
    expect(mayTakeExclusively(pool, 'brief')).to.equal(false);
    slotAt(pool, 1).held = true;
    expect(mayHold(pool, true)).to.equal(false);
  });

  it('gives no long read the last connection that slow readers of bodies leave, but a brief batch', () => {
    const pool = openPool(2);
    lease(slotAt(pool, 1), 'long', 0);
    slotAt(pool, 1).held = true;
    expect(chooseSlot(pool, 'long').slot).to.equal(null);
    expect(chooseSlot(pool, 'brief').slot).to.equal(slotAt(pool, 0));
    expect(chooseSlot(pool, 'shared').slot).to.equal(slotAt(pool, 0));
  });

  it('leaves a connection to shared reads if slow readers hold all but two, after any history', () => {
    const actions = fc.array(
      fc.record({
        use: fc.constantFrom(...USES),
        at: fc.nat(),
        event: fc.constantFrom('take', 'take', 'end', 'late', 'hold'),
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
          const taken = new Map<Slot, number>();
          for (const { use, at, event } of history) {
            const touched = slotAt(pool, at % size);
            const own = taken.get(touched) ?? 0;
            if (event === 'take') {
              const { slot } = chooseSlot(pool, use);
              if (slot === null) continue;
              lease(slot, use, 0);
              taken.set(slot, (taken.get(slot) ?? 0) + 1);
            } else if (event === 'end' && own > 0) {
              taken.set(touched, own - 1);
              touched.held = false;
              endLease(touched, true, 0);
            } else if (
              event === 'late' &&
              (touched.use === 'shared' || touched.use === 'brief') &&
              mayTakeExclusively(pool, 'long', touched)
            )
              keepForLong(touched);
            else if (event === 'hold' && touched.use === 'long' && mayHold(pool, false)) touched.held = true;
            for (const slot of pool.slots) {
              expect(slot.busy).to.be.at.most(depth);
              expect(slot.use === null).to.equal(slot.busy === 0);
            }
            const shareable = pool.slots.filter(({ held }) => !held);
            const exclusive = shareable.filter(({ use }) => use === 'brief' || use === 'long').length;
            expect(exclusive, 'one is left').to.be.lessThan(Math.max(2, shareable.length));
            if (pool.slots.some((slot) => isIdle(slot)))
              expect(chooseSlot(pool, 'shared').slot).not.to.equal(null);
          }
        },
      ),
    );
  });
});

describe('clear', () => {
  it('returns the connection, and leaves an empty slot that any use may fill', () => {
    const pool = openPool(1);
    const slot = slotAt(pool, 0);
    lease(slot, 'long', 0);
    Object.assign(slot, { draining: true, clearing: true, held: true });
    expect(clear(slot)).to.equal(LANE);
    const [empty] = emptySlots(1);
    for (const name of ['connection', 'use', 'busy', 'draining', 'clearing', 'held'] as const)
      expect(slot[name], name).to.equal(empty?.[name]);
    expect(chooseSlot(pool, 'brief').slot).to.equal(null);
    expect(clear(slot)).to.equal(null);
  });
});
