import { expect } from 'chai';
import { SignJWT } from 'jose';
import type { AccountId, SessionId } from '../../../src/base/identifiers.js';
import { parseAccountId, parseSessionId, tenantIdOf } from '../../../src/base/identifiers.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { openPool, type Pool } from '../../../src/postgres/pool.js';
import { listAccounts } from '../../../src/signing/accounts/account-store.js';
import { listParties } from '../../../src/signing/parties/party-store.js';
import { beginStream, laterEvents } from '../../../src/signing/sessions/event-store.js';
import { findSession, listSessions } from '../../../src/signing/sessions/session-store.js';
import { inTenant, queryInTenant } from '../../../src/signing/transaction.js';
import { POOL_OPTIONS } from '../../support/postgres/batches.js';
import { query } from '../../support/postgres/query.js';
import { openRelay } from '../../support/postgres/relay.js';
import { startTestService, untilReady } from '../../support/service/service.js';
import { createSigningFixture, type SigningFixture } from '../../support/signing/signing-fixture.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const ACME = tenantIdOf('acme');

describe('the prepared statements of signing', () => {
  let fixture: SigningFixture;
  let database: Database;
  let pool: Pool;
  let accountId: AccountId;
  let sessionId: SessionId;

  before(async () => {
    fixture = await createSigningFixture();
    const parties = await Promise.all(
      ['node-a', 'node-b'].map((partyId) => fixture.createParty(partyId, 'server')),
    );
    const account = await fixture.createAccount(parties);
    const session = await fixture.createSession(account.accountId);
    const [parsedAccount, parsedSession] = [
      parseAccountId(account.accountId),
      parseSessionId(session.sessionId),
    ];
    if (parsedAccount === null || parsedSession === null) throw new Error('an identifier is malformed');
    [accountId, sessionId] = [parsedAccount, parsedSession];
    database = openDatabase(fixture.database.serviceUri, { poolSize: 1 });
    pool = openPool(database, { ...POOL_OPTIONS, size: 1 });
  });
  after(async () => {
    await pool.close();
    await closeDatabase(database);
    await fixture.drop();
  });

  const statements = () =>
    queryInTenant(pool, ACME, (task) =>
      task.any<{ readonly statement: string; readonly custom: string; readonly generic: string }>(
        query(
          'select statement, custom_plans as custom, generic_plans as generic from pg_prepared_statements',
        ),
      ),
    );

  it('are planned once for the reading of a session: one plan serves all sessions', async () => {
    for (let count = 0; count < 12; count++)
      expect(
        await queryInTenant(pool, ACME, (transaction) => findSession(transaction, sessionId)),
      ).to.include({ sessionId, accountId });
    const found = (await statements()).filter(({ statement }) =>
      statement.includes('where session.session_id = $1::uuid'),
    );
    expect(found.map(({ custom, generic }) => [Number(custom), Number(generic)])).to.deep.equal([[5, 7]]);
  });

  it('are not those of lists, whose filters need plans of their own', async () => {
    const all = { userId: null, accountId: null, state: null, before: null, limit: 20 };
    for (let count = 0; count < 2; count++)
      await inTenant(pool, ACME, async (transaction) => {
        expect(await listSessions(transaction, { ...all, accountId })).to.have.lengthOf(1);
        expect(await listSessions(transaction, all)).to.have.lengthOf(1);
        expect(
          await listAccounts(transaction, { ownerUserId: null, status: null, before: null, limit: 20 }),
        ).to.have.lengthOf(1);
        const parties = await listParties(transaction, { status: null, role: null, after: null, limit: 20 });
        expect(parties).to.have.lengthOf(2);
        const start = { xid: '0', eventId: '0', open: [] };
        for (const { partyId } of parties) {
          await beginStream(transaction, partyId, null);
          expect((await laterEvents(transaction, partyId, start, 10)).events).to.have.lengthOf(1);
        }
      });
    const texts = (await statements()).map(({ statement }) => statement);
    expect(texts.filter((text) => text.includes('pg_snapshot_xmax'))).to.have.lengthOf(1);
    expect(texts.filter((text) => /is null or|\blimit \$\d/.test(text))).to.deep.equal([]);
  });

  for (const prepares of [true, false])
    it(`have ${prepares ? 'a name' : 'no name'} with db-prepared-statements = ${String(prepares)}`, async () => {
      let sent = '';
      const relay = await openRelay(fixture.database.serviceUri, {
        fromClient: (send) => (chunk) => {
          sent += chunk.toString('latin1');
          send(chunk);
        },
      });
      const service = await startTestService({
        areas: 'signing',
        'db-uri': relay.uri,
        'db-config': 'false',
        'service-jwt-secret': SECRET,
        'db-prepared-statements': String(prepares),
      });
      await untilReady(service);
      const token = await new SignJWT({ tenantId: 'acme', sub: 'ann' })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(SECRET));
      const response = await fetch(`${service.url}/api/v1/accounts/${accountId}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(response.status).to.equal(200);
      await service.stop();
      await relay.close();
      expect(sent).to.match(/\0\s*select[^\0]*dbr_signing\.accounts/);
      expect(/P[^]{4}[\w-]{8}\d+\0/.test(sent), 'a named statement was sent').to.equal(prepares);
    });
});
