/**
 * Holds the compiled service to its documents: sends generated requests to generated schemas, for each role.
 *   tsx bench/contract.ts [requests of a role] [schemas] [first seed]
 */
import { availableParallelism } from 'node:os';
import { openSession } from '../src/postgres/session.js';
import { environmentName } from '../src/settings/settings.js';
import { checkContract } from '../test/support/contract-check/contract-check.js';
import { generatedSchema } from '../test/support/contract-check/generated-schema.js';
import { DATA_API_NOTES } from '../test/support/contract-check/notes.js';
import { createTestDatabase, startTestServer } from '../test/support/postgres/database.js';
import { serveDbr } from '../test/support/service/built-service.js';
import { untilReady } from '../test/support/service/service.js';
import { FUZZ_SECRET, tokenOf } from '../test/support/fuzz/fuzz-client.js';

const [requests = '500', schemas = '20', firstSeed = '1'] = process.argv.slice(2);
const server = await startTestServer();
const startedAt = performance.now();
let [sent, found, next] = [0, 0, Number(firstSeed)];

/** Checks one schema for each of its roles. */
async function checkSchema(seed: number): Promise<void> {
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
  for (const role of Object.values(roles)) await checkRole(service.url, seed, role, role === roles.anonymous);
  await service.stop();
  for (const role of Object.values(roles)) await session.script(`drop owned by ${role}; drop role ${role}`);
  await session.close();
  await database.drop();
}

async function checkRole(url: string, seed: number, role: string, isAnonymous: boolean): Promise<void> {
  const { requests: count, disagreements } = await checkContract({
    ...{ url: `${url}/openapi.json`, notes: DATA_API_NOTES, requests: Number(requests), seconds: 3600, seed },
    token: isAnonymous ? null : (await tokenOf(role)).replace('Bearer ', ''),
  });
  [sent, found] = [sent + count, found + disagreements.length];
  for (const { request, ...each } of disagreements)
    console.log(
      `schema ${String(seed)}, role ${role}: ${JSON.stringify({ ...each, ...request, body: String(request.body) })}`,
    );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.error(`${seconds} s: schema ${String(seed)}, role ${role}, ${String(sent)} requests so far`);
}

async function checkNext(): Promise<void> {
  while (next < Number(firstSeed) + Number(schemas)) await checkSchema(next++);
}

await Promise.all(Array.from({ length: availableParallelism() }, checkNext));
await server.remove();
console.log(`${String(found)} disagreements in ${String(sent)} requests to ${schemas} schemas`);
process.exit(found === 0 ? 0 : 1);
