/**
 * Holds the compiled service to its documents: runs `dbr contract` against generated schemas, for each role.
 *   tsx bench/contract.ts [requests of a role] [schemas] [first seed]
 */
import { openSession } from '../src/postgres/session.js';
import { environmentName } from '../src/settings/settings.js';
import { generatedSchema } from '../test/support/contract-check/generated-schema.js';
import { createTestDatabase, startTestServer } from '../test/support/postgres/database.js';
import { runDbr, serveDbr } from '../test/support/service/built-service.js';
import { untilReady } from '../test/support/service/service.js';
import { FUZZ_SECRET, tokenOf } from '../test/support/fuzz/fuzz-client.js';

const [requests = '500', schemas = '20', firstSeed = '1'] = process.argv.slice(2);
const server = await startTestServer();
let [sent, found] = [0, 0];

for (let seed = Number(firstSeed); seed < Number(firstSeed) + Number(schemas); seed += 1) {
  const { script, roles } = generatedSchema(seed, `bench_${String(seed)}`);
  const database = await createTestDatabase(server.uri);
  const session = await openSession(database.uri);
  await session.script(script);
  const settings = {
    ...{ areas: 'data-api', 'db-uri': database.uri, 'db-schemas': 'api', 'db-anon-role': roles.anonymous },
    ...{ 'jwt-secret': FUZZ_SECRET, 'db-pool': '2', 'log-level': 'crit' },
  };
  const variables = Object.entries(settings).map(([name, value]) => [environmentName(name), value] as const);
  const service = await serveDbr(Object.fromEntries(variables));
  await untilReady(service);
  for (const role of Object.values(roles)) {
    const token = role === roles.anonymous ? [] : ['--token', (await tokenOf(role)).replace('Bearer ', '')];
    const { stdout, stderr } = await runDbr([
      ...['contract', `${service.url}/openapi.json`, '--writes', ...token],
      ...['--requests', requests, '--seconds', '600', '--seed', String(seed)],
    ]);
    const [, disagreements = '1', count = '0'] =
      /^(\d+) disagreements? in (\d+) requests?/m.exec(stdout) ?? [];
    [sent, found] = [sent + Number(count), found + Number(disagreements)];
    if (disagreements !== '0') console.log(`schema ${String(seed)}, role ${role}\n${stdout}${stderr}`);
  }
  await service.stop();
  for (const role of Object.values(roles)) await session.script(`drop owned by ${role}; drop role ${role}`);
  await session.close();
  await database.drop();
}
await server.remove();
console.log(`${String(found)} disagreements in ${String(sent)} requests to ${schemas} schemas`);
process.exit(found === 0 ? 0 : 1);
