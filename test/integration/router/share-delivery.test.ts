import { expect } from 'chai';
import { create, toBinary } from '@bufbuild/protobuf';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:http2';
import { tokenCredentials } from '../../../examples/parties/router-client.js';
import {
  RouterService,
  SubscribeSessionEventsRequestSchema,
} from '../../../generated/proto/router/v1/router_pb.js';
import { partyIdOf, tenantIdOf } from '../../../src/base/identifiers.js';
import { sha256 } from '../../../src/base/hash.js';
import { shareAssociatedData } from '../../../src/signing/shares/delegate-share.js';
import { beginCall, message, openSession } from '../../support/router/raw-http2.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { hostRouter, type RouterHost } from '../../support/router/router-host.js';
import { DIGEST, rawKey, signedKey, type TestParty } from '../../support/signing/signing-fixture.js';
import { accountIdOf, sessionIdOf } from '../../support/identifiers.js';
import { until } from '../../support/until.js';

const SUITE = 'HPKE-X25519-SHA256-AES256GCM';
/** More than the window of a stream (RFC 9113 §6.9.2). */
const CIPHERTEXT = randomBytes(200_000);

describe('the share of a user', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let host: RouterHost;
  let delegate: TestParty;
  before(async () => {
    fixture = await createRouterFixture();
    host = await hostRouter(fixture);
    delegate = await fixture.createParty('helper', 'delegate');
  });
  after(async () => {
    await host.stop();
    await fixture.drop();
  });

  /** Creates a session with a share, which the service cannot decrypt. */
  async function createWithShare(): Promise<string> {
    const { accountId } = await fixture.createAccount([...fixture.parties, delegate]);
    const publicKey = rawKey(generateKeyPairSync('x25519').publicKey);
    const key = { keyId: 'lasting', suite: SUITE, publicKey, oneTime: false, notAfter: null } as const;
    await fixture.signing.parties.register(delegate.identity, 'i', [signedKey(delegate, key)]);
    const sessionId = randomUUID();
    const expiresAt = new Date(Date.now() + 200_000);
    const aad = shareAssociatedData({
      tenantId: tenantIdOf('acme'),
      accountId: accountIdOf(accountId),
      sessionId: sessionIdOf(sessionId),
      delegatePartyId: partyIdOf('helper'),
      recipientKeyId: 'lasting',
      messageDigest: Buffer.from(DIGEST, 'hex'),
      derivationPath: [],
      expiresAt,
    });
    const delegateUserShare = {
      delegatePartyId: 'helper',
      recipientKeyId: 'lasting',
      suite: SUITE,
      encapsulatedKey: publicKey.toString('base64url'),
      ciphertext: CIPHERTEXT.toString('base64url'),
      aadSha256: sha256(aad).toString('hex'),
      shareType: 'delegate',
      purpose: 'signing',
      expiresAt: expiresAt.toISOString(),
    } as const;
    const body = { messageDigest: DIGEST, sessionId, delegateUserShare };
    const request = { path: { id: accountId }, query: {}, headers: {}, body };
    expect((await fixture.signing.handlers.createSigningSession(request, fixture.context())).status).to.equal(
      201,
    );
    return sessionId;
  }

  it('is not delivered to a client that disconnects before it has the whole of it', async () => {
    const sessionId = await createWithShare();
    const { metadata } = tokenCredentials('acme', 'helper', delegate.privateKey);
    const session = await openSession(host.router.port);
    const { stream } = beginCall(session, `/${RouterService.typeName}/SubscribeSessionEvents`, {
      authorization: String((await metadata()).get('authorization')[0]),
    });
    stream.pause();
    const request = create(SubscribeSessionEventsRequestSchema, { instanceId: 'i' });
    stream.end(message(Buffer.from(toBinary(SubscribeSessionEventsRequestSchema, request))));
    await once(stream, 'response');
    stream.close(constants.NGHTTP2_CANCEL);
    await until(() => host.router.openStreams === 0);
    session.destroy();
    const delivered = 'select delivered_at from dbr_signing.delegate_user_shares where session_id = $1';
    expect(await fixture.database.superuser.any(delivered, [sessionId])).to.deep.equal([
      { delivered_at: null },
    ]);
  });
});
