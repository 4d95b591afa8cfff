import { expect } from 'chai';
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import type {
  Account,
  DelegateKey,
  DelegateUserShare,
  NewWebhook,
  Party,
  PartyKeys,
  WebhookMessages,
} from '../../../generated/types.js';
import { RouterService, SessionEventType } from '../../../generated/proto/router/v1/router_pb.js';
import type { OperationId } from '../../../generated/operations.js';
import { envelopeStatement } from '../../../src/mailbox/mailbox-store.js';
import type { PartyEncryptionKey } from '../../../src/signing/router-port.js';
import type { ContractResponse, Call } from '../../support/contract/contract-client.js';
import { DIGEST, partyBody, shareBody } from '../../support/contract/signing-bodies.js';
import {
  callBadly,
  connectWith,
  listen,
  refused,
  wireKey,
  type Listener,
  type Method,
} from '../../support/signing/canary-parties.js';
import { found, known, mark, marked } from '../../support/signing/canary-marks.js';
import { driveBadly, ROUTES_OF_AREAS } from '../../support/signing/canary-requests.js';
import { requestKey, signedRequest } from '../../support/signing/request-signers.js';
import { startCanaryService, token, type CanaryService } from '../../support/signing/canary-service.js';

const HPKE = 'HPKE-X25519-SHA256-AES256GCM';
const RSA = 'RSA-OAEP-SHA256-AES256GCM';

const CIPHERTEXT = mark('ciphertext');
const ENCAPSULATED_KEY = mark('key');
const NONCE = known('nonce', randomBytes(6).toString('hex'));
const PAYLOAD = mark('payload');
const FORGED = mark('forged');
const SHARE = [CIPHERTEXT, ENCAPSULATED_KEY, NONCE];

const keys = {
  account: generateKeyPairSync('ed25519'),
  'node-a': generateKeyPairSync('ed25519'),
  'node-b': generateKeyPairSync('ed25519'),
  helper: generateKeyPairSync('ed25519'),
};
type PartyId = 'node-a' | 'node-b' | 'helper';
const PARTIES = { 'node-a': 'server', 'node-b': 'server', helper: 'delegate' } as const;
const publicKeyOf = (name: keyof typeof keys): string =>
  keys[name].publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');

describe('secrets of signing', function () {
  this.timeout(240_000);
  let service: CanaryService;
  let tokens: Readonly<Record<'owner' | 'admin' | 'second' | 'machine', string>>;
  let account: Account;
  let a: Listener, b: Listener, delegate: Listener;
  let listeners: readonly Listener[] = [];
  let ticket = '';
  let webhookSecrets: readonly string[] = [];
  /** Responses to users and events of their streams. */
  const answers: string[] = [];
  /** The outcome of each call of the router. */
  const called = new Map<Method, Set<'answered' | 'refused'>>();

  before(async () => {
    const tenantId = 'acme';
    tokens = {
      owner: await token({ tenantId, sub: 'ann' }),
      admin: await token({
        tenantId,
        sub: 'root',
        scope:
          'parties:admin accounts:write accounts:read tenant:admin tenant:freeze audit:read notifications:write notifications:receipts notifications:admin notifications:webhooks',
      }),
      second: await token({ tenantId, sub: 'rita', scope: 'parties:admin tenant:freeze' }),
      machine: await token({ tenantId, sub: 'machine', scope: 'sign:create' }),
    };
    service = await startCanaryService(tokens.owner);
    for (const [partyId, role] of Object.entries(PARTIES)) await createParty(partyId as PartyId, role);
    listeners = [a, b, delegate] = await Promise.all([follow('node-a'), follow('node-b'), follow('helper')]);
    account = (await createAccount()).body as Account;
  });
  after(async () => {
    await Promise.all(listeners.map((listener) => listener.stop()));
    await service.stop();
  });

  async function call(operation: OperationId, given: Call = {}): Promise<ContractResponse> {
    const answer = await service.client.call(operation, given);
    answers.push(JSON.stringify([[...answer.headers], answer.body]));
    expect(answer.status, JSON.stringify(answer.body)).to.be.lessThan(300);
    return answer;
  }
  const asAdmin = (operation: OperationId, given: Call = {}): Promise<ContractResponse> =>
    call(operation, { token: tokens.admin, ...given });

  const createParty = (partyId: PartyId, role: 'server' | 'delegate'): Promise<ContractResponse> =>
    asAdmin('createParty', { body: partyBody(partyId, role, 'acme', keys[partyId]) });
  const createAccount = (): Promise<ContractResponse> =>
    asAdmin('createAccount', {
      body: {
        name: 'Treasury',
        ownerUserId: 'ann',
        keyType: 'ed25519',
        publicKey: publicKeyOf('account'),
        threshold: 2,
        shares: Object.entries(PARTIES).map(([partyId, shareType], index) => ({
          partyId,
          shareIndex: index + 1,
          shareType,
        })),
      },
    });
  /** The answers that have a secret are not recorded. */
  async function useWebhooks(): Promise<void> {
    const given = { token: tokens.admin, body: { url: 'https://hooks.invalid' } };
    const created = (await service.client.call('createWebhook', given)).body as NewWebhook;
    const path = { webhookId: created.webhookId };
    const rotated = await service.client.call('rotateWebhookSecret', { token: tokens.admin, path });
    webhookSecrets = [created.secret, (rotated.body as NewWebhook).secret];
    await asAdmin('createNotifications', { body: { userIds: ['ann'], type: 'report.ready', title: 'Sent' } });
    await asAdmin('listWebhooks');
    const { items } = (await asAdmin('listWebhookMessages', { path })).body as WebhookMessages;
    const messageId = items[0]?.messageId ?? '';
    await asAdmin('getWebhookMessage', { path: { ...path, messageId } });
    await asAdmin('replayWebhookMessages', { path, body: { dead: true } });
    await asAdmin('dropWebhookMessages', { path, body: {} });
    await asAdmin('replaceWebhook', { path, body: { url: 'https://hooks.invalid/other' } });
    const other = (await service.client.call('createWebhook', given)).body as NewWebhook;
    await asAdmin('deleteWebhook', { path: { webhookId: other.webhookId } });
  }
  /** Another identity key of a party, by two users. */
  async function replaceKeys(): Promise<void> {
    const created = await asAdmin('createParty', { body: partyBody('spare') });
    const former = Buffer.from((created.body as Party).identityPublicKey, 'hex');
    const { identityPublicKey, identitySignature } = partyBody('spare');
    const path = { id: 'spare' };
    await asAdmin('updateParty', { path, body: { identityPublicKey, identitySignature } });
    const { proposal } = (await asAdmin('listPartyKeys', { path })).body as PartyKeys;
    const body = { proposalId: proposal?.proposalId };
    await call('confirmPartyKeys', { token: tokens.second, path, body });
    const sha256 = createHash('sha256').update(former).digest('hex');
    await asAdmin('revokePartyKey', { path: { ...path, sha256 } });
  }
  const follow = (partyId: PartyId): Promise<Listener> =>
    listen(service.routerAddress, 'acme', partyId, keys[partyId].privateKey);

  function note(method: Method, outcome: 'answered' | 'refused'): void {
    called.set(method, (called.get(method) ?? new Set()).add(outcome));
  }
  async function answered<Result>(method: Method, work: Promise<Result>): Promise<Result> {
    const result = await work;
    note(method, 'answered');
    return result;
  }

  /** Registers an encryption key, which the owner claims. */
  async function claim(suite: PartyEncryptionKey['suite']): Promise<string> {
    const size = suite === HPKE ? 32 : 270;
    const key = { keyId: randomUUID(), suite, publicKey: randomBytes(size), oneTime: true, notAfter: null };
    const encryptionKeys = [wireKey(keys.helper.privateKey, key)];
    await answered('registerParty', delegate.client.registerParty({ instanceId: 'i', encryptionKeys }));
    await answered('heartbeat', delegate.client.heartbeat({ instanceId: 'i' }));
    const { body } = await call('claimDelegateKey', { path: { id: account.accountId } });
    return (body as DelegateKey).keyId;
  }

  function seal(
    sessionId: string,
    recipientKeyId: string,
    suite: typeof HPKE | typeof RSA,
  ): DelegateUserShare {
    return {
      ...shareBody({ sessionId, accountId: account.accountId, tenantId: 'acme' }, recipientKeyId),
      suite,
      encapsulatedKey: marked(ENCAPSULATED_KEY, suite === HPKE ? 32 : 256).toString('base64url'),
      ciphertext: marked(CIPHERTEXT, 100).toString('base64url'),
      ...(suite === HPKE ? {} : { nonce: marked(NONCE, 12).toString('base64url') }),
    };
  }

  const create = (body: object, as = tokens.owner): Promise<ContractResponse> =>
    call('createSigningSession', {
      path: { id: account.accountId },
      body: { messageDigest: DIGEST, ...body },
      token: as,
    });
  const configure = (operation: OperationId, signingParties: readonly string[]): Promise<ContractResponse> =>
    call(operation, { path: { id: account.accountId }, body: { signingParties } });

  /** A message of node-a, signed by its key. */
  function envelope(sessionId: string, senderSequence: number) {
    const payload = marked(PAYLOAD, 64);
    const content = {
      sessionId,
      messageId: randomUUID(),
      fromPartyId: 'node-a',
      toPartyIds: ['node-b'],
      round: 1,
      senderSequence,
      payload,
    };
    const signature = sign(null, envelopeStatement(content), keys['node-a'].privateKey);
    return { ...content, senderSequence: BigInt(senderSequence), signature };
  }

  /** The names of the tables that hold any of the marks. */
  async function tablesWith(marks: Parameters<typeof found>[1]): Promise<readonly string[]> {
    return [...(await service.rows())]
      .filter(([, text]) => found(text, marks).length > 0)
      .map(([name]) => name);
  }

  it('a share of an open session reaches its delegate alone', async () => {
    const sessionId = randomUUID();
    const path = { id: sessionId };
    await create({ sessionId, delegateUserShare: seal(sessionId, await claim(HPKE), HPKE) });
    const live = await service.client.open('listSigningSessionEvents', {
      path,
      headers: { Accept: 'text/event-stream' },
    });
    for (const { client } of [a, b, delegate])
      await answered('joinSession', client.joinSession({ sessionId, instanceId: 'i' }));
    const envelopes = [envelope(sessionId, 1)];
    await answered('sendMessages', a.client.sendMessages({ envelopes }));
    await Promise.all([a, b, delegate].map((one) => one.until(sessionId, SessionEventType.STARTED)));
    expect(found(delegate.heard(), SHARE)).to.deep.equal(['ciphertext', 'key']);
    expect(found(a.heard() + b.heard(), SHARE)).to.deep.equal([]);
    expect(await tablesWith(SHARE)).to.deep.equal(['dbr_signing.delegate_user_shares']);
    expect(await tablesWith([PAYLOAD])).to.deep.equal(['dbr_signing.router_log']);

    for await (const { deliveries } of b.client.subscribeMessages({ sessionId, instanceId: 'i' })) {
      expect(Buffer.from(deliveries[0]?.envelope?.payload ?? []).toString()).to.contain(PAYLOAD.text);
      note('subscribeMessages', 'answered');
      break;
    }
    for await (const { deliveries } of b.client.subscribeMailbox({ instanceId: 'i' })) {
      expect(Buffer.from(deliveries[0]?.envelope?.payload ?? []).toString()).to.contain(PAYLOAD.text);
      note('subscribeMailbox', 'answered');
      break;
    }
    await answered('ackMessages', b.client.ackMessages({ sessionId, upToSequence: 1n }));
    await call('getSigningSession', { path });
    await call('listSigningSessionEvents', { path });
    const value = sign(null, Buffer.from(DIGEST, 'hex'), keys.account.privateKey);
    await answered('subscribeSessionEvents', delegate.until(sessionId, SessionEventType.STARTED));
    const outcome = { case: 'signature', value } as const;
    await answered('reportResult', a.client.reportResult({ sessionId, outcome }));
    answers.push(await live.text());
  });

  it('a share that arrives late or is invalid is not stored', async () => {
    await configure('createSigningConfig', ['node-a', 'node-b']);
    await configure('updateSigningConfig', ['node-a', 'helper']);
    await call('getSigningConfig', { path: { id: account.accountId } });
    const sessionId = randomUUID();
    const path = { id: sessionId };
    await create({ sessionId }, tokens.machine);
    const body = seal(sessionId, await claim(RSA), RSA);
    for (const wrong of [
      { ...body, suite: 'canary' },
      { ...body, suite: HPKE },
      { ...body, ciphertext: body.ciphertext.slice(0, 30), encapsulatedKey: body.ciphertext },
      { ...body, ciphertext: `${body.ciphertext}=` },
      { ...body, aadSha256: '00'.repeat(32) },
      { ...body, aadSha256: body.ciphertext },
      { ...body, recipientKeyId: body.ciphertext.slice(0, 100) },
      { ...body, expiresAt: body.ciphertext },
      { ...body, share: body.ciphertext },
      { delegateUserShare: body },
    ])
      await refusedBy('supplyDelegateUserShare', { path, body: wrong });
    await call('supplyDelegateUserShare', { path, body });
    await refusedBy('supplyDelegateUserShare', { path, body });
    await delegate.until(sessionId, SessionEventType.DELEGATE_SHARE_SUPPLIED);
    expect(found(delegate.heard(), SHARE)).to.deep.equal(['ciphertext', 'key', 'nonce']);
    await call('cancelSigningSession', { path, body: { reason: 'enough' } });

    const next = randomUUID();
    const again = { ...seal(next, await claim(HPKE), HPKE), ciphertext: body.ciphertext };
    await refusedBy('createSigningSession', {
      path: { id: account.accountId },
      body: { messageDigest: DIGEST, sessionId: next, delegateUserShare: again },
    });
    await refusedBy('createSigningSession', {
      path: { id: account.accountId },
      body: { messageDigest: DIGEST, sessionId: randomUUID(), delegateUserShare: again },
    });
    await call('clearSigningConfig', { path: { id: account.accountId } });
  });

  it('a session whose request is approved', async () => {
    const [creator, approver] = [requestKey('creator'), requestKey('approver')];
    const requestKeys = [creator.registered, approver.registered];
    const path = { id: account.accountId };
    await asAdmin('updateAccount', { path, body: { requestKeys } });
    const created = await create({ request: signedRequest('pay', creator) });
    const { sessionId } = created.body as { readonly sessionId: string };
    const approval = { path: { id: sessionId }, body: approver.sign(Buffer.from('pay')) };
    await call('approveSigningSession', approval);
    await call('cancelSigningSession', { path: { id: sessionId }, body: {} });
  });

  it('sessions that are created together', async () => {
    const sessions = [{ messageDigest: DIGEST }, { message: 'dGVzdA' }];
    const created = await call('createSigningSessions', {
      path: { id: account.accountId },
      body: { sessions },
    });
    const { items } = created.body as { readonly items: readonly { readonly sessionId: string }[] };
    expect(items).to.have.length(2);
    for (const { sessionId } of items)
      await call('cancelSigningSession', { path: { id: sessionId }, body: {} });
  });

  it('a ceremony that is cancelled', async () => {
    const shares = ['node-a', 'node-b'].map((partyId, index) => ({
      ...{ partyId, shareIndex: index + 1, shareType: 'server' },
    }));
    const body = { name: 'Vault', ownerUserId: 'ann', keyType: 'ed25519', threshold: 2, shares };
    const { accountId } = (await asAdmin('createAccount', { body })).body as Account;
    const created = await call('createCeremony', { path: { id: accountId }, body: { kind: 'keygen' } });
    const { sessionId } = created.body as { readonly sessionId: string };
    await call('cancelSigningSession', { path: { id: sessionId }, body: {} });
  });

  async function refusedBy(operation: OperationId, given: Call): Promise<void> {
    const answer = await service.client.call(operation, given);
    answers.push(JSON.stringify([[...answer.headers], answer.body]));
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(400, 499);
  }

  it('a session that fails by a message of a party does not reveal the message', async () => {
    for (const fail of [contradict, reportNonsense]) {
      const { body } = await create({});
      const { sessionId } = body as { readonly sessionId: string };
      for (const { client } of [a, b]) await client.joinSession({ sessionId, instanceId: 'i' });
      answers.push(await fail(sessionId));
      await b.until(sessionId, SessionEventType.FAILED);
    }
  });

  async function contradict(sessionId: string): Promise<string> {
    await a.client.sendMessages({ envelopes: [envelope(sessionId, 1)] });
    return await refused(a.client.sendMessages({ envelopes: [envelope(sessionId, 1)] }));
  }
  async function reportNonsense(sessionId: string): Promise<string> {
    const report = (value: Buffer) =>
      a.client.reportResult({ sessionId, outcome: { case: 'signature', value } });
    // The second number of a signature is below the order of the group.
    const malformed = await refused(report(Buffer.concat([marked(PAYLOAD, 63), Buffer.alloc(1, 0xff)])));
    const { session } = await report(Buffer.concat([marked(PAYLOAD, 63), Buffer.alloc(1)]));
    return `${malformed} ${String(session?.state)}`;
  }

  it('the other operations succeed for authorized callers', async () => {
    const path = { id: account.accountId };
    await asAdmin('listParties');
    await asAdmin('getParty', { path: { id: 'node-a' } });
    await asAdmin('updateParty', { path: { id: 'node-a' }, body: { name: 'Node A' } });
    await replaceKeys();
    await call('listAccounts');
    await call('getAccount', { path });
    await asAdmin('updateAccount', { path, body: { name: 'Vault' } });
    await call('listSigningSessions');
    await asAdmin('freezeTenant', { body: {} });
    await asAdmin('getTenantFreeze');
    await asAdmin('unfreezeTenant');
    await call('unfreezeTenant', { token: tokens.second });
    answers.push(JSON.stringify((await asAdmin('exportAuditLog')).body));
    const produced = await asAdmin('createNotifications', {
      body: { userIds: ['ann'], type: 'report.ready', category: 'reports', title: 'Ready' },
    });
    const { body } = await call('listNotifications');
    const { items } = body as { readonly items: readonly { readonly notificationId: string }[] };
    expect(items).not.to.deep.equal([]);
    await call('getNotification', { path: { notificationId: items[0]?.notificationId ?? '' } });
    for (const operation of [
      'getUnreadCount',
      'markNotificationsSeen',
      'markNotificationsRead',
      'markNotificationsUnread',
      'archiveNotifications',
      'unarchiveNotifications',
      'getNotificationPreferences',
    ] as const)
      await call(operation);
    const { messageId } = produced.body as { readonly messageId: string };
    const message = { path: { messageId } };
    await asAdmin('updateMessage', { ...message, body: { title: 'Ready now' } });
    await asAdmin('listMessageReceipts', message);
    await asAdmin('getNotificationSettings');
    await asAdmin('replaceNotificationSettings', { body: { retentionDays: 30 } });
    await useWebhooks();
    const topic = { path: { topic: 'reports' } };
    await call('subscribeToTopic', topic);
    await call('listFollowedTopics');
    await call('unsubscribeFromTopic', topic);
    const channel = { path: { channel: 'webhook' } };
    const night = { timeZone: 'Europe/Zurich', starts: '22:00', ends: '07:00' };
    await call('setQuietHours', { ...channel, body: night });
    await call('listQuietHours');
    await call('removeQuietHours', channel);
    const named = { notificationId: items[0]?.notificationId ?? '' };
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await call('markNotificationsInteracted', { body: named });
    await call('snoozeNotifications', { body: { ...named, until } });
    await call('unsnoozeNotifications', { body: named });
    await call('deleteNotification', { path: named });
    await refusedBy('deleteNotification', { path: named });
    await call('deleteNotifications', { body: { notificationIds: [named.notificationId] } });
    await asAdmin('recallMessage', message);
    const reminder = {
      userIds: ['ann'],
      type: 'a.reminder',
      title: 'Later',
      sendAt: until,
      cancelKey: 'later',
    };
    await asAdmin('createNotifications', { body: reminder });
    await asAdmin('cancelScheduledNotifications', { path: { cancelKey: 'later' } });
    await call('replaceNotificationPreferences', { body: { categories: { reports: { inApp: false } } } });
    const given = await service.client.call('createStreamTicket');
    ticket = (given.body as { readonly ticket: string }).ticket;
    const gone = new AbortController();
    const stream = { token: null, query: `ticket=${ticket}` };
    expect((await service.client.open('streamNotifications', stream, gone.signal)).status).to.equal(200);
    gone.abort();
    await call('revokeStreamTickets');
    await refusedBy('streamNotifications', stream);
  });

  it('every operation and every call rejects unauthorized and invalid requests', async () => {
    const ciphertext = marked(CIPHERTEXT, 100);
    const encapsulatedKey = marked(ENCAPSULATED_KEY, 32);
    const payload = marked(PAYLOAD, 64);
    const claims = Buffer.from(JSON.stringify({ tenantId: 'acme', sub: 'ann', text: FORGED.text }));
    const forgedToken = ['eyJhbGciOiJIUzI1NiJ9', claims.toString('base64url'), 'c2ln'].join('.');
    const spilled = {
      ciphertext: ciphertext.toString('base64url'),
      encapsulatedKey: encapsulatedKey.toString('base64url'),
      payload: PAYLOAD.text,
      forgedToken,
    };
    const both = [tokens.admin, tokens.owner];
    const replies = await driveBadly(service.client, service.url, spilled, both);
    answers.push(...replies);
    const stranger = connectWith(service.routerAddress, `Bearer ${forgedToken}`, {
      share: spilled.ciphertext,
    });
    const sessionId = randomUUID();
    for (const client of [a.client, stranger]) {
      const errors = await callBadly(client, sessionId, { ciphertext, payload });
      for (const method of Object.keys(errors) as Method[]) note(method, 'refused');
      answers.push(JSON.stringify(errors));
    }
    stranger.close();
  });

  it('the tests above have called every operation and every call with valid and invalid requests', () => {
    const seen = [...service.client.seen()];
    const missing = ROUTES_OF_AREAS.flatMap(({ id }) =>
      [`${id} 2`, `${id} 4`].filter((start) => !seen.some((one) => one.startsWith(start))),
    );
    expect(missing, 'operations').to.deep.equal([]);
    expect(new Set(called.keys()), 'calls').to.deep.equal(new Set(Object.keys(RouterService.method)));
    for (const [method, outcomes] of called)
      expect([...outcomes].sort(), method).to.deep.equal(['answered', 'refused']);
  });

  describe('afterwards no secret appears', () => {
    const marks = () => [
      ...SHARE,
      PAYLOAD,
      FORGED,
      known('ticket', ticket),
      ...webhookSecrets.flatMap((secret) => [known('secret of a webhook', secret)]),
      ...[...Object.values(tokens), a.token, b.token, delegate.token].map((whole) =>
        known(`token of ${whole.split('.')[1] ?? ''}`, whole.split('.')[2] ?? ''),
      ),
    ];

    it('in the responses, errors and streams of users', () => {
      const text = answers.join('\n');
      expect(text).to.contain('ciphertextSha256');
      expect(found(text, marks())).to.deep.equal([]);
    });

    it('on the streams of the other parties', () => {
      expect(a.heard()).to.contain('node-b');
      expect(found(a.heard() + b.heard(), marks())).to.deep.equal([]);
    });

    it('in the log, the metrics and the other output of the service', async () => {
      for (const [where, text] of await service.outputs()) {
        expect(text, where).not.to.equal('');
        expect(found(text, marks()), where).to.deep.equal([]);
      }
    });

    it('in any row of any table', async () => {
      const rows = await service.rows();
      expect([...rows.keys()]).to.include.members([
        'dbr_signing.delegate_user_shares',
        'dbr_signing.router_log',
        'dbr_signing.audit_log',
        'dbr_signing.session_events',
        'dbr_notifications.user_notifications',
      ]);
      // An equivocation record needs the signed bytes as its proof.
      const proofs = 'dbr_signing.equivocations';
      expect(found(rows.get(proofs) ?? '', marks())).to.deep.equal(['payload']);
      for (const [table, text] of rows)
        if (table !== proofs) expect(found(text, marks()), table).to.deep.equal([]);
      expect(rows.get('dbr_signing.audit_log')).to.contain('session.supply-share');
    });

    it('in the log of a database server that logs every statement', async () => {
      const text = await service.databaseLog();
      expect(text).to.contain('insert into dbr_signing.delegate_user_shares');
      expect(found(text, marks())).to.deep.equal([]);
    });
  });
});
