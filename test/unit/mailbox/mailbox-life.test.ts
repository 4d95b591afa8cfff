import { expect } from 'chai';
import { partyIdOf, tenantIdOf } from '../../../src/base/identifiers.js';
import { MAILBOX_BYTES, MAILBOX_CAPACITY, MAX_WINDOW } from '../../../src/mailbox/mailbox-store.js';
import { createMailboxWatchers, type MailboxWatcher } from '../../../src/mailbox/mailbox-watchers.js';
import {
  apply,
  createSessionMailboxes,
  deliveredOf,
  deliveryOf,
  isUpToDate,
  judgeAck,
  judgeOpen,
  judgeSend,
  marksOf,
  waitingOf,
  type SessionMailboxes,
} from '../../../src/mailbox/session-mailboxes.js';
import type { LoggedMessage } from '../../../src/mailbox/mailbox-log.js';
import { logged, outgoing as randomOutgoing } from '../../support/router/mailbox-entries.js';

/** The same number is the same message. */
const outgoing = (number: number) => randomOutgoing(number, 'm', `message ${String(number)}`);

const messagesEntry = (messages: readonly LoggedMessage[]) =>
  ({ kind: 'messages', messages, deliveredTo: [] }) as const;

const NOTHING = new Map<number, never>();
const PAGE = { deliveries: 10, bytes: 1000 };

/** A session of a, b and c in which a has sent as many messages to b and c. */
function sessionWith(messages: number): SessionMailboxes {
  const mailboxes = createSessionMailboxes(['a', 'b', 'c'], { bytes: 0 });
  for (let number = 1; number <= messages; number += 1)
    apply(mailboxes, number, messagesEntry([logged(outgoing(number), 'a', ['b', 'c'], number)]));
  return mailboxes;
}

const numbersOf = (mailboxes: SessionMailboxes, after: number, limits = PAGE, partyId = 'b') =>
  waitingOf(mailboxes, partyId, after, limits).map(({ sequence, redeliveryCount }) => [
    sequence,
    redeliveryCount,
  ]);

describe('a mailbox', () => {
  it('gives the messages after a position, as many as fit on the page', () => {
    const mailboxes = sessionWith(4);
    const [first] = waitingOf(mailboxes, 'b', 0, PAGE);
    const size = first?.message.payloadSize ?? 0;
    expect(size).to.be.greaterThan(0);
    expect(numbersOf(mailboxes, 0)).to.deep.equal([
      [1, 0],
      [2, 0],
      [3, 0],
      [4, 0],
    ]);
    expect(numbersOf(mailboxes, 2)).to.deep.equal([
      [3, 0],
      [4, 0],
    ]);
    expect(numbersOf(mailboxes, 4)).to.deep.equal([]);
    expect(numbersOf(mailboxes, 0, { ...PAGE, deliveries: 2 })).to.deep.equal([
      [1, 0],
      [2, 0],
    ]);
    expect(numbersOf(mailboxes, 0, { ...PAGE, bytes: 2 * size })).to.deep.equal([
      [1, 0],
      [2, 0],
    ]);
    expect(numbersOf(mailboxes, 0, { ...PAGE, bytes: 2 * size - 1 })).to.deep.equal([[1, 0]]);
    expect(numbersOf(mailboxes, 0, { ...PAGE, bytes: 0 })).to.deep.equal([[1, 0]]);
    expect(numbersOf(mailboxes, 0, PAGE, 'a')).to.deep.equal([]);
    expect(numbersOf(mailboxes, 0, PAGE, 'stranger')).to.deep.equal([]);
  });

  it('gives what follows the acknowledged messages to a reader that is a page or more behind them', () => {
    const mailboxes = sessionWith(4);
    apply(mailboxes, null, { kind: 'acked', partyId: 'b', upTo: 2 });
    const limits = { ...PAGE, deliveries: 1 };
    expect(numbersOf(mailboxes, 0, limits)).to.deep.equal([[3, 0]]);
    expect(numbersOf(mailboxes, 1, limits)).to.deep.equal([[3, 0]]);
    expect(numbersOf(mailboxes, 3, limits)).to.deep.equal([[4, 0]]);
  });

  it('gives a message with its payload and its place', () => {
    const [waiting] = waitingOf(sessionWith(1), 'b', 0, PAGE);
    if (waiting === undefined) throw new Error('no message');
    const payload = Buffer.from('payload');
    expect(deliveryOf(waiting, payload)).to.deep.equal({
      ...waiting.message,
      sequence: 1,
      redeliveryCount: 0,
      payload,
    });
  });

  it('counts redeliveries for each reader that opens it behind what was delivered', () => {
    const mailboxes = sessionWith(3);
    apply(mailboxes, null, { kind: 'delivered', partyId: 'b', upTo: 2 });
    expect(deliveredOf(mailboxes, 'b')).to.equal(2);
    const opened = { kind: 'opened', partyId: 'b', after: 0, acked: 0, delivered: 2 } as const;
    apply(mailboxes, null, opened);
    expect(numbersOf(mailboxes, 0)).to.deep.equal([
      [1, 1],
      [2, 1],
      [3, 0],
    ]);
    apply(mailboxes, null, { ...opened, after: 1 });
    expect(numbersOf(mailboxes, 0)).to.deep.equal([
      [1, 1],
      [2, 2],
      [3, 0],
    ]);
    apply(mailboxes, null, { ...opened, acked: 1, delivered: 3 });
    expect(numbersOf(mailboxes, 0)).to.deep.equal([
      [2, 3],
      [3, 1],
    ]);
    expect(marksOf(mailboxes, 'b')).to.deep.equal({ head: 3, acked: 1, reader: 3 });
    expect(deliveredOf(mailboxes, 'b')).to.equal(3);
  });

  it('moves its marks forward only, and its version with them', () => {
    const mailboxes = sessionWith(2);
    const before = mailboxes.version;
    apply(mailboxes, null, { kind: 'delivered', partyId: 'b', upTo: 2 });
    apply(mailboxes, null, { kind: 'delivered', partyId: 'b', upTo: 1 });
    apply(mailboxes, null, { kind: 'acked', partyId: 'b', upTo: 1 });
    apply(mailboxes, null, { kind: 'acked', partyId: 'b', upTo: 1 });
    apply(mailboxes, null, { kind: 'acked', partyId: 'stranger', upTo: 1 });
    expect(mailboxes.version - before).to.equal(2);
    expect([marksOf(mailboxes, 'b'), deliveredOf(mailboxes, 'b')]).to.deep.equal([
      { head: 2, acked: 1, reader: 0 },
      2,
    ]);
    expect([marksOf(mailboxes, 'stranger'), deliveredOf(mailboxes, 'stranger')]).to.deep.equal([null, 0]);
  });

  it('notes deliveries that the entry of the messages records', () => {
    const mailboxes = sessionWith(0);
    const entry = messagesEntry([logged(outgoing(1), 'a', ['b', 'c'], 1)]);
    apply(mailboxes, 1, { ...entry, deliveredTo: ['b', 'stranger'] });
    expect([deliveredOf(mailboxes, 'b'), deliveredOf(mailboxes, 'c')]).to.deep.equal([1, 0]);
  });
});

describe('decisions about a mailbox', () => {
  it('open it at a place that was delivered, not before what was acknowledged', () => {
    const mailboxes = sessionWith(3);
    apply(mailboxes, null, { kind: 'delivered', partyId: 'b', upTo: 2 });
    apply(mailboxes, null, { kind: 'acked', partyId: 'b', upTo: 1 });
    expect(judgeOpen(mailboxes, 'b', 0)).to.deep.equal({ kind: 'opened', position: 1, acked: 1, reader: 1 });
    expect(judgeOpen(mailboxes, 'b', 2)).to.deep.equal({ kind: 'opened', position: 2, acked: 1, reader: 1 });
    expect(judgeOpen(mailboxes, 'b', 3)).to.deep.equal({ kind: 'not-delivered', delivered: 2 });
    expect(judgeOpen(mailboxes, 'stranger', 0)).to.deep.equal({ kind: 'not-found' });
  });

  it('acknowledge what was delivered', () => {
    const mailboxes = sessionWith(3);
    apply(mailboxes, null, { kind: 'delivered', partyId: 'b', upTo: 2 });
    expect(judgeAck(mailboxes, 'b', 2)).to.deep.equal({ kind: 'acked', acked: 2 });
    apply(mailboxes, null, { kind: 'acked', partyId: 'b', upTo: 2 });
    expect(judgeAck(mailboxes, 'b', 1)).to.deep.equal({ kind: 'acked', acked: 2 });
    expect(judgeAck(mailboxes, 'b', 3)).to.deep.equal({ kind: 'not-delivered', delivered: 2 });
    expect(judgeAck(mailboxes, 'stranger', 0)).to.deep.equal({ kind: 'not-found' });
  });

  it('send in order, to participants, and not beyond the capacity', () => {
    const mailboxes = sessionWith(1);
    const outcome = (messages: readonly ReturnType<typeof outgoing>[], sender = 'a') =>
      judgeSend(mailboxes, sender, messages, NOTHING).outcome;
    expect(outcome([outgoing(2), outgoing(3)])).to.deep.equal({
      kind: 'accepted',
      duplicates: [false, false],
    });
    expect(outcome([outgoing(1), outgoing(2)])).to.deep.equal({
      kind: 'accepted',
      duplicates: [true, false],
    });
    expect(outcome([outgoing(3)])).to.deep.equal({ kind: 'out-of-order', expected: 2 });
    expect(outcome([outgoing(2), outgoing(4)])).to.deep.equal({ kind: 'out-of-order', expected: 3 });
    expect(outcome([outgoing(1)], 'stranger')).to.deep.equal({ kind: 'not-found' });
    for (const partyId of ['a', 'stranger'])
      expect(outcome([{ ...outgoing(2), toPartyIds: ['b', partyId] }])).to.deep.equal({
        kind: 'unknown-recipient',
        partyId,
      });
    const full = sessionWith(MAILBOX_CAPACITY - 1);
    const next = (number: number) => outgoing(MAILBOX_CAPACITY - 1 + number);
    expect(judgeSend(full, 'a', [next(1)], NOTHING).outcome).to.deep.include({ kind: 'accepted' });
    expect(judgeSend(full, 'a', [next(1), next(2)], NOTHING).outcome).to.deep.equal({
      kind: 'full',
      partyId: 'b',
    });
  });

  it('send as many bytes as a mailbox holds, and not more, in one call and in several', () => {
    const mailboxes = createSessionMailboxes(['a', 'b', 'c'], { bytes: 0 });
    const bytes = (number: number, length: number) => ({
      ...outgoing(number),
      payload: Buffer.alloc(length),
      toPartyIds: ['b'],
    });
    const half = MAILBOX_BYTES / 2;
    const outcome = (...lengths: readonly number[]) =>
      judgeSend(
        mailboxes,
        'a',
        lengths.map((length, at) => bytes(at + 1, length)),
        NOTHING,
      ).outcome;
    const accepted = (...duplicates: readonly boolean[]) => ({ kind: 'accepted', duplicates });
    expect(outcome(half, half)).to.deep.equal(accepted(false, false));
    expect(outcome(half, half + 1)).to.deep.equal({ kind: 'full', partyId: 'b' });
    const first = bytes(1, half);
    apply(mailboxes, 1, messagesEntry([logged(first, 'a', ['b'], 1)]));
    const after = (length: number) => judgeSend(mailboxes, 'a', [bytes(2, length)], NOTHING).outcome;
    expect(after(half)).to.deep.equal(accepted(false));
    expect(after(half + 1)).to.deep.equal({ kind: 'full', partyId: 'b' });
    expect(
      judgeSend(mailboxes, 'a', [{ ...bytes(2, half + 1), toPartyIds: ['c'] }], NOTHING).outcome,
    ).to.deep.equal(accepted(false));
  });

  it('send again what was acknowledged has room for', () => {
    const full = sessionWith(MAILBOX_CAPACITY);
    const next = outgoing(MAILBOX_CAPACITY + 1);
    const outcome = () => judgeSend(full, 'a', [next], NOTHING).outcome;
    expect(outcome()).to.deep.equal({ kind: 'full', partyId: 'b' });
    for (const partyId of ['b', 'c']) {
      apply(full, null, { kind: 'delivered', partyId, upTo: 1 });
      expect(outcome()).to.deep.include({ kind: 'full' });
      apply(full, null, { kind: 'acked', partyId, upTo: 1 });
    }
    expect(outcome()).to.deep.equal({ kind: 'accepted', duplicates: [false] });
  });

  it('refuse two messages of one call with the same identifier or number, unless they are equal', () => {
    const mailboxes = sessionWith(0);
    const outcome = (...messages: readonly ReturnType<typeof outgoing>[]) =>
      judgeSend(mailboxes, 'a', messages, NOTHING).outcome;
    const first = outgoing(1);
    expect(outcome(first, first)).to.deep.equal({ kind: 'accepted', duplicates: [false, true] });
    const sameNumber = { ...outgoing(2), senderSequence: 1 };
    expect(outcome(first, sameNumber)).to.deep.equal({ kind: 'equivocation', first, second: sameNumber });
    const sameName = { ...outgoing(2), messageId: first.messageId };
    expect(outcome(first, sameName)).to.deep.equal({ kind: 'equivocation', first, second: sameName });
  });

  it('take a reader for up to date until its window is full', () => {
    const mailboxes = sessionWith(2);
    expect(isUpToDate(mailboxes, 'b', 0, 1)).to.equal(false);
    apply(mailboxes, null, { kind: 'delivered', partyId: 'b', upTo: 2 });
    expect(isUpToDate(mailboxes, 'b', 0, MAX_WINDOW - 2)).to.equal(true);
    expect(isUpToDate(mailboxes, 'b', 0, MAX_WINDOW - 1)).to.equal(false);
    expect(isUpToDate(mailboxes, 'b', 1, 1)).to.equal(false);
    expect(isUpToDate(mailboxes, 'stranger', 0, 1)).to.equal(false);
  });
});

describe('the watchers of mailboxes', () => {
  const watcher = (partyId: string, called: string[]): MailboxWatcher => ({
    party: {
      tenantId: tenantIdOf('t'),
      partyId: partyIdOf(partyId),
      role: 'server',
      status: 'active',
      identityPublicKey: Buffer.alloc(32),
      certificateSha256: null,
    },
    reader: 0,
    onChange: () => void called.push(partyId),
    recordedUpTo: 2,
  });

  it('hear of their mailboxes until they are removed', () => {
    const called: string[] = [];
    const watchers = createMailboxWatchers();
    const remove = watchers.add('s', watcher('b', called));
    watchers.add('s', watcher('c', called));
    watchers.add('other', watcher('d', called));
    watchers.notify('s', ['b']);
    watchers.notify('s', null);
    watchers.notify('unknown', null);
    watchers.notifyAll();
    expect(called).to.deep.equal(['b', 'b', 'c', 'b', 'c', 'd']);
    remove();
    watchers.notify('s', ['b']);
    expect([watchers.isWatched('s'), watchers.isWatched('unknown')]).to.deep.equal([true, false]);
    expect(called).to.have.lengthOf(6);
  });

  it('get new messages from memory if they have all before', () => {
    const mailboxes = sessionWith(2);
    apply(mailboxes, null, { kind: 'delivered', partyId: 'b', upTo: 2 });
    const watchers = createMailboxWatchers();
    const [atEnd, behind] = [watcher('b', []), watcher('c', [])];
    watchers.add('s', atEnd);
    watchers.add('s', behind);
    const fresh = [3, 4].map((number) => ({ message: outgoing(number), recipients: ['b', 'c'] }));
    expect(watchers.upToDate('s', mailboxes, fresh)).to.deep.equal([{ watcher: atEnd, upTo: 4 }]);
    expect(watchers.upToDate('s', mailboxes, [{ message: outgoing(3), recipients: ['c'] }])).to.deep.equal(
      [],
    );
    expect(watchers.isRecorded(atEnd.party, 's', 2)).to.equal(true);
    expect(watchers.isRecorded(atEnd.party, 's', 3)).to.equal(false);
    expect(watchers.isRecorded({ ...atEnd.party }, 's', 1)).to.equal(false);
    expect(watchers.isRecorded(atEnd.party, 'other', 1)).to.equal(false);
  });
});
