/**
 * What one inbox or one transaction costs the others: the unread count at several sizes beside a count of all rows, and the
 * time from a notification to its stream beside a transaction of another database that stays open.
 *
 *   node --import tsx/esm bench/notification-neighbours.ts [unread notifications, default 1000,10000,100000]
 */
import { tenantIdOf, userIdOf } from '../src/base/identifiers.js';
import { createNotificationStore } from '../src/notifications/store.js';
import { publishNotifications } from '../src/notifications/stream-dispatcher.js';
import { createStreamStore } from '../src/notifications/stream-store.js';
import { createStreams } from '../src/notifications/stream.js';
import { LOCAL_LIMITS } from '../src/operations/limits.js';
import { withSession } from '../src/postgres/session.js';
import { localFeed } from '../test/support/local-feed.js';
import { createNotificationsDatabase } from '../test/support/notifications/notifications-database.js';
import { draft, NEVER, query } from '../test/support/notifications/samples.js';
import { startTestServer } from '../test/support/postgres/database.js';
import { nextNamed, openStream } from '../test/support/service/stream-reader.js';
import { figure, tableLine } from './report.js';

const SIZES = (process.argv[2] ?? '1000,10000,100000').split(',').map(Number);
const REPETITIONS = 100;

/** @returns the median of the milliseconds that the work takes */
async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let done = 0; done < REPETITIONS; done++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[REPETITIONS / 2] ?? 0;
}

const server = await startTestServer();
const database = await createNotificationsDatabase(server);
const store = createNotificationStore(database.pool);
const tenantId = tenantIdOf('acme');
console.log(tableLine(['unread', 'count ms', 'count of all rows ms']));
for (const size of SIZES) {
  const reader = { tenantId, userId: userIdOf(`user-${String(size)}`) };
  await database.superuser.none(
    `insert into dbr_notifications.user_notifications (tenant_id, user_id, type, category, severity, title, data)
     select $1, $2, 't', 'general', 'info', 'Title ' || i, '{}' from generate_series(1, $3) as i`,
    [tenantId, reader.userId, size],
  );
  // The test server commits asynchronously: vacuum marks pages as visible to all once the commit is on disk.
  await database.superuser.none('checkpoint');
  await database.superuser.none('vacuum analyze dbr_notifications.user_notifications');
  const ours = await median(() => store.unreadCount(reader, query(), NEVER));
  const all = await median(() =>
    database.superuser.one(
      `select count(*) from dbr_notifications.user_notifications
       where tenant_id = $1 and user_id = $2 and read_at is null and archived_at is null
         and (expires_at is null or expires_at > now())`,
      [tenantId, reader.userId],
    ),
  );
  console.log(tableLine([String(size), figure(ours, 2), figure(all, 2)]));
}

const feed = localFeed();
const streams = createStreams(createStreamStore(database.pool), feed, LOCAL_LIMITS, () => undefined);
const reader = { tenantId, userId: userIdOf('ann') };
const stream = await openStream(streams, reader);
await withSession(server.uri.replace(/[^/]*$/, 'template1'), async (holder) => {
  await holder.query('begin');
  await holder.query('select pg_current_xact_id()');
  const delivery = await median(async () => {
    await store.produce(draft({ tenantId }));
    publishNotifications(feed);
    await nextNamed(stream, 'notification.created');
  });
  console.log(`from the request to the stream beside an open transaction: ${figure(delivery, 2)} ms`);
  await holder.query('rollback');
});
stream.leave();
await streams.close();
await feed.close();
await database.drop();
await server.remove();
