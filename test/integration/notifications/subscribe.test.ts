import { expect } from 'chai';
import { SignJWT } from 'jose';
import { subscribe, type InboxEvent } from '../../../packages/client/src/inbox.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { openSeveringProxy, type SeveringProxy } from '../../support/postgres/severing-proxy.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';

const tokenOf = (claims: Readonly<Record<string, string>>): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));

describe('subscribe on a running service', function () {
  this.timeout(60_000);
  let database: NotificationsDatabase;
  let service: TestService;
  let proxy: SeveringProxy;

  before(async () => {
    database = await createNotificationsDatabase();
    service = await startTestService({
      areas: 'notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
    });
    await untilReady(service);
    proxy = await openSeveringProxy(service.url);
  });
  after(async () => {
    await proxy.close();
    await service.stop();
    await database.drop();
  });

  const notify = async (title: string): Promise<void> => {
    const token = await tokenOf({ tenantId: 'acme', sub: 'machine', scope: 'notifications:write' });
    const answer = await fetch(`${service.url}/api/v1/notifications`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ userIds: ['ann'], type: 'report.ready', title }),
    });
    expect(answer.status).to.equal(201);
  };

  it('misses and repeats nothing over lost connections, by token and by ticket', async () => {
    const token = await tokenOf({ tenantId: 'acme', sub: 'ann' });
    const origin = proxy.uri.replace(/\/$/, '');
    const ticket = async () => {
      const answer = await fetch(`${origin}/api/v1/notifications/me/stream-ticket`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
      });
      return (await answer.json()) as { readonly ticket: string; readonly expiresAt: string };
    };
    for (const login of [{ token }, { ticket }]) {
      const titles: string[] = [];
      const abort = new AbortController();
      let connections = 0;
      const events: AsyncGenerator<InboxEvent> = subscribe(origin, {
        ...login,
        signal: abort.signal,
        onState: (state) => {
          if (state === 'open') connections += 1;
        },
      });
      for await (const { event, data } of events) {
        if (event === 'unread-count' && titles.length === 0 && connections === 1) await notify('one');
        if (event !== 'notification.created') continue;
        titles.push(data.title);
        if (data.title === 'three') abort.abort();
        if (data.title !== 'one') continue;
        proxy.sever();
        await notify('two');
        await notify('three');
      }
      expect(titles).to.deep.equal(['one', 'two', 'three']);
      expect(connections).to.equal(2);
    }
  });
});
