import { expect } from 'chai';
import { withSession } from '../../../src/postgres/session.js';
import {
  bearer,
  startFestivalService,
  type FestivalService,
} from '../../support/conformance/festival-service.js';

describe('statements and roles', () => {
  let festival: FestivalService;
  before(async () => {
    festival = await startFestivalService({ 'db-pool': '2' });
    await withSession(festival.database.uri, async (session) => {
      // PostgreSQL checks the privilege on such a function when it inlines it, which is at planning alone.
      await session.script(`
        create function festival.inlined_secret() returns setof festival.safe_box stable language sql
          as $$ select 7 as id, 'behind the curtain'::text as content $$;
        revoke execute on function festival.inlined_secret() from public;
        grant execute on function festival.inlined_secret() to golden_staff;
      `);
    });
    festival.service.reloadSchema();
    const staff = await bearer('golden_staff');
    for (;;) {
      const answer = await fetch(`${festival.url}/rpc/inlined_secret`, { headers: { authorization: staff } });
      if (answer.status === 200) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  after(() => festival.stop());

  it('never let one role use a plan of another', async () => {
    const staff = await bearer('golden_staff');
    for (let time = 0; time < 12; time += 1) {
      const allowed = await fetch(`${festival.url}/rpc/inlined_secret`, {
        headers: { authorization: staff },
      });
      expect(await allowed.json()).to.deep.equal([{ id: 7, content: 'behind the curtain' }]);
      const refused = await fetch(`${festival.url}/rpc/inlined_secret`);
      expect(refused.status).to.equal(401);
      expect(await refused.json()).to.include({ code: '42501' });
    }
  });

  it('return to each subject its own rows by one statement', async () => {
    const read = async (role: string): Promise<number> =>
      (await fetch(`${festival.url}/safe_box`, { headers: { authorization: await bearer(role) } })).status;
    expect(await read('golden_staff')).to.equal(200);
    expect(await read('golden_guest')).to.equal(403);
    expect(await read('golden_staff')).to.equal(200);
    expect((await fetch(`${festival.url}/safe_box`)).status).to.equal(401);
  });

  it('use a changed schema after its reload', async () => {
    const read = (): Promise<Response> => fetch(`${festival.url}/tags?id=eq.1&select=id,label`);
    expect((await read()).status).to.equal(200);
    await withSession(festival.database.uri, (session) =>
      session.script(
        'alter table festival.tags alter column id type bigint; alter table festival.tags add column extra int',
      ),
    );
    expect(await (await read()).json()).to.deep.equal([{ id: 1, label: 'classic' }]);
    const whole = await fetch(`${festival.url}/tags?id=eq.1`);
    expect(await whole.json()).to.deep.equal([{ id: 1, label: 'classic', extra: null }]);
  });
});
