import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { FailureReason, SessionState } from '../../../generated/proto/router/v1/router_pb.js';
import { BURST_SECONDS } from '../../../src/router/limits.js';
import { readMailbox, refusal } from '../../support/router/router-host.js';
import {
  createRouterProcesses,
  MAILBOX_KINDS,
  skipNote,
  type RouterProcess,
  type RouterProcesses,
} from '../../support/router/router-processes.js';
import { runs } from '../../support/runs.js';
import { broadcast } from '../../support/router/stubborn-party.js';

const HOPS = runs(40, 15);

for (const kind of MAILBOX_KINDS) {
  describe(`two routers of one database, mailboxes in ${kind.name}${skipNote(kind)}`, function () {
    this.timeout(120_000);
    let processes: RouterProcesses;
    let one: RouterProcess;
    let two: RouterProcess;
    before(async function () {
      if (kind.missing !== null) this.skip();
      processes = await createRouterProcesses(kind);
      [one, two] = await Promise.all([processes.start(), processes.start()]);
    });
    after(async () => {
      if (kind.missing === null) await processes.drop();
    });

    it('deliver in order the messages that the other one accepted, in both directions', async () => {
      const { sessionId, parties } = await processes.fixture.startSession();
      const [a, b] = parties;
      const atOne = processes.connect(one.port, a);
      const atTwo = processes.connect(two.port, b);
      const readers = [readMailbox(atOne, sessionId), readMailbox(atTwo, sessionId)] as const;
      for (let hop = 1; hop <= HOPS; hop += 1) {
        await atOne.sendMessages({ envelopes: [broadcast(a, sessionId, hop, randomBytes(8))] });
        await readers[1].deliveries(hop);
        await atTwo.sendMessages({ envelopes: [broadcast(b, sessionId, hop, randomBytes(8))] });
        await readers[0].deliveries(hop);
      }
      for (const reader of readers)
        expect((await reader.deliveries(HOPS)).map(({ sequence }) => Number(sequence))).to.deep.equal(
          Array.from({ length: HOPS }, (_, index) => index + 1),
        );
      for (const reader of readers) reader.stop();
      await Promise.allSettled(readers.map(({ ended }) => ended));
    });

    it('keep the newest reader of a mailbox and end the older one', async () => {
      const { sessionId, parties } = await processes.fixture.startSession();
      const [a, b] = parties;
      const older = readMailbox(processes.connect(one.port, b), sessionId);
      const sender = processes.connect(two.port, a);
      await sender.sendMessages({ envelopes: [broadcast(a, sessionId, 1, randomBytes(8))] });
      await older.deliveries(1);
      const newer = readMailbox(processes.connect(two.port, b), sessionId);
      expect(await refusal(older.ended)).to.deep.equal([
        status.ABORTED,
        'a newer subscription reads this mailbox',
      ]);
      expect((await newer.deliveries(1))[0]?.redeliveryCount).to.equal(1);
      newer.stop();
      await newer.ended.catch(() => null);
    });

    it('end their streams when the session ends at the other one', async () => {
      const { sessionId, parties } = await processes.fixture.startSession();
      const [a, b] = parties;
      const atOne = processes.connect(one.port, a);
      const reader = readMailbox(processes.connect(two.port, b), sessionId);
      await atOne.sendMessages({ envelopes: [broadcast(a, sessionId, 1, randomBytes(8))] });
      await reader.deliveries(1);
      const value = { reason: FailureReason.PARTY_ABORTED, detail: 'enough' };
      await atOne.reportResult({ sessionId, outcome: { case: 'abort', value } });
      expect((await reader.ended)?.closedWith).to.equal(SessionState.FAILED);
      const kept = await processes.fixture.database.superuser.one<{ readonly rows: string }>(
        `select
          (select count(*) from dbr_signing.router_log where session_id = $1)
          + (select count(*) from dbr_signing.router_readers where session_id = $1) as rows`,
        [sessionId],
      );
      expect(kept.rows).to.equal('0');
    });
  });
}

describe('a router with mailboxes in PostgreSQL', function () {
  this.timeout(120_000);
  let processes: RouterProcesses;
  before(async () => {
    processes = await createRouterProcesses({ name: 'PostgreSQL', missing: null, bus: false });
  });
  after(() => processes.drop());

  it('reports messages to other processes, so that they need not poll', async () => {
    const { fixture } = processes;
    const { port } = await processes.start();
    const { sessionId, parties } = await fixture.startSession();
    const [a] = parties;
    let notify = (): void => undefined;
    const isNotified = new Promise<void>((resolve) => (notify = resolve));
    const watches = fixture.feed.open<null, never>({
      topic: 'mailbox',
      pollMs: 600_000,
      onReport: 'notify',
      work: 'messages between parties',
      query: () => Promise.resolve([]),
    });
    watches.add({ key: sessionId, seen: null, notify });
    const envelopes = [broadcast(a, sessionId, 1, randomBytes(8))];
    await processes.connect(port, a).sendMessages({ envelopes });
    await isNotified;
    await watches.close();
  });

  it('delivers in order through whichever of several workers its parties are connected to', async () => {
    const { port } = await processes.start(undefined, undefined, { DBR_SERVER_WORKERS: String(runs(3, 2)) });
    const { sessionId, parties } = await processes.fixture.startSession();
    const [a, b] = parties;
    const readers = [
      readMailbox(processes.connect(port, a), sessionId),
      readMailbox(processes.connect(port, b), sessionId),
    ] as const;
    for (let hop = 1; hop <= HOPS; hop += 1) {
      // A new connection for each message, accepted by any worker.
      const senders = [processes.connect(port, a), processes.connect(port, b)] as const;
      await senders[0].sendMessages({ envelopes: [broadcast(a, sessionId, hop, randomBytes(8))] });
      await readers[1].deliveries(hop);
      await senders[1].sendMessages({ envelopes: [broadcast(b, sessionId, hop, randomBytes(8))] });
      await readers[0].deliveries(hop);
      for (const sender of senders) sender.close();
    }
    for (const reader of readers)
      expect((await reader.deliveries(HOPS)).map(({ sequence }) => Number(sequence))).to.deep.equal(
        Array.from({ length: HOPS }, (_, index) => index + 1),
      );
    for (const reader of readers) reader.stop();
    await Promise.allSettled(readers.map(({ ended }) => ended));
  });

  it('counts the calls of a party once for all workers', async () => {
    const callLimit = 5;
    const { port } = await processes.start(undefined, undefined, {
      DBR_SERVER_WORKERS: String(runs(4, 2)),
      DBR_ROUTER_CALL_LIMIT: String(callLimit),
    });
    const [a] = (await processes.fixture.startSession()).parties;
    const begun = performance.now();
    const calls = Array.from({ length: 12 }, async () => {
      const client = processes.connect(port, a);
      const codes = [];
      for (let sent = 0; sent < 6; sent += 1)
        codes.push(
          await client.heartbeat({ instanceId: 'one', encryptionKeys: [] }).then(
            () => status.OK,
            (error: unknown) => refusalCode(error),
          ),
        );
      return codes;
    });
    const codes = (await Promise.all(calls)).flat();
    const granted = codes.filter((code) => code === status.OK).length;
    const refilled = Math.ceil(((performance.now() - begun) / 1000) * callLimit);
    expect(granted).to.be.within(callLimit * BURST_SECONDS, callLimit * BURST_SECONDS + refilled);
    expect(codes).to.include(status.RESOURCE_EXHAUSTED);
  });
});

const refusalCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : error;
