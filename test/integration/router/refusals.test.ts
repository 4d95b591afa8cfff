import { Metadata, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { partyIdOf } from '../../../src/base/identifiers.js';
import { tokenCredentials, type RouterClient } from '../../../examples/parties/router-client.js';
import { FailureReason } from '../../../generated/proto/router/v1/router_pb.js';
import type { TestParty } from '../../support/signing/signing-fixture.js';
import { beginCall, message, openSession } from '../../support/router/raw-http2.js';
import { createRouterFixture, type Draft, type RouterFixture } from '../../support/router/router-fixture.js';
import { envelope, hostRouter, refusal, type RouterHost } from '../../support/router/router-host.js';

const STRANGE = '00000000-0000-7000-8000-000000000000';
const NOT_FOUND = [status.NOT_FOUND, 'no such session for this party'];
const UNKNOWN = [status.UNAUTHENTICATED, 'no known party'];

describe('the router refuses', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let host: RouterHost;
  let a: TestParty, b: TestParty;
  let clientA: RouterClient;
  before(async () => {
    fixture = await createRouterFixture();
    host = await hostRouter(fixture);
    [a, b] = fixture.parties;
    clientA = host.connect(a);
  });
  after(async () => {
    await host.stop();
    await fixture.drop();
  });

  const invalid = (details: string) => [status.INVALID_ARGUMENT, details];

  it('invalid envelopes', async () => {
    const { sessionId } = await fixture.startSession();
    const good = envelope(a, sessionId, { senderSequence: 1 });
    const sending = (...changes: readonly Partial<typeof good>[]) =>
      refusal(clientA.sendMessages({ envelopes: changes.map((change) => ({ ...good, ...change })) }));
    expect(await sending()).to.deep.equal(invalid('envelopes: at least one is needed'));
    expect(await sending(...Array<object>(65).fill({}))).to.deep.equal(
      invalid('envelopes: at most 64 in a call'),
    );
    expect(await sending({}, { sessionId: STRANGE })).to.deep.equal(
      invalid('envelopes: all of a call belong to one session'),
    );
    for (const bad of ['', 'x', `{${sessionId}}`, sessionId.replaceAll('-', '')])
      expect(await sending({ sessionId: bad })).to.deep.equal(
        invalid('session_id: a UUID in lower case is needed'),
      );
    expect(await sending({ messageId: 'x' })).to.deep.equal(
      invalid('message_id: a UUID in lower case is needed'),
    );
    expect(await sending({ toPartyIds: ['node-b', 'node-b'] })).to.deep.equal(
      invalid('to_party_ids: too many, or one of them twice'),
    );
    expect(await sending({ payload: Buffer.alloc(1_048_577) })).to.deep.equal(
      invalid('payload: at most 1048576 bytes'),
    );
    expect(await sending({ senderSequence: 0n })).to.deep.equal(invalid('sender_sequence: counts from 1'));
    expect(await sending({ senderSequence: 18_446_744_073_709_551_615n })).to.deep.equal(
      invalid('sender_sequence: out of range'),
    );
  });

  it('envelopes in the name of another party, or changed after they were signed', async () => {
    const { sessionId } = await fixture.startSession();
    const good = envelope(a, sessionId, { senderSequence: 1 });
    const sending = (change: Partial<typeof good>) =>
      refusal(clientA.sendMessages({ envelopes: [{ ...good, ...change }] }));
    expect(await sending({ fromPartyId: partyIdOf('node-b') })).to.deep.equal([
      status.PERMISSION_DENIED,
      'from_party_id: a party sends in its own name alone',
    ]);
    for (const change of [
      { payload: Buffer.from('forged') },
      { round: 9 },
      { toPartyIds: ['node-b'] },
      { senderSequence: 2n },
      { signature: Buffer.alloc(64) },
      { signature: Buffer.alloc(0) },
      { signature: Buffer.alloc(2000) },
    ])
      expect(await sending(change)).to.deep.equal(
        invalid("signature: not of the party's identity key over this envelope"),
      );
  });

  it('messages to unknown recipients, out of order, or in unknown sessions', async () => {
    const { sessionId } = await fixture.startSession();
    const sending = (draft: Draft, id = sessionId) =>
      refusal(clientA.sendMessages({ envelopes: [envelope(a, id, draft)] }));
    expect(await sending({ senderSequence: 1, to: ['nobody'] })).to.deep.equal(
      invalid('to_party_ids: nobody is no other participant'),
    );
    expect(await sending({ senderSequence: 5 })).to.deep.equal([
      status.FAILED_PRECONDITION,
      'sender_sequence: 1 comes next',
    ]);
    expect(await sending({ senderSequence: 1 }, STRANGE)).to.deep.equal(NOT_FOUND);
  });

  it('non-participants of the same tenant and of others, without revealing whether the session exists', async () => {
    const { sessionId } = await fixture.startSession();
    for (const tenantId of ['acme', 'other']) {
      const stranger = await fixture.createParty('stranger', 'server', tenantId);
      const calls = host.connect(stranger);
      const envelopes = [envelope(stranger, sessionId, { senderSequence: 1 })];
      const abort = { reason: FailureReason.PARTY_ABORTED, culpritPartyIds: [], detail: '' };
      const outcome = { case: 'abort', value: abort } as const;
      expect(await refusal(calls.sendMessages({ envelopes }))).to.deep.equal(NOT_FOUND);
      expect(await refusal(calls.joinSession({ sessionId, instanceId: 'i' }))).to.deep.equal(NOT_FOUND);
      expect(await refusal(calls.ackMessages({ sessionId, upToSequence: 0n }))).to.deep.equal(NOT_FOUND);
      expect(await refusal(calls.subscribeMessages({ sessionId, instanceId: 'i' }))).to.deep.equal(NOT_FOUND);
      expect(await refusal(calls.reportResult({ sessionId, outcome }))).to.deep.equal(NOT_FOUND);
    }
  });

  it('calls with missing or invalid fields', async () => {
    const { sessionId } = await fixture.startSession();
    for (const instanceId of ['', 'a b', 'x'.repeat(129), 'é']) {
      const expected = invalid('instance_id: 1 to 128 visible characters of ASCII');
      expect(await refusal(clientA.registerParty({ instanceId }))).to.deep.equal(expected);
      expect(await refusal(clientA.subscribeMessages({ sessionId, instanceId }))).to.deep.equal(expected);
      expect(await refusal(clientA.subscribeSessionEvents({ instanceId }))).to.deep.equal(expected);
    }
    const events = clientA.subscribeSessionEvents({ instanceId: 'i', afterEventId: 'x' });
    expect(await refusal(events)).to.deep.equal(invalid('not an event id'));
    expect(await refusal(clientA.reportResult({ sessionId }))).to.deep.equal(
      invalid('outcome: a signature or an abort is needed'),
    );
    const nothing = { case: 'signature', value: new Uint8Array() } as const;
    expect(await refusal(clientA.reportResult({ sessionId, outcome: nothing }))).to.deep.equal(
      invalid('signature: its length is no signature’s'),
    );
    const unnamed = { reason: FailureReason.UNSPECIFIED, culpritPartyIds: [], detail: '' };
    const outcome = { case: 'abort', value: unnamed } as const;
    expect(await refusal(clientA.reportResult({ sessionId, outcome }))).to.deep.equal(
      invalid('abort: unknown reason'),
    );
    expect(await refusal(clientA.ackMessages({ sessionId, upToSequence: 1n }))).to.deep.equal([
      status.FAILED_PRECONDITION,
      'up_to_sequence: 0 was delivered last',
    ]);
    const ahead = clientA.subscribeMessages({ sessionId, instanceId: 'i', afterSequence: 1n });
    expect(await refusal(ahead)).to.deep.equal([
      status.FAILED_PRECONDITION,
      'after_sequence: 0 was delivered last',
    ]);
  });

  it('bytes that are not a protobuf message', async () => {
    const token = await tokenCredentials('acme', 'node-a', a.privateKey).metadata();
    const session = await openSession(host.router.port);
    const authorization = String(token.get('authorization')[0]);
    for (const method of ['SendMessages', 'SubscribeMessages']) {
      const call = beginCall(session, `/router.v1.RouterService/${method}`, { authorization });
      call.stream.end(message(Buffer.from([0x0a, 0x05, 0x01])));
      expect(await call.answered, method).to.equal(status.INVALID_ARGUMENT);
    }
    session.destroy();
  });

  describe('development tokens', () => {
    const heartbeat = (authorization: string | null) => {
      const metadata = new Metadata();
      if (authorization !== null) metadata.set('authorization', authorization);
      return host.connectWith(() => Promise.resolve(metadata)).heartbeat({ instanceId: 'i' });
    };
    const signed = (key: KeyObject, claims: Record<string, unknown>, audience = 'router.v1') =>
      new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA' }).setAudience(audience).sign(key);
    const soon = (): number => Math.floor(Date.now() / 1000) + 60;
    const claims = () => ({ tenantId: 'acme', sub: 'node-a', exp: soon() });
    const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

    it('without a signature, with one of another party or of a symmetric key, and expired ones', async () => {
      for (const good of [claims(), { ...claims(), nbf: soon() - 120 }])
        expect((await heartbeat(`Bearer ${await signed(a.privateKey, good)}`)).draining).to.equal(false);
      const stranger = generateKeyPairSync('ed25519').privateKey;
      const payload = base64url({ ...claims(), aud: 'router.v1' });
      const symmetric = `${base64url({ alg: 'HS256' })}.${payload}`;
      const mac = createHmac('sha256', a.identity.identityPublicKey).update(symmetric).digest('base64url');
      const wrong = [
        null,
        '',
        'Bearer',
        'Bearer x',
        'Bearer a.b.c',
        `Bearer ${'x'.repeat(5000)}`,
        `Bearer ${base64url({ alg: 'none' })}.${payload}.`,
        `Bearer ${symmetric}.${mac}`,
        `Bearer ${await signed(stranger, claims())}`,
        `Bearer ${await signed(b.privateKey, claims())}`,
        `Bearer ${await signed(a.privateKey, { ...claims(), exp: soon() - 1000 })}`,
        `Bearer ${await signed(a.privateKey, { tenantId: 'acme', sub: 'node-a' })}`,
        `Bearer ${await signed(a.privateKey, { ...claims(), nbf: soon() + 1000 })}`,
        `Bearer ${await signed(a.privateKey, { ...claims(), nbf: 'soon' })}`,
        `Bearer ${await signed(a.privateKey, { ...claims(), tenantId: 'other' })}`,
        `Bearer ${await signed(a.privateKey, { ...claims(), sub: 'nobody' })}`,
        `Bearer ${await signed(a.privateKey, claims(), 'elsewhere')}`,
        `bearer ${await signed(a.privateKey, claims())}`,
      ];
      for (const token of wrong)
        expect(await refusal(heartbeat(token)), String(token)).to.deep.equal(UNKNOWN);
    });

    it('where they are disabled', async () => {
      const closed = await hostRouter(fixture, { 'router-dev-tokens': false });
      expect(await refusal(closed.connect(a).heartbeat({ instanceId: 'i' }))).to.deep.equal(UNKNOWN);
      await closed.stop();
    });

    it('in production', async () => {
      const error: unknown = await hostRouter(fixture, {}, true).catch((reason: unknown) => reason);
      expect(String(error)).to.contain('router-dev-tokens is for development');
    });
  });

  it('suspended parties', async () => {
    const party = await fixture.createParty('suspended', 'server');
    await fixture.database.superuser.none(
      "update dbr_signing.parties set status = 'suspended' where party_id = 'suspended'",
    );
    expect(await refusal(host.connect(party).heartbeat({ instanceId: 'i' }))).to.deep.equal([
      status.PERMISSION_DENIED,
      'the party is not active',
    ]);
  });
});
