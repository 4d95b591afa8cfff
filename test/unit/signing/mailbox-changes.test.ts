import { expect } from 'chai';
import { createMailboxChanges } from '../../../src/mailbox/mailbox-changes.js';

const marks = () => ({ head: 1, acked: 0, reader: 1 });

describe('changes of mailboxes', () => {
  it('are known for the mailbox that was written, and for no other', () => {
    const changes = createMailboxChanges();
    const seen = changes.stamp(marks(), changes.now);
    changes.wroteHere('s', ['a']);
    expect(changes.changedHere('s', 'a', seen)).to.equal(true);
    expect(changes.changedHere('s', 'b', seen)).to.equal(false);
    expect(changes.changedHere('other', 'a', seen)).to.equal(false);
    expect(changes.changedElsewhere(seen)).to.equal(false);
  });

  it('are those of a whole session after a broadcast', () => {
    const changes = createMailboxChanges();
    const seen = changes.stamp(marks(), changes.now);
    changes.wroteHere('s', null);
    expect(changes.changedHere('s', 'a', seen)).to.equal(true);
    expect(changes.changedHere('s', 'b', seen)).to.equal(true);
    expect(changes.changedHere('other', 'a', seen)).to.equal(false);
  });

  it('are over for whoever asked after them', () => {
    const changes = createMailboxChanges();
    changes.wroteHere('s', ['a']);
    changes.wroteElsewhere();
    const seen = changes.stamp(marks(), changes.now);
    expect(changes.changedHere('s', 'a', seen)).to.equal(false);
    expect(changes.changedElsewhere(seen)).to.equal(false);
  });

  it('made while the question was under way count as unseen', () => {
    const changes = createMailboxChanges();
    const asked = changes.now;
    changes.wroteHere('s', ['a']);
    changes.wroteElsewhere();
    const seen = changes.stamp(marks(), asked);
    expect(changes.changedHere('s', 'a', seen)).to.equal(true);
    expect(changes.changedElsewhere(seen)).to.equal(true);
  });

  it('of others may be any', () => {
    const changes = createMailboxChanges();
    const seen = changes.stamp(marks(), changes.now);
    changes.wroteElsewhere();
    expect(changes.changedElsewhere(seen)).to.equal(true);
    expect(changes.changedHere('s', 'a', seen)).to.equal(false);
  });

  it('are remembered of as many mailboxes as are bounded, the last ones', () => {
    const changes = createMailboxChanges();
    const seen = changes.stamp(marks(), changes.now);
    for (let index = 0; index <= 10_000; index += 1) changes.wroteHere('s', [`party ${String(index)}`]);
    expect(changes.changedHere('s', 'party 0', seen)).to.equal(false);
    expect(changes.changedHere('s', 'party 1', seen)).to.equal(true);
    expect(changes.changedHere('s', 'party 10000', seen)).to.equal(true);
  });
});
