import { expect } from 'chai';
import { SignJWT } from 'jose';
import type { UserErasure } from '../../../generated/types.js';
import { verifyLine, type ChainPosition } from '../../../src/signing/audit/audit-chain.js';
import { createContractClient, type ContractClient } from '../../support/contract/contract-client.js';
import { accountBody, DIGEST, partyBody, sessionBody } from '../../support/contract/signing-bodies.js';
import { openRelay, type Relay } from '../../support/postgres/relay.js';
import { runDbr } from '../../support/service/built-service.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { createSigningDatabase, type SigningDatabase } from '../../support/signing/signing-database.js';
import { until } from '../../support/until.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
/** A name that nothing else contains. */
const ANN = 'ann-erase-me';
const token = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));

const NOTHING = {
  notifications: {
    notifications: 0,
    receipts: 0,
    preferences: 0,
    firstRequests: 0,
    streamEvents: 0,
    streamTickets: 0,
    actors: 0,
  },
  signing: {
    pseudonym: null,
    accounts: 0,
    sessions: 0,
    shares: 0,
    claimedKeys: 0,
    auditEntriesPseudonymous: 0,
    auditEntriesNamed: 0,
  },
  requests: { answers: 0 },
};

interface Tenant {
  readonly ann: string;
  readonly bob: string;
  readonly admin: string;
  readonly accountId: string;
  readonly sessionId: string;
}

interface Line {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly hash: string;
  readonly names?: Readonly<Record<string, { readonly userId: string }>>;
}

const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

function faultsOf(text: string): readonly string[] {
  let position: ChainPosition | null = null;
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const verified = verifyLine(line, position);
      position = verified?.position ?? null;
      return verified?.faults ?? ['not an entry'];
    });
}

describe('the erasure of a person', function () {
  this.timeout(240_000);
  let database: SigningDatabase;
  let relay: Relay;
  let service: TestService;
  let client: ContractClient;
  /** Exports of the audit log before any erasure. */
  const exported = new Map<string, string>();
  let acme: Tenant;
  let other: Tenant;

  before(async () => {
    database = await createSigningDatabase();
    relay = await openRelay(database.serviceUri, {});
    service = await startTestService({
      areas: 'signing,notifications',
      'db-uri': relay.uri,
      'service-jwt-secret': SECRET,
      'signing-session-limit': '0',
      'notifications-change-limit': '0',
      'notifications-mark-all-limit': '0',
    });
    await untilReady(service);
    client = createContractClient(() => service.url, '');
    acme = await fill('acme');
    other = await fill('other');
  });
  after(async () => {
    await service.stop();
    await relay.close();
    await database.drop();
  });

  /** A row of each table for the same two users in a tenant. */
  async function fill(tenantId: string): Promise<Tenant> {
    const scope =
      'users:erase audit:read parties:admin accounts:write tenant:admin notifications:write sign:create';
    const [ann, bob, admin] = await Promise.all([
      token({ tenantId, sub: ANN, scope: 'sign:create signing-config:write' }),
      token({ tenantId, sub: 'bob' }),
      token({ tenantId, sub: 'root', scope }),
    ]);
    for (const [partyId, role] of [
      ['node-a', 'server'],
      ['node-b', 'server'],
      ['helper', 'delegate'],
    ] as const)
      await call('createParty', { token: admin, body: partyBody(partyId, role, tenantId) });
    const account = await call('createAccount', {
      token: admin,
      body: { ...accountBody(), ownerUserId: ANN },
    });
    const { accountId } = account as { readonly accountId: string };
    const path = { id: accountId };
    await call('createSigningConfig', { token: ann, path, body: { signingParties: ['node-a', 'node-b'] } });
    const session = await call('createSigningSession', {
      ...{ token: ann, path, body: sessionBody() },
      headers: { 'Idempotency-Key': 'once' },
    });
    const { sessionId } = session as { readonly sessionId: string };
    await notify(admin, { userIds: [ANN, 'bob'], expiresAt: '2100-01-01T00:00:00Z' });
    await notify(admin, {
      userIds: [ANN, 'bob'],
      actor: { type: 'user', id: ANN, name: `Ann ${ANN}` },
      dedupeKey: 'digested',
      digest: { key: 'k', windowSeconds: 604_800 },
    });
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    await notify(admin, { userIds: [ANN], sendAt });
    await notify(admin, {
      userIds: [ANN, 'bob'],
      sendAt,
      actor: { type: 'user', id: ANN, name: `Ann ${ANN}` },
    });
    await notify(admin, { audience: 'tenant', category: 'news' });
    await notify(admin, { audience: 'tenant', actor: { type: 'user', id: ANN, name: `Ann ${ANN}` } });
    await notify(admin, { userIds: ['bob'], actor: { type: 'user', id: ANN, name: `Ann ${ANN}` } });
    for (const user of [ann, bob]) {
      await call('markNotificationsRead', { token: user });
      await call('createStreamTicket', { token: user });
      await prefer(user, false);
      const night = { timeZone: 'UTC', starts: '22:00', ends: '07:00' };
      await call('setQuietHours', { token: user, path: { channel: 'webhook' }, body: night });
    }
    // Hidden from both, because they had switched the category off.
    await notify(admin, { audience: 'tenant', category: 'news' });
    for (const user of [ann, bob]) {
      await prefer(user, true);
      await prefer(user, false);
    }
    await database.superuser.none(
      `insert into dbr_signing.party_encryption_keys
         (tenant_id, party_id, key_id, suite, public_key, one_time, signature, claimed_at, claimed_by)
       values ($1, 'helper', 'k', 'HPKE-X25519-SHA256-AES256GCM', sha256('k'), true, '', now(), $2);
       insert into dbr_signing.delegate_user_shares
         (session_id, tenant_id, event_sequence, delegate_party_id, recipient_key_id, suite, encapsulated_key,
          ciphertext, aad_sha256, ciphertext_sha256, supplied_by, expires_at)
       values ($3, $1, 1, 'helper', 'k', 'HPKE-X25519-SHA256-AES256GCM', '', '', sha256(''), sha256($1::bytea), $2, '2100-01-01');
       insert into dbr_requests.idempotent (key, request, status, headers, body, expires_at, subject)
       select sha256(($1 || who)::bytea), sha256(''), 200, '[]', who::bytea, '2100-01-01',
         dbr_requests.subject($1, who)
       from unnest(array[$2, 'bob']) as who;
       insert into dbr_requests.proposed (id, caller, subject, token, changes, answer, expires_at)
       select substr(translate(encode(sha256(($1 || who)::bytea), 'base64'), '+/', '-_'), 1, 16), sha256(''),
         dbr_requests.subject($1, who), 'token', who, '[]', '2100-01-01'
       from unnest(array[$2, 'bob']) as who;
       insert into dbr_signing.audit_log (tenant_id, actor, action, subject) values ($1, $2, 'test.before', 'test');`,
      [tenantId, ANN, sessionId],
    );
    exported.set(tenantId, await exportText(admin));
    return { ann, bob, admin, accountId, sessionId };
  }

  async function call(...[operation, given]: Parameters<ContractClient['call']>): Promise<unknown> {
    const { status, body } = await client.call(operation, given);
    expect(status, `${operation} ${JSON.stringify(body)}`).to.be.within(200, 299);
    return body;
  }
  async function exportText(admin: string): Promise<string> {
    const response = await fetch(`${service.url}/api/v1/audit-log`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    expect(response.status).to.equal(200);
    return await response.text();
  }
  const notify = (admin: string, body: object): Promise<unknown> =>
    call('createNotifications', { token: admin, body: { type: 'test.made', title: 'Made', ...body } });
  const prefer = (user: string, inApp: boolean): Promise<unknown> =>
    call('replaceNotificationPreferences', { token: user, body: { categories: { news: { inApp } } } });
  const erase = async ({ admin }: Tenant): Promise<UserErasure> =>
    (await call('eraseUser', { token: admin, path: { id: ANN } })) as UserErasure;

  /** Rows of each table that name the user, in any column and in any form of text; without the audit log. */
  async function namedIn(tenantId: string): Promise<Readonly<Record<string, number>>> {
    const tables = await database.superuser.any<{ readonly name: string }>(
      `select format('%I.%I', nspname, relname) as name
       from pg_class join pg_namespace as n on n.oid = relnamespace
       where relkind = 'r' and nspname like 'dbr\\_%' and relname not in ('audit_log')
         and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id')
       order by 1`,
    );
    const found: Record<string, number> = {};
    for (const { name } of tables) {
      const { count } = await database.superuser.one<{ readonly count: number }>(
        `select count(*)::int as count from ${name} as t where tenant_id = $1 and position($2 in t::text) > 0`,
        [tenantId, ANN],
      );
      if (count > 0) found[name] = count;
    }
    return found;
  }
  const answersKept = async (): Promise<readonly string[]> =>
    (
      await database.superuser.any<{ readonly who: string }>(
        `select convert_from(body, 'UTF8') as who from dbr_requests.idempotent
         union all select changes from dbr_requests.proposed`,
      )
    ).map(({ who }) => who);

  describe('before', () => {
    it('rows of every table that holds names are there', async () => {
      expect(Object.keys(await namedIn('acme'))).to.deep.equal([
        'dbr_notifications.digested_keys',
        'dbr_notifications.digests',
        'dbr_notifications.expiries',
        'dbr_notifications.muted_spans',
        'dbr_notifications.preferences',
        'dbr_notifications.quiet_hours',
        'dbr_notifications.readers',
        'dbr_notifications.scheduled_notifications',
        'dbr_notifications.stream_events',
        'dbr_notifications.stream_tickets',
        'dbr_notifications.tenant_notifications',
        'dbr_notifications.tenant_receipts',
        'dbr_notifications.user_notifications',
        'dbr_signing.accounts',
        'dbr_signing.audit_names',
        'dbr_signing.delegate_user_shares',
        'dbr_signing.party_encryption_keys',
        'dbr_signing.signing_sessions',
      ]);
    });

    it('a row of the owner of the tables is out of reach of the owner', async () => {
      const { rowCount } = await database.owner.result(
        `delete from dbr_notifications.user_notifications where user_id = $1`,
        [ANN],
      );
      expect(rowCount).to.equal(0);
    });

    it('needs the scope users:erase', async () => {
      const { status, body } = await client.call('eraseUser', { token: acme.ann, path: { id: ANN } });
      expect([status, body]).to.deep.equal([
        403,
        {
          code: 'DBR402',
          message: 'Not allowed',
          details: 'The token lacks the scope users:erase.',
          hint: null,
        },
      ]);
    });

    it('needs a token', async () => {
      const { status } = await client.call('eraseUser', { token: null, path: { id: ANN } });
      expect(status).to.equal(401);
    });

    it('refuses a name that cannot be stored', async () => {
      const { status, body } = await client.call('eraseUser', { token: acme.admin, path: { id: 'a\0' } });
      expect([status, (body as { readonly code: string }).code]).to.deep.equal([400, 'DBR403']);
    });

    it('finds nothing of a user who was never there', async () => {
      const answer = await client.call('eraseUser', { token: acme.admin, path: { id: 'nobody/é %' } });
      expect([answer.status, answer.body]).to.deep.equal([200, NOTHING]);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
    });
  });

  describe('of one user', () => {
    let first: UserErasure;
    let otherBefore: Readonly<Record<string, number>>;
    before(async () => {
      otherBefore = await namedIn('other');
      const gone = new AbortController();
      const stream = await client.open('streamNotifications', { token: acme.ann }, gone.signal);
      const bobs = await client.open('streamNotifications', { token: acme.bob }, gone.signal);
      expect([stream.status, bobs.status]).to.deep.equal([200, 200]);
      first = await erase(acme);
      // The response ends.
      await stream.text();
      gone.abort();
    });

    it('counts what it erased', () => {
      const { pseudonym } = first.signing;
      expect(pseudonym).to.match(/^user-[0-9a-f]{64}$/);
      expect(first).to.deep.equal({
        notifications: {
          // One of the application, those of signing (the configuration and the session), an open digest, and two that are scheduled.
          notifications: 6,
          receipts: 2,
          // The category, the time in which it was switched off, the quiet hours.
          preferences: 3,
          firstRequests: 1,
          // Three notifications, all read, three changes of preferences, one expiry, the key of what was collected.
          streamEvents: 9,
          streamTickets: 1,
          actors: 4,
        },
        signing: {
          ...{ pseudonym, accounts: 1, sessions: 1, shares: 1, claimedKeys: 1 },
          // The account, its configuration, the session; and the entry of before the pseudonyms.
          ...{ auditEntriesPseudonymous: 3, auditEntriesNamed: 1 },
        },
        // One of a request, and one of a proposal.
        requests: { answers: 2 },
      });
    });

    it('leaves no name in any table beside the audit log', async () => {
      expect(await namedIn('acme')).to.deep.equal({});
    });

    it('leaves the same user of another tenant, and other users', async () => {
      expect(await namedIn('other')).to.deep.equal(otherBefore);
      expect([...(await answersKept())].sort()).to.deep.equal([ANN, ANN, 'bob', 'bob', 'bob', 'bob']);
      const list = await call('listNotifications', { token: acme.bob });
      const { items } = list as { readonly items: readonly { readonly actor: unknown }[] };
      expect(items.length).to.equal(4);
      expect(items.map(({ actor }) => actor).filter((actor) => actor !== null)).to.deep.equal([]);
    });

    it('keeps account and session under the pseudonym', async () => {
      const { pseudonym } = first.signing;
      const account = await call('getAccount', { token: acme.admin, path: { id: acme.accountId } });
      expect((account as { readonly ownerUserId: string }).ownerUserId).to.equal(pseudonym);
      const session = await call('getSigningSession', { token: acme.admin, path: { id: acme.sessionId } });
      expect(session).to.include({ createdBy: pseudonym, messageDigest: DIGEST });
    });

    it('shows the user nothing of it', async () => {
      const { status } = await client.call('getAccount', { token: acme.ann, path: { id: acme.accountId } });
      expect(status).to.equal(404);
      const body = await call('listAccounts', { token: acme.ann });
      expect(body).to.deep.include({ items: [] });
    });

    it('erases nothing more the second time', async () => {
      expect(await erase(acme)).to.deep.equal({
        ...NOTHING,
        signing: { ...NOTHING.signing, auditEntriesNamed: 1 },
      });
    });

    it('leaves the chain of the audit log intact, in which a pseudonym without a name replaces the user', async () => {
      const text = await exportText(acme.admin);
      expect(faultsOf(text)).to.deep.equal([]);
      const lines = linesOf(text);
      const { pseudonym, ...signing } = first.signing;
      const erasures = lines.filter(({ action }) => action === 'user.erase');
      expect(erasures.map(({ actor, names, subject }) => [names?.[actor]?.userId, subject])).to.deep.equal([
        ['root', 'user'],
        ['root', `user:${String(pseudonym)}`],
        ['root', 'user'],
      ]);
      expect(erasures[1]?.after).to.deep.equal({ ...first, signing });
      const naming = lines.filter((line) => JSON.stringify(line).includes(ANN));
      expect(naming.map(({ action }) => action)).to.deep.equal(['test.before']);
      const pseudonymous = lines.filter(
        ({ actor, after }) => actor === pseudonym || after?.['ownerUserId'] === pseudonym,
      );
      expect(pseudonymous.map(({ action, names }) => [action, names?.[String(pseudonym)]])).to.deep.equal([
        ['account.create', undefined],
        ['signing-config.create', undefined],
        ['session.create', undefined],
      ]);
    });

    it('leaves an earlier export, which has the names, the begin of the same chain', async () => {
      const before = exported.get('acme') ?? '';
      expect(faultsOf(before)).to.deep.equal([]);
      const named = linesOf(before).filter(({ actor, names }) => names?.[actor]?.userId === ANN);
      expect(named.map(({ action }) => action)).to.deep.equal(['signing-config.create', 'session.create']);
      const hashes = (text: string): readonly string[] => linesOf(text).map(({ hash }) => hash);
      const later = hashes(await exportText(acme.admin));
      expect(hashes(before)).to.deep.equal(later.slice(0, hashes(before).length));
    });

    it('has one spelling of its path', async () => {
      const headers = { Authorization: `Bearer ${acme.admin}` };
      const { status } = await fetch(`${service.url}/api/v1/Users/nobody`, { method: 'DELETE', headers });
      expect(status).to.equal(404);
    });

    it('is logged without the name, also where it is refused', async () => {
      const [{ status }, refused] = [
        await client.call('eraseUser', { token: acme.ann, path: { id: ANN } }),
        await fetch(`${service.url}/api/v1/users/${ANN}`),
      ];
      expect([status, refused.status]).to.deep.equal([403, 405]);
      await until(() => Promise.resolve(service.logs.some((line) => line.includes('"status":405'))));
      const lines = service.logs.filter((line) => line.includes('/api/v1/users/'));
      expect(lines.map((line) => (JSON.parse(line) as { readonly path: string }).path)).to.include(
        '/api/v1/users/{id}',
      );
      expect(lines.filter((line) => line.includes(`users/${ANN}`))).to.deep.equal([]);
    });

    it('leaves no name to a user who erases themselves', async () => {
      const scope = 'users:erase parties:admin';
      const self = await token({ tenantId: 'acme', sub: 'self-erase-me', scope });
      await call('createParty', { token: self, body: partyBody('self', 'server', 'acme') });
      const body = (await call('eraseUser', {
        token: self,
        path: { id: 'self-erase-me' },
      })) as UserErasure;
      expect(body.signing).to.include({ auditEntriesPseudonymous: 1, auditEntriesNamed: 0 });
      const text = await exportText(acme.admin);
      expect(text).not.to.contain('self-erase-me');
      expect(
        linesOf(text)
          .filter(({ actor }) => actor === body.signing.pseudonym)
          .map(({ action }) => action),
      ).to.deep.equal(['party.create', 'user.erase']);
    });
  });

  describe('during writes of the user @long', () => {
    it('fails neither, and the next call erases the rest', async () => {
      let isOver = false;
      const statuses = new Set<number>();
      const path = { id: other.accountId };
      const write = async (...calls: readonly Parameters<ContractClient['call']>[]): Promise<void> => {
        while (!isOver) for (const each of calls) statuses.add((await client.call(...each)).status);
      };
      const made = { type: 'test.made', title: 'Made', userIds: [ANN] };
      const change = (inApp: boolean): Parameters<ContractClient['call']> => [
        'replaceNotificationPreferences',
        { token: other.ann, body: { categories: { news: { inApp } } } },
      ];
      const writers = [
        write(
          ['markNotificationsUnread', { token: other.ann }],
          ['markNotificationsRead', { token: other.ann }],
        ),
        write(['createSigningSession', { token: other.ann, path, body: sessionBody() }]),
        write(['createNotifications', { token: other.admin, body: { ...made, dedupeKey: 'same' } }]),
        write(['createNotifications', { token: other.admin, body: made }]),
        write(change(true), change(false)),
      ];
      for (let turn = 0; turn < 15; turn++) await erase(other);
      isOver = true;
      await Promise.all(writers);
      // The owner of an account under a pseudonym is another user, and the scope of the token suffices.
      expect([...statuses].sort()).to.deep.equal([200, 201]);
      await erase(other);
      expect(await namedIn('other')).to.deep.equal({});
    });

    it('gives way to a writer that holds one row of the user and waits for another', async () => {
      for (let count = 0; count < 2; count++) await notify(other.admin, { userIds: [ANN] });
      const rows = await database.superuser.any<{ readonly place: string }>(
        `select ctid::text as place from dbr_notifications.user_notifications
         where tenant_id = 'other' and user_id = $1 order by ctid`,
        [ANN],
      );
      expect(rows).to.have.lengthOf(2);
      const lock = 'select true from dbr_notifications.user_notifications where ctid = $1::tid for update';
      // The erasure deletes the first row and waits for the second one, and the writer waits for the first one.
      const [erasure] = await database.superuser.tx(async (transaction) => {
        await transaction.any(lock, [rows[1]?.place]);
        const started = erase(other);
        await until(async () => {
          const { waits } = await database.superuser.one<{ readonly waits: boolean }>(
            `select exists (
               select from pg_locks where not granted and locktype = 'transactionid'
             ) as waits`,
          );
          return waits;
        });
        await transaction.any(lock, [rows[0]?.place]);
        return [started];
      });
      expect((await erasure)?.notifications.notifications).to.equal(2);
    });
  });

  describe('while the service moves what it keeps of the user', () => {
    const person = { tenantId: 'acme', actor: { type: 'user', id: ANN, name: `Ann ${ANN}` } };
    const digest = { key: 'moving', windowSeconds: 604_800 };
    const end = (userId: string): string =>
      `select dbr_notifications.end_digest('acme', '${userId}', 'moving')`;
    for (const [name, made, move] of [
      ['a digest that ends', { userIds: [ANN], digest }, end(ANN)],
      [
        'a scheduled notification that is sent',
        {
          userIds: [ANN, 'bob'],
          actor: person.actor,
          sendAt: new Date(Date.now() + 3_600_000).toISOString(),
        },
        `select dbr_notifications.send_scheduled('acme', scheduled_id)
         from dbr_notifications.scheduled_notifications where tenant_id = 'acme' and user_ids @> array['${ANN}']`,
      ],
      ['a digest of another user that ends', { userIds: ['bob'], actor: person.actor, digest }, end('bob')],
      [
        'an expiry that becomes an event',
        { userIds: [ANN], expiresAt: '2100-01-01T00:00:00Z' },
        `with moved as (delete from dbr_notifications.expiries where user_id = '${ANN}' returning *)
         insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id)
         select tenant_id, user_id, 'expired', notification_id from moved`,
      ],
      [
        'a notification that returns from its snooze',
        { userIds: [ANN] },
        `with moved as (
           update dbr_notifications.user_notifications set snoozed_until = null where user_id = '${ANN}' returning *
         )
         insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id)
         select tenant_id, user_id, 'unread', notification_id from moved`,
      ],
      [
        'a message of a webhook that gets a lane',
        { userIds: [ANN] },
        `with webhook as (
           select webhook_id, user_id from dbr_notifications.webhook_messages where user_id = '${ANN}' for update
         )
         insert into dbr_notifications.webhook_lanes (webhook_id, tenant_id, user_id, urgent, due_at)
         select webhook_id, 'acme', user_id, false, 'infinity' from webhook`,
      ],
    ] as const)
      it(`leaves nothing of ${name}`, async () => {
        await notify(acme.admin, made);
        if (move.includes('webhook'))
          await database.superuser.none(
            `with webhook as (
               insert into dbr_notifications.webhooks (tenant_id, url, enabled, secret)
               values ('acme', 'https://hooks.example', false, '') returning webhook_id
             )
             insert into dbr_notifications.webhook_messages (webhook_id, tenant_id, user_id, urgent, kind, notification_id)
             select webhook_id, 'acme', $1, false, 'created', gen_random_uuid() from webhook`,
            [ANN],
          );
        const [erasure] = await database.superuser.tx(async (transaction) => {
          await transaction.any(move);
          const started = erase(acme);
          await until(async () => {
            const { waits } = await database.superuser.one<{ readonly waits: boolean }>(
              `select exists (select from pg_locks where not granted and locktype = 'transactionid') as waits`,
            );
            return waits;
          });
          return [started];
        });
        await erasure;
        expect(await namedIn('acme')).to.deep.equal({});
      });
  });

  describe('by command', () => {
    const settings = (): Record<string, string> => ({
      DBR_DB_URI: 'postgresql://nobody@127.0.0.1:1/none',
      DBR_SERVICE_DB_URI: database.serviceUri,
    });

    it('prints the counts', async () => {
      await notify(acme.admin, { userIds: [ANN, 'bob'] });
      const { code, stdout, stderr } = await runDbr(['erase', '--tenant', 'acme', '--user', ANN], settings());
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(JSON.parse(stdout)).to.deep.equal({
        ...NOTHING,
        notifications: { ...NOTHING.notifications, notifications: 1, streamEvents: 1 },
        signing: { ...NOTHING.signing, auditEntriesNamed: 1 },
      });
      expect(await namedIn('acme')).to.deep.equal({});
    });

    it('exits with 2 without a user, and with 1 without a database', async () => {
      const bare = await runDbr(['erase', '--tenant', 'acme'], settings());
      expect([bare.code, bare.stderr.trimEnd().split('\n').at(-1)]).to.deep.equal([
        2,
        'dbr: erase needs --tenant and --user',
      ]);
      const away = { DBR_DB_URI: 'postgresql://nobody@127.0.0.1:1/none' };
      const refused = await runDbr(['erase', '--tenant', 'acme', '--user', 'u'], away);
      expect([refused.code, refused.stdout]).to.deep.equal([1, '']);
      const embedded = await runDbr(['erase', '--tenant', 'acme', '--user', 'u']);
      expect([embedded.code, embedded.stderr]).to.deep.equal([
        1,
        'dbr: db-uri is not set: with the embedded PostgreSQL, use DELETE /api/v1/users/{id}\n',
      ]);
    });
  });

  describe('while the database is away', () => {
    it('answers 503, and every documented status was seen', async () => {
      await relay.close();
      await until(async () => {
        const { status } = await client.call('eraseUser', { token: acme.admin, path: { id: ANN } });
        return status === 503;
      });
      expect(client.unseen('users')).to.deep.equal([]);
    });
  });
});
