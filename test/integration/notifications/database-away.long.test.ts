import { expect } from 'chai';
import { readerOf } from '../../support/identifiers.js';
import { createNotificationStore } from '../../../src/notifications/store.js';
import { createStreamStore } from '../../../src/notifications/stream-store.js';
import { publishNotifications } from '../../../src/notifications/stream-dispatcher.js';
import { localFeed } from '../../support/local-feed.js';
import { createStreams } from '../../../src/notifications/stream.js';
import { ConnectFailed, ConnectionLost } from '../../../src/postgres/postgres-error.js';
import { LOCAL_LIMITS } from '../../../src/operations/limits.js';
import { startTestServer, type TestServer } from '../../support/postgres/database.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { draft, NEVER, query } from '../../support/notifications/samples.js';
import { nextNamed, openStream, positionOf } from '../../support/service/stream-reader.js';

const ann = readerOf('acme', 'ann');

describe('notifications while the database is away', function () {
  this.timeout(120_000);
  let server: TestServer;
  let database: NotificationsDatabase;
  before(async () => {
    server = await startTestServer();
    database = await createNotificationsDatabase(server);
    // Test servers run without durability; this one must keep committed rows, as in production.
    await database.superuser.none('alter system set synchronous_commit = on');
    await database.superuser.any('select pg_reload_conf()');
  });
  after(async () => {
    await database.drop();
    await server.remove();
  });

  for (const [what, end] of [
    ['stopped', (): Promise<void> => server.stop()],
    ['killed', (): Promise<void> => server.kill()],
  ] as const) {
    it(`fail with a connection error, recover without a restart, and streams lose no event when it is ${what}`, async () => {
      const store = createNotificationStore(database.pool);
      const feed = localFeed();
      const streams = createStreams(createStreamStore(database.pool), feed, LOCAL_LIMITS, () => undefined);
      const stream = await openStream(streams, ann);
      await stream.next();
      await store.produce(draft({ title: 'before' }));
      publishNotifications(feed);
      const before = await nextNamed(stream, 'notification.created');
      await end();
      const failure = await store.list(ann, query(), NEVER).catch((error: unknown) => error);
      expect(failure).to.satisfy(
        (error: unknown) => error instanceof ConnectFailed || error instanceof ConnectionLost,
      );
      publishNotifications(feed);
      await server.start();
      // Written directly to the database, so that only the poll of the stream can find it.
      await database.owner.any(
        `select dbr_notifications.notify(tenant_id => 'acme', user_ids => array['ann'], type => 't', title => 'after')`,
      );
      const after = await nextNamed(stream, 'notification.created');
      expect(after.data).to.deep.include({ title: 'after' });
      stream.leave();
      const resumed = await openStream(streams, ann, { after: positionOf(before) });
      expect((await nextNamed(resumed, 'notification.created')).id).to.equal(after.id);
      await store.list(ann, query(), NEVER);
      await streams.close();
    });
  }
});
