import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withSession } from '../../src/postgres/session.js';
import { environmentName } from '../../src/settings/settings.js';
import { loadFestival } from '../support/conformance/festival-database.js';
import type { TestDatabase } from '../support/postgres/database.js';
import { serveDbr, type ServingProcess } from '../support/service/built-service.js';
import { some } from '../support/runs.js';
import { untilReady } from '../support/service/service.js';
import { KNOWN_DIFFERENCES } from './known-differences.js';
import { loadCases, playCase, send } from './play.mjs';

const cases = new Map(
  ['cases', 'own-cases'].flatMap((folder) => [...loadCases(fileURLToPath(new URL(folder, import.meta.url)))]),
);
const different = new Set(KNOWN_DIFFERENCES.map(({ id }) => id));
const recorded = (area: string) =>
  (cases.get(area) ?? []).filter(({ id, config }) => config === 'base' && !different.has(id));

/** Played through every worker: what one request leaves behind must not reach another one. */
const THROUGH_EACH = ['auth', 'transaction-context'];
/** Played through one worker or another. */
const THROUGH_ANY = [
  'embedding',
  'errors-service',
  'filters',
  'insert',
  'rpc-results',
  'streams',
  'update',
  'upsert',
];

const BACKEND = { method: 'GET', path: '/rpc/backend' };

// What one worker leaves behind reaches another one or does not, whether they are two or four.
for (const count of some([2, 4], 2))
  describe(`conformance of ${String(count)} workers`, function () {
    this.timeout(120_000);
    let database: TestDatabase;
    let service: ServingProcess;
    /** An address for each worker: the kept connection to it was accepted by the worker. */
    let addresses: readonly string[];

    before(async () => {
      const festival = await loadFestival();
      ({ database } = festival);
      await withSession(database.uri, (session) =>
        session.script(`
          create function festival.backend() returns int language sql as 'select pg_backend_pid()';
          grant execute on function festival.backend() to golden_anon`),
      );
      const configs = JSON.parse(
        await readFile(new URL('configs.json', import.meta.url), 'utf8'),
      ) as Readonly<Record<string, Readonly<Record<string, string>>>>;
      const settings = {
        ...configs['base'],
        areas: 'data-api',
        'db-uri': festival.uri,
        // Its backend identifies a worker.
        'db-pool': String(count),
        'server-workers': String(count),
        'server-host': '0.0.0.0',
      };
      service = await serveDbr(
        Object.fromEntries(Object.entries(settings).map(([name, value]) => [environmentName(name), value])),
      );
      await untilReady(service);
      addresses = await addressesOfAll(new URL(service.url).port, count);
    });
    after(async () => {
      await service.stop();
      await database.drop();
    });

    for (const area of THROUGH_EACH)
      it(`${area}, through each`, async () => {
        for (const address of addresses)
          for (const testCase of recorded(area))
            expect(await playCase(testCase, address), testCase.id).to.deep.equal([]);
      });

    for (const area of THROUGH_ANY)
      it(area, async () => {
        for (const [index, testCase] of some(recorded(area), 3).entries())
          expect(await playCase(testCase, addresses[index % count] ?? ''), testCase.id).to.deep.equal([]);
      });
  });

/** Every address of 127.0.0.0/8 is this machine, and has a kept connection of its own. */
async function addressesOfAll(port: string, count: number): Promise<readonly string[]> {
  const byBackend = new Map<string, string>();
  for (let last = 1; byBackend.size < count && last < 255; last += 1) {
    const address = `http://127.0.1.${String(last)}:${port}`;
    const { body } = await send(address, BACKEND);
    byBackend.set(body.toString(), address);
  }
  expect(byBackend.size).to.equal(count);
  return [...byBackend.values()];
}
