import { expect } from 'chai';
import { checkLive } from '../../../src/doctor/live-checks.js';
import { withSession } from '../../../../../src/postgres/session.js';
import { startTestServer, type TestServer } from '../../../../../test/support/postgres/database.js';

describe('dbr doctor of live reads', function () {
  this.timeout(60_000);
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await withSession(server.uri, (session) =>
      session.script(`create role "live role" login password 'secret';
        create role owner_of_tables;
        create schema shop;
        create table shop.items (id int primary key);
        create table shop.lines (text text);
        alter table shop.items owner to owner_of_tables;
        alter table shop.lines owner to owner_of_tables`),
    );
  });
  after(() => server.remove());

  const checked = (user: string, processes = 1) => {
    const uri = new URL(server.uri);
    if (user !== '') [uri.username, uri.password] = [user, 'secret'];
    return withSession(uri.href, (session) => checkLive(session, { 'db-schemas': ['shop'] }, processes));
  };

  it('names what the server and the role lack, with the statement that gives it', async () => {
    expect(
      (await checked('live role')).map(({ outcome, message, remedy }) => [outcome, message, remedy]),
    ).to.deep.equal([
      ['fault', '"live role" may not replicate', 'alter role "live role" replication'],
      [
        'fault',
        '"live role" may not make the publication dbr_live',
        'grant create on database postgres to "live role"',
      ],
      ['fault', 'the role may not publish shop.items, shop.lines', 'grant owner_of_tables to "live role"'],
      [
        'warning',
        'no key is in the log of shop.lines: their live reads are asked at db-live-interval',
        'alter table … add primary key (…)',
      ],
    ]);
  });

  it('finds nothing after these statements', async () => {
    await withSession(server.uri, (session) =>
      session.script(`alter role "live role" replication;
        grant create on database postgres to "live role";
        grant owner_of_tables to "live role";
        alter table shop.lines add primary key (text)`),
    );
    expect(await checked('live role')).to.deep.equal([
      { subject: 'db-live', outcome: 'ok', message: 'PostgreSQL can send its changes', remedy: null },
    ]);
  });

  it('counts the slots that processes take, and refuses a publication of another role', async () => {
    await withSession(server.uri, (session) => session.script('create publication dbr_live'));
    const checks = await checked('live role', 1000);
    expect(checks.map(({ outcome, message }) => [outcome, message])).to.deep.equal([
      ['fault', '"live role" may not change the publication dbr_live'],
      [
        'warning',
        '10 of max_replication_slots are free, and each of 1000 processes takes one from its first live read on',
      ],
      [
        'warning',
        '10 of max_wal_senders are free, and each of 1000 processes takes one from its first live read on',
      ],
    ]);
  });
});
