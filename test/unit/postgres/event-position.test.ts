import { expect } from 'chai';
import {
  advance,
  isPassed,
  OPEN_TRANSACTIONS,
  parametersOf,
  parsePosition,
  placeOf,
  positionAt,
  positionText,
  runningOf,
  settle,
  WAITING_TRANSACTIONS,
  type EventPosition,
} from '../../../src/postgres/event-position.js';

const place = (xid: number, eventId = 0) => ({ xid: String(xid), eventId: String(eventId) });
const at = (xid: number, eventId: number, ...open: EventPosition['open']): EventPosition => ({
  ...place(xid, eventId),
  open,
});
const running = (...xids: readonly number[]): ReadonlySet<string> => new Set(xids.map(String));

describe('positions of streams', () => {
  it('begin at a place of the database, with the transactions that run before it', () => {
    expect(placeOf('20.3')).to.deep.equal({ ...place(20, 3), open: [] });
    for (const text of [null, undefined, '', '20']) expect(() => placeOf(text)).to.throw('invalid position');
    expect(runningOf('{5,15,25}')).to.deep.equal(running(5, 15, 25));
    expect([runningOf('{}'), runningOf(null), runningOf(undefined)]).to.deep.equal([
      new Set(),
      new Set(),
      new Set(),
    ]);
    expect(positionAt(place(20), running(5, 20, 25))).to.deep.equal(at(20, 0, place(5)));
  });

  it('are four parameters of a statement', () => {
    expect(parametersOf(at(20, 2, place(5), place(15, 7)))).to.deep.equal(['20', '2', '{5,15}', '{0,7}']);
    expect(parametersOf(at(20, 2))).to.deep.equal(['20', '2', '{}', '{}']);
  });

  it('name the older transactions that run', () => {
    expect(advance(at(10, 1), place(20, 2), running(5, 15, 25))).to.deep.equal(
      at(20, 2, place(5), place(15)),
    );
    expect(advance(at(10, 1, place(5)), place(10, 2), running(5))).to.deep.equal(at(10, 2, place(5)));
  });

  it('keep their newest event when an older transaction ends', () => {
    const before = at(20, 2, place(5), place(10), place(15));
    const after = advance(before, place(10, 1), running(15));
    // 5 has ended before, and events of 15 would follow.
    expect(after).to.deep.equal(at(20, 2, place(10, 1), place(15)));
    expect(advance(after, place(10, 7), running(15))).to.deep.equal(at(20, 2, place(10, 7), place(15)));
    expect(settle(after, running(15))).to.deep.equal(at(20, 2, place(15)));
  });

  it('name transactions with events that wait, and the last one that was read of each', () => {
    const before = at(9, 4, place(5), place(7, 2));
    const waiting = ['7', '9'];
    expect(advance(before, place(20, 1), running(5), waiting)).to.deep.equal(
      at(20, 1, place(5), place(7, 2), place(9, 4)),
    );
    expect(advance(at(20, 1, place(7, 2), place(9, 4)), place(8, 1), running(), ['9'])).to.deep.equal(
      at(20, 1, place(9, 4)),
    );
  });

  it('say which events were read', () => {
    const position = at(20, 2, place(7, 3));
    const passed = [place(5, 9), place(7, 3), place(8, 1), place(20, 2)];
    const later = [place(7, 4), place(20, 3), place(21, 1)];
    expect(passed.filter((one) => !isPassed(position, one))).to.deep.equal([]);
    expect(later.filter((one) => isPassed(position, one))).to.deep.equal([]);
  });

  it('are none of another text', () => {
    const LARGEST = '9'.repeat(18);
    for (const [text, position] of [
      ['1.0', at(1, 0)],
      [`${LARGEST}.${LARGEST}`, { xid: LARGEST, eventId: LARGEST, open: [] }],
      ['9.1-8', at(9, 1, place(1))],
      ['9.1-1.7-2', at(9, 1, place(8, 7), place(7))],
      ['9.1-9', null],
      ['9.1-10', null],
      ['9.1-0', null],
      ['9.1-', null],
      ['9.1-1.', null],
      ['9', null],
      ['9.', null],
      ['.1', null],
      ['a.1', null],
      ['9.1 ', null],
      [`1${LARGEST}.1`, null],
      [`1.1${LARGEST}`, null],
    ] as const)
      expect(parsePosition(text), text).to.deep.equal(position);
  });

  it('keep an older transaction that began after the one whose event is read', () => {
    expect(advance(at(20, 2, place(5), place(15)), place(10, 1), running(5))).to.deep.equal(
      at(20, 2, place(5), place(15)),
    );
    expect(advance(at(20, 2, place(5), place(15)), place(10, 1), running())).to.deep.equal(
      at(20, 2, place(15)),
    );
    expect(advance(at(20, 2), place(20, 3), running(20, 21))).to.deep.equal(at(20, 3));
  });

  it('are text that is parsed again, short without older transactions', () => {
    expect(positionText(at(20, 2))).to.equal('20.2');
    expect(positionText(at(20, 2, place(5), place(15, 7)))).to.equal('20.2-15-5.7');
    const open = Array.from({ length: OPEN_TRANSACTIONS + WAITING_TRANSACTIONS }, (_, index) =>
      place(index + 1, index % 2),
    );
    const most = at(999_999_999_999_999, 1, ...open);
    expect(parsePosition(positionText(most))).to.deep.equal(most);
    expect(positionText(most).length).to.be.below(8192);
    expect(parsePosition(`${positionText(most)}-1`)).to.equal(null);
  });

  it('loses and repeats no event, in whatever order transactions end and clients reconnect', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = randomOf(seed);
      /** Open transactions, with the identifiers of their events. */
      const open = new Map<number, number[]>();
      const ended = new Map<number, readonly number[]>();
      const received: string[] = [];
      let position: EventPosition = at(1, 0);
      let nextXid = 2;
      let nextEvent = 1;
      const read = (stopAfter: number): void => {
        const snapshot = running(...open.keys());
        const later = [...ended]
          .flatMap(([xid, events]) => events.map((event) => ({ xid, event })))
          .filter(({ xid, event }) => isAfter(position, xid, event))
          .sort((a, b) => a.xid - b.xid || a.event - b.event);
        for (const { xid, event } of later.slice(0, stopAfter)) {
          position = advance(position, place(xid, event), snapshot);
          received.push(`${String(xid)}.${String(event)}`);
        }
        if (later.length <= stopAfter) position = settle(position, snapshot);
        position = parsePosition(positionText(position)) ?? position;
      };
      for (let step = 0; step < 60; step++) {
        const choice = random(4);
        const xids = [...open.keys()];
        if (choice === 0 || xids.length === 0) open.set(nextXid++, []);
        else if (choice === 1) open.get(xids[random(xids.length)] ?? 0)?.push(nextEvent++);
        else if (choice === 2) {
          const xid = xids[random(xids.length)] ?? 0;
          ended.set(xid, open.get(xid) ?? []);
          open.delete(xid);
        } else read(random(3) === 0 ? random(4) : Infinity);
      }
      for (const [xid, events] of open) ended.set(xid, events);
      open.clear();
      read(Infinity);
      const expected = [...ended].flatMap(([xid, events]) =>
        events.map((event) => `${String(xid)}.${String(event)}`),
      );
      expect([...received].sort(), `seed ${String(seed)}`).to.deep.equal(expected.sort());
    }
  });
});

/** The condition of the statement that reads events. */
function isAfter({ xid, eventId, open }: EventPosition, eventXid: number, event: number): boolean {
  const known = open.find((each) => each.xid === String(eventXid));
  if (known !== undefined) return event > Number(known.eventId);
  return eventXid > Number(xid) || (eventXid === Number(xid) && event > Number(eventId));
}

/** Numerical Recipes' linear congruential generator. @returns whole numbers below a limit */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}
