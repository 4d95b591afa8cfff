/**
 * Live answers beside fresh ones: at each quiet moment every stream has what a GET of its caller has, and none has ever sent
 * what its caller may not see. Meanwhile rows, rights and tables change, connections are killed, and tokens expire.
 */
import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type AuditedReader, openAuditedReader } from '../../support/live/audited-reader.js';
import { startLiveServer, type LiveServer } from '../../support/live/live-server.js';
import { runs } from '../../support/runs.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'live reads are signed with this secret, of tests alone';

/** Comparisons of a stream with a fresh GET; `LIVE_COMPARISONS=100000` for the long run. */
const COMPARISONS = Number(process.env['LIVE_COMPARISONS'] ?? runs(10_000, 1500));
/** Longest time of the rounds, in milliseconds, unless their number is given: on a slow machine there are fewer. */
const LONGEST_MS = process.env['LIVE_COMPARISONS'] === undefined ? 150_000 : 10_000_000;
/** Longest time until all streams have what a GET has, in milliseconds: rights are compared each second. */
const QUIET_MS = 60_000;

const QUERIES = [
  '/notes?order=id',
  '/notes?list=eq.1&order=rank.desc,id&limit=4',
  '/notes?list=eq.2&select=id,body,tags(tag)&order=id&tags.order=tag',
  '/notes?select=id,rank&rank=gte.3&order=rank,id&limit=5&offset=2',
  '/notes?list=eq.3&select=body,rank&order=rank,body',
  '/notes?select=list,rank.max()&order=list',
  '/notes?select=id,tags!inner(tag)&tags.tag=eq.red&order=id&tags.order=tag',
  '/notes?or=(list.eq.1,rank.eq.6)&order=rank.desc,id.desc&limit=3',
  '/notes?id=eq.7&select=id,list,rank',
  '/ranked?order=id&limit=6',
  '/totals?order=list',
  '/rpc/best?wanted=1',
  '/tags?order=note,tag&limit=8',
  '/tags?select=note,tag,notes(rank,body)&order=note.desc,tag&limit=6',
  '/parts?order=area,id',
  '/parts?area=eq.a&value=gt.4&order=id',
];

/** Who reads: `guest` has the rights of `reader` at times, `auditor` has policies of its own. */
const CALLERS = [
  { role: 'reader', sub: 'ada' },
  { role: 'reader', sub: 'bob' },
  { role: 'reader', sub: 'eve', level: 2 },
  { role: 'auditor', sub: 'ada' },
  { role: 'guest', sub: 'bob' },
] as const;

const SUB = `current_setting('request.jwt.claims', true)::json ->> 'sub'`;
const LEVEL = `(current_setting('request.jwt.claims', true)::json ->> 'level')::int`;
const OWN = `(secret is null or secret = ${SUB})`;
const MEMBER = `exists (select from live.members m where m.list = notes.list and m.member = ${SUB})`;

/** A secret is never changed, so that a row of another is out of sight under each policy. */
const SCHEMA = `
create role login login noinherit password 'live';
create role auditor;
create role guest;
grant reader, auditor, guest to login;
grant usage on schema live to auditor, guest;
alter table live.notes add column secret text;
insert into live.notes (list, rank, body, secret)
  select i % 5, i % 7, 'secret of ' || sub, sub from generate_series(1, 4) i, unnest(array['ada', 'bob', 'eve']) sub;
create table live.shown (tag text primary key);
insert into live.shown values ('red');
drop function live.top(int);
create function live.best(wanted int) returns table (id bigint, rank int) language sql stable
begin atomic
  select n.id, n.rank from live.notes n where n.list = wanted order by n.rank desc, n.id limit 3;
end;
create view live.totals as select list, count(*) as notes, max(rank) as rank from live.notes group by list;
alter policy members on live.notes using (${OWN} and ${MEMBER});
create policy audits on live.notes for select to auditor using (${OWN});
create policy audits on live.tags for select to auditor using (tag = 'blue');
grant select on all tables in schema live to reader, auditor`;

const pick = <T>(list: readonly T[]): T => {
  const item = list[Math.floor(Math.random() * list.length)];
  if (item === undefined) throw new Error('an empty list');
  return item;
};

const chance = (probability: number): boolean => Math.random() < probability;
const number = (below: number): string => String(Math.floor(Math.random() * below));

/** Statements that change rows. None fails, whatever the rows are. */
const ROW_CHANGES: readonly (() => string)[] = [
  () => {
    const secret = pick(['ada', 'bob', 'eve']);
    return `insert into live.notes (list, rank, body, secret) values (${number(5)}, ${number(7)}, 'secret of ${secret}', '${secret}')`;
  },
  () => `insert into live.notes (list, rank, body) values (${number(5)}, ${number(7)}, 'b${number(100)}')`,
  () => `update live.notes set rank = ${number(7)} where id % 11 = ${number(11)}`,
  () => `update live.notes set rank = ${number(7)} where id = ${number(60)}`,
  () => `update live.notes set list = ${pick(['null', number(5)])} where id = ${number(60)}`,
  () =>
    `update live.notes set id = id + 1000000000 where id = ${number(60)} and not exists (select from live.notes other where other.id = notes.id + 1000000000)`,
  () => `delete from live.notes where id % 13 = ${number(13)} and id > 20`,
  () => `delete from live.notes where id > 90`,
  () => `delete from live.notes where id = ${number(60)}`,
  () =>
    `insert into live.notes (id, list, body) values (${number(60)}, 1, 'x') on conflict (id) do update set list = 1`,
  () =>
    `insert into live.tags select id, '${pick(['red', 'blue', 'secret'])}' from live.notes where id % 7 = ${number(7)} on conflict do nothing`,
  () =>
    `update live.tags set tag = 'green' where note % 9 = ${number(9)} and tag = 'red' and not exists (select from live.tags o where o.note = tags.note and o.tag = 'green')`,
  () => `delete from live.tags where note % 5 = ${number(5)}`,
  () =>
    `insert into live.members values (${number(5)}, '${pick(['ada', 'bob', 'eve'])}') on conflict do nothing`,
  () => `delete from live.members where list = ${number(5)} and member = '${pick(['bob', 'eve'])}'`,
  () => `insert into live.shown values ('${pick(['red', 'blue', 'green'])}') on conflict do nothing`,
  () => `delete from live.shown where tag = '${pick(['red', 'blue', 'green'])}'`,
  () =>
    `update live.parts set area = case area when 'a' then 'b' else 'a' end where id = ${number(11)} and not exists (select from live.parts other where other.id = parts.id and other.area <> parts.area)`,
  () => `update live.parts set value = ${number(12)} where id = ${number(11)}`,
  () => `truncate live.tags`,
  () =>
    `truncate live.parts; insert into live.parts select i, case when i % 3 = 0 then 'a' else 'b' end, i from generate_series(1, 10) i`,
  // Large ones.
  () =>
    `insert into live.notes (list, rank, body) select 9, 5, 'large' from generate_series(1, 3000); delete from live.notes where list = 9`,
  () => `update live.notes set rank = (rank + 1) % 7`,
];

const POLICIES = [
  `alter policy members on live.notes using (${OWN} and ${MEMBER})`,
  `alter policy members on live.notes using (${OWN} and (rank > 2 or ${MEMBER}))`,
  `alter policy members on live.notes using (${OWN})`,
  `alter policy members on live.notes using (${OWN} and list in (select list from live.members where member = ${SUB}))`,
  `alter policy members on live.notes using (false)`,
  `alter policy all_tags on live.tags using (tag <> 'secret')`,
  `alter policy all_tags on live.tags using (tag <> 'secret' and exists (select from live.notes n where n.id = note and n.rank > 1))`,
  `alter policy all_tags on live.tags using (tag <> 'secret' and tag in (select tag from live.shown))`,
  `drop policy if exists area on live.parts; alter table live.parts disable row level security`,
  `drop policy if exists area on live.parts; create policy area on live.parts to reader using (area = 'a' or ${LEVEL} = 2); alter table live.parts enable row level security`,
];

const GRANTS = [
  'revoke select on live.tags from reader',
  'grant select on live.tags to reader',
  'grant select on live.tags to reader',
  'grant reader to guest',
  'grant reader to guest',
  'revoke reader from guest',
  'grant reader to auditor',
  'revoke reader from auditor',
  'revoke select on live.parts from auditor',
  'grant select on live.parts to auditor',
];

const TABLES = [
  `alter table live.notes add column if not exists extra text default 'more'`,
  'alter table live.notes drop column if exists extra',
  `alter table live.parts add column if not exists extra int default 3`,
  'alter table live.parts drop column if exists extra',
  `create or replace view live.ranked with (security_invoker = true) as select id, list, rank from live.notes where rank > ${number(5)}`,
  `create or replace function live.best(wanted int) returns table (id bigint, rank int) language sql stable
   begin atomic select n.id, n.rank from live.notes n where n.list = wanted order by n.id limit 2; end`,
  `create or replace function live.best(wanted int) returns table (id bigint, rank int) language sql stable
   begin atomic
     select n.id, n.rank from live.notes n join live.members m on m.list = n.list
      where n.list = wanted and m.member = 'eve' order by n.id limit 4;
   end`,
  `notify dbr, 'reload schema'`,
];

const KILLS = [
  'select pg_terminate_backend(active_pid) from pg_replication_slots',
  'select pg_terminate_backend(active_pid) from pg_replication_slots',
  `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'login'`,
  'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
];

/** A statement, a transaction with a part that is taken back, or one that is taken back whole. */
function drawnScript(): string {
  const some = (): string =>
    Array.from({ length: 1 + Math.floor(Math.random() * 4) }, () => `${pick(ROW_CHANGES)()};`).join('\n');
  const kind = Math.random();
  if (kind < 0.6) return some();
  if (kind < 0.8) return `begin; ${some()} savepoint one; ${some()} rollback to one; ${some()} commit;`;
  if (kind < 0.9) return `begin; savepoint one; ${some()} release one; savepoint two; ${some()} commit;`;
  return `begin; ${some()} rollback;`;
}

type Caller = (typeof CALLERS)[number];

interface Watched {
  readonly query: string;
  readonly caller: Caller;
  readonly kind: string;
  readonly reader: AuditedReader;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** @param seconds how long its streams live */
function tokenOf(caller: Caller, seconds: number): string {
  const exp = Math.floor(Date.now() / 1000) + seconds;
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ ...caller, exp })}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

/** What streams of a query and a caller are: `brief` ones have tokens that expire soon. */
const KINDS = ['changes', 'brief', 'whole', 'count', 'changes'] as const;
/** Streams of each kind: in the long run, each moment has more comparisons. */
const COPIES = COMPARISONS > 10_000 ? 4 : 1;
/** The first reader of a query has whole bodies as often as differences. */
const ORDERS = [KINDS, KINDS.toReversed()] as const;

describe('live reads beside fresh ones', function () {
  this.timeout(LONGEST_MS + 300_000);
  let live: LiveServer;
  let service: TestService;
  /** The streams of each query and caller, and all. */
  const pairs: (readonly Watched[])[] = [];
  const watched: Watched[] = [];

  before(async () => {
    live = await startLiveServer();
    await live.session.script(SCHEMA);
    const uri = new URL(live.server.uri);
    uri.username = 'login';
    uri.password = 'live';
    service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': uri.href,
        'db-live-uri': live.server.uri,
        'db-schemas': 'live',
        'db-aggregates-enabled': 'true',
        'db-live': 'true',
        'db-live-pause': '5',
        'db-live-interval': '5',
        'db-live-max-streams': '10000',
        'server-max-connections': '10000',
        'server-max-connections-per-address': '10000',
        'jwt-secret': SECRET,
      },
      { logLevel: 'crit' },
    );
    await untilReady(service);
    for (const [index, query] of QUERIES.entries())
      for (const caller of CALLERS) {
        const kinds = Array.from({ length: COPIES }, () => ORDERS[index % 2] ?? KINDS).flat();
        const own = kinds.map((kind) => watch(query, caller, kind));
        pairs.push(own);
        await until(() =>
          own.every(({ reader: { hasRows, refusedWith } }) => hasRows || refusedWith !== null),
        );
      }
    watched.push(...pairs.flat());
  });

  after(async () => {
    for (const { reader } of watched) reader.close();
    await service.stop();
    await live.remove();
  });

  function watch(query: string, caller: Caller, kind: (typeof KINDS)[number]): Watched {
    const prefer = kind === 'whole' ? 'live=whole' : kind === 'count' ? 'count=exact' : null;
    const reader = openAuditedReader({
      url: `${service.url}${query}`,
      isWhole: kind === 'whole',
      headers: () => ({
        Authorization: `Bearer ${tokenOf(caller, kind === 'brief' ? 5 + Math.floor(Math.random() * 20) : 3600)}`,
        ...(prefer === null ? {} : { Prefer: prefer }),
      }),
      forbidden: new RegExp(`secret of (?!${caller.sub})|"tag":"secret"`),
    });
    return { query, caller, kind, reader };
  }

  /** What a GET has: its rows and their number, or the status that refuses it; null while the service is not able to answer. */
  async function fresh(query: string, caller: Caller) {
    const headers = { Authorization: `Bearer ${tokenOf(caller, 3600)}`, Prefer: 'count=exact' };
    const response = await fetch(`${service.url}${query}`, { headers });
    const body: unknown = await response.json();
    const total = Number((response.headers.get('content-range') ?? '').split('/')[1]);
    // A page behind the last row is an error of a GET (416), and empty as a live answer.
    if (response.status === 416) return { status: 200, rows: [], total };
    if (response.status >= 500) return null;
    const rows = Array.isArray(body) ? body.map((row: unknown) => JSON.stringify(row)) : [];
    return { status: response.ok ? 200 : response.status, rows, total };
  }

  const isEqual = (
    { kind, reader }: Watched,
    expected: NonNullable<Awaited<ReturnType<typeof fresh>>>,
  ): boolean =>
    expected.status === 200
      ? reader.refusedWith === null &&
        reader.hasRows &&
        reader.rows.length === expected.rows.length &&
        reader.rows.every((row, index) => row === expected.rows[index]) &&
        reader.total === (kind === 'count' ? expected.total : null)
      : reader.refusedWith === expected.status;

  /** Compares the streams of a query and a caller until they agree. @returns those that do not */
  async function compareOne(own: readonly Watched[], endsAt: number): Promise<readonly object[]> {
    const [{ query, caller } = { query: '', caller: CALLERS[0] }] = own;
    for (;;) {
      const expected = await fresh(query, caller).catch(() => null);
      const different = own.filter((each) => expected === null || !isEqual(each, expected));
      if (different.length === 0) return [];
      if (performance.now() > endsAt)
        return different.map(({ kind, reader: { rows, total, refusedWith, hasRows, ends } }) => ({
          ...{ query, caller, kind, expected, rows, total, refusedWith, hasRows, ends: [...ends] },
        }));
      await delay(100);
    }
  }

  /** Compares all streams at a quiet moment. @returns the number of comparisons */
  async function compare(what: string): Promise<number> {
    const endsAt = performance.now() + QUIET_MS;
    const waiting = pairs.values();
    const different: object[] = [];
    const worker = async (): Promise<void> => {
      for (const own of waiting) different.push(...(await compareOne(own, endsAt)));
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    const problems = watched.flatMap(({ query, caller, kind, reader }) =>
      reader.problems.map((problem) => ({ query, caller, kind, problem })),
    );
    const shown = JSON.stringify([different.length, different[0], problems.length, problems[0]], null, 1);
    expect(different.length + problems.length, `after ${what}: ${shown}`).to.equal(0);
    return watched.length;
  }

  it('agree at each quiet moment', async () => {
    const began = performance.now();
    let compared = await compare('the start');
    let moments = 1;
    while (compared < COMPARISONS && performance.now() < began + LONGEST_MS) {
      const done: string[] = [];
      const run = async (script: string): Promise<void> => {
        done.push(script);
        await live.session.script(script);
      };
      for (let times = 1 + Math.floor(Math.random() * 3); times > 0; times -= 1) await run(drawnScript());
      if (chance(0.25)) await run(pick(POLICIES));
      if (chance(0.2)) await run(pick(GRANTS));
      if (chance(0.15)) await run(pick(TABLES));
      if (chance(0.15)) await run(pick(KILLS));
      if (chance(0.5)) await run(drawnScript());
      compared += await compare(done.join('\n'));
      moments += 1;
      if (COPIES > 1) console.info(`${String(compared)} comparisons`);
    }
    const changes = watched.reduce((sum, { reader }) => sum + reader.changes, 0);
    const resumed = watched.reduce((sum, { reader }) => sum + reader.resumed, 0);
    const ends = new Map<string, number>();
    for (const { reader } of watched)
      for (const [reason, count] of reader.ends) ends.set(reason, (ends.get(reason) ?? 0) + count);
    console.info(
      `${String(compared)} comparisons at ${String(moments)} moments, 0 differences; ${String(changes)} changes, ` +
        `${String(resumed)} streams that went on, ends ${JSON.stringify([...ends])}, ${((performance.now() - began) / 1000).toFixed(0)} s`,
    );
    expect([...ends.keys()]).to.not.include.members(['too large', 'busy', 'service stops']);
  });
});
