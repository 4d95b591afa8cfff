import { create, toBinary } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { tokenCredentials } from '../../../examples/parties/router-client.js';
import {
  RouterService,
  SubscribeMessagesRequestSchema,
} from '../../../generated/proto/router/v1/router_pb.js';
import { MAX_PAYLOAD_BYTES, PARTY_PAGE_BYTES } from '../../../src/router/limits.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { envelope, hostRouter, readMailbox, type RouterHost } from '../../support/router/router-host.js';
import { beginCall, message, openSession, type RawCall } from '../../support/router/raw-http2.js';
import { until } from '../../support/until.js';

const SESSIONS = 20;
/** Each page has one message, which counts a little more than its payload. */
const FITTING = PARTY_PAGE_BYTES / MAX_PAYLOAD_BYTES - 1;

describe('pages that a party does not read', function () {
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

  async function delivered(partyId: string): Promise<number> {
    const rows = await fixture.database.superuser.any(
      'select from dbr_signing.router_readers where party_id = $1 and delivered = 1',
      [partyId],
    );
    return rows.length;
  }

  it('are bounded in bytes, and the next ones follow when it reads', async () => {
    const [a, b] = fixture.parties;
    const sender = host.connect(a);
    const payload = randomBytes(MAX_PAYLOAD_BYTES);
    const sessionIds: string[] = [];
    for (let count = 0; count < SESSIONS; count += 1) {
      const { sessionId } = await fixture.startSession();
      sessionIds.push(sessionId);
      await sender.sendMessages({ envelopes: [envelope(a, sessionId, { senderSequence: 1, payload })] });
    }
    const { metadata } = tokenCredentials('acme', b.identity.partyId, b.privateKey);
    const authorization = String((await metadata()).get('authorization')[0]);
    const session = await openSession(host.router.port);
    // Paused streams get no further window.
    const calls = sessionIds.map((sessionId): RawCall => {
      const call = beginCall(session, `/${RouterService.typeName}/SubscribeMessages`, { authorization });
      call.stream.pause();
      const request = create(SubscribeMessagesRequestSchema, { sessionId, instanceId: 'i' });
      call.stream.end(message(Buffer.from(toBinary(SubscribeMessagesRequestSchema, request))));
      return call;
    });
    await until(async () => host.router.openStreams === SESSIONS && (await delivered('node-b')) >= FITTING);
    // Another party reads meanwhile.
    const last = sessionIds.at(-1) ?? '';
    const reader = readMailbox(host.connect(fixture.parties[2]), last);
    expect((await reader.deliveries(1)).map(({ sequence }) => sequence)).to.deep.equal([1n]);
    reader.stop();
    await reader.ended.catch(() => null);
    expect(await delivered('node-b')).to.equal(FITTING);
    for (const { stream } of calls) stream.resume();
    await until(async () => (await delivered('node-b')) === SESSIONS);
    session.destroy();
    await until(() => host.router.openStreams === 0);
  });
});
