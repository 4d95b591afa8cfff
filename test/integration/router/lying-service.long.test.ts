import { expect } from 'chai';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { verifies } from '../../../examples/parties/identity-key.js';
import {
  metadataSha256,
  REQUEST_TYPE,
  requestBytes,
  type RequestContent,
} from '../../../examples/parties/request-content.js';
import type { RouterClient } from '../../../examples/parties/router-client.js';
import {
  RequestSignatureSchema,
  SessionEventType,
  type RequestSignature as WireSignature,
  type Session,
  type SessionEvent,
} from '../../../generated/proto/router/v1/router_pb.js';
import type { RequestSignature, SigningSession } from '../../../generated/types.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { hostRouter, type RouterHost } from '../../support/router/router-host.js';
import {
  createSigningParties,
  DIGEST,
  type SessionChoices,
  type SigningParties,
} from '../../support/router/signing-parties.js';
import { requestKey, signedRequest } from '../../support/signing/request-signers.js';

/** Changes what parties see of a session. */
type Lie = (event: SessionEvent, session: Session) => void;

const OTHER_DIGEST = Buffer.alloc(32, 9);

describe('a service that lies about requests', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let host: RouterHost;
  let folder: string;
  let parties: SigningParties;
  let first: string, second: string, delegate: string;
  /** The sessions of which a party has sent a message. */
  const spoke = new Set<string>();
  const ada = requestKey('ada');
  const bea = requestKey('bea', 'ecdsa-p256');
  const cem = requestKey('cem', 'ecdsa-p256', 'whole');
  const stranger = requestKey('stranger');
  const keys = [ada, bea, cem].map(({ registered }) => registered);

  before(async () => {
    fixture = await createRouterFixture();
    host = await hostRouter(fixture);
    folder = await mkdtemp(join(tmpdir(), 'dbr-lies-'));
    parties = await createSigningParties(fixture, host, {
      // The service knows one key more than the parties trust.
      account: { requestKeys: [...keys, stranger.registered], namedParties: 'allowed' },
      policyOf: (partyId) => ({
        ...{ tenantId: 'acme', accountId: parties.account.accountId, keys, needed: 2 },
        nonces: join(folder, partyId),
      }),
    });
    [first = '', second = '', delegate = ''] = [...parties.registered.keys()];
  });
  after(async () => {
    await host.stop();
    await fixture.drop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => parties.stop());

  /** What the service passes on, with a lie. */
  const lying =
    (lie: Lie) =>
    (router: RouterClient): RouterClient => ({
      ...router,
      async *subscribeSessionEvents(request, options) {
        for await (const response of router.subscribeSessionEvents(request, options)) {
          const { item } = response;
          if (item.case === 'event' && item.value.session !== undefined) lie(item.value, item.value.session);
          yield response;
        }
      },
      sendMessages(request, options) {
        for (const { sessionId = '' } of request.envelopes ?? []) spoke.add(sessionId);
        return router.sendMessages(request, options);
      },
    });
  const NO_LIE: Lie = () => undefined;

  async function run(lie: Lie = NO_LIE): Promise<void> {
    for (const partyId of [first, second]) await parties.run(partyId, lying(lie));
  }

  const content = (more: Partial<RequestContent> = {}): Buffer =>
    requestBytes({
      type: REQUEST_TYPE,
      tenantId: 'acme',
      accountId: parties.account.accountId,
      operation: 'pay 1',
      protocol: 'ed25519',
      derivationPath: [],
      messageDigest: DIGEST.toString('hex'),
      threshold: 2,
      parties: [first, second],
      metadataSha256: metadataSha256({ order: 7, list: [1] }),
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
      nonce: randomBytes(16).toString('hex'),
      ...more,
    });

  const METADATA = { order: 7, list: [1] };

  /** A session that ada asks for. */
  const ask = (bytes: Buffer, choices: SessionChoices = {}): Promise<SigningSession> =>
    parties.createSession({ metadata: METADATA, request: signedRequest(bytes, ada), ...choices });

  async function approve({ sessionId }: SigningSession, body: RequestSignature): Promise<void> {
    const request = { path: { id: sessionId }, query: {}, headers: {}, body };
    await fixture.signing.handlers.approveSigningSession(request, fixture.context());
  }

  const expectSigned = ({ state, failureDetail, signature }: SigningSession): void => {
    expect({ state, failureDetail }).to.deep.equal({ state: 'completed', failureDetail: null });
    expect(verifies(parties.dealt.publicKey, DIGEST, Buffer.from(signature ?? '', 'hex'))).to.equal(true);
  };

  async function expectRefused(
    { sessionId }: SigningSession,
    detail: string,
    reason = 'policy_denied',
  ): Promise<void> {
    const { state, failureReason, failureDetail, signature } = await parties.ended(sessionId);
    expect({ state, failureReason, failureDetail, signature }).to.deep.equal({
      state: 'failed',
      failureReason: reason,
      failureDetail: detail,
      signature: null,
    });
    expect([...spoke]).to.not.include(sessionId);
  }

  it('obtains a signature for what enough people have signed', async () => {
    await run();
    const bytes = content();
    const session = await ask(bytes);
    await approve(session, bea.sign(bytes));
    expectSigned(await parties.ended(session.sessionId));
  });

  it('obtains one with approvals that were there from the start', async () => {
    await run();
    const bytes = content({ parties: null });
    expectSigned(
      await parties.ended((await ask(bytes, { request: signedRequest(bytes, cem, bea) })).sessionId),
    );
  });

  const wire = ({ keyId, algorithm, signature }: RequestSignature): WireSignature =>
    create(RequestSignatureSchema, { keyId, algorithm, signature: Buffer.from(signature, 'hex') });

  const FIELDS: readonly (readonly [what: string, lie: Lie, detail: string])[] = [
    [
      'another digest',
      (_, session) => (session.messageDigest = OTHER_DIGEST),
      'the request is for another digest',
    ],
    [
      'another account',
      (_, session) => (session.accountId = randomUUID()),
      'the request is for another account',
    ],
    ['another tenant', (_, session) => (session.tenantId = 'other'), 'the request is for another tenant'],
    [
      'other metadata',
      (_, session) => (session.metadata = '{"order":8}'),
      'the request is for other metadata',
    ],
    ['no metadata', (_, session) => (session.metadata = ''), 'the request is for other metadata'],
    [
      'other parties',
      (_, { participants: [, replaced] }) => {
        if (replaced !== undefined) Object.assign(replaced, { partyId: delegate, shareIndex: 3 });
      },
      'the request is for other parties',
    ],
    ['no request', (_, session) => (session.request = new Uint8Array()), 'no signed request'],
    [
      'what is not a request',
      (_, session) => (session.request = Buffer.from('{}')),
      'the request has another form',
    ],
    [
      'the request in another spelling',
      (_, session) =>
        (session.request = Buffer.from(Buffer.from(session.request).toString().replace(',', ', '))),
      'the request has another form',
    ],
    [
      'a request of its own for another digest',
      (_, session) => {
        session.messageDigest = OTHER_DIGEST;
        session.request = content({ messageDigest: OTHER_DIGEST.toString('hex') });
      },
      'ada did not sign the request',
    ],
    [
      'a forged approval',
      (_, session) => {
        session.requestSignatures = [wire({ ...bea.sign(Buffer.from('x')), signature: '07'.repeat(64) })];
      },
      'bea did not sign the request',
    ],
    [
      'the approval of another session',
      (_, session) => {
        session.requestSignatures.push(wire(bea.sign(content())));
      },
      'bea did not sign the request',
    ],
    [
      'the signature of one person as that of another',
      (_, session) => {
        session.requestSignatures = session.requestSignatures.map((one) => ({ ...one, keyId: 'cem' }));
      },
      'cem did not sign the request',
    ],
  ];
  for (const [what, lie, detail] of FIELDS)
    it(`obtains none with ${what}`, async () => {
      await run(lie);
      await expectRefused(await ask(content()), detail);
    });

  const MESSAGE = Buffer.alloc(100_000, 'a transaction ');
  const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  function messageContent(): Buffer {
    const { messageDigest: _messageDigest, ...rest } = JSON.parse(content().toString()) as RequestContent;
    return requestBytes({ ...rest, messageSha256: hashOf(MESSAGE) });
  }
  const askForMessage = (bytes: Buffer): Promise<SigningSession> =>
    ask(bytes, { message: MESSAGE.toString('base64url') });

  it('obtains a signature over the message that enough people have signed', async () => {
    await run();
    const bytes = messageContent();
    const session = await askForMessage(bytes);
    await approve(session, bea.sign(bytes));
    const { state, failureDetail, signature } = await parties.ended(session.sessionId);
    expect({ state, failureDetail }).to.deep.equal({ state: 'completed', failureDetail: null });
    expect(verifies(parties.dealt.publicKey, MESSAGE, Buffer.from(signature ?? '', 'hex'))).to.equal(true);
  });

  const MESSAGES: readonly (readonly [what: string, lie: Lie, detail: string, reason?: string])[] = [
    [
      'another message',
      (_, session) => (session.message = Buffer.from('another')),
      'the request is for another message',
    ],
    [
      'the hash of the message as a digest',
      (_, session) => {
        session.messageDigest = Buffer.from(hashOf(MESSAGE), 'hex');
        session.message = new Uint8Array();
      },
      'the request is for another digest',
    ],
    [
      'a digest beside the message',
      (_, session) => (session.messageDigest = OTHER_DIGEST),
      'the digest has another length',
      'party_aborted',
    ],
    [
      'no message',
      (_, session) => (session.message = new Uint8Array()),
      'the digest has another length',
      'party_aborted',
    ],
  ];
  for (const [what, lie, detail, reason] of MESSAGES)
    it(`obtains none with ${what}, where people asked for a message`, async () => {
      await run(lie);
      await expectRefused(await askForMessage(messageContent()), detail, reason);
    });

  it('obtains none with another message only when it starts the session', async () => {
    await run((event, session) => {
      if (event.type === SessionEventType.STARTED) session.message = Buffer.from('another');
    });
    const bytes = messageContent();
    const session = await askForMessage(bytes);
    await approve(session, bea.sign(bytes));
    await expectRefused(session, 'the request is for another message');
  });

  it('obtains none over a message whose hash people asked for as a digest', async () => {
    await run((_, session) => {
      session.messageDigest = new Uint8Array();
      session.message = MESSAGE;
    });
    const bytes = content({ messageDigest: hashOf(MESSAGE) });
    await expectRefused(
      await ask(bytes, { messageDigest: hashOf(MESSAGE) }),
      'the request is for another digest',
    );
  });

  const STARTS: readonly (readonly [what: string, lie: Lie])[] = [
    [
      'without the approval',
      ({ type }, { requestSignatures }) => {
        if (type === SessionEventType.STARTED) requestSignatures.pop();
      },
    ],
    [
      'with one person twice',
      ({ type }, session) => {
        const [one] = session.requestSignatures;
        if (type === SessionEventType.STARTED && one !== undefined) session.requestSignatures = [one, one];
      },
    ],
    [
      'with a key that the parties do not trust',
      ({ type }, session) => {
        const [one] = session.requestSignatures;
        if (type === SessionEventType.STARTED && one !== undefined)
          session.requestSignatures = [one, wire(stranger.sign(session.request))];
      },
    ],
  ];
  for (const [what, lie] of STARTS)
    it(`obtains none when it starts the session ${what}`, async () => {
      // The approval becomes a start, for which the parties have not joined.
      await run((event, session) => {
        if (event.type === SessionEventType.APPROVED) event.type = SessionEventType.STARTED;
        lie(event, session);
      });
      const bytes = content();
      const session = await ask(bytes);
      await approve(session, bea.sign(bytes));
      await expectRefused(session, '1 of 2 have signed the request');
    });

  it('obtains none when it shows another digest after the parties have joined', async () => {
    await run(({ type }, session) => {
      if (type === SessionEventType.STARTED) session.messageDigest = OTHER_DIGEST;
    });
    const bytes = content();
    await expectRefused(
      await ask(bytes, { request: signedRequest(bytes, ada, bea) }),
      'the request is for another digest',
    );
  });

  it('obtains none for a request that has expired', async () => {
    await run();
    const bytes = content({ expiresAt: new Date(Date.now() - 1).toISOString() });
    await expectRefused(
      await ask(bytes, { request: signedRequest(bytes, ada, bea) }),
      'the request has expired',
    );
  });

  it('obtains none for an old request in a new session, also after the parties have restarted', async () => {
    await run();
    const bytes = content();
    const request = signedRequest(bytes, ada, bea);
    expectSigned(await parties.ended((await ask(bytes, { request })).sessionId));
    await expectRefused(await ask(bytes, { request }), 'the request was signed before');
    await parties.stop();
    await run();
    await expectRefused(await ask(bytes, { request }), 'the request was signed before');
  });

  it('obtains one signature for a request that it presents in two sessions at once', async () => {
    await run();
    const bytes = content();
    const request = signedRequest(bytes, ada, bea);
    const both = await Promise.all([ask(bytes, { request }), ask(bytes, { request })]);
    const ended = await Promise.all(both.map(({ sessionId }) => parties.ended(sessionId)));
    // Each party may note the nonce with another session, and then there is none.
    expect(ended.filter(({ state }) => state === 'completed').length).to.be.at.most(1);
    for (const { state, failureReason } of ended)
      if (state === 'failed') expect(failureReason).to.equal('policy_denied');
  });

  it('obtains one in a second attempt with named parties, which ends the first', async () => {
    await run();
    const waiting = await ask(content({ parties: null }));
    const bytes = content();
    const again = await ask(bytes, {
      request: signedRequest(bytes, ada, bea),
      parties: [second, first],
      replaces: waiting.sessionId,
    });
    expectSigned(await parties.ended(again.sessionId));
    const { state, replacedBy } = await parties.ended(waiting.sessionId);
    expect({ state, replacedBy }).to.deep.equal({ state: 'cancelled', replacedBy: again.sessionId });
  });

  it('obtains none in a second attempt while the first has not ended', async () => {
    let held = '';
    await run((_, session) => {
      if (session.sessionId !== held) session.replaces = held;
    });
    held = (await ask(content())).sessionId;
    const bytes = content();
    await expectRefused(
      await ask(bytes, { request: signedRequest(bytes, ada, bea) }),
      'the session that this one replaces has not ended',
    );
  });

  it('obtains none when it restores an old backup and begins the session again', async () => {
    await run();
    const bytes = content();
    const session = await ask(bytes, { request: signedRequest(bytes, ada, bea) });
    const { sessionId } = session;
    expectSigned(await parties.ended(sessionId));
    await parties.stop();
    spoke.delete(sessionId);
    const { superuser } = fixture.database;
    await superuser.none(
      `update dbr_signing.signing_sessions
       set state = 'created', ended_at = null, signature = null, state_version = 1, event_sequence = 1
       where session_id = $1`,
      [sessionId],
    );
    await superuser.none(
      'update dbr_signing.session_participants set joined_at = null, reported_signature = null where session_id = $1',
      [sessionId],
    );
    await superuser.none('delete from dbr_signing.session_events where session_id = $1 and sequence > 1', [
      sessionId,
    ]);
    await run();
    await expectRefused(session, 'the request was signed before');
  });
});
