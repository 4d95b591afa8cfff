import { expect } from 'chai';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange, type ExchangeOptions } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SCHEMA = `
  create table public.plants (id int primary key, name text default 'unnamed', height int default 1);
  create table public.leaves (
    id int primary key,
    plant int references public.plants deferrable initially deferred
  );
  create function public.grow(by int) returns setof public.plants language sql volatile as $$
    update public.plants set height = height + by returning *
  $$;
`;
const FERN = { id: 1, name: 'fern', height: 10 };
const MOSS = { id: 2, name: 'moss', height: 2 };

type Endings = 'commit' | 'commit-allow-override' | 'rollback' | 'rollback-allow-override';
const ENDINGS: readonly Endings[] = [
  'commit',
  'commit-allow-override',
  'rollback',
  'rollback-allow-override',
];

describe('preferences of writes', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let session: Session;
  const services = new Map<Endings, TestService>();

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(SCHEMA);
    for (const ending of ENDINGS) {
      const service = await startTestService(
        {
          areas: 'data-api',
          'db-uri': database.uri,
          'db-anon-role': 'postgres',
          'db-pool': '2',
          'db-tx-end': ending,
          'db-channel-enabled': 'false',
        },
        { logLevel: 'crit' },
      );
      services.set(ending, service);
      await untilReady(service);
    }
  });
  after(async () => {
    for (const service of services.values()) await service.stop();
    await session.close();
    await database.drop();
  });
  beforeEach(async () => {
    await session.script(`
      delete from public.leaves;
      delete from public.plants;
      insert into public.plants values (1, 'fern', 10), (2, 'moss', 2)`);
  });

  const plants = (): Promise<unknown> => session.query('select * from public.plants order by id');
  const ask = (ending: Endings, method: string, path: string, prefer: string, more: ExchangeOptions = {}) =>
    exchange(`${services.get(ending)?.url ?? ''}${path}`, method, {
      ...more,
      headers: { Prefer: prefer, ...more.headers },
    });

  describe('of handling', () => {
    for (const [method, path, body] of [
      ['POST', '/plants', { id: 3 }],
      ['PATCH', '/plants?id=eq.1', { height: 3 }],
      ['PUT', '/plants?id=eq.1', { ...FERN, height: 3 }],
      ['DELETE', '/plants?id=eq.1', undefined],
      ['POST', '/rpc/grow', { by: 5 }],
    ] as const) {
      it(`strict: ${method} ${path} with an unknown one changes nothing`, async () => {
        const answer = await ask('commit', method, path, 'handling=strict, return=minimum, colour=green', {
          body,
        });
        expect(answer.status).to.equal(400);
        expect(answer.json).to.deep.equal({
          code: 'DBR122',
          message: 'Invalid preferences given with handling=strict',
          details: 'Invalid preferences: return=minimum, colour=green',
          hint: null,
        });
        expect(await plants()).to.deep.equal([FERN, MOSS]);
      });

      it(`lenient: ${method} ${path} with an unknown one is executed`, async () => {
        const answer = await ask('commit', method, path, 'handling=lenient, colour=green', { body });
        expect(answer.status).to.be.within(200, 204);
        expect(answer.headers.get('preference-applied')).to.equal('handling=lenient');
        expect(await plants()).not.to.deep.equal([FERN, MOSS]);
      });
    }

    it('lenient: max-affected is ignored', async () => {
      const answer = await ask('commit', 'DELETE', '/plants', 'handling=lenient, max-affected=1');
      expect(answer.status).to.equal(204);
      expect(answer.headers.get('preference-applied')).to.equal('handling=lenient');
      expect(await plants()).to.deep.equal([]);
    });

    it('strict: max-affected limits the number of changed rows', async () => {
      const answer = await ask('commit', 'DELETE', '/plants', 'handling=strict, max-affected=2');
      expect(answer.status).to.equal(204);
      expect(answer.headers.get('preference-applied')).to.equal('handling=strict, max-affected=2');
      expect(await plants()).to.deep.equal([]);
    });
  });

  describe('of the end of the transaction', () => {
    const WRITES = [
      ['POST', '/plants', { id: 3 }, 201, [{ id: 3, name: 'unnamed', height: 1 }]],
      ['PATCH', '/plants?id=eq.1', { height: 3 }, 200, [{ ...FERN, height: 3 }]],
      ['PATCH', '/plants?limit=1&order=id', { height: 3 }, 200, [{ ...FERN, height: 3 }]],
      ['PUT', '/plants?id=eq.1', { ...FERN, height: 3 }, 200, [{ ...FERN, height: 3 }]],
      ['DELETE', '/plants?id=eq.1', undefined, 200, [FERN]],
      [
        'POST',
        '/rpc/grow',
        { by: 5 },
        200,
        [
          { ...FERN, height: 15 },
          { ...MOSS, height: 7 },
        ],
      ],
    ] as const;
    const CASES: readonly (readonly [Endings, prefer: string, applied: string, isKept: boolean])[] = [
      ['commit', 'tx=rollback', '', true],
      ['commit-allow-override', 'tx=commit', 'tx=commit', true],
      ['commit-allow-override', 'tx=rollback', 'tx=rollback', false],
      ['rollback', 'tx=commit', '', false],
      ['rollback-allow-override', 'tx=commit', 'tx=commit', true],
      ['rollback-allow-override', 'tx=rollback', 'tx=rollback', false],
      ['rollback-allow-override', 'handling=lenient', 'handling=lenient', false],
    ];
    for (const [ending, prefer, applied, isKept] of CASES)
      for (const [method, path, body, status, answered] of WRITES)
        it(`db-tx-end=${ending}, ${prefer}: ${method} ${path} is ${isKept ? 'kept' : 'undone'}`, async () => {
          const answer = await ask(ending, method, path, `return=representation, ${prefer}`, { body });
          expect(answer.status).to.equal(status);
          expect(answer.json).to.have.deep.members(answered);
          const own = path.startsWith('/rpc/') ? [] : ['return=representation'];
          expect(answer.headers.get('preference-applied') ?? '').to.equal(
            [...own, applied].filter((each) => each !== '').join(', '),
          );
          if (isKept) expect(await plants()).not.to.deep.equal([FERN, MOSS]);
          else expect(await plants()).to.deep.equal([FERN, MOSS]);
        });

    for (const ending of ENDINGS)
      it(`db-tx-end=${ending}: a deferred constraint is checked with commit and rollback`, async () => {
        const answer = await ask(ending, 'POST', '/leaves', 'tx=rollback', { body: { id: 1, plant: 404 } });
        expect(answer.status).to.equal(409);
        expect(answer.json).to.include({ code: '23503' });
        expect(await session.query('select * from public.leaves')).to.deep.equal([]);
      });
  });

  describe('of missing values', () => {
    for (const [prefer, row] of [
      ['missing=default', { id: 3, name: 'unnamed', height: 1 }],
      ['missing=null', { id: 3, name: null, height: null }],
    ] as const)
      it(`${prefer} determines the stored values`, async () => {
        const answer = await ask('commit', 'POST', '/plants?columns=id,name,height', prefer, {
          body: [{ id: 3 }],
        });
        expect(answer.status).to.equal(201);
        expect(answer.headers.get('preference-applied')).to.equal(prefer);
        expect(await plants()).to.deep.equal([FERN, MOSS, row]);
      });
  });
});
