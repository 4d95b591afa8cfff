import { expect } from 'chai';
import { SignJWT } from 'jose';
import { ROUTES, type OperationId } from '../../../generated/operations.js';
import type { Account, NotificationPage, SigningSession } from '../../../generated/types.js';
import { createContractClient, type ContractClient } from '../../support/contract/contract-client.js';
import { accountBody, DIGEST, partyBody, shareBody } from '../../support/contract/signing-bodies.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { createSigningDatabase, type SigningDatabase } from '../../support/signing/signing-database.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const sign = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));

describe('areas A and B beside the data API, on one login', function () {
  this.timeout(120_000);
  let database: SigningDatabase;
  let service: TestService;
  let client: ContractClient;
  let admin: string;

  before(async () => {
    database = await createSigningDatabase();
    service = await startTestService({
      'db-uri': database.serviceUri,
      'db-config': 'false',
      'service-jwt-secret': SECRET,
      'jwt-secret': SECRET,
      'db-anon-role': 'dbr_signing_service',
    });
    await untilReady(service);
    admin = await sign({ tenantId: 'acme', sub: 'root', scope: 'parties:admin accounts:write tenant:admin' });
    client = createContractClient(() => service.url, await sign({ tenantId: 'acme', sub: 'ann' }));
    for (const [partyId, role] of [
      ['node-a', 'server'],
      ['node-b', 'server'],
      ['helper', 'delegate'],
    ] as const)
      await client.call('createParty', { token: admin, body: partyBody(partyId, role) });
    await newAccount();
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const newAccount = async (): Promise<string> =>
    ((await client.call('createAccount', { token: admin, body: accountBody() })).body as Account).accountId;

  describe('the data API', () => {
    const OWN_SCHEMAS = ['dbr_signing', 'dbr_notifications', 'dbr_meta'];
    const TABLES = [
      'parties',
      'signing_sessions',
      'delegate_user_shares',
      'user_notifications',
      'migrations',
    ];
    const ROLES = ['dbr_signing_service', 'dbr_signing_sweeper', 'dbr_notifications_user', null];

    /** Tokens of roles that may read the tables are refused; the list of exposed schemas protects them from all others. */
    const headersOf = async (role: string | null): Promise<Readonly<Record<string, string>>> =>
      role === null
        ? {}
        : {
            Authorization: `Bearer ${await sign({ role, tenantId: 'acme', sub: 'ann' })}`,
          };

    it('exposes none of their tables and functions to any role of a token', async () => {
      for (const role of ROLES) {
        const headers = await headersOf(role);
        for (const name of [...TABLES, 'dbr_signing.parties'])
          for (const path of [`/${name}`, `/${name}?select=*`, `/rpc/${name}`, '/rpc/notify'])
            expect((await fetch(`${service.url}${path}`, { headers })).status, path).to.equal(
              role === null ? 404 : 401,
            );
      }
    });

    it('accepts none of their schemas as a profile', async () => {
      for (const role of ROLES) {
        for (const schema of OWN_SCHEMAS) {
          const refused = role === null ? 406 : 401;
          const reading = { ...(await headersOf(role)), 'Accept-Profile': schema };
          const writing = { ...(await headersOf(role)), 'Content-Profile': schema };
          for (const table of TABLES) {
            const url = `${service.url}/${table}`;
            expect((await fetch(url, { headers: reading })).status, schema).to.equal(refused);
            const body = '{}';
            for (const method of ['POST', 'PATCH', 'DELETE'])
              expect((await fetch(url, { method, headers: writing, body })).status, schema).to.equal(refused);
          }
          const call = { method: 'POST', headers: writing, body: '{}' };
          expect((await fetch(`${service.url}/rpc/notify`, call)).status).to.equal(refused);
        }
      }
    });

    it('lists none of their objects in its document, and refuses settings that expose their schemas', async () => {
      const text = await (await fetch(`${service.url}/`)).text();
      for (const table of TABLES) expect(text).not.to.contain(`/${table}"`);
      const error: unknown = await startTestService({
        'db-uri': database.serviceUri,
        'db-schemas': 'public,dbr_signing',
      }).catch((reason: unknown) => reason);
      expect(String(error)).to.contain('db-schemas').and.to.contain('cannot be exposed');
    });
  });

  describe('for another tenant and for another user', () => {
    const BODIES: Partial<Readonly<Record<OperationId, object>>> = {
      updateParty: { name: 'mine' },
      updateAccount: { name: 'mine' },
      createSigningConfig: { signingParties: ['node-a', 'node-b'] },
      updateSigningConfig: { signingParties: ['node-a', 'node-b'] },
      createSigningSession: { messageDigest: DIGEST },
      createSigningSessions: { sessions: [{ messageDigest: DIGEST }] },
      createCeremony: { kind: 'keygen' },
      approveSigningSession: { keyId: 'k', algorithm: 'ed25519', signature: '00'.repeat(64) },
      confirmPartyKeys: { proposalId: '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23' },
      updateMessage: { title: 'mine' },
      replaceWebhook: { url: 'https://hooks.example.com' },
      replayWebhookMessages: { dead: true },
      dropWebhookMessages: {},
    };
    const scope =
      'parties:admin accounts:read accounts:write tenant:admin sign:create signing-config:write notifications:write notifications:receipts notifications:webhooks';
    let ids: Readonly<Record<'account' | 'session' | 'party' | 'notification', string>>;
    let strangers: readonly string[];

    before(async () => {
      const account = await newAccount();
      const path = { id: account };
      await client.call('createSigningConfig', { path, body: { signingParties: ['node-a', 'node-b'] } });
      const created = await client.call('createSigningSession', { path, body: { messageDigest: DIGEST } });
      const { sessionId: session } = created.body as SigningSession;
      const inbox = (await client.call('listNotifications')).body as NotificationPage;
      ids = { account, session, party: 'node-a', notification: inbox.items[0]?.notificationId ?? '' };
      strangers = [
        await sign({ tenantId: 'other', sub: 'ann', scope }),
        await sign({ tenantId: 'acme ', sub: 'ann', scope }),
        await sign({ tenantId: 'acme', sub: 'bob' }),
      ];
    });

    for (const { id: operation, path, tag, scope: needed } of ROUTES) {
      if ((tag !== 'signing' && tag !== 'notifications') || !path.includes('/:')) continue;
      // Any user may follow a topic of any name, of the own tenant alone, and has quiet hours of the own.
      if (path.includes('/topics/') || path.includes('/quiet-hours/')) continue;
      it(`${operation} finds nothing`, async () => {
        const id = path.includes('sessions/:')
          ? ids.session
          : path.includes('parties/:')
            ? ids.party
            : ids.account;
        const body =
          operation === 'supplyDelegateUserShare'
            ? shareBody({ sessionId: ids.session, accountId: ids.account, tenantId: 'acme' }, 'k')
            : BODIES[operation];
        for (const token of needed === null ? strangers : strangers.slice(0, 2)) {
          const { status } = await client.call(operation, {
            token,
            path: {
              id,
              notificationId: ids.notification,
              messageId: ids.notification,
              webhookId: ids.notification,
              sha256: '00'.repeat(32),
            },
            ...(body === undefined ? {} : { body }),
          });
          expect(status).to.equal(404);
        }
      });
    }

    it('lists are empty', async () => {
      for (const token of strangers)
        for (const operation of ['listAccounts', 'listSigningSessions', 'listNotifications'] as const) {
          const { body } = await client.call(operation, { token });
          expect((body as { readonly items: readonly unknown[] }).items, operation).to.deep.equal([]);
        }
      for (const token of strangers.slice(0, 2)) {
        const { body } = await client.call('listParties', { token });
        expect((body as { readonly items: readonly unknown[] }).items).to.deep.equal([]);
      }
    });

    it('the attempts have changed nothing', async () => {
      const { body } = await client.call('getAccount', { path: { id: ids.account } });
      expect(body, 'changed by its configuration alone').to.include({ name: 'Treasury', version: 2 });
      const session = await client.call('getSigningSession', { path: { id: ids.session } });
      expect(session.body).to.include({ state: 'created', stateVersion: 1 });
      const inbox = (await client.call('listNotifications')).body as NotificationPage;
      expect(inbox.items.every(({ isRead }) => !isRead)).to.equal(true);
    });
  });

  describe('the configuration, by stored state and If-Match', () => {
    const MATCHES = { no: null, good: 'good', stale: '"4711"', any: '*' } as const;
    const OPERATIONS = {
      POST: 'createSigningConfig',
      PUT: 'updateSigningConfig',
      DELETE: 'clearSigningConfig',
      GET: 'getSigningConfig',
    } as const;
    /** Statuses for no, current, stale and wildcard `If-Match`. Existence is checked before the version. */
    const EXPECTED = {
      unset: {
        POST: [201, 201, 412, 201],
        PUT: [404, 404, 404, 404],
        DELETE: [204, 204, 412, 204],
        GET: [200, 200, 200, 200],
      },
      set: {
        POST: [409, 409, 409, 409],
        PUT: [200, 200, 412, 200],
        DELETE: [204, 204, 412, 204],
        GET: [200, 200, 200, 200],
      },
    } as const;

    for (const state of ['unset', 'set'] as const) {
      for (const method of ['POST', 'PUT', 'DELETE', 'GET'] as const) {
        for (const [index, [belief, match]] of Object.entries(MATCHES).entries()) {
          const status = EXPECTED[state][method][index];
          it(`${state}, ${method} with ${belief} If-Match: ${String(status)}`, async () => {
            const path = { id: await newAccount() };
            const before = { signingParties: ['node-a', 'node-b'] };
            const after = { signingParties: ['node-b', 'helper'] };
            if (state === 'set') await client.call('createSigningConfig', { path, body: before });
            const shown = await client.call('getSigningConfig', { path });
            const tag = match === 'good' ? (shown.headers.get('etag') ?? '') : match;
            const answer = await client.call(OPERATIONS[method], {
              path,
              ...(tag === null ? {} : { headers: { 'If-Match': tag } }),
              ...(method === 'POST' || method === 'PUT' ? { body: after } : {}),
            });
            expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
            const { body } = await client.call('getSigningConfig', { path });
            const { signingParties } = body as { readonly signingParties: readonly string[] | null };
            const kept = state === 'set' ? before.signingParties : null;
            const changed = answer.status < 300 && method !== 'GET';
            const wanted = !changed ? kept : method === 'DELETE' ? null : after.signingParties;
            expect(signingParties).to.deep.equal(wanted);
          });
        }
      }
    }
  });
});
