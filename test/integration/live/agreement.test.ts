/** Live answers beside fresh ones: after each change, every stream has what a GET of its caller has. */
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { startLiveServer, type LiveServer } from '../../support/live/live-server.js';
import { openLiveReader, type LiveReader } from '../../support/live/live-reader.js';
import { runs } from '../../support/runs.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'live reads are signed with this secret, of tests alone';

const QUERIES = [
  '/notes?order=id',
  '/notes?list=eq.1&order=rank.desc,id&limit=4',
  '/notes?list=eq.2&select=id,body,tags(tag)&order=id',
  '/notes?select=id,rank&rank=gte.3&order=rank,id&limit=5&offset=2',
  '/notes?list=eq.3&select=body,rank&order=rank,body',
  '/notes?select=list,rank.max()&order=list',
  '/notes?select=id,tags!inner(tag)&tags.tag=eq.red&order=id',
  '/ranked?order=id&limit=6',
  '/rpc/top?wanted=1',
  '/tags?order=note,tag&limit=8',
  '/parts?order=area,id',
  '/parts?area=eq.a&value=gt.4&order=id',
];

interface Watched {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly reader: LiveReader;
}

const pick = <T>(list: readonly T[]): T => {
  const item = list[Math.floor(Math.random() * list.length)];
  if (item === undefined) throw new Error('an empty list');
  return item;
};

const number = (below: number): string => String(Math.floor(Math.random() * below));

/** Longest time of the rounds, in milliseconds: on a slow machine there are fewer. */
const LONGEST_MS = 180_000;

/** Statements that change answers. None fails, whatever the rows are. */
const CHANGES: readonly (() => string)[] = [
  () =>
    `insert into live.notes (list, rank, body) values (${number(5)}, ${number(7)}, 'b${number(100)}') on conflict do nothing`,
  () => `update live.notes set rank = ${number(7)} where id % 11 = ${number(11)}`,
  () => `update live.notes set list = ${pick(['null', number(5)])} where id = ${number(60)}`,
  () =>
    `update live.notes set id = id + 10000 where id = ${number(60)} and not exists (select from live.notes other where other.id = notes.id + 10000)`,
  () => `delete from live.notes where id % 13 = ${number(13)} and id > 20`,
  () =>
    `insert into live.tags select id, '${pick(['red', 'blue', 'secret'])}' from live.notes where id % 7 = ${number(7)} on conflict do nothing`,
  () => `delete from live.tags where note % 5 = ${number(5)}`,
  () => `insert into live.members values (${number(5)}, '${pick(['ada', 'bob'])}') on conflict do nothing`,
  () => `delete from live.members where list = ${number(5)} and member = 'bob'`,
  () =>
    `update live.parts set area = case area when 'a' then 'b' else 'a' end where id = ${number(11)} and not exists (select from live.parts other where other.id = parts.id and other.area <> parts.area)`,
  () => `update live.parts set value = ${number(12)} where id = ${number(11)}`,
  () =>
    pick([
      'truncate live.tags',
      `insert into live.notes (id, list, body) values (${number(5000)}, 1, 'x') on conflict (id) do update set list = 1`,
    ]),
];

describe('live reads beside fresh ones', function () {
  this.timeout(300_000);
  let live: LiveServer;
  let service: TestService;
  const watched: Watched[] = [];

  before(async () => {
    live = await startLiveServer();
    service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': live.server.uri,
        'db-anon-role': 'web_anon',
        'db-schemas': 'live',
        'db-aggregates-enabled': 'true',
        'db-live': 'true',
        'db-live-pause': '5',
        'jwt-secret': SECRET,
      },
      { logLevel: 'error' },
    );
    await untilReady(service);
    for (const sub of ['ada', 'bob'])
      for (const query of QUERIES)
        for (const prefer of [null, 'count=exact', 'live=whole']) {
          const token = await new SignJWT({ role: 'reader', sub })
            .setProtectedHeader({ alg: 'HS256' })
            .sign(Buffer.from(SECRET));
          const headers = {
            Authorization: `Bearer ${token}`,
            ...(prefer === null ? {} : { Prefer: prefer }),
          };
          watched.push({
            query,
            headers,
            reader: openLiveReader({ url: `${service.url}${query}`, headers }),
          });
        }
    await Promise.all(watched.map(({ reader }) => reader.opened));
  });

  after(async () => {
    for (const { reader } of watched) reader.close();
    await service.stop();
    await live.remove();
  });

  /** Compares all answers until they agree. @returns the number of comparisons */
  async function compare(): Promise<number> {
    let count = 0;
    for (const { query, headers, reader } of watched) {
      let expected: unknown;
      let total: number | null = null;
      const agrees = async (): Promise<boolean> => {
        const response = await fetch(`${service.url}${query}`, { headers });
        // A page behind the last row is an error of a GET (416), and empty as a live answer.
        expected = response.status === 416 ? [] : await response.json();
        const range = response.headers.get('content-range') ?? '';
        total = range.endsWith('/*') ? null : Number(range.split('/')[1]);
        count += 1;
        return JSON.stringify([expected, total]) === JSON.stringify([reader.state.rows, reader.state.total]);
      };
      const end = performance.now() + 10_000;
      await until(async () => (await agrees()) || performance.now() > end);
      expect({ query, headers, ...reader.state, ends: reader.ends }).to.deep.equal({
        query,
        headers,
        rows: expected,
        total,
        ends: [],
      });
    }
    return count;
  }

  it(`agree after each change`, async () => {
    let compared = await compare();
    const end = performance.now() + LONGEST_MS;
    for (let round = 0; round < runs(400, 15) && performance.now() < end; round += 1) {
      const statements = Array.from({ length: 1 + Math.floor(Math.random() * 4) }, () => pick(CHANGES)());
      await live.session.script(statements.map((each) => `${each};`).join('\n'));
      compared += await compare();
    }
    expect(compared).to.be.greaterThan(watched.length);
    // All streams are those that were opened first.
    for (const { reader } of watched) expect(reader.events['end']).to.equal(undefined);
  });
});
