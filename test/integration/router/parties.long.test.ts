import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { randomBytes, randomUUID } from 'node:crypto';
import { sealShare } from '../../../examples/parties/delegate-share.js';
import { startSigning, type FrostSigning } from '../../../examples/parties/frost.js';
import { verifies } from '../../../examples/parties/identity-key.js';
import { createOutbox, type Send } from '../../../examples/parties/outbox.js';
import type { Party } from '../../../examples/parties/party.js';
import {
  commitmentMessage,
  echoOf,
  readMessage,
  shareMessage,
} from '../../../examples/parties/round-messages.js';
import type { RouterClient } from '../../../examples/parties/router-client.js';
import { readMailbox } from '../../../examples/parties/mailbox.js';
import type { Session } from '../../../generated/proto/router/v1/router_pb.js';
import type { DelegateKey, SigningSession } from '../../../generated/types.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { hostRouter, type RouterHost } from '../../support/router/router-host.js';
import { createSigningParties, DIGEST, type SigningParties } from '../../support/router/signing-parties.js';

const lost = (): Error => Object.assign(new Error('lost'), { code: status.UNAVAILABLE });

/** A router client that loses each kind of response once and delivers messages twice. */
function unreliable(router: RouterClient): RouterClient {
  const failed = new Set<string>();
  const failOnce = (what: string): void => {
    if (failed.has(what)) return;
    failed.add(what);
    throw lost();
  };
  // Each stream delivers one item more than the one before, so a client that resumes makes progress.
  let lifetime = 0;
  async function* cutOff<Item>(stream: AsyncIterable<Item>): AsyncGenerator<Item> {
    let left = (lifetime += 1);
    for await (const item of stream) {
      yield item;
      left -= 1;
      if (left === 0) throw lost();
    }
  }
  return {
    ...router,
    async registerParty(request, options) {
      const answer = await router.registerParty(request, options);
      failOnce('register');
      return answer;
    },
    subscribeSessionEvents: (request, options) => cutOff(router.subscribeSessionEvents(request, options)),
    subscribeMessages: (request, options) => cutOff(router.subscribeMessages(request, options)),
    async joinSession(request, options) {
      const answer = await router.joinSession(request, options);
      failOnce(`join ${String(request.sessionId)}`);
      return answer;
    },
    async sendMessages(request, options) {
      await router.sendMessages(request, options);
      const answer = await router.sendMessages(request, options);
      failOnce(`send ${String(request.envelopes?.[0]?.messageId)}`);
      return answer;
    },
    async ackMessages(request, options) {
      failOnce(`ack ${String(request.upToSequence)}`);
      return await router.ackMessages(request, options);
    },
    async reportResult(request, options) {
      const answer = await router.reportResult(request, options);
      failOnce('report');
      return answer;
    },
  };
}

describe('the example parties over the router', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let host: RouterHost;
  let parties: SigningParties;
  let first: string, second: string, delegate: string;
  before(async () => {
    fixture = await createRouterFixture();
    host = await hostRouter(fixture);
  });
  after(async () => {
    await host.stop();
    await fixture.drop();
  });
  beforeEach(async () => {
    parties = await createSigningParties(fixture, host);
    [first = '', second = '', delegate = ''] = [...parties.registered.keys()];
  });
  afterEach(() => parties.stop());

  /** Expects a valid signature of the account's key; a failure prints why the session failed. */
  const expectSigned = ({ state, failureDetail, signature }: SigningSession): void => {
    const valid = verifies(parties.dealt.publicKey, DIGEST, Buffer.from(signature ?? '', 'hex'));
    expect({ state, failureDetail, valid }).to.deep.equal({
      state: 'completed',
      failureDetail: null,
      valid: true,
    });
  };

  it('sign together in one session', async () => {
    await parties.run(first);
    await parties.run(second);
    const { sessionId } = await parties.createSession();
    expectSigned(await parties.ended(sessionId));
  });

  it('sign despite lost responses, duplicate messages and interrupted streams', async () => {
    const running = [await parties.run(first, unreliable), await parties.run(second, unreliable)];
    const { sessionId } = await parties.createSession();
    expectSigned(await parties.ended(sessionId));
    expect(running.map(({ reports }) => reports)).to.deep.equal([[], []]);
  });

  it('sign several sessions at once', async () => {
    await parties.run(first);
    await parties.run(second);
    const sessions = await Promise.all(Array.from({ length: 5 }, () => parties.createSession()));
    for (const { sessionId } of sessions)
      expect((await parties.ended(sessionId)).state).to.equal('completed');
  });

  it('take part in sessions that were created before they started, and join again after a restart', async () => {
    const { sessionId } = await parties.createSession();
    const early = await parties.run(first);
    await joined(sessionId, first);
    await early.stop();
    await rejoined(first);
    await parties.run(second);
    expectSigned(await parties.ended(sessionId));
  });

  it('abort a session in progress after a restart, because their nonces are lost', async () => {
    const { sessionId } = await startedByHand('first joins by hand');
    await parties.run(second);
    expect(await parties.ended(sessionId)).to.deep.include({
      state: 'failed',
      failureReason: 'party_aborted',
      failureDetail: 'the party has restarted',
    });
  });

  it("sign with a delegate that uses the owner's share, which is valid for one session", async () => {
    await Promise.all([first, second, delegate].map((partyId) => parties.run(partyId)));
    const { sessionId, share } = await sealed();
    await parties.createSession({ sessionId, delegateUserShare: share });
    const session = await parties.ended(sessionId);
    expectSigned(session);
    expect(session.participants.map(({ partyId }) => partyId)).to.have.members([first, second, delegate]);
  });

  it('refuse a share of another key', async () => {
    await Promise.all([first, second, delegate].map((partyId) => parties.run(partyId)));
    const { sessionId, share } = await sealed(Buffer.alloc(32, 1));
    await parties.createSession({ sessionId, delegateUserShare: share });
    expect(await parties.ended(sessionId)).to.deep.include({
      state: 'failed',
      failureReason: 'share_unusable',
      failureDetail: 'a share of another key',
    });
  });

  it('refuse sessions for another protocol, or another set of holders', async () => {
    const other = await fixture.createAccount([...parties.registered.values()].slice(0, 2));
    await parties.run(first);
    const { sessionId } = await fixture.createSession(other.accountId);
    expect(await parties.ended(sessionId)).to.deep.include({
      state: 'failed',
      failureReason: 'party_aborted',
      failureDetail: 'another key',
    });
  });

  describe('with a cheating party', () => {
    const refusedWith = async (sessionId: string) => {
      const { state, failureReason, failureDetail, culpritPartyIds } = await parties.ended(sessionId);
      return { state, failureReason, failureDetail, culpritPartyIds };
    };

    it('name it as the culprit for a signature share that does not verify', async () => {
      const { sessionId, session, cheat, signing, send } = await cheating();
      await send([commitmentMessage(signing.commitment)]);
      const commitments = await commitmentsOf(cheat, session, signing);
      const echo = echoOf(session.participants, commitments);
      await send([await shareMessage(cheat, sessionId, first, echo, randomScalar())]);
      expect(await refusedWith(sessionId)).to.deep.equal({
        state: 'failed',
        failureReason: 'invalid_signature',
        failureDetail: 'a share does not verify',
        culpritPartyIds: [second],
      });
    });

    it('stop when it echoes commitments that differ from the received ones', async () => {
      const { sessionId, session, cheat, signing, send } = await cheating();
      await send([commitmentMessage(signing.commitment)]);
      const commitments = await commitmentsOf(cheat, session, signing);
      const share = signing.signatureShare(commitments);
      await send([await shareMessage(cheat, sessionId, first, randomBytes(32), share)]);
      expect(await refusedWith(sessionId)).to.deep.equal({
        state: 'failed',
        failureReason: 'equivocation',
        failureDetail: `${second} received other commitments`,
        culpritPartyIds: [],
      });
    });

    it('name it as the culprit for two commitments', async () => {
      const { sessionId, signing, send } = await cheating();
      await send([commitmentMessage(signing.commitment)]);
      await send([commitmentMessage(signing.commitment)]);
      expect(await refusedWith(sessionId)).to.deep.equal({
        state: 'failed',
        failureReason: 'equivocation',
        failureDetail: `${second} said two things in one round`,
        culpritPartyIds: [second],
      });
    });

    for (const [what, payload] of [
      ['no points', Buffer.alloc(64, 0xff)],
      ['too short', Buffer.alloc(63)],
      [
        'the identity',
        Buffer.concat([Buffer.from([1]), Buffer.alloc(31), Buffer.from([1]), Buffer.alloc(31)]),
      ],
    ] as const)
      it(`name it as the culprit for an invalid commitment: ${what}`, async () => {
        const { sessionId, send } = await cheating();
        await send([commitmentMessage(payload)]);
        expect(await refusedWith(sessionId)).to.deep.equal(malformed());
      });

    it('name it as the culprit for a commitment to one party, an undecryptable share and a third round', async () => {
      for (const [round, toAll, payload] of [
        [1, false, null],
        [2, false, Buffer.alloc(112)],
        [2, false, Buffer.alloc(3)],
        [2, true, Buffer.alloc(112)],
        [3, true, Buffer.alloc(64)],
      ] as const) {
        const { sessionId, signing, send } = await cheating();
        await send([{ toPartyIds: toAll ? [] : [first], round, payload: payload ?? signing.commitment }]);
        expect(await refusedWith(sessionId), String(round)).to.deep.equal(malformed());
      }
    });

    const malformed = () => ({
      state: 'failed',
      failureReason: 'party_aborted',
      failureDetail: `${second} sent what is no message of the protocol`,
      culpritPartyIds: [second],
    });

    /** Runs the first party; the test plays the second. */
    async function cheating() {
      await parties.stop();
      await parties.run(first);
      return await startedByHand('first joins by itself');
    }
  });

  interface ByHand {
    readonly sessionId: string;
    readonly session: Session;
    readonly cheat: Party;
    readonly signing: FrostSigning;
    readonly send: Send;
  }

  /** A session in progress, in which the test plays the second party. */
  async function startedByHand(how: 'first joins by hand' | 'first joins by itself'): Promise<ByHand> {
    const cheat = await parties.open(second);
    const { router, instanceId, share, publicPackage } = cheat;
    const { sessionId } = await parties.createSession();
    await router.joinSession({ sessionId, instanceId });
    const waiting = await parties.open(first);
    // A process that finds its party in a session that it has not joined aborts the session.
    if (how === 'first joins by itself') await joined(sessionId, first);
    const { session } = await waiting.router.joinSession({ sessionId, instanceId: 'by-hand' });
    if (session === undefined || share.kind !== 'held') throw new Error('no session, or no share');
    const signing = startSigning(publicPackage, share.secret, session.participants, DIGEST);
    const send = createOutbox(cheat, sessionId, new AbortController().signal);
    return { sessionId, session, cheat, signing, send };
  }

  async function commitmentsOf(party: Party, session: Session, signing: FrostSigning) {
    const gone = new AbortController();
    for await (const envelope of readMailbox(
      party.router,
      session.sessionId,
      party.instanceId,
      gone.signal,
    )) {
      const message = await readMessage(party, session, envelope);
      if (message.round !== 'commitment') continue;
      return new Map([
        [party.partyId, signing.commitment],
        [message.from, message.commitment],
      ]);
    }
    throw new Error('the session has ended');
  }

  /**
   * Runs the party until it has joined a session that an earlier process of it joined. The session must not
   * start before: the router records a first join only, and a party that finds the session started aborts it.
   */
  async function rejoined(partyId: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const observeJoin = (router: RouterClient): RouterClient => ({
        ...router,
        async joinSession(request, options) {
          const answer = await router.joinSession(request, options);
          resolve();
          return answer;
        },
      });
      parties.run(partyId, observeJoin).catch(reject);
    });
  }

  async function joined(sessionId: string, partyId: string): Promise<void> {
    const { identity } = parties.registered.get(partyId) ?? {};
    if (identity === undefined) throw new Error(partyId);
    for (;;) {
      const { participants } = await fixture.signing.sessions.session(identity, sessionId);
      if (participants.some((one) => one.partyId === partyId && one.joinedAt !== null)) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async function sealed(signingShare?: Uint8Array) {
    const path = { id: parties.account.accountId };
    const request = { path, query: {}, headers: {}, body: undefined };
    const answer = await fixture.signing.handlers.claimDelegateKey(request, fixture.context());
    const key = answer.body as DelegateKey;
    const sessionId = randomUUID();
    const dealt = parties.dealt.parties.find(({ holder }) => holder.partyId === delegate);
    const binding = {
      tenantId: 'acme',
      accountId: parties.account.accountId,
      sessionId,
      delegatePartyId: delegate,
      recipientKeyId: key.keyId,
      messageDigest: DIGEST,
      derivationPath: [],
      expiresAt: new Date(Date.now() + 60_000),
    };
    const publicKey = Buffer.from(key.publicKey, 'hex');
    const share = await sealShare(
      publicKey,
      binding,
      signingShare ?? dealt?.signingShare ?? new Uint8Array(),
    );
    return { sessionId, share };
  }
});

/** Less than the order of the group, little-endian. */
function randomScalar(): Uint8Array {
  const bytes = randomBytes(32);
  bytes[31] = 1;
  return bytes;
}
