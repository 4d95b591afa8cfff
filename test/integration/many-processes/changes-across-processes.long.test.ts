import { expect } from 'chai';
import { nextNamed } from '../../support/service/stream-reader.js';
import {
  createServiceProcesses,
  openEvents,
  tokenOf,
  type OneOfMany,
  type ServiceProcesses,
} from '../../support/service/service-processes.js';
import { until } from '../../support/until.js';
import { createSession, createSigningAccount } from '../../support/signing/signing-account.js';

describe('a change made by one of several processes', function () {
  this.timeout(120_000);
  let processes: ServiceProcesses;
  let here: OneOfMany;
  let there: OneOfMany;
  before(async () => {
    processes = await createServiceProcesses();
    [here, there] = await Promise.all([processes.start(), processes.start()]);
  });
  after(() => processes.drop());

  const notifyAnn = async (title: string): Promise<void> => {
    const token = await tokenOf({ sub: 'billing', scope: 'notifications:write' });
    const body = { userIds: ['ann'], type: 'invoice', title };
    expect(await here.ann.call('createNotifications', { token, body })).to.have.property('status', 201);
  };

  it('sends new notifications and read marks to live streams of the other processes', async () => {
    const stream = await openEvents(there, 'streamNotifications');
    expect(await nextNamed(stream, 'unread-count')).to.have.deep.property('data', { count: 0 });
    await notifyAnn('written elsewhere');
    const created = await nextNamed(stream, 'notification.created');
    expect(created.data).to.include({ title: 'written elsewhere', readAt: null });
    expect(await nextNamed(stream, 'unread-count')).to.have.deep.property('data', { count: 1 });

    const { notificationId } = created.data as { readonly notificationId: string };
    await here.ann.call('markNotificationsRead', { body: { notificationId } });
    expect(await nextNamed(stream, 'unread-count')).to.have.deep.property('data', { count: 0 });
    stream.leave();
  });

  it('shows read marks in the unread count of the other processes at once', async () => {
    await notifyAnn('counted everywhere');
    expect(await there.ann.call('getUnreadCount')).to.have.deep.property('body', { count: 1 });
    expect(await here.ann.call('markNotificationsRead')).to.have.deep.property('body', { ok: true });
    expect(await there.ann.call('getUnreadCount')).to.have.deep.property('body', { count: 0 });
  });

  it('makes a stream ticket valid in every process until it is revoked', async () => {
    const { body } = await here.ann.call('createStreamTicket');
    const { ticket } = body as { readonly ticket: string };
    const gone = new AbortController();
    const call = { token: null, query: `ticket=${encodeURIComponent(ticket)}` };
    expect(await there.ann.open('streamNotifications', call, gone.signal)).to.have.property('status', 200);
    expect(await here.ann.open('streamNotifications', call, gone.signal)).to.have.property('status', 200);
    gone.abort();
    expect(await there.ann.call('revokeStreamTickets')).to.have.property('status', 204);
    expect(await here.ann.open('streamNotifications', call)).to.have.property('status', 401);
  });

  it('sends session events to the streams of the other processes, which end with the session', async () => {
    const sessionId = await createSession(here, await createSigningAccount(here));
    const stream = await openEvents(there, 'listSigningSessionEvents', { id: sessionId });
    expect(await stream.next()).to.deep.include({ event: 'created', id: '1' });
    expect(await here.ann.call('cancelSigningSession', { path: { id: sessionId } })).to.have.property(
      'status',
      200,
    );
    expect(await stream.next()).to.deep.include({ event: 'cancelled', id: '2' });
    expect(await stream.next()).to.equal(null);
  });

  it('reloads the schema in every process after a notification on the channel', async () => {
    const { database, anonymousRole } = processes;
    const statuses = (): Promise<readonly number[]> =>
      Promise.all([here, there].map(async ({ url }) => (await fetch(`${url}/parcels`)).status));
    expect(await statuses()).to.deep.equal([404, 404]);
    await database.superuser.none(`
      create table public.parcels (id integer primary key);
      grant select on public.parcels to ${anonymousRole};
      notify dbr, 'reload schema'`);
    await until(async () => (await statuses()).every((status) => status === 200));
  });
});
