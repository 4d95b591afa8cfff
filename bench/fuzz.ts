/**
 * Sends generated requests to the compiled service and checks the relations between their answers. What breaks one is
 * shrunk, written to standard output and kept in `test/support/fuzz/kept.json`, which a test replays.
 *   tsx bench/fuzz.ts [requests] [most seconds] [seed] [relations, with commas]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/base/package.js';
import { migrate } from '../src/postgres/migrate.js';
import { withSession } from '../src/postgres/session.js';
import { environmentName } from '../src/settings/settings.js';
import { openFuzzClient, type FuzzClient, type Level } from '../test/support/fuzz/fuzz-client.js';
import {
  FUZZ_SETTINGS,
  KEPT_FILE,
  keptCases,
  RELATION_NAMES,
  runRelation,
  type Finding,
  type RelationOfAnswers,
} from '../test/support/fuzz/fuzz-run.js';
import { FUZZ_DATABASE } from '../test/support/fuzz/fuzz-database.js';
import { startTestServer } from '../test/support/postgres/database.js';
import { serveDbr, type ServingProcess } from '../test/support/service/built-service.js';
import { untilReady } from '../test/support/service/service.js';

const [requests = '100000', mostSeconds = '600', firstSeed = String(Date.now() % 1_000_000), only = ''] =
  process.argv.slice(2);
/** The relations that run: all unless some are named. */
const CHOSEN = RELATION_NAMES.filter((name) => only === '' || only.split(',').includes(name));
/** Cases of one relation between two looks at the clock. */
const ROUND = 50;
/** Requests between two lines of progress. */
const PROGRESS = 5_000;
/** A relation that was broken this often is not run again: it would find the same. */
const FINDINGS = 3;
const broken = new Map<RelationOfAnswers, Finding[]>();
const findingsOf = (name: RelationOfAnswers): readonly Finding[] => broken.get(name) ?? [];

/** Relations whose cases cost most: each has many new statements, or connections of its own. They take turns. */
const COSTLY: readonly RelationOfAnswers[] = [
  ...(['streams', 'bodies', 'conditional', 'graphs', 'writesInBatch'] as const),
  ...(['media', 'batches', 'counts', 'policies', 'repeats', 'typedRows', 'limits', 'boundedWrites'] as const),
];

/** Relations of one list take turns; the lists run beside each other. */
const TURNS: readonly (readonly RelationOfAnswers[])[] = [
  CHOSEN.filter((name) => COSTLY.includes(name)),
  ...CHOSEN.filter((name) => !COSTLY.includes(name)).map((name) => [name]),
];

async function fuzz(client: FuzzClient): Promise<void> {
  const startedAt = performance.now();
  const elapsed = (): number => (performance.now() - startedAt) / 1000;
  const isDone = (): boolean => client.count() >= Number(requests) || elapsed() >= Number(mostSeconds);
  let reported = 0;
  const report = (): void => {
    if (client.count() - reported < PROGRESS) return;
    reported = client.count();
    console.log(`${String(reported)} requests, ${elapsed().toFixed(0)} s`);
  };
  await Promise.all(
    TURNS.map(async (names) => {
      for (let turn = 0; !isDone() && names.some(isHolding); turn += 1) {
        const name = names[turn % names.length];
        if (name === undefined || !isHolding(name)) continue;
        await round(name, client, seedOf(name, turn));
        report();
      }
    }),
  );
  const found = [...broken.values()].flat().length;
  console.log(
    `${String(client.count())} requests in ${elapsed().toFixed(0)} s, seed ${firstSeed}: ${String(found)} findings`,
  );
}

const isHolding = (name: RelationOfAnswers): boolean => findingsOf(name).length < FINDINGS;

const seedOf = (name: RelationOfAnswers, turn: number): number =>
  Number(firstSeed) + RELATION_NAMES.indexOf(name) * 1_000_003 + turn;

async function round(name: RelationOfAnswers, client: FuzzClient, seed: number): Promise<void> {
  const finding = await runRelation(name, client, { runs: ROUND, seed });
  if (finding === null) return;
  broken.set(name, [...findingsOf(name), finding]);
  console.log(`${name}, seed ${String(seed)}: ${finding.message}\n${JSON.stringify(finding.case)}\n`);
}

function keep(): void {
  if (broken.size === 0) return;
  const found = [...broken.values()].flat().map(({ relation, message, case: each }) => ({
    relation,
    found: (message.split('\n')[0] ?? '').slice(0, 200),
    case: each,
  }));
  writeFileSync(KEPT_FILE, `${JSON.stringify([...keptCases(), ...found], null, 2)}\n`);
}

const server = await startTestServer();
await withSession(server.uri, (session) => session.script(FUZZ_DATABASE));
await migrate(server.uri, join(packageRoot(), 'migrations'));

async function serve(level: Level): Promise<ServingProcess> {
  const settings = {
    ...{ ...FUZZ_SETTINGS, 'db-uri': server.uri, 'db-pool': '4', 'log-level': 'crit' },
    'compatibility-level': level,
  };
  const environment = Object.entries(settings).map(
    ([name, value]) => [environmentName(name), value] as const,
  );
  const service = await serveDbr({
    ...Object.fromEntries(environment),
    // New shapes make much garbage that lives shortly.
    NODE_OPTIONS: '--max-semi-space-size=32',
  });
  await untilReady(service);
  return service;
}

const service = await serve('12');
const later = await serve('16');
const client = openFuzzClient({ '12': service.url, '16': later.url });
try {
  await fuzz(client);
  keep();
} finally {
  client.close();
  await service.stop();
  await later.stop();
  await server.remove();
}
