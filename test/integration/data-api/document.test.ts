import { expect } from 'chai';
import { withSession } from '../../../src/postgres/session.js';
import {
  bearer,
  startFestivalService,
  type FestivalService,
} from '../../support/conformance/festival-service.js';

describe('the description at the root', () => {
  let festival: FestivalService;
  before(async () => {
    festival = await startFestivalService({ 'db-pool': '2', 'db-schemas': 'festival,press' });
  });
  after(() => festival.stop());

  const read = async (headers: Readonly<Record<string, string>> = {}): Promise<string> => {
    const response = await fetch(`${festival.url}/`, { headers });
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/openapi+json; charset=utf-8');
    return await response.text();
  };

  it('is cached, separately for each role', async () => {
    const staff = { authorization: await bearer('golden_staff') };
    const forAll = await read();
    const forStaff = await read(staff);
    expect(forStaff).to.not.equal(forAll);
    expect(await read()).to.equal(forAll);
    expect(await read(staff)).to.equal(forStaff);
  });

  it('differs for each schema', async () => {
    expect(await read({ 'accept-profile': 'press' })).to.not.equal(await read());
  });

  it('reflects a change of the schema after a reload', async () => {
    expect(await read()).to.not.contain('/new_prizes');
    await withSession(festival.database.uri, async (session) => {
      await session.script(`
        create table festival.new_prizes (id integer primary key);
        grant select on festival.new_prizes to public;
      `);
    });
    festival.service.reloadSchema();
    while (!(await read()).includes('"/new_prizes"')) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('has headers for HEAD and an entity tag, and is the same whatever coding the client accepts', async () => {
    const tags = new Set<string | null>();
    for (const coding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': coding };
      const get = await fetch(`${festival.url}/`, { headers });
      const head = await fetch(`${festival.url}/`, { method: 'HEAD', headers });
      const etag = get.headers.get('etag');
      expect(etag).to.match(/^"[\w-]{43}"$/);
      expect(get.headers.get('vary')).to.equal(
        'Accept, Accept-Profile, Authorization, Origin, Prefer, Range',
      );
      expect(get.headers.get('content-encoding')).to.equal(null);
      for (const name of ['etag', 'content-type', 'content-length', 'content-encoding', 'vary'])
        expect(head.headers.get(name), name).to.equal(get.headers.get(name));
      expect(get.headers.get('content-length')).to.match(/^\d+$/);
      expect([await head.text(), (await get.text()).length > 1000]).to.deep.equal(['', true]);
      tags.add(etag);
      const known = await fetch(`${festival.url}/`, { headers: { ...headers, 'if-none-match': etag ?? '' } });
      expect([known.status, known.headers.get('etag'), await known.text()]).to.deep.equal([304, etag, '']);
    }
    expect(tags.size).to.equal(1);
  });

  it('has headers of their own for HEAD, and no body', async () => {
    const response = await fetch(`${festival.url}/`, { method: 'HEAD' });
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/openapi+json; charset=utf-8');
    expect(await response.text()).to.equal('');
  });
});
