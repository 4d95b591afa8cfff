import { expect } from 'chai';
import type { OutgoingMessage } from '../../../src/mailbox/mailbox-store.js';
import { judgeSend, messagesToRecall } from '../../../src/mailbox/session-mailboxes.js';
import {
  apply,
  createSessionMailboxes,
  marksOf,
  releaseMailboxes,
  type MailboxMemory,
  type SessionMailboxes,
} from '../../../src/mailbox/session-mailboxes.js';
import { logged, messagesEntry, outgoing } from '../../support/router/mailbox-entries.js';

const PARTIES = ['a', 'b', 'c'];
const NOTHING = new Map<number, never>();

function accept(mailboxes: SessionMailboxes, position: number, messages: readonly OutgoingMessage[]): void {
  apply(mailboxes, position, messagesEntry(messages.map((one) => logged(one, 'a', ['b', 'c'], position))));
}

const acknowledge = (mailboxes: SessionMailboxes, upTo: number, by = ['b', 'c']): void => {
  for (const partyId of by) apply(mailboxes, null, { kind: 'acked', partyId, upTo });
};

describe('the mailboxes of a session in memory', () => {
  let memory: MailboxMemory;
  let mailboxes: SessionMailboxes;
  beforeEach(() => {
    memory = { bytes: 0 };
    mailboxes = createSessionMailboxes(PARTIES, memory);
  });

  it('keep of an acknowledged message its identifier and its place alone', () => {
    const empty = mailboxes.bytes;
    const message = outgoing(1);
    accept(mailboxes, 7, [message]);
    const held = mailboxes.bytes;
    acknowledge(mailboxes, 1, ['b']);
    expect(messagesToRecall(mailboxes, 'a', [message], NOTHING)).to.deep.equal([]);
    acknowledge(mailboxes, 1, ['c']);
    expect(mailboxes.bytes - empty)
      .to.be.greaterThan(0)
      .and.lessThan((held - empty) / 5);
    expect(messagesToRecall(mailboxes, 'a', [message], NOTHING)).to.deep.equal([
      { senderSequence: 1, position: 7 },
    ]);
    expect(memory.bytes).to.equal(mailboxes.bytes);
  });

  it('recognise a repetition and a contradiction of a message that was recalled', () => {
    const message = outgoing(1);
    accept(mailboxes, 7, [message]);
    acknowledge(mailboxes, 1);
    const recalled = new Map([[1, logged(message, 'a', ['b', 'c'], 7)]]);
    expect(judgeSend(mailboxes, 'a', [message], recalled).outcome).to.deep.equal({
      kind: 'accepted',
      duplicates: [true],
    });
    for (const second of [outgoing(1, 'else'), outgoing(2, 'm', message.messageId)]) {
      expect(messagesToRecall(mailboxes, 'a', [second], NOTHING)).to.have.lengthOf(1);
      expect(judgeSend(mailboxes, 'a', [second], recalled).outcome).to.deep.include({ kind: 'equivocation' });
    }
    expect(judgeSend(mailboxes, 'a', [outgoing(2)], NOTHING).outcome).to.deep.equal({
      kind: 'accepted',
      duplicates: [false],
    });
  });

  it('take no memory for a message that was acknowledged before this process read it', () => {
    const before = mailboxes.bytes;
    acknowledge(mailboxes, 2);
    accept(mailboxes, 1, [outgoing(1), outgoing(2)]);
    const compact = mailboxes.bytes - before;
    accept(mailboxes, 2, [outgoing(3)]);
    expect(mailboxes.bytes - before - compact).to.be.greaterThan(2 * compact);
    expect(marksOf(mailboxes, 'b')).to.deep.equal({ head: 3, acked: 2, reader: 0 });
  });

  it('count the memory of the session, of each mailbox, each message and each place in a mailbox', () => {
    const taken = (change: () => void): number => {
      const before = mailboxes.bytes;
      change();
      return mailboxes.bytes - before;
    };
    expect(memory.bytes).to.equal(4000 + 3 * 1500);
    const [known, held, place] = [136, 800 + 2 * 80, 120];
    expect(taken(() => accept(mailboxes, 1, [outgoing(1), outgoing(2)]))).to.equal(
      2 * (known + held + 2 * place),
    );
    expect(taken(() => acknowledge(mailboxes, 2, ['b']))).to.equal(-2 * place);
    expect(taken(() => acknowledge(mailboxes, 1, ['c']))).to.equal(-place - held);
    expect(taken(() => acknowledge(mailboxes, 2, ['c']))).to.equal(-place - held);
    expect(memory.bytes).to.equal(4000 + 3 * 1500 + 2 * known);
  });

  it('give their memory back', () => {
    accept(mailboxes, 1, [outgoing(1)]);
    releaseMailboxes(mailboxes);
    expect(memory.bytes).to.equal(0);
    // A call that still has them does not count.
    accept(mailboxes, 2, [outgoing(2)]);
    expect(memory.bytes).to.equal(0);
  });
});
