import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { randomBytes, randomUUID } from 'node:crypto';
import { FailureReason, SessionState, type Delivery } from '../../../generated/proto/router/v1/router_pb.js';
import { MAX_WINDOW } from '../../../src/mailbox/mailbox-store.js';
import { MAX_MAILBOX_STREAMS } from '../../../src/router/limits.js';
import { openSeveringProxy } from '../../support/postgres/severing-proxy.js';
import { subscribeMailbox } from '../../support/router/mailbox-subscriber.js';
import { envelope, readMailbox, refusal } from '../../support/router/router-host.js';
import type { RunningSession } from '../../support/router/router-fixture.js';
import {
  createRouterProcesses,
  MAILBOX_KINDS,
  skipNote,
  type RouterProcess,
  type RouterProcesses,
} from '../../support/router/router-processes.js';
import { broadcast } from '../../support/router/stubborn-party.js';
import { some } from '../../support/runs.js';

const SUPERSEDED = [status.ABORTED, 'a newer subscription reads this mailbox'];

const numbersOf = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ sequence, redeliveryCount }) => [Number(sequence), redeliveryCount]);

// A router reads its own log of either kind alike; the stores have tests of their own.
for (const kind of some(MAILBOX_KINDS, 2, 1)) {
  describe(`one subscription for all sessions, mailboxes in ${kind.name}${skipNote(kind)}`, function () {
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

    const start = () => processes.fixture.startSession();
    const send = ({ sessionId, parties: [a] }: RunningSession, numbers: readonly number[], at = one) =>
      processes.connect(at.port, a).sendMessages({
        envelopes: numbers.map((number) => broadcast(a, sessionId, number, randomBytes(8))),
      });
    const end = ({ sessionId, parties: [a] }: RunningSession, at = one) =>
      processes.connect(at.port, a).reportResult({
        sessionId,
        outcome: { case: 'abort', value: { reason: FailureReason.PARTY_ABORTED, detail: 'enough' } },
      });

    it('delivers the sessions in progress and those that start later, also by another process', async () => {
      const earlier = [await start(), await start()];
      const [, b] = processes.fixture.parties;
      const client = processes.connect(two.port, b);
      const reader = subscribeMailbox(client);
      for (const session of earlier) await send(session, [1, 2]);
      const later = await start();
      await send(later, [1, 2, 3], two);
      for (const { sessionId } of earlier)
        expect(numbersOf(await reader.deliveries(sessionId, 2))).to.deep.equal([
          [1, 0],
          [2, 0],
        ]);
      const deliveries = await reader.deliveries(later.sessionId, 3);
      expect(deliveries.map(({ envelope: message }) => message?.sessionId)).to.deep.equal(
        Array.from({ length: 3 }, () => later.sessionId),
      );
      expect(numbersOf(deliveries)).to.deep.equal([
        [1, 0],
        [2, 0],
        [3, 0],
      ]);
      const ack = { sessionId: later.sessionId, upToSequence: 3n };
      expect((await client.ackMessages(ack)).ackedSequence).to.equal(3n);
      reader.stop();
      await reader.ended.catch(() => undefined);
      for (const session of [...earlier, later]) await end(session);
    });

    it('ends a session with its state once, and continues with the others', async () => {
      const [first, second] = [await start(), await start()];
      const [, b] = processes.fixture.parties;
      const reader = subscribeMailbox(processes.connect(one.port, b));
      await send(first, [1]);
      await reader.deliveries(first.sessionId, 1);
      await end(first, two);
      expect(await reader.closedWith(first.sessionId)).to.equal(SessionState.FAILED);
      await send(second, [1]);
      await reader.deliveries(second.sessionId, 1);
      // A change of another session makes the stream look for sessions again.
      const third = await start();
      await send(third, [1]);
      await reader.deliveries(third.sessionId, 1);
      expect(reader.ends).to.deep.equal([first.sessionId]);
      reader.stop();
      await reader.ended.catch(() => undefined);
      for (const session of [second, third]) await end(session);
    });

    it('resumes each session after a lost connection, and reports one that ended meanwhile', async () => {
      const [first, second, gone] = [await start(), await start(), await start()];
      const [, b] = processes.fixture.parties;
      const proxy = await openSeveringProxy(`tcp://127.0.0.1:${String(one.port)}`);
      const broken = subscribeMailbox(processes.connect(Number(new URL(proxy.uri).port), b));
      for (const session of [first, second, gone]) await send(session, [1, 2]);
      for (const { sessionId } of [first, second, gone]) await broken.deliveries(sessionId, 2);
      const client = processes.connect(two.port, b);
      await client.ackMessages({ sessionId: first.sessionId, upToSequence: 1n });
      proxy.sever();
      await broken.ended.catch(() => undefined);
      await end(gone);
      await send(first, [3]);
      const reader = subscribeMailbox(client, [
        { sessionId: second.sessionId, sequence: 1n },
        { sessionId: gone.sessionId, sequence: 2n },
      ]);
      expect(numbersOf(await reader.deliveries(first.sessionId, 2))).to.deep.equal([
        [2, 1],
        [3, 0],
      ]);
      expect(numbersOf(await reader.deliveries(second.sessionId, 1))).to.deep.equal([[2, 1]]);
      expect(await reader.closedWith(gone.sessionId)).to.equal(SessionState.FAILED);
      reader.stop();
      await reader.ended.catch(() => undefined);
      await proxy.close();
      for (const session of [first, second]) await end(session);
    });

    it('is ended by a newer subscription of its sessions, in every process', async () => {
      const session = await start();
      const [, b] = processes.fixture.parties;
      const oldest = subscribeMailbox(processes.connect(one.port, b));
      await send(session, [1]);
      await oldest.deliveries(session.sessionId, 1);
      const newer = subscribeMailbox(processes.connect(two.port, b));
      expect(await refusal(oldest.ended)).to.deep.equal(SUPERSEDED);
      expect(numbersOf(await newer.deliveries(session.sessionId, 1))).to.deep.equal([[1, 1]]);
      const newest = readMailbox(processes.connect(one.port, b), session.sessionId);
      expect(await refusal(newer.ended)).to.deep.equal(SUPERSEDED);
      expect(numbersOf(await newest.deliveries(1))).to.deep.equal([[1, 2]]);
      newest.stop();
      await newest.ended.catch(() => undefined);
      await end(session);
    });

    it('holds up no session while the window of another one is full', async () => {
      const [full, other] = [await start(), await start()];
      const [, b] = processes.fixture.parties;
      const client = processes.connect(one.port, b);
      const reader = subscribeMailbox(client);
      for (let first = 1; first <= MAX_WINDOW + 1; first += 64)
        await send(
          full,
          Array.from({ length: 64 }, (_, index) => first + index),
        );
      await reader.deliveries(full.sessionId, MAX_WINDOW);
      await send(other, [1]);
      await reader.deliveries(other.sessionId, 1);
      expect(await reader.deliveries(full.sessionId, 0)).to.have.lengthOf(MAX_WINDOW);
      await client.ackMessages({ sessionId: full.sessionId, upToSequence: BigInt(MAX_WINDOW) });
      const all = await reader.deliveries(full.sessionId, MAX_WINDOW + 64);
      expect(all.map(({ sequence }) => Number(sequence))).to.deep.equal(
        Array.from({ length: MAX_WINDOW + 64 }, (_, index) => index + 1),
      );
      reader.stop();
      await reader.ended.catch(() => undefined);
      for (const session of [full, other]) await end(session);
    });

    it('refuses positions that are not of the party or ahead of it, and too many streams', async () => {
      const session = await start();
      const { sessionId } = session;
      const stranger = await processes.fixture.createParty(`stranger-${randomUUID().slice(0, 8)}`, 'server');
      const client = processes.connect(one.port, stranger);
      const [, b] = processes.fixture.parties;
      const ask = (by: typeof client, after: readonly { sessionId: string; sequence: bigint }[]) =>
        refusal(by.subscribeMailbox({ instanceId: 'i', after: [...after] }));
      const position = { sessionId, sequence: 1n };
      expect(await ask(client, [position])).to.deep.equal([
        status.NOT_FOUND,
        'no such session for this party',
      ]);
      const own = processes.connect(one.port, b);
      expect(await ask(own, [position])).to.deep.equal([
        status.FAILED_PRECONDITION,
        'after_sequence: 0 was delivered last',
      ]);
      expect(await ask(own, [position, position])).to.deep.equal([
        status.INVALID_ARGUMENT,
        'after: a session is named twice',
      ]);
      const streams = Array.from({ length: MAX_MAILBOX_STREAMS + 1 }, () => subscribeMailbox(client));
      const refused = await Promise.race(streams.map(({ ended }) => refusal(ended)));
      expect(refused).to.deep.equal([status.RESOURCE_EXHAUSTED, 'too many open streams']);
      for (const stream of streams) stream.stop();
      await Promise.allSettled(streams.map(({ ended }) => ended));
      await end(session);
    });

    it('delivers no message of a party to itself, and those to named recipients alone', async () => {
      const session = await start();
      const [a, b, c] = session.parties;
      const readers = [a, b, c].map((party) => subscribeMailbox(processes.connect(one.port, party)));
      const { sessionId } = session;
      const toC = envelope(a, sessionId, { senderSequence: 1, to: ['node-c'] });
      const toAll = envelope(a, sessionId, { senderSequence: 2 });
      await processes.connect(one.port, a).sendMessages({ envelopes: [toC, toAll] });
      const [atA, atB, atC] = readers;
      if (atA === undefined || atB === undefined || atC === undefined) throw new Error('a reader is missing');
      const idsOf = async (reader: typeof atA, count: number) =>
        (await reader.deliveries(sessionId, count)).map(({ envelope: message }) => message?.messageId);
      expect(await idsOf(atC, 2)).to.deep.equal([toC.messageId, toAll.messageId]);
      expect(await idsOf(atB, 1)).to.deep.equal([toAll.messageId]);
      await end(session);
      await atA.closedWith(sessionId);
      expect(await idsOf(atA, 0)).to.deep.equal([]);
      for (const reader of readers) reader.stop();
      await Promise.allSettled(readers.map(({ ended }) => ended));
    });
  });
}
