import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withSession } from '../../src/postgres/session.js';
import { environmentName } from '../../src/settings/settings.js';
import { startTestServer, type TestDatabase, type TestServer } from '../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import { operatorSettings } from '../support/postgres/operator-settings.js';
import { findSystemPrograms } from '../support/postgres/system-programs.js';
import { loadFestival } from '../support/conformance/festival-database.js';
import { some } from '../support/runs.js';
import { asQueries } from '../support/conformance/as-query.js';
import {
  KNOWN_DIFFERENCES,
  OPERATOR_DIFFERENCES,
  QUERY_DIFFERENCES,
  type KnownDifference,
} from './known-differences.js';
import { type Answer, compare, type Failure, loadCases, playCase, send, type TestCase } from './play.mjs';

const cases = loadCases(fileURLToPath(new URL('cases', import.meta.url)));

describe('conformance on the embedded PostgreSQL', () => {
  play(() => Promise.resolve(undefined), { withQueries: true });
});

describe('conformance on a database with settings of an operator @long', () => {
  play(() => Promise.resolve(undefined), { operated: true, from: 0 });
});

describe('conformance in the place of PostgREST @long', () => {
  play(() => Promise.resolve(undefined), { compatible: true, from: 2 });
});

const systemPrograms = findSystemPrograms();
if (systemPrograms === null)
  it('conformance on a PostgreSQL of the system: none is installed, on PATH or in /usr/lib/postgresql');
else
  describe(`conformance on the PostgreSQL ${String(systemPrograms.major)} of the system @long`, () => {
    play(() => startTestServer(systemPrograms), { from: 4 });
  });

/**
 * Recorded requests and answers of the data API, area by area.
 * @param startServer a server of its own, or undefined for the shared one
 * @param compatible true for services with `compatibility = "postgrest"`: the recorded codes are those of dbr
 * @param withQueries true to send every read as QUERY too
 * @param operated true for a database with settings of its own, whose texts clients get
 * @param from the first of the cases, of which CI takes one in six; all are played without it
 */
function play(
  startServer: () => Promise<TestServer | undefined>,
  {
    compatible = false,
    withQueries = false,
    operated = false,
    from = null,
  }: {
    readonly compatible?: boolean;
    readonly withQueries?: boolean;
    readonly operated?: boolean;
    readonly from?: number | null;
  } = {},
): void {
  const played = [...cases].map(
    ([area, list]) => [area, from === null ? list : some(list, 6, from)] as const,
  );
  let server: TestServer | undefined;
  let database: TestDatabase | undefined;
  let serverVersion = 0;
  let services: ReadonlyMap<string, TestService> = new Map();

  before(async function () {
    this.timeout(120_000);
    server = await startServer();
    const festival = await loadFestival(server, compatible ? withStateOfPostgrest : undefined);
    ({ database } = festival);
    if (operated)
      await withSession(database.uri, (session) => session.script(operatorSettings(festival.database.name)));
    serverVersion = await withSession(festival.database.uri, async (session) => {
      const [row] = await session.query("select current_setting('server_version_num')::int as version");
      return Number(row?.['version']);
    });
    const names = new Set(played.flatMap(([, list]) => list.map(({ config }) => config)));
    services = await startConfiguredServices(festival.uri, names, compatible);
  });

  after(async () => {
    await Promise.all([...services.values()].map((service) => service.stop()));
    await database?.drop();
    await server?.remove();
  });

  const urlOf = ({ config }: TestCase): string => {
    const url = services.get(config)?.url;
    if (url === undefined) throw new Error(`no service has the configuration ${config}`);
    return url;
  };

  if (withQueries) playQueries(urlOf);

  for (const [area, list] of played) {
    describe(area, () => {
      for (const testCase of list) {
        const known = KNOWN_DIFFERENCES.find(
          ({ id, isOfOwnNames }) => id === testCase.id && !(compatible && isOfOwnNames === true),
        );
        const note = known === undefined ? '' : ` (differs: ${known.reason})`;
        it(`${testCase.id}: ${testCase.about}${note}`, async () => {
          const failures = await (compatible ? playCompatibly : playCase)(testCase, urlOf(testCase));
          if (operated && OPERATOR_DIFFERENCES.has(testCase.id)) {
            expect(failures, 'no longer differs').to.not.be.empty;
            expect(described(beyondBodies(failures))).to.equal('');
          } else if (known === undefined || serverVersion < known.since)
            expect(described(failures)).to.equal('');
          else {
            expect(failures, 'no longer differs').to.not.be.empty;
            expect(described(beyond(failures, known))).to.equal('');
          }
        });
      }
    });
  }
}

/** Sends reads as QUERY, which have the recorded answer of GET, in both forms: one in sixteen, every one in `make test-long`. */
function playQueries(urlOf: (testCase: TestCase) => string): void {
  const known = new Set([...KNOWN_DIFFERENCES, ...QUERY_DIFFERENCES].map(({ id }) => id));
  for (const [place, form] of (['form', 'json'] as const).entries())
    describe(`reads as QUERY, ${form}`, () => {
      for (const [area, list] of cases) {
        const asked = list
          .filter(({ id }) => !known.has(id))
          .map((testCase) => asQueries(testCase, form))
          .filter((testCase) => testCase !== null);
        const queries = some(asked, 16, 8 * place);
        if (queries.length === 0) continue;
        it(`${area}: ${String(queries.length)} cases`, async function () {
          this.timeout(120_000);
          for (const testCase of queries) {
            const failures = await playCase(testCase, urlOf(testCase));
            expect(described(failures), testCase.id).to.equal('');
          }
        });
      }
    });
}

/** Functions of the schema raise the SQLSTATE of PostgREST. */
const withStateOfPostgrest = (script: string): string =>
  script.replaceAll("SQLSTATE 'DBR00'", "SQLSTATE 'PGRST'");

/** Plays a case whose answers have the codes of PostgREST where dbr's own are recorded. */
async function playCompatibly({ steps }: TestCase, base: string): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const [index, { request, response }] of steps.entries()) {
    const diffs = compare(response, withOwnCodes(await send(base, request)));
    if (diffs.length > 0) failures.push({ step: index + 1, request, diffs });
  }
  return failures;
}

/** An error with a code of PostgREST as dbr spells it; with one of dbr it becomes one that no case expects. */
function withOwnCodes(answer: Answer): Answer {
  const text = answer.body.toString('utf8');
  if (answer.status < 300 || !text.startsWith('{"code":')) return answer;
  const spelled = text
    .replace('{"code":"DBR', '{"code":"not mapped: DBR')
    .replace('{"code":"PGRST', '{"code":"DBR')
    .replace("RAISE SQLSTATE 'PGRST'", "RAISE SQLSTATE 'DBR00'");
  return { ...answer, body: Buffer.from(spelled, 'utf8') };
}

/** Returns the differences, except in the parts that are known to differ. */
const beyond = (failures: readonly Failure[], { parts }: KnownDifference): readonly Failure[] =>
  parts === undefined ? [] : without(failures, (what) => parts.includes(what));

const beyondBodies = (failures: readonly Failure[]): readonly Failure[] =>
  without(failures, (what) => /^body\b/.test(what));

const without = (failures: readonly Failure[], isKnown: (what: string) => boolean): readonly Failure[] =>
  failures
    .map((failure) => ({ ...failure, diffs: failure.diffs.filter(({ what }) => !isKnown(what)) }))
    .filter(({ diffs }) => diffs.length > 0);

function described(failures: readonly Failure[]): string {
  return failures
    .map(({ step, request, diffs }) => {
      const lines = diffs.map(
        ({ what, expected, got }) =>
          `    ${what}\n      expected ${JSON.stringify(expected)}\n      got      ${JSON.stringify(got)}`,
      );
      return `  step ${step}: ${request.method} ${request.path}\n${lines.join('\n')}`;
    })
    .join('\n');
}

type Configs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Starts one service for each named configuration of `configs.json`, all on one database. Returns them by name.
 * @param compatible true for services that take the place of PostgREST, with its variables
 */
async function startConfiguredServices(
  uri: string,
  names: ReadonlySet<string>,
  compatible = false,
): Promise<ReadonlyMap<string, TestService>> {
  const configs = JSON.parse(await readFile(new URL('configs.json', import.meta.url), 'utf8')) as Configs;
  const services = new Map<string, TestService>();
  for (const [name, config] of Object.entries(configs)) {
    if (!names.has(name)) continue;
    const settings = { 'db-uri': uri, 'db-pool': '2', 'db-channel-enabled': 'false', ...config };
    const service = compatible
      ? await startTestService(
          { compatibility: 'postgrest' },
          { logLevel: 'crit', environment: asVariables(settings) },
        )
      : await startTestService({ areas: 'data-api', ...settings }, { logLevel: 'crit' });
    await untilReady(service);
    services.set(name, service);
  }
  return services;
}

const asVariables = (settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [environmentName(name, 'PGRST_'), value]),
  );
