import { Client, credentials, status, type ServiceError } from '@grpc/grpc-js';
import { expect } from 'chai';
import { createPublicKey, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import type { RouterClient } from '../../../examples/parties/router-client.js';
import {
  EncryptionSuite,
  PartyRole,
  SessionEventType,
  SessionState,
} from '../../../generated/proto/router/v1/router_pb.js';
import { sha256 } from '../../../src/base/hash.js';
import { PortTaken } from '../../../src/router/port.js';
import { accountKey, DIGEST, type TestParty } from '../../support/signing/signing-fixture.js';
import { createRouterFixture, type Draft, type RouterFixture } from '../../support/router/router-fixture.js';
import {
  envelope,
  hostRouter,
  readMailbox,
  refusal,
  type Reader,
  type RouterHost,
} from '../../support/router/router-host.js';

describe('the router', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let host: RouterHost;
  let a: TestParty, b: TestParty, c: TestParty;
  let clientA: RouterClient, clientB: RouterClient, clientC: RouterClient;
  before(async () => {
    fixture = await createRouterFixture();
    host = await hostRouter(fixture);
    [a, b, c] = fixture.parties;
    [clientA, clientB, clientC] = [host.connect(a), host.connect(b), host.connect(c)];
  });
  after(async () => {
    await host.stop();
    await fixture.drop();
  });

  const send = (sessionId: string, drafts: readonly Draft[]) =>
    clientA.sendMessages({ envelopes: drafts.map((draft) => envelope(a, sessionId, draft)) });

  it('returns the identity and the limits of a party', async () => {
    const answer = await clientA.registerParty({ instanceId: 'one', softwareVersion: '1' });
    expect(answer).to.deep.include({
      partyId: 'node-a',
      role: PartyRole.SERVER,
      maxPayloadBytes: 1_048_576,
      maxUnacked: 256,
    });
    expect(answer.heartbeatInterval?.seconds).to.equal(15n);
    expect(await clientA.heartbeat({ instanceId: 'one' })).to.deep.include({
      oneTimeKeysLeft: 0,
      draining: false,
    });
  });

  it('accepts encryption keys from their party alone', async () => {
    const key = {
      keyId: 'k',
      suite: EncryptionSuite.HPKE_X25519_SHA256_AES256GCM,
      publicKey: new Uint8Array(32).fill(9),
      oneTime: true,
      signature: new Uint8Array(64),
    };
    const register = (one: Partial<typeof key>) =>
      refusal(clientA.registerParty({ instanceId: 'one', encryptionKeys: [one] }));
    expect(await register(key)).to.deep.equal([
      status.INVALID_ARGUMENT,
      "key k is not signed by the party's identity key",
    ]);
    expect(await register({ keyId: 'k' })).to.deep.equal([
      status.INVALID_ARGUMENT,
      'encryption_keys: unknown suite',
    ]);
  });

  it('carries a session from its first event to the signature', async () => {
    const gone = new AbortController();
    const { sessionId } = await fixture.createOpenSession();
    const events: SessionEventType[] = [];
    const signature = sign(null, Buffer.from(DIGEST, 'hex'), accountKey.privateKey);
    const completion = async () => {
      const stream = clientA.subscribeSessionEvents({ instanceId: 'one' }, { signal: gone.signal });
      for await (const { item } of stream) {
        if (item.case !== 'event' || item.value.session?.sessionId !== sessionId) continue;
        events.push(item.value.type);
        if (item.value.type === SessionEventType.COMPLETED) return item.value;
      }
      return null;
    };
    const completed = completion();
    for (const one of [clientA, clientB, clientC]) await one.joinSession({ sessionId, instanceId: 'one' });
    await send(sessionId, [{ senderSequence: 1 }]);
    const reader = readMailbox(clientB, sessionId);
    await reader.deliveries(1);
    const outcome = { case: 'signature', value: signature } as const;
    const reported = await clientA.reportResult({ sessionId, outcome });
    expect(reported.session?.state).to.equal(SessionState.COMPLETED);
    expect((await completed)?.session?.signature).to.deep.equal(signature);
    expect(events).to.deep.equal([
      SessionEventType.CREATED,
      SessionEventType.PARTY_JOINED,
      SessionEventType.PARTY_JOINED,
      SessionEventType.PARTY_JOINED,
      SessionEventType.STARTED,
      SessionEventType.COMPLETED,
    ]);
    expect((await reader.ended)?.closedWith).to.equal(SessionState.COMPLETED);
    expect(await refusal(send(sessionId, [{ senderSequence: 2 }]))).to.deep.equal([
      status.FAILED_PRECONDITION,
      'the session is completed',
    ]);
    expect((await readMailbox(clientB, sessionId).ended)?.closedWith).to.equal(SessionState.COMPLETED);
    gone.abort();
  });

  it('delivers signed envelopes in order, and again after a lost connection', async () => {
    const { sessionId } = await fixture.startSession();
    const sent = envelope(a, sessionId, { senderSequence: 1, to: ['node-b'], round: 3 });
    const duplicates = async () =>
      (await clientA.sendMessages({ envelopes: [sent] })).results.map(({ duplicate }) => duplicate);
    expect(await duplicates()).to.deep.equal([false]);
    expect(await duplicates()).to.deep.equal([true]);
    const first = readMailbox(clientB, sessionId);
    const [delivery] = await first.deliveries(1);
    expect(delivery).to.deep.include({ sequence: 1n, redeliveryCount: 0 });
    expect(delivery?.envelope).to.deep.include(sent);
    first.stop();
    await first.ended.catch(() => null);
    const again = readMailbox(clientB, sessionId);
    expect((await again.deliveries(1))[0]).to.deep.include({ sequence: 1n, redeliveryCount: 1 });
    const { ackedSequence } = await clientB.ackMessages({ sessionId, upToSequence: 1n });
    expect(ackedSequence).to.equal(1n);
    again.stop();
    await again.ended.catch(() => null);
    const last = readMailbox(clientB, sessionId);
    await send(sessionId, [{ senderSequence: 2 }]);
    expect((await last.deliveries(1)).map(({ sequence }) => sequence)).to.deep.equal([2n]);
    last.stop();
    await last.ended.catch(() => null);
  });

  it('ends the older of two readers of one mailbox', async () => {
    const { sessionId } = await fixture.startSession();
    await send(sessionId, [{ senderSequence: 1 }]);
    const older = readMailbox(clientB, sessionId);
    await older.deliveries(1);
    const newer = readMailbox(host.connect(b), sessionId);
    expect(await refusal(older.ended)).to.deep.equal([
      status.ABORTED,
      'a newer subscription reads this mailbox',
    ]);
    await newer.deliveries(1);
    newer.stop();
    await newer.ended.catch(() => null);
  });

  it('lets at most 256 deliveries wait for their acknowledgement', async () => {
    const { sessionId } = await fixture.startSession();
    for (let first = 1; first <= 320; first += 64) {
      const numbers = Array.from({ length: 64 }, (_, index) => first + index);
      await send(
        sessionId,
        numbers.map((senderSequence) => ({ senderSequence, to: ['node-b'] })),
      );
    }
    const reader = readMailbox(clientB, sessionId);
    expect(await reader.deliveries(256)).to.have.lengthOf(256);
    await clientB.ackMessages({ sessionId, upToSequence: 10n });
    expect(await reader.deliveries(266)).to.have.lengthOf(266);
    await clientB.ackMessages({ sessionId, upToSequence: 266n });
    const all = await reader.deliveries(320);
    expect(all.map(({ sequence }) => sequence)).to.deep.equal(
      Array.from({ length: 320 }, (_, index) => BigInt(index + 1)),
    );
    reader.stop();
    await reader.ended.catch(() => null);
  });

  it('fails the session of a party that sends two messages under one sequence number', async () => {
    const { sessionId } = await fixture.startSession();
    const reader = readMailbox(clientB, sessionId);
    await send(sessionId, [{ senderSequence: 1, payload: Buffer.from('one') }]);
    const [code, details] = await refusal(
      send(sessionId, [{ senderSequence: 1, payload: Buffer.from('other') }]),
    );
    expect(code).to.equal(status.ALREADY_EXISTS);
    expect(details).to.match(/^another message was accepted before: SHA-256 [0-9a-f]{64}, now [0-9a-f]{64}$/);
    expect((await reader.ended)?.closedWith).to.equal(SessionState.FAILED);
    const { failureReason } = await fixture.signing.sessions.session(a.identity, sessionId);
    expect(failureReason).to.equal('equivocation');
    const [row] = await fixture.database.superuser.any<{ readonly failure_detail: string }>(
      'select failure_detail from dbr_signing.signing_sessions where session_id = $1',
      [sessionId],
    );
    const hashes = details.match(/[0-9a-f]{64}/g) ?? [];
    for (const hash of hashes) expect(row?.failure_detail).to.contain(hash);
    const [proof] = await fixture.database.superuser.any<Readonly<Record<string, Buffer>>>(
      'select * from dbr_signing.equivocations where session_id = $1',
      [sessionId],
    );
    for (const [index, name] of ['first', 'second'].entries()) {
      const statement = proof?.[`${name}_statement`] ?? Buffer.alloc(0);
      const signature = proof?.[`${name}_signature`] ?? Buffer.alloc(0);
      expect(sha256(statement).toString('hex')).to.equal(hashes[index]);
      expect(verify(null, statement, createPublicKey(a.privateKey), signature)).to.equal(true);
      expect(statement.toString('latin1')).to.contain(index === 0 ? 'one' : 'other');
    }
    const entries = await fixture.database.superuser.any<object>(
      "select actor, before ->> 'sha256' as before, after ->> 'sha256' as after from dbr_signing.audit_log where subject = $1 and action = 'session.equivocation'",
      [`session:${sessionId}`],
    );
    expect(entries).to.deep.equal([{ actor: 'party:node-a', before: hashes[0], after: hashes[1] }]);
  });

  it('aborts a call when its deadline has passed', async () => {
    const { sessionId } = await fixture.startSession();
    await fixture.database.superuser.tx(async (transaction) => {
      const lock = 'select from dbr_signing.signing_sessions where session_id = $1 for update';
      await transaction.any(lock, [sessionId]);
      const envelopes = [envelope(a, sessionId, { senderSequence: 1 })];
      const [code] = await refusal(clientA.sendMessages({ envelopes }, { deadline: Date.now() + 200 }));
      expect(code).to.equal(status.DEADLINE_EXCEEDED);
    });
  });

  it('limits the calls of a party per second', async () => {
    const limited = await hostRouter(fixture, { 'router-call-limit': 2 });
    const calls = limited.connect(a);
    const answers = await Promise.allSettled(
      Array.from({ length: 12 }, () => calls.heartbeat({ instanceId: 'i' })),
    );
    const codes = answers.map((answer) =>
      answer.status === 'fulfilled' ? status.OK : (answer.reason as { readonly code: number }).code,
    );
    expect(new Set(codes)).to.deep.equal(new Set([status.OK, status.RESOURCE_EXHAUSTED]));
    await limited.stop();
  });

  it('keeps many streams open without a warning of the runtime', async () => {
    const many = await hostRouter(fixture);
    const warnings: string[] = [];
    const listen = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', listen);
    const readers: Reader[] = [];
    for (let number = 1; number <= 12; number += 1) {
      const { sessionId } = await fixture.startSession();
      await send(sessionId, [{ senderSequence: 1 }]);
      const reader = readMailbox(many.connect(b), sessionId);
      await reader.deliveries(1);
      readers.push(reader);
    }
    for (const reader of readers) reader.stop();
    await Promise.all(readers.map(({ ended }) => ended.catch(() => null)));
    process.off('warning', listen);
    await many.stop();
    expect(warnings).to.deep.equal([]);
  });

  it('reports a port that is in use', async () => {
    const error: unknown = await hostRouter(fixture, { 'router-port': host.router.port }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(PortTaken);
  });

  it('ends its streams when it stops, without an event that the session does not have', async () => {
    const stopping = await hostRouter(fixture);
    const { sessionId } = await fixture.startSession();
    const reader = readMailbox(stopping.connect(b), sessionId);
    await send(sessionId, [{ senderSequence: 1 }]);
    await reader.deliveries(1);
    const stopped = stopping.stop();
    const last = await reader.ended.catch(() => null);
    expect(last?.closedWith ?? SessionState.UNSPECIFIED).to.equal(SessionState.UNSPECIFIED);
    await stopped;
  });

  it('ends the streams of health when it stops, which last as long as their clients', async () => {
    const stopping = await hostRouter(fixture);
    const client = new Client(`127.0.0.1:${String(stopping.router.port)}`, credentials.createInsecure());
    const asBytes = (bytes: Buffer): Buffer => bytes;
    const watch = client.makeServerStreamRequest(
      '/grpc.health.v1.Health/Watch',
      asBytes,
      asBytes,
      Buffer.alloc(0),
    );
    await once(watch, 'data');
    watch.resume();
    const ended = once(watch, 'error') as Promise<[ServiceError]>;
    await stopping.stop();
    const [{ code, details }] = await ended;
    client.close();
    expect([code, details]).to.deep.equal([status.UNAVAILABLE, 'the router is stopping: try another one']);
  });
});
