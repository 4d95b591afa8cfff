import { expect } from 'chai';
import { check, type Rule } from '../../../../bench/consistency/checker.js';
import type {
  Append,
  Batch,
  BatchRead,
  Created,
  Delivery,
  HistoryRecord,
  InboxAtRest,
  Mark,
  Notify,
  RowRead,
  RowWrite,
  Scan,
  Send,
} from '../../../../bench/consistency/records.js';

const call = (begin: number, client = 1) => ({ client, begin, end: begin + 5 });

const append = (entry: number, begin: number, more: Partial<Append> = {}): Append => ({
  ...call(begin),
  ...{ kind: 'append', log: 1, entry, outcome: 'done', ids: [entry + 100] },
  ...more,
});
const scan = (begin: number, entries: readonly number[], more: Partial<Scan> = {}): Scan => ({
  ...call(begin, 2),
  ...{ kind: 'scan', log: 1, after: 0, entries, via: 'primary', since: null },
  ...more,
});
const logAtRest = (rows: readonly (readonly [number, number])[]): HistoryRecord => ({
  ...{ kind: 'log-at-rest', log: 1, rows },
});
const batch = (more: Partial<Batch> = {}): Batch => ({
  ...call(0),
  ...{ kind: 'batch', batch: 7, parts: 3, outcome: 'done' },
  ...more,
});
const batchRead = (found: number, begin: number, more: Partial<BatchRead> = {}): BatchRead => ({
  ...call(begin, 2),
  ...{ kind: 'batch-read', batch: 7, found, via: 'primary' },
  ...more,
});
const batchesAtRest = (found: number): HistoryRecord => ({
  ...{ kind: 'batches-at-rest', rows: found === 0 ? [] : [[7, found]] },
});
const notify = (notification: number, more: Partial<Notify> = {}): Notify => ({
  ...call(notification * 10),
  ...{ kind: 'notify', user: 1, notification, outcome: 'done' },
  ...more,
});
const mark = (notification: number, more: Partial<Mark> = {}): Mark => ({
  ...call(50),
  ...{ kind: 'mark', user: 1, notification, outcome: 'done' },
  ...more,
});
const created = (notification: number): Created => ({ kind: 'created', at: 60, user: 1, notification });
const inboxAtRest = (
  listed: InboxAtRest['listed'],
  unread: number,
  streamed: number | null = unread,
): InboxAtRest => ({ kind: 'inbox-at-rest', user: 1, listed, unread, streamed });
const send = (from: string, number: number, more: Partial<Send> = {}): Send => ({
  ...call(number),
  ...{ kind: 'send', session: 's', from, number, outcome: 'done' },
  ...more,
});
const delivery = (to: string, sequence: number, from: string, number: number): Delivery => ({
  ...{ kind: 'delivery', at: 50 + sequence, session: 's', to, sequence, from, number },
});
const sessionAtRest: HistoryRecord = { kind: 'session-at-rest', session: 's', parties: ['a', 'b', 'c'] };
const rowRead = (value: number, begin: number, client = 1): RowRead => ({
  ...call(begin, client),
  ...{ kind: 'row-read', row: 3, value },
});
const rowWrite = (value: number, begin: number, more: Partial<RowWrite> = {}): RowWrite => ({
  ...call(begin),
  ...{ kind: 'row-write', row: 3, value, expected: null, outcome: 'done' },
  ...more,
});

/** The rules that a history breaks, each once. */
const rulesOf = (...history: readonly HistoryRecord[]): readonly Rule[] => [
  ...new Set(check(history).findings.map(({ rule }) => rule)),
];

describe('the checker of histories', () => {
  describe('logs', () => {
    it('accepts acknowledged, refused and unknown writes that fit what is stored', () => {
      const history = [
        append(1, 0),
        append(2, 10, { outcome: 'unknown', ids: [] }),
        append(3, 20, { outcome: 'unknown', ids: [] }),
        append(4, 30, { outcome: 'refused', ids: [] }),
        scan(40, [1, 3]),
        logAtRest([
          [1, 101],
          [3, 7],
        ]),
      ];
      expect(check(history)).to.deep.include({ findings: [], operations: 5 });
    });
    it('finds an acknowledged write that is lost', () => {
      const rule = ['an acknowledged write is lost'];
      expect(rulesOf(append(1, 0), logAtRest([]))).to.deep.equal(rule);
      expect(rulesOf(append(1, 0, { log: 2 }), logAtRest([]))).to.deep.equal(rule);
    });
    it('finds a refused write that took effect', () => {
      const refused = append(1, 0, { outcome: 'refused', ids: [] });
      expect(rulesOf(refused, logAtRest([[1, 101]]))).to.deep.equal(['a refused write took effect']);
    });
    it('finds a row that was never written', () => {
      expect(rulesOf(append(1, 0), logAtRest([[1, 101], [9, 109]]))).to.deep.equal(['a write from nowhere']); // oxfmt-ignore
      expect(rulesOf(scan(0, [1]), append(1, 10))).to.deep.equal(['a write from nowhere']);
    });
    for (const outcome of ['done', 'unknown'] as const)
      it(`finds a key that was executed twice (${outcome})`, () => {
        const twice = logAtRest([[1, 101], [1, 102]]); // oxfmt-ignore
        expect(rulesOf(append(1, 0, { outcome }), twice)).to.deep.equal(['a key was executed twice']);
      });
    it('finds repetitions of a key with different answers, or with an answer that is not stored', () => {
      const rule = 'a repetition has another answer';
      expect(rulesOf(append(1, 0, { ids: [101, 102] }), logAtRest([[1, 101]]))).to.deep.equal([rule]);
      expect(rulesOf(append(1, 0, { ids: [102] }), logAtRest([[1, 101]]))).to.deep.equal([rule]);
    });
    it('finds a read with a position that misses the own write', () => {
      const history = [append(1, 0), append(2, 10)];
      const own = { client: 1, via: 'position', since: 10 } as const;
      expect(rulesOf(...history, scan(20, [1, 2], own))).to.deep.equal([]);
      expect(rulesOf(...history, scan(20, [1], own))).to.deep.equal(['a read misses the own write']);
      expect(rulesOf(...history, scan(20, [2], { ...own, after: 1 }))).to.deep.equal([]);
    });
    it('finds a read with a position that misses what was committed before that write', () => {
      const position = { client: 2, via: 'position' } as const;
      expect(rulesOf(append(1, 0), scan(20, [], { ...position, since: 10 }))).to.deep.equal([
        'a read misses an earlier write',
      ]);
      expect(rulesOf(append(1, 0), scan(20, [], { ...position, since: 3 }))).to.deep.equal([]);
      expect(rulesOf(append(1, 0), scan(20, [], { ...position, via: 'any', since: 10 }))).to.deep.equal([]);
    });
    it('finds a stale read on the primary', () => {
      expect(rulesOf(append(1, 0), scan(6, []))).to.deep.equal(['a read misses an earlier write']);
      expect(rulesOf(append(1, 0), scan(4, []))).to.deep.equal([]);
    });
    it('finds a read on the primary that goes back behind an earlier one', () => {
      const unknown = append(1, 0, { outcome: 'unknown', ids: [] });
      expect(rulesOf(unknown, scan(10, [1]), scan(20, []))).to.deep.equal(['a read went back']);
      expect(rulesOf(unknown, scan(10, []), scan(20, [1]))).to.deep.equal([]);
    });
    it('counts replica reads that go back, which is no finding', () => {
      const any = { via: 'any' } as const;
      expect(check([append(1, 0), scan(10, [1], any), scan(20, [], any)])).to.deep.include({
        ...{ findings: [], backwards: 1, replicaReads: 2 },
      });
    });
  });

  describe('batches', () => {
    it('accepts whole batches and batches that are not there', () => {
      expect(rulesOf(batch(), batchRead(3, 10), batchesAtRest(3))).to.deep.equal([]);
      expect(rulesOf(batch({ outcome: 'unknown' }), batchRead(0, 10), batchesAtRest(0))).to.deep.equal([]);
    });
    it('finds half a batch, in a read and at rest', () => {
      const unknown = batch({ outcome: 'unknown' });
      expect(rulesOf(unknown, batchRead(2, 10))).to.deep.equal(['half a batch']);
      expect(rulesOf(unknown, batchRead(2, 10, { via: 'any' }))).to.deep.equal(['half a batch']);
      expect(rulesOf(unknown, batchesAtRest(1))).to.deep.equal(['half a batch']);
    });
    it('finds a batch that is there twice, lost, refused or stale', () => {
      expect(rulesOf(batch(), batchesAtRest(6))).to.deep.equal(['a key was executed twice']);
      expect(rulesOf(batch(), batchesAtRest(0))).to.deep.equal(['an acknowledged write is lost']);
      expect(rulesOf(batch({ outcome: 'refused' }), batchesAtRest(3))).to.deep.equal([
        'a refused write took effect',
      ]);
      expect(rulesOf(batch(), batchRead(0, 10))).to.deep.equal(['a read misses an earlier write']);
    });
  });

  describe('rows', () => {
    it('accepts reads of a value whose write has no answer', () => {
      const unknown = rowWrite(1, 0, { outcome: 'unknown' });
      expect(rulesOf(unknown, rowRead(0, 10), rowRead(1, 20))).to.deep.equal([]);
    });
    it('finds a lost row, a stale read, a read that goes back and a lost update', () => {
      const rule = ['a row is not linearizable'];
      expect(rulesOf(rowRead(-1, 0))).to.deep.equal(rule);
      expect(rulesOf(rowWrite(1, 0), rowRead(0, 10))).to.deep.equal(rule);
      const unknown = rowWrite(1, 0, { outcome: 'unknown' });
      expect(rulesOf(unknown, rowRead(1, 10), rowRead(0, 20))).to.deep.equal(rule);
      const swaps = [rowWrite(1, 0, { expected: 0 }), rowWrite(2, 2, { expected: 0, client: 2 })];
      expect(rulesOf(...swaps)).to.deep.equal(rule);
    });
    it('finds a refused condition that held', () => {
      const refused = rowWrite(1, 0, { expected: 0, outcome: 'refused' });
      expect(rulesOf(refused)).to.deep.equal(['a row is not linearizable']);
      expect(rulesOf(rowWrite(2, 1, { client: 2 }), refused)).to.deep.equal([]);
    });
    it('lets a write without an answer explain a refused condition', () => {
      const refused = rowWrite(1, 10, { expected: 0, outcome: 'refused' });
      expect(rulesOf(rowWrite(2, 0, { outcome: 'unknown' }), refused)).to.deep.equal([]);
    });
  });

  describe('inboxes', () => {
    const history = [notify(1), notify(2), mark(1), created(1), created(2)];
    const rest: InboxAtRest['listed'] = [[1, true], [2, false]]; // oxfmt-ignore
    it('accepts an inbox that has what was sent', () => {
      expect(rulesOf(...history, inboxAtRest(rest, 1))).to.deep.equal([]);
      const unknown = notify(3, { outcome: 'unknown' });
      expect(rulesOf(unknown, inboxAtRest([], 0))).to.deep.equal([]);
    });
    it('finds a notification that is lost, in the list and in the stream', () => {
      expect(rulesOf(...history, inboxAtRest([[1, true]], 0))).to.deep.equal(['a notification is lost']);
      expect(rulesOf(notify(2), inboxAtRest([[2, false]], 1))).to.deep.equal(['a notification is lost']);
      const reset: HistoryRecord = { kind: 'reset', at: 1, user: 1 };
      expect(rulesOf(notify(2), reset, inboxAtRest([[2, false]], 1))).to.deep.equal([]);
    });
    it('finds a notification that is there twice, in the list and in the stream', () => {
      const rule = ['a notification is there twice'];
      expect(rulesOf(...history, inboxAtRest([...rest, [2, false]], 2))).to.deep.equal(rule);
      expect(rulesOf(...history, created(2), inboxAtRest(rest, 1))).to.deep.equal(rule);
    });
    it('finds a notification from nowhere and a refused one', () => {
      expect(rulesOf(created(9), inboxAtRest([[9, false]], 1))).to.deep.equal(['a write from nowhere']);
      const refused = notify(9, { outcome: 'refused' });
      expect(rulesOf(refused, created(9), inboxAtRest([[9, false]], 1))).to.deep.equal([
        'a refused write took effect',
      ]);
    });
    it('finds a mark that is lost or from nowhere', () => {
      expect(rulesOf(...history, inboxAtRest([[1, false], [2, false]], 2))).to.deep.equal(['a mark is lost']); // oxfmt-ignore
      expect(rulesOf(...history, inboxAtRest([[1, true], [2, true]], 0))).to.deep.equal(['a write from nowhere']); // oxfmt-ignore
    });
    it('finds an unread count that is not that of the list', () => {
      const rule = ['the unread count is wrong'];
      expect(rulesOf(...history, inboxAtRest(rest, 2, 1))).to.deep.equal(rule);
      expect(rulesOf(...history, inboxAtRest(rest, 1, 2))).to.deep.equal(rule);
    });
  });

  describe('sessions of parties', () => {
    const sends = [send('a', 1), send('a', 2), send('b', 1)];
    const toC = [delivery('c', 1, 'a', 1), delivery('c', 2, 'b', 1), delivery('c', 3, 'a', 2)];
    const others = [delivery('b', 1, 'a', 1), delivery('b', 2, 'a', 2), delivery('a', 1, 'b', 1)];
    it('accepts mailboxes in order, and deliveries that come again', () => {
      expect(rulesOf(...sends, ...toC, ...toC, ...others, sessionAtRest)).to.deep.equal([]);
    });
    it('finds a message that is lost', () => {
      const lost = [...sends, ...toC, ...others.slice(0, 2), sessionAtRest];
      expect(rulesOf(...lost)).to.deep.equal(['a message is lost']);
      const unknown = send('b', 1, { outcome: 'unknown' });
      expect(rulesOf(unknown, sessionAtRest)).to.deep.equal([]);
      expect(rulesOf(unknown, delivery('c', 1, 'b', 1), sessionAtRest)).to.deep.equal(['a message is lost']);
    });
    it('finds a message that came twice', () => {
      const twice = delivery('c', 4, 'a', 2);
      expect(rulesOf(...sends, ...toC, twice)).to.deep.equal(['a message came twice']);
    });
    it('finds messages of a sender out of order, a gap, and a place with another message', () => {
      const rule = ['a message is out of order'];
      expect(rulesOf(...sends, delivery('c', 1, 'a', 2))).to.deep.equal(rule);
      expect(rulesOf(...sends, delivery('c', 2, 'a', 1))).to.deep.equal(rule);
      expect(rulesOf(...sends, ...toC, delivery('c', 2, 'a', 1))).to.deep.equal(rule);
    });
    it('finds a message from nowhere', () => {
      expect(rulesOf(delivery('c', 1, 'x', 1))).to.deep.equal(['a write from nowhere']);
    });
  });

  it('counts what NATS has lost of a client without dbr, and does not blame dbr for it', () => {
    const write = (number: number): HistoryRecord => ({ kind: 'bus-write', at: 1, number, sequence: number });
    const writes = [write(1), write(2), write(4)];
    expect(check([...writes, { kind: 'bus-at-rest', numbers: [1, 3, 4] }])).to.deep.include({
      ...{ findings: [], busWrites: 3, busLost: 1 },
    });
    // Without a comparison at rest.
    expect(check(writes)).to.deep.include({ busWrites: 0, busLost: 0 });
  });
});
