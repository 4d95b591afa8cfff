import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

/** As Chromium and Firefox send it. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const anon = `anon_${randomBytes(4).toString('hex')}`;

interface Seen {
  readonly status: number;
  readonly location: string | null;
  readonly type: string | null;
  readonly body: string;
}

async function get(url: string, accept?: string, method = 'GET'): Promise<Seen> {
  const headers = accept === undefined ? {} : { Accept: accept };
  const response = await fetch(url, { method, redirect: 'manual', headers });
  return {
    status: response.status,
    location: response.headers.get('location'),
    type: response.headers.get('content-type'),
    body: await response.text(),
  };
}

const REFERENCE = { status: 303, location: 'api/v1/docs', type: null, body: '' };
const UP = { status: 200, location: null, type: 'application/json; charset=utf-8', body: '{"status":"up"}' };

describe('what people find', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
    await withSession(database.uri, (session) =>
      session.script(`create role ${anon} nologin;
        create table public.plain (id integer);
        create schema taken;
        create table taken.health (id integer);
        create view taken.docs as select 1 as id;
        create function taken.root() returns json language sql as $$ select '{"mine":true}'::json $$;
        grant usage on schema taken to ${anon};
        grant select on public.plain, taken.health, taken.docs to ${anon}`),
    );
  });
  after(async () => {
    await withSession(database.uri, (session) => session.script(`drop owned by ${anon}; drop role ${anon}`));
    await database.drop();
  });

  async function withService(
    settings: Readonly<Record<string, string>>,
    check: (service: TestService) => Promise<void>,
  ): Promise<void> {
    const service = await startTestService({
      ...{ areas: 'data-api', 'db-uri': database.uri, 'db-anon-role': anon },
      ...settings,
    });
    try {
      await untilReady(service);
      await check(service);
    } finally {
      await service.stop();
    }
  }

  it('at /, /docs and /health of a service without relations of these names', () =>
    withService({}, async ({ url }) => {
      expect(await get(`${url}/`, BROWSER)).to.deep.equal(REFERENCE);
      expect(await get(`${url}/?x=1`, BROWSER, 'HEAD')).to.deep.equal(REFERENCE);
      expect(await get(`${url}/docs`)).to.deep.equal(REFERENCE);
      expect(await get(`${url}/health`)).to.deep.equal(UP);
      expect(await get(`${url}/health?select=id`, BROWSER)).to.deep.equal(UP);
      expect(await get(`${url}/health`, undefined, 'HEAD')).to.deep.equal({ ...UP, body: '' });
      expect((await get(`${url}/api/v1/docs`, BROWSER)).type).to.equal('text/html; charset=utf-8');
    }));

  it('at the page of the reference with a slash, to which its files are not relative', () =>
    withService({}, async ({ url }) => {
      expect(await get(`${url}/api/v1/docs/`, BROWSER)).to.deep.equal({ ...REFERENCE, location: '../docs' });
      expect((await get(`${url}/api/v1/Docs`, BROWSER)).status).to.equal(404);
    }));

  it('leaves programs what they had', () =>
    withService({}, async ({ url }) => {
      for (const accept of [
        undefined,
        '*/*',
        'application/json',
        'application/json, text/html',
        'text/html, application/json',
      ])
        expect((await get(`${url}/`, accept)).type, accept).to.equal(
          'application/openapi+json; charset=utf-8',
        );
      expect((await get(`${url}/`, 'text/html')).status).to.equal(406);
      expect((await get(`${url}/plain`, BROWSER)).type).to.equal('application/json; charset=utf-8');
      for (const path of ['/healthz', '/docs/', '/health/x', '/Health'])
        expect((await get(url + path)).status, path).to.equal(404);
      for (const [path, method] of [
        ['/health', 'POST'],
        ['/docs', 'DELETE'],
        ['/health', 'PATCH'],
      ] as const)
        expect((await get(url + path, undefined, method)).status, `${method} ${path}`).to.be.oneOf([
          400, 404,
        ]);
      expect((await get(`${url}/`, BROWSER, 'POST')).status).to.equal(405);
    }));

  it('at the names of relations are the relations, and at / what a function renders', () =>
    withService({ 'db-schemas': 'taken', 'db-root-spec': 'root' }, async ({ url }) => {
      expect((await get(`${url}/health`)).body).to.equal('[]');
      expect((await get(`${url}/docs`, BROWSER)).body).to.equal('[{"id":1}]');
      expect((await get(`${url}/`, BROWSER)).status).to.not.equal(303);
    }));

  it('at /health needs what the data API needs: a caller that it accepts', () =>
    withService(
      { 'db-anon-role': '', 'jwt-secret': 'a secret for tests, of at least thirty-two bytes' },
      async ({ url }) => {
        expect((await get(`${url}/health`)).status).to.equal(401);
      },
    ));

  it('beside a prefix of the data API, and without the data API', async () => {
    await withService({ 'server-path-prefix': '/rest/v1' }, async ({ url }) => {
      expect(await get(`${url}/`, BROWSER)).to.deep.equal(REFERENCE);
      expect(await get(`${url}/health`)).to.deep.equal(UP);
      expect((await get(`${url}/rest/v1/health`)).status).to.equal(404);
      expect((await get(`${url}/rest/v1/`, BROWSER)).type).to.equal(
        'application/openapi+json; charset=utf-8',
      );
    });
  });

  it('in the place of PostgREST is what PostgREST has', () =>
    withService({ compatibility: 'postgrest', 'admin-server-port': '0' }, async ({ url }) => {
      expect((await get(`${url}/`, BROWSER)).type).to.equal('application/openapi+json; charset=utf-8');
      expect((await get(`${url}/health`)).status).to.equal(404);
    }));
});
