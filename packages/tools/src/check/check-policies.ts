/** `dbr check`: requests of many callers against the policies of a database, with the settings of file, environment and database. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readRules } from './owners.js';
import { bodyOf, headersOf, type CheckedCaller } from './probe.js';
import { renderCheck, sarifOf } from './report.js';
import { checkDatabase, type CheckProgress, type CheckScope, type Send } from './run-check.js';
import {
  type BodyChunks,
  cacheOptions,
  carriedBy,
  closeDatabase,
  createStatusLine,
  type DataApi,
  dataPoolOptions,
  errorStyleOf,
  type Identity,
  loadSchemaCache,
  loadSettings,
  createDescriptions,
  openDataApi,
  openDatabase,
  openPool,
  openStreams,
  quoteDotted,
  readHeaders,
  rolledBackPool,
  type RolledBackPool,
  type Settings,
  type Sources,
  withSession,
} from '../../../../src/face.js';
import { acceptedLines, judge } from '../lint/accepted.js';
import { hasLevel } from '../lint/lint.js';
import { readUsers } from '../policy-tests/read-tests.js';
import { openDump } from './dump-database.js';
import { openInspected, settingsInDatabase } from '../inspected-database.js';

export interface CheckOptions extends Pick<
  CheckScope,
  'seconds' | 'requests' | 'requestsOfRole' | 'seed' | 'callFunctions'
> {
  readonly format: 'text' | 'json' | 'sarif';
  /** A file with lines `user NAME is ROLE with {claims}`, as tests of policies have; undefined generates users. */
  readonly users: string | undefined;
  /** A file with lines `SCHEMA.TABLE COLUMN = CLAIM`. */
  readonly rules: string | undefined;
  /** A dump that is restored into a server of its own; undefined for the database of the settings. */
  readonly dump: string | undefined;
  /** A file with lines `RULE OBJECT` of findings that are accepted. */
  readonly baseline: string | undefined;
}

/** @returns the report, and exit code 1 for an error or a warning. @throws Error where a file or the database cannot be read */
export async function checkPolicies(
  sources: Sources,
  options: CheckOptions,
): Promise<{ readonly text: string; readonly code: 0 | 1 }> {
  const {
    addresses,
    settings: given,
    status,
  } = options.dump === undefined
    ? await openInspected(sources)
    : {
        addresses: await openDump(options.dump),
        settings: loadSettings(sources),
        status: createStatusLine(),
      };
  try {
    const settings = await settingsInDatabase(addresses.data, given);
    const scope = {
      ...scopeOf(settings, options),
      watch: (progress: () => CheckProgress) => status.show(() => progressLine(progress(), options.seconds)),
    };
    const { findings, ...rest } = await withSession(addresses.migrate, (owner) =>
      withSession(addresses.data, (session) =>
        withRequests(addresses.data, settings, (openData) => checkDatabase(owner, session, scope, openData)),
      ),
    );
    const { baseline, format } = options;
    const accepted = baseline === undefined ? [] : acceptedLines(readFileSync(baseline, 'utf8'));
    const report = { ...rest, ...judge(findings, accepted) };
    const text =
      format === 'json'
        ? JSON.stringify(report, null, 2)
        : format === 'sarif'
          ? sarifOf(report)
          : renderCheck(report);
    return { text, code: hasLevel(report.findings, 'warning') ? 1 : 0 };
  } finally {
    status.end();
    await addresses.stop();
  }
}

/** Such as `check 31 s of 60, 2,140 requests, 3 findings`. */
function progressLine({ seconds, requests, findings }: CheckProgress, most: number): string {
  const found = `${String(findings)} finding${findings === 1 ? '' : 's'}`;
  return `check ${String(Math.floor(seconds))} s of ${String(most)}, ${requests.toLocaleString('en')} requests, ${found}`;
}

function scopeOf(settings: Settings, options: CheckOptions): Omit<CheckScope, 'watch'> {
  const { users, rules } = options;
  const preRequest = settings['db-pre-request'];
  return {
    ...options,
    schemas: settings['db-schemas'],
    searchPath: settings['db-extra-search-path'],
    anonymousRole: settings['db-anon-role'],
    callers: users === undefined ? [] : readUsers(users, readFileSync(users, 'utf8')),
    rules: rules === undefined ? [] : readRules(rules, readFileSync(rules, 'utf8')),
    estimates: settings['db-estimates-under-policies'],
    preRequest: preRequest === null ? null : quoteDotted(preRequest),
    address: `http://localhost:${String(settings['server-port'])}`,
  };
}

/** Opens the data API for requests that are rolled back. */
async function withRequests<Result>(
  uri: string,
  settings: Settings,
  work: (openData: (snapshot: string) => Send) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(uri, { poolSize: 1, pipelined: true });
  const ignored = (): void => undefined;
  const inner = openPool(database, {
    ...dataPoolOptions(settings, settings, ignored),
    ...{ name: 'data', size: CONNECTIONS, acquisitionTimeoutMs: 60_000 },
  });
  try {
    const cache = await loadSchemaCache(database, { generation: 1, ...cacheOptions(settings) });
    const inForce = { ...settings, 'db-tx-end': 'rollback', 'log-slow-statements': null } as const;
    return await work((snapshot) => {
      const { pool, callerAfter } = rolledBackPool(inner, snapshot);
      const api = openDataApi({
        ...{ pool, replicas: null, observe: ignored, pathPrefix: settings['server-path-prefix'] },
        streams: openStreams(settings),
        allowList: { has: () => true, record: ignored },
        createDescriptions,
        inForce: { errorStyle: errorStyleOf(settings.compatibility, settings) },
        live: null,
        retryAfterSeconds: () => 1,
        refreshSchema: () => Promise.resolve(false),
        cursorSecret: randomBytes(32),
        compatible: settings.compatibility === 'postgrest',
      });
      api.use(cache, inForce);
      return senderOf(api, callerAfter);
    });
  } finally {
    await inner.close();
    await closeDatabase(database);
  }
}

/** More would take the processors from a service beside. */
const CONNECTIONS = 4;

function senderOf(api: DataApi, callerAfter: RolledBackPool['callerAfter']): Send {
  // The data API keeps what it derives from an identity.
  const identities = new Map<CheckedCaller, Identity>();
  return async (caller, request, before) => {
    const { role, claims } = caller;
    const known = identities.get(caller);
    const identity = known ?? {
      ...{ role, claims: claims ?? JSON.stringify({ role }), authenticated: claims !== null },
    };
    identities.set(caller, identity);
    const [path = '', query = ''] = request.path.split(/\?(.*)/s);
    const headers = Object.entries(headersOf(request)).map(
      ([name, value]) => [name.toLowerCase(), value] as const,
    );
    const head = {
      ...{ method: request.method, path: `/${path}`, query, identity, timings: null, trace: null },
      ...{
        carries: carriedBy(request.method, `/${path}`),
        headers: readHeaders(request.method, Object.fromEntries(headers)),
        rawHeaders: headers.flat(),
        caller: callerAfter(before),
        charge: null,
      },
    };
    const body = Buffer.from(bodyOf(request) ?? '');
    const upload = api.upload(head);
    const reply = await (upload === null ? api.handle({ ...head, body }) : upload(chunksOf(body)));
    const pieces: Buffer[] = [];
    let { code = null } = reply;
    try {
      for await (const piece of reply.body ?? []) pieces.push(Buffer.from(piece));
    } catch {
      code = 'cut';
    }
    return {
      status: reply.status,
      headers: Object.fromEntries(reply.headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: Buffer.concat(pieces).toString('utf8'),
      code,
    };
  };
}

function chunksOf(body: Buffer): BodyChunks {
  const chunks = [body];
  return { next: () => Promise.resolve(chunks.pop() ?? null), release: () => undefined };
}
