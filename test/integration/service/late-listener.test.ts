import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { openRelay, type Relay } from '../../support/postgres/relay.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const LISTEN = 'listen "dbr"';

/** Passes the first LISTEN for the schema on as a statement that PostgreSQL does not know. */
function openRefusingRelay(uri: string): Promise<Relay> {
  let isRefused = false;
  return openRelay(uri, {
    fromClient: (send) => (chunk) => {
      const at = isRefused ? -1 : chunk.indexOf(LISTEN);
      isRefused ||= at >= 0;
      if (at >= 0) chunk.write('x', at, 'latin1');
      send(chunk);
    },
  });
}

describe('a service whose first attempt to listen fails', () => {
  let database: TestDatabase;
  let relay: Relay;
  let service: TestService;

  before(async () => {
    database = await createTestDatabase();
    relay = await openRefusingRelay(database.uri);
    service = await startTestService({
      areas: 'data-api',
      'db-uri': relay.uri,
      'db-anon-role': 'postgres',
      'db-standby-reload-interval': '3600',
    });
  });
  after(async () => {
    await service.stop();
    await relay.close();
    await database.drop();
  });

  it('reads changes of the schema that were notified before the next attempt', async () => {
    await untilReady(service);
    await withSession(database.uri, (session) =>
      session.script(`create table public.later (id int); notify dbr, 'reload schema'`),
    );
    // A POST does not load the schema for an unknown name.
    await until(async () => {
      const { status } = await fetch(`${service.url}/later`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"id":1}',
      });
      return status === 201;
    });
  });
});
