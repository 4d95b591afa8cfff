/** Notifies a user, reads the inbox, marks everything read, and asks the data API for a few cities. */
import { client } from '../client/client.gen.js';
import {
  createNotifications,
  getUnreadCount,
  listNotifications,
  markNotificationsRead,
  readRows,
} from '../client/sdk.gen.js';

const { SERVICE_URL = 'http://127.0.0.1:3000', TOKEN } = process.env;
if (TOKEN === undefined)
  throw new Error(
    'set TOKEN to a token of the service (dbr token --tenant acme --user ada --scope notifications:write)',
  );

client.setConfig({ baseUrl: SERVICE_URL, auth: TOKEN });

const produced = await createNotifications({
  body: { userIds: ['ada'], type: 'greeting.sent', title: 'Good morning, Ada' },
});
if (produced.error !== undefined) throw new Error(`${produced.error.code}: ${produced.error.message}`);

const inbox = await listNotifications({ query: { limit: 5 } });
for (const notification of inbox.data?.items ?? [])
  console.log(`${notification.isRead ? ' ' : '*'} ${notification.title}`);

await markNotificationsRead();
const unread = await getUnreadCount();
console.log(`unread: ${unread.data?.count}`);

const cities = await readRows({
  path: { resource: 'cities' },
  query: { select: 'name,population', order: 'population.desc.nullslast', limit: 3 },
});
if (cities.error !== undefined) throw new Error(JSON.stringify(cities.error));
console.log(JSON.stringify(cities.data));
