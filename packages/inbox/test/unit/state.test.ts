import { expect } from 'chai';
import type { Notification } from 'dbr-client';
import type { InboxEvent } from '../../../client/src/inbox.js';
import { afterEvent, emptyState, needsList, withPage, type InboxState, type View } from '../../src/state.js';
import { item } from '../../../../test/support/inbox/notification.js';

const INBOX: View = { place: 'inbox', category: null };
const ARCHIVE: View = { place: 'archive', category: null };

const listed = (view: View, cursor: string | null, ...items: Notification[]): InboxState =>
  withPage(emptyState(view), {
    items,
    total: items.length,
    limit: 20,
    offset: 0,
    hasMore: cursor !== null,
    unreadCount: 0,
    nextCursor: cursor,
  });
const idsOf = ({ items }: InboxState): readonly string[] => items.map(({ notificationId }) => notificationId);
const event = <E extends InboxEvent['event']>(
  name: E,
  data: Extract<InboxEvent, { event: E }>['data'],
): InboxEvent => ({ event: name, data, id: '' }) as unknown as InboxEvent;

describe('the state of an inbox', () => {
  it('takes a new notification at its place, once', () => {
    const state = listed(INBOX, null, item(5), item(3));
    const twice = [item(4), item(4), item(6)].reduce(
      (before, created) => afterEvent(before, event('notification.created', created)),
      state,
    );
    expect(idsOf(twice)).to.deep.equal(['n6', 'n5', 'n4', 'n3']);
  });

  it('keeps the place of an item that changes beside others of the same millisecond', () => {
    const { createdAt } = item(5);
    const state = listed(INBOX, null, item(5), { ...item(4), createdAt }, { ...item(3), createdAt });
    const updated = event('notification.updated', { ...item(3), createdAt, title: 'changed' });
    const after = afterEvent(state, updated);
    expect(idsOf(after)).to.deep.equal(['n5', 'n4', 'n3']);
    expect(after.items.at(-1)?.title).to.equal('changed');
  });

  it('leaves to further pages what is older than the last one that was read', () => {
    const returned = event('notification.unarchived', item(2));
    expect(idsOf(afterEvent(listed(INBOX, 'c', item(5), item(3)), returned))).to.deep.equal(['n5', 'n3']);
    expect(idsOf(afterEvent(listed(INBOX, null, item(5), item(3)), returned))).to.deep.equal([
      'n5',
      'n3',
      'n2',
    ]);
  });

  it('shows what comes after the items that were read have left', () => {
    const all = { before: null, excluded: [], archivedAt: '2026-01-01T00:00:00.000Z' };
    const emptied = afterEvent(
      listed(INBOX, 'c', item(5), item(3)),
      event('notifications.all-archived', all),
    );
    const created = afterEvent(emptied, event('notification.created', item(6)));
    expect(idsOf(created)).to.deep.equal(['n6']);
    // It is newer than the cursor, so that no further page has it.
    const returned = afterEvent(created, event('notification.unarchived', item(3)));
    expect(idsOf(returned)).to.deep.equal(['n6', 'n3']);
    expect(idsOf(afterEvent(returned, event('notification.unarchived', item(2))))).to.deep.equal([
      'n6',
      'n3',
    ]);
  });

  it('moves a notification between places and categories', () => {
    const archived = event('notification.archived', item(5, { archivedAt: '2026-01-01T00:00:00Z' }));
    expect(idsOf(afterEvent(listed(INBOX, null, item(5), item(3)), archived))).to.deep.equal(['n3']);
    expect(idsOf(afterEvent(listed(ARCHIVE, null), archived))).to.deep.equal(['n5']);
    const orders: View = { place: 'inbox', category: 'orders' };
    expect(idsOf(afterEvent(listed(orders, null), event('notification.created', item(5))))).to.deep.equal([]);
  });

  it('marks all that a mark of all has reached', () => {
    const state = listed(INBOX, null, item(5), item(4), item(3), item(2, { readAt: 'before', isRead: true }));
    const before = new Date(5000).toISOString();
    const read = afterEvent(
      state,
      event('notifications.all-read', { readAt: 'now', before, excluded: ['n4'] }),
    );
    expect(read.items.map(({ readAt }) => readAt)).to.deep.equal([null, null, 'now', 'before']);
    const archived = event('notifications.all-archived', {
      archivedAt: 'now',
      before: null,
      excluded: ['n3'],
    });
    expect(idsOf(afterEvent(state, archived))).to.deep.equal(['n3']);
  });

  it('has the count of the stream, and removes what was deleted or has expired', () => {
    const state = listed(INBOX, null, item(5), item(3));
    const after = [
      event('unread-count', { count: 10_001 }),
      event('notification.deleted', { notificationId: 'n5' }),
      event('notification.expired', { notificationId: 'n9' }),
    ].reduce(afterEvent, state);
    expect([after.unread, idsOf(after)]).to.deep.equal([10_001, ['n3']]);
  });

  it('is read again where events do not bring what was not known', () => {
    const unarchived = event('notifications.all-unarchived', { before: null, excluded: [] });
    expect(needsList(listed(INBOX, null), unarchived)).to.equal(true);
    expect(needsList(listed(ARCHIVE, null), unarchived)).to.equal(false);
    expect(needsList(listed(INBOX, null), event('reset', {}))).to.equal(true);
    expect(needsList(listed(INBOX, null), event('notification.created', item(1)))).to.equal(false);
  });
});
