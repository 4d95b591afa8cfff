/** Notifies a user, reads the inbox, marks everything read, and asks the data API for cities with both clients. */
import {
  client as service,
  createNotifications,
  getUnreadCount,
  listNotifications,
  markNotificationsRead,
  readRows,
} from 'dbr-client';
import { client as world } from '../client/world/client.gen.js';
import { getCities, getRpcNearestAirports } from '../client/world/sdk.gen.js';

const { SERVICE_URL = 'http://127.0.0.1:3000', TOKEN } = process.env;
if (TOKEN === undefined)
  throw new Error(
    'set TOKEN to a token of the service (dbr token --tenant acme --user ada --scope notifications:write)',
  );

service.setConfig({ baseUrl: SERVICE_URL, auth: TOKEN });
world.setConfig({ baseUrl: SERVICE_URL, auth: TOKEN });

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

// The client of the service reads any table: filters stand in `and`, rows are objects of unknown members.
const cities = await readRows({
  path: { resource: 'cities' },
  query: {
    select: 'name,population',
    and: '(country_code.eq.PE,population.gte.500000)',
    order: 'population.desc.nullslast',
    limit: 3,
  },
});
if (cities.error !== undefined) throw new Error(JSON.stringify(cities.error));
console.log(JSON.stringify(cities.data));

// The client of the database has a filter for each column, and rows and arguments with their types.
const capitals = await getCities({
  query: { rank: 'eq.national capital', name: 'like.L*', order: 'population.desc', limit: 2 },
});
if (capitals.error !== undefined) throw new Error(capitals.error.message);
for (const city of capitals.data) console.log(`${city.name}: ${city.population.toFixed(0)}`);

const airports = await getRpcNearestAirports({ query: { latitude: 47.46, longitude: 8.55, max_rows: 1 } });
if (airports.error !== undefined) throw new Error(airports.error.message);
console.log(airports.data?.map(({ iata_code }) => iata_code).join(' '));
