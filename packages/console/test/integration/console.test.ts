import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forward } from '../../server/forward.js';
import { withSession } from '../../../../src/postgres/session.js';
import type { Catalogue, Overview, RelationDetail, Visibility } from '../../server/answers.js';
import {
  HOSTILE_TABLE,
  startConsoleService,
  type ConsoleService,
} from '../../../../test/support/console/console-service.js';

import { serveDbr } from '../../../../test/support/service/built-service.js';
import { untilReady } from '../../../../test/support/service/service.js';

const OWN = { 'X-Dbr-Console': '1' };

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

describe('the console over HTTP', function () {
  this.timeout(60_000);
  let running: ConsoleService;
  let ada: string;

  before(async () => {
    running = await startConsoleService();
    ada = await running.tokenOf('ada');
  });
  after(() => running.stop());

  async function call(
    path: string,
    init: RequestInit = {},
    headers: Record<string, string> = OWN,
  ): Promise<Answer> {
    const response = await fetch(`${running.url}${path}`, { ...init, headers, redirect: 'manual' });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
  const ask = (question: unknown, token: string | null = ada): Promise<Answer> =>
    call(
      'question',
      { method: 'POST', body: JSON.stringify(question) },
      { ...OWN, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
    );

  /** A request with headers that `fetch` does not let one set. */
  const raw = (path: string, method: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      request(`${running.url}${path}`, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });

  it('leads to its page, and is not on the public port', async () => {
    const admin = running.service.adminUrl;
    const lead = await fetch(`${admin}/console`, { redirect: 'manual' });
    expect(lead.status).to.equal(302);
    expect(lead.headers.get('location')).to.equal('console/');
    expect((await fetch(`${running.service.url}/console/`)).status).to.equal(404);
    expect((await fetch(`${running.service.url}/api/v1/console/`)).status).to.equal(404);
  });

  it('says what it serves', async () => {
    const { status, body } = await call('information');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      version: '0.1.0',
      areas: ['data-api'],
      pathPrefix: '',
      api: 'api',
      publicUrl: running.service.url,
      reference: `${running.service.url}/api/v1/docs`,
      development: true,
      live: false,
      proposals: false,
    });
  });

  it('acts for no page of another origin', async () => {
    const refused = {
      code: 'DBR402',
      message: 'Not allowed',
      details: 'the header X-Dbr-Console is missing',
      hint: null,
    };
    for (const path of ['information', 'samples', 'api/makers', 'nothing'])
      expect((await call(path, {}, {})).body, path).to.deep.equal(refused);
    expect((await call('question', { method: 'POST', body: '{"kind":"catalogue"}' }, {})).status).to.equal(
      403,
    );
    expect((await call('token', { method: 'POST', body: '{}' }, {})).status).to.equal(403);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await raw('api/makers', 'GET', { ...OWN, 'Sec-Fetch-Site': site }), site).to.equal(403);
    expect(await raw('api/makers', 'GET', { ...OWN, 'Sec-Fetch-Site': 'same-origin' })).to.equal(200);
    const preflight = await call(
      'api/makers',
      { method: 'OPTIONS' },
      {
        Origin: 'https://evil.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-dbr-console',
      },
    );
    expect(preflight.status).to.equal(403);
    expect(preflight.headers.get('access-control-allow-origin')).to.equal(null);
    expect(preflight.headers.get('access-control-allow-headers')).to.equal(null);
    expect(await raw('', 'GET', { Host: 'rebound.example' })).to.equal(421);
  });

  it('forwards requests with the rights of the token alone', async () => {
    const anonymous = await call('api/items?select=name');
    expect(anonymous.status).to.equal(401);
    expect(anonymous.body).to.include({ code: '42501' });
    const own = await call(
      'api/items?select=name&order=id&limit=1',
      {},
      { ...OWN, Authorization: `Bearer ${ada}` },
    );
    expect(own.status).to.equal(200);
    expect(own.body).to.deep.equal([{ name: 'Lamp' }]);
    expect(own.headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
    expect(own.headers.get('x-content-type-options')).to.equal('nosniff');
    // A proxy on this machine may be believed; the page is none.
    const named = await call(
      'api/rpc/headers',
      {},
      { ...OWN, 'X-Forwarded-For': '203.0.113.7', Cookie: 'a=b', Forwarded: 'for=1' },
    );
    expect(named.status).to.equal(200);
    expect(named.body).to.have.property('user-agent');
    for (const name of ['x-forwarded-for', 'forwarded', 'cookie', 'x-dbr-console'])
      expect(named.body).not.to.have.property(name);
    const written = await call(
      'api/items?select=name',
      { method: 'POST', body: '{"name":"New"}' },
      {
        ...OWN,
        Authorization: `Bearer ${ada}`,
        'Content-Type': 'application/json',
        Prefer: 'return=representation, tx=rollback',
      },
    );
    expect(written.status).to.equal(201);
    expect(written.body).to.deep.equal([{ name: 'New' }]);
  });

  it('forwards a body of unknown length as one body, whatever its method', async () => {
    const body = `GET /rpc/headers HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n`;
    const received: (readonly [string, string | undefined, string])[] = [];
    const target = createServer((incoming, response) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      incoming.on('end', () => {
        received.push([incoming.method ?? '', incoming.url, text]);
        response.end();
      });
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((target.address() as AddressInfo).port)}`;
    const front = createServer((incoming, response) => forward(incoming, response, url, incoming.url ?? ''));
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    try {
      await new Promise<void>((resolve, reject) => {
        const { port } = front.address() as AddressInfo;
        const sent = request({
          port,
          path: '/makers',
          method: 'DELETE',
          headers: { 'Transfer-Encoding': 'chunked' },
        });
        sent.on('response', (response) => response.resume().on('end', resolve)).on('error', reject);
        sent.end(body);
      });
      expect(received).to.deep.equal([['DELETE', '/makers', body]]);
    } finally {
      for (const server of [front, target]) {
        server.closeAllConnections();
        server.close();
      }
    }
  });

  it('describes what the role may use, and nothing else', async () => {
    const { status, body } = await ask({ kind: 'catalogue' });
    expect(status).to.equal(200);
    const catalogue = body as Catalogue;
    expect(catalogue.role).to.equal(running.role);
    expect(catalogue.claims).to.include({ sub: 'ada', tenantId: 'acme' });
    expect(catalogue.relations.map(({ name }) => name)).to.deep.equal(
      ['cheap', 'items', 'makers', 'patterns', HOSTILE_TABLE].sort(),
    );
    expect(catalogue.functions.find(({ name }) => name === 'add_up')?.parameters).to.deep.equal([
      { name: 'one', type: 'integer', required: true, enumLabels: [] },
      { name: 'other', type: 'integer', required: false, enumLabels: [] },
    ]);
    const anonymous = (await ask({ kind: 'catalogue' }, null)).body as Catalogue;
    expect(anonymous.relations.map(({ name }) => name)).to.deep.equal(['makers']);
    const hidden = await ask({ kind: 'relation', schema: 'shop', name: 'items' }, null);
    expect(hidden.status).to.equal(404);
    for (const schema of ['pg_catalog', 'information_schema'])
      expect((await ask({ kind: 'relation', schema, name: 'pg_authid' })).status).to.equal(404);
  });

  it('describes a relation', async () => {
    const { body } = await ask({ kind: 'relation', schema: 'shop', name: 'items' });
    const relation = body as RelationDetail;
    expect(relation.primaryKey).to.deep.equal(['id']);
    expect(relation.privileges).to.deep.equal({ select: true, insert: true, update: true, delete: true });
    expect(relation.columns.find(({ name }) => name === 'size')).to.deep.include({
      type: 'size',
      enumLabels: ['small', 'large'],
      nullable: false,
      hasDefault: true,
      generated: false,
    });
    expect(relation.columns.find(({ name }) => name === 'price')).to.include({
      type: 'price',
      baseType: 'numeric',
    });
    expect(relation.columns.find(({ name }) => name === 'id')).to.include({ generated: true });
    expect(relation.references).to.deep.equal([
      {
        constraint: 'items_maker_id_fkey',
        schema: 'shop',
        name: 'makers',
        columns: ['maker_id'],
        otherColumns: ['id'],
        label: 'name',
        toOne: true,
      },
    ]);
    const { body: makers } = await ask({ kind: 'relation', schema: 'shop', name: 'makers' });
    expect((makers as RelationDetail).referencedBy).to.deep.equal([
      {
        constraint: 'items_maker_id_fkey',
        schema: 'shop',
        name: 'items',
        columns: ['id'],
        otherColumns: ['maker_id'],
        label: 'name',
        toOne: false,
      },
    ]);
  });

  it('has estimates and sizes of what the role may use, and waits for no lock', async () => {
    const numbers = async (token: string | null = ada) => {
      const { status, body } = await ask({ kind: 'overview' }, token);
      expect(status).to.equal(200);
      return (body as Overview).relations;
    };
    await withSession(running.databaseUri, async (session) => {
      await session.script('analyze shop.makers');
      const all = await numbers();
      const makers = all.find(({ name }) => name === 'makers');
      expect(makers).to.include({ schema: 'shop', rows: 500 });
      expect(makers?.bytes).to.be.greaterThan(8192);
      expect(all.find(({ name }) => name === 'cheap')).to.include({ rows: null, bytes: null });
      expect((await numbers(null)).map(({ name }) => name)).to.deep.equal(['makers']);
      await session.script('begin; lock table shop.patterns in access exclusive mode');
      expect((await numbers()).find(({ name }) => name === 'makers')).to.include({ rows: 500, bytes: null });
      await session.script('rollback');
    });
  });

  it('has the pages of the manual, and no other file', async () => {
    const page = await fetch(`${running.url}manual/README.md`);
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(await page.text()).to.match(/^# /);
    for (const name of ['manual/..%2fpackage.json', 'manual/none.md', 'manual/console/table-1280-light.png'])
      expect((await fetch(`${running.url}${name}`)).status, name).to.equal(403);
  });

  const visibility = async (row: unknown, command = 'select', token = ada): Promise<Visibility> => {
    const { status, body } = await ask(
      { kind: 'visibility', schema: 'shop', name: 'items', command, row },
      token,
    );
    expect(status).to.equal(200);
    return body as Visibility;
  };

  it('evaluates the terms of the policies on given values, as the caller', async () => {
    const sold = await visibility({ id: 6, owner: 'ada', sold: true });
    expect(sold).to.include({ privilege: true, exempt: null, found: false, allowed: false });
    expect(sold.policies[0]?.terms).to.deep.equal([
      {
        text: 'owner = who()',
        holds: true,
        sides: [{ text: 'owner', value: 'ada' }],
        unknown: [],
        error: null,
      },
      { text: 'NOT sold', holds: false, sides: [], unknown: [], error: null },
    ]);
    expect(await visibility({ id: 1, owner: 'ada', sold: false })).to.include({ found: true, allowed: true });
    expect(await visibility({ id: 1 })).to.include({ found: true, allowed: null });
    expect(await visibility({ id: 1, owner: 'bob' })).to.include({ allowed: false });
    expect(await visibility({ owner: 'bob' }, 'insert')).to.include({ found: null, allowed: false });
    expect(await visibility({ owner: 'ada' }, 'insert')).to.include({ allowed: true });
    const bob = await running.tokenOf('bob');
    expect(await visibility({ id: 7, owner: 'bob', sold: false }, 'delete', bob)).to.include({
      allowed: true,
    });
  });

  it('shows no result of a function, and no text of its errors', async () => {
    await withSession(running.databaseUri, (session) =>
      session.script(`
        create schema hidden;
        create table hidden.accounts (id integer primary key, holder text);
        insert into hidden.accounts values (1, 'the holder of 1');
        create function hidden.holder_of(id integer) returns text language sql stable security definer
          as $$ select holder from hidden.accounts as a where a.id = $1 $$;
        create table shop.transfers (account integer, holder text);
        alter table shop.transfers enable row level security;
        create policy named on shop.transfers for select to ${running.role} using (
          holder = hidden.holder_of(account)
          and hidden.holder_of(account)::integer = 5
          and holder = (select current_setting('request.jwt.claims', true)::json ->> 'sub')
          and holder::integer = 5);
        grant select on shop.transfers to ${running.role};
        grant usage on schema hidden to ${running.role}`),
    );
    const asked = { kind: 'visibility', schema: 'shop', name: 'transfers', command: 'select' };
    const { status, body } = await ask({ ...asked, row: { account: 1, holder: 'ada' } });
    await withSession(running.databaseUri, (session) =>
      session.script('drop table shop.transfers; drop schema hidden cascade'),
    );
    expect([status, JSON.stringify(body).includes('the holder')]).to.deep.equal([200, false]);
    const [ofFunction, failing, ofClaim, ofColumn] = (body as Visibility).policies[0]?.terms ?? [];
    const holder = { text: 'holder', value: 'ada' };
    expect(ofFunction).to.deep.include({ holds: false, sides: [holder], error: null });
    expect(failing).to.deep.include({ holds: null, sides: [], error: 'PostgreSQL cannot evaluate it' });
    expect(ofClaim).to.deep.include({ holds: true, error: null });
    expect(ofClaim?.sides).to.have.lengthOf(2);
    expect(ofClaim?.sides[1]?.value).to.equal('ada');
    expect(ofColumn?.error).to.equal('invalid input syntax for type integer: "ada"');
  });

  it('says what PostgreSQL says of values of another type', async () => {
    const { status, body } = await ask({
      kind: 'visibility',
      schema: 'shop',
      name: 'items',
      command: 'select',
      row: { id: 'x', owner: 'ada', sold: 'perhaps' },
    });
    expect(status).to.equal(200);
    expect((body as Visibility).policies[0]?.terms[0]?.error).to.contain('invalid input syntax');
  });

  it('lists findings for a token alone', async () => {
    const { status, body } = await ask({ kind: 'lint' });
    expect(status).to.equal(200);
    expect(body).to.have.property('findings').that.is.an('array').that.is.not.empty;
    expect((await ask({ kind: 'lint' }, null)).body).to.include({ code: 'DBR402' });
  });

  it('refuses tokens and questions that are none', async () => {
    expect((await ask({ kind: 'catalogue' }, 'x.y.z')).body).to.include({ code: 'DBR301' });
    for (const question of [
      null,
      [],
      {},
      { kind: 'shell' },
      { kind: 'relation', schema: 'shop' },
      { kind: 'relation', schema: 1, name: 2 },
      { kind: 'visibility', schema: 'shop', name: 'items', command: 'drop', row: {} },
      { kind: 'visibility', schema: 'shop', name: 'items', command: 'select', row: [] },
    ])
      expect((await ask(question)).body, JSON.stringify(question)).to.deep.equal({
        code: 'DBR404',
        message: 'Invalid request body',
        details: 'the question is unknown or incomplete',
        hint: null,
      });
    const noJson = await call('question', { method: 'POST', body: '{' });
    expect(noJson.body).to.include({ code: 'DBR404', details: 'the body is no JSON' });
    const long = await call('question', { method: 'POST', body: ' '.repeat(1_048_577) });
    expect(long.status).to.equal(413);
    expect((await call('nothing')).status).to.equal(404);
    expect((await call('question', { method: 'DELETE' })).status).to.equal(404);
  });

  it('makes tokens of other users in development', async () => {
    const body = JSON.stringify({ tenant: 'acme', user: 'bob', role: running.role });
    const made = await call('token', { method: 'POST', body });
    expect(made.status).to.equal(200);
    const { token } = made.body as { readonly token: string };
    const items = await call('api/items?select=name', {}, { ...OWN, Authorization: `Bearer ${token}` });
    expect(items.body).to.deep.equal([{ name: 'Table of bob' }]);
    const incomplete = await call('token', { method: 'POST', body: '{"user":"bob"}' });
    expect(incomplete.body).to.include({ code: 'DBR404', details: 'a token needs tenant and user' });
  });

  it('keeps samples of metrics, and no token in the log', async () => {
    const { status, body } = await call('samples');
    expect(status).to.equal(200);
    expect(body).to.have.nested.property('[0].values.dbr_db_pool_max', 10);
    expect(running.service.logs.join('\n')).not.to.contain(ada.split('.')[1]);
  });
});

describe('the console with a secret of its own', function () {
  this.timeout(60_000);
  it('makes no tokens', async () => {
    const running = await startConsoleService(() => ({
      'service-jwt-secret': 'a secret of at least thirty-two bytes',
    }));
    try {
      const response = await fetch(`${running.url}token`, {
        method: 'POST',
        headers: OWN,
        body: '{"tenant":"acme","user":"bob"}',
      });
      expect(response.status).to.equal(403);
      expect(await response.json()).to.include({ details: 'tokens are made in development only' });
    } finally {
      await running.stop();
    }
  });
});

describe('the console of several workers @long', function () {
  this.timeout(120_000);
  it('is answered by a worker', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dbr-console-'));
    const serving = await serveDbr({
      DBR_DATA_DIRECTORY: join(directory, '.dbr'),
      DBR_SAMPLE_DATABASE: 'true',
      DBR_SERVER_WORKERS: '2',
    });
    try {
      await untilReady(serving);
      const question = await fetch(`${serving.adminUrl}/console/question`, {
        method: 'POST',
        headers: OWN,
        body: '{"kind":"catalogue"}',
      });
      expect(question.status).to.equal(200);
      expect(await question.json()).to.include({ role: 'anon', authenticated: false });
      const rows = await fetch(`${serving.adminUrl}/console/api/countries?select=name&code=eq.IS`, {
        headers: OWN,
      });
      expect(await rows.json()).to.deep.equal([{ name: 'Iceland' }]);
    } finally {
      await serving.stop();
      await rm(directory, { recursive: true, force: true });
    }
  });
});
