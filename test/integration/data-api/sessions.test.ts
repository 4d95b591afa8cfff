/** Session state that one request sets on a connection does not reach the next request. */
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { withSession } from '../../../src/postgres/session.js';
import { startFestivalService, type FestivalService } from '../../support/conformance/festival-service.js';

const SCHEMA = `
  create function festival.leave_settings() returns text volatile language sql as
    $$ select set_config('response.headers', '[{"Set-Cookie":"session=mine"}]', false)
           || set_config('response.status', '299', false)
           || set_config('app.user', 'mira', false) $$;
  create function festival.leave_quietly() returns text stable language sql as
    $$ select set_config('response.headers', '[{"Set-Cookie":"session=mine"}]', false) $$;
  create function festival.seen() returns text stable language sql as
    $$ select coalesce(nullif(current_setting('app.user', true), ''), 'nobody') $$;
  create function festival.take_user() returns void volatile language plpgsql as $$
    declare name text := current_setting('request.headers')::json ->> 'x-user';
    begin if name is not null then perform set_config('app.user', name, false); end if; end $$;
  create function festival.backend() returns int stable language sql as $$ select pg_backend_pid() $$;
  create function festival.long_text(length int) returns text stable language sql as
    $$ select repeat('x', length) $$;
  grant execute on all functions in schema festival to golden_anon;
  notify dbr;
`;

describe('the session of a connection', () => {
  let festival: FestivalService;
  before(async () => {
    festival = await startFestivalService({ 'db-pool': '1', 'db-max-result-bytes': '1000000' });
    await withSession(festival.database.uri, (session) => session.script(SCHEMA));
    while ((await call('seen')).status === 404) await delay(20);
  });
  after(() => festival.stop());

  const call = (name: string, method = 'GET'): Promise<Response> =>
    fetch(`${festival.url}/rpc/${name}`, { method });

  for (const method of ['GET', 'POST']) {
    it(`keeps no setting of a volatile function called by ${method}`, async () => {
      const own = await call('leave_settings', method);
      expect([own.status, own.headers.get('set-cookie')]).to.deep.equal([299, 'session=mine']);
      for (let round = 0; round < 3; round++) {
        const next = await call('seen');
        expect([next.status, next.headers.get('set-cookie'), await next.json()]).to.deep.equal([
          200,
          null,
          'nobody',
        ]);
      }
    });
  }

  it('does not carry response headers of one request to the next', async () => {
    expect((await call('leave_quietly')).headers.get('set-cookie')).to.equal('session=mine');
    expect((await call('seen')).headers.get('set-cookie')).to.equal(null);
  });

  it('is replaced after a reload of the schema', async () => {
    const first: unknown = await (await call('backend')).json();
    await withSession(festival.database.uri, (session) => session.script('notify dbr'));
    while ((await (await call('backend')).json()) === first) await delay(20);
  });

  it('is free again after a result that is refused as too large', async () => {
    const refused = await call('long_text?length=1000001');
    expect([refused.status, await refused.json()]).to.deep.equal([
      400,
      {
        code: 'DBR131',
        message: 'The result is too large',
        details: 'The result has 1000003 bytes, the limit is 1000000.',
        hint: 'Ask for fewer rows or columns.',
      },
    ]);
    const accepted = await call('long_text?length=999998');
    expect([accepted.status, (await accepted.text()).length]).to.deep.equal([200, 1_000_000]);
  });
});

describe('the session of a connection after the function of db-pre-request', () => {
  let festival: FestivalService;
  before(async () => {
    festival = await startFestivalService({ 'db-pool': '1', 'db-pre-request': 'festival.take_user' });
    await withSession(festival.database.uri, (session) => session.script(SCHEMA));
    while ((await seen()).status === 404) await delay(20);
  });
  after(() => festival.stop());

  const seen = (): Promise<Response> => fetch(`${festival.url}/rpc/seen`);

  for (const [path, status] of [
    ['/rpc/seen', 200],
    ['/', 200],
    ['/unknown', 404],
  ] as const)
    it(`keeps no setting of a request of ${path}`, async () => {
      const own = await fetch(`${festival.url}${path}`, { headers: { 'X-User': 'mira' } });
      await own.text();
      expect(own.status).to.equal(status);
      const next = await seen();
      expect([next.status, await next.json()]).to.deep.equal([200, 'nobody']);
    });
});
