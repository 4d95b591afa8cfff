import { expect } from 'chai';
import { apply, createSessionMailboxes, judgeSend } from '../../../src/mailbox/session-mailboxes.js';
import { logged, messagesEntry, outgoing } from '../../support/router/mailbox-entries.js';

describe('the mailboxes of a session with hundreds of thousands of messages', () => {
  it('refuse messages above the limit of a session, although all were acknowledged', function () {
    this.timeout(120_000);
    const mailboxes = createSessionMailboxes(['a', 'b', 'c'], { bytes: 0 });
    const known = new Map<number, never>();
    const template = outgoing(1);
    let sent = 0;
    for (let position = 1; ; position += 1) {
      const messages = Array.from({ length: 64 }, (_, index) => {
        const senderSequence = sent + index + 1;
        return { ...template, senderSequence, messageId: String(senderSequence) };
      });
      if (position % 100 === 0 && judgeSend(mailboxes, 'a', messages, known).outcome.kind !== 'accepted')
        break;
      const entry = messagesEntry(messages.map((one) => logged(one, 'a', ['b', 'c'], position)));
      apply(mailboxes, position, entry);
      sent += 64;
      for (const partyId of ['b', 'c']) apply(mailboxes, null, { kind: 'acked', partyId, upTo: sent });
    }
    expect(judgeSend(mailboxes, 'a', [outgoing(sent + 1)], known).outcome).to.deep.equal({
      kind: 'session-full',
    });
    // What is known already is answered as before.
    expect(judgeSend(mailboxes, 'a', [outgoing(sent + 2)], known).outcome.kind).to.equal('out-of-order');
    expect(sent).to.be.greaterThan(200_000);
  });
});
