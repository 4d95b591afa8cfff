import { create, toBinary } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { tokenCredentials } from '../../../examples/parties/router-client.js';
import {
  RouterService,
  SessionEventType,
  SubscribeSessionEventsRequestSchema,
  type SessionEvent,
} from '../../../generated/proto/router/v1/router_pb.js';
import type { SigningSession } from '../../../generated/types.js';
import { MAX_MESSAGE_BYTES } from '../../../src/router/limits.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { hostRouter, type RouterHost } from '../../support/router/router-host.js';
import { beginCall, message as framed, openSession, type RawCall } from '../../support/router/raw-http2.js';
import { until } from '../../support/until.js';

const MESSAGE = randomBytes(MAX_MESSAGE_BYTES);
const { CREATED, PARTY_JOINED, STARTED, CANCELLED } = SessionEventType;

describe('messages of sessions on the streams of parties', function () {
  this.timeout(60_000);
  let fixture: RouterFixture;
  let host: RouterHost;
  before(async () => {
    fixture = await createRouterFixture();
    host = await hostRouter(fixture);
  });
  after(async () => {
    await host.stop();
    await fixture.drop();
  });

  async function createSession(accountId: string): Promise<string> {
    const body = { message: MESSAGE.toString('base64url') };
    const request = { path: { id: accountId }, query: {}, headers: {}, body };
    const answer = await fixture.signing.handlers.createSigningSession(request, fixture.context());
    return (answer.body as SigningSession).sessionId;
  }
  async function cancel(sessionId: string): Promise<void> {
    const request = { path: { id: sessionId }, query: {}, headers: {}, body: undefined };
    await fixture.signing.handlers.cancelSigningSession(request, fixture.context());
  }

  it('come with the events on which a party decides, and never with a digest', async () => {
    const { accountId } = await fixture.createAccount(fixture.parties);
    const sessionId = await createSession(accountId);
    const [a] = fixture.parties;
    for (const party of fixture.parties) {
      const { session } = await host.connect(party).joinSession({ sessionId, instanceId: 'i' });
      expect(session?.message).to.have.lengthOf(0);
      expect(session?.messageDigest).to.have.lengthOf(0);
    }
    await cancel(sessionId);
    const seen: [SessionEventType, number][] = [];
    const stopping = new AbortController();
    const events: SessionEvent[] = [];
    for await (const { item } of host
      .connect(a)
      .subscribeSessionEvents({ instanceId: 'i', afterEventId: 'p0.0' }, { signal: stopping.signal })) {
      if (item.case !== 'event') continue;
      events.push(item.value);
      const { type, session } = item.value;
      if (session === undefined) throw new Error('no session');
      if (session.message.length > 0) expect(MESSAGE.equals(session.message)).to.equal(true);
      expect(session.messageDigest).to.have.lengthOf(0);
      seen.push([type, session.message.length]);
      if (type === CANCELLED) break;
    }
    expect(seen).to.deep.equal([
      [CREATED, MAX_MESSAGE_BYTES],
      ...fixture.parties.map(() => [PARTY_JOINED, 0]),
      [STARTED, MAX_MESSAGE_BYTES],
      [CANCELLED, 0],
    ]);
  });

  it('wait for a client that does not read, and go on when it does', async () => {
    const [, b] = fixture.parties;
    const { accountId } = await fixture.createAccount(fixture.parties);
    const sessions: string[] = [];
    for (let count = 0; count < 3; count += 1) sessions.push(await createSession(accountId));
    const { metadata } = tokenCredentials('acme', b.identity.partyId, b.privateKey);
    const authorization = String((await metadata()).get('authorization')[0]);
    const session = await openSession(host.router.port);
    const calls = Array.from({ length: 4 }, (): RawCall => {
      const call = beginCall(session, `/${RouterService.typeName}/SubscribeSessionEvents`, { authorization });
      call.stream.pause();
      const request = create(SubscribeSessionEventsRequestSchema, { instanceId: 'i' });
      call.stream.end(framed(Buffer.from(toBinary(SubscribeSessionEventsRequestSchema, request))));
      return call;
    });
    await until(() => host.router.openStreams === calls.length);
    const received = calls.map(() => 0);
    for (const [index, { stream }] of calls.entries()) {
      stream.on('data', (piece: Buffer) => {
        received[index] = (received[index] ?? 0) + piece.length;
      });
      stream.resume();
    }
    await until(() => received.every((bytes) => bytes > sessions.length * MAX_MESSAGE_BYTES));
    for (const sessionId of sessions) await cancel(sessionId);
    session.destroy();
    await until(() => host.router.openStreams === 0);
  });
});
