import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { randomBytes, randomUUID } from 'node:crypto';
import { SessionState, type Delivery } from '../../../generated/proto/router/v1/router_pb.js';
import { openSeveringProxy, type SeveringProxy } from '../../support/postgres/severing-proxy.js';
import { envelope, readMailbox, refusal } from '../../support/router/router-host.js';
import {
  createRouterProcesses,
  MAILBOX_KINDS,
  skipNote,
  type RouterProcess,
  type RouterProcesses,
} from '../../support/router/router-processes.js';
import { runs } from '../../support/runs.js';
import {
  broadcast,
  readStubbornly,
  sendUntilAnswered,
  type StubbornReader,
} from '../../support/router/stubborn-party.js';

const ROUNDS = runs(24, 12);
const MESSAGES = runs(120, 40);
/** Messages while connections to the mailbox server break, one time in ten. */
const BREAKING = runs(120, 20);
/** Numbers of answers after which the router is killed. */
const KILLS = [MESSAGES, 2 * MESSAGES].slice(0, runs(2, 1));

/** The messages, sorted by round and then by sender. */
const transcript = (spoken: readonly (readonly [number, string, string])[]): readonly string[] =>
  spoken.map(([round, party, payload]) => `${String(round).padStart(3, '0')} ${party} ${payload}`).sort();

const heard = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ envelope: message }) => {
    if (message === undefined) throw new Error('a delivery without its envelope');
    return [message.round, message.fromPartyId, Buffer.from(message.payload).toString('hex')] as const;
  });

for (const kind of MAILBOX_KINDS) {
  describe(`a router that breaks, mailboxes in ${kind.name}${skipNote(kind)}`, function () {
    this.timeout(180_000);
    let processes: RouterProcesses;
    let proxy: SeveringProxy;
    let service: RouterProcess;
    before(async function () {
      if (kind.missing !== null) this.skip();
      processes = await createRouterProcesses(kind);
      service = await processes.start();
      proxy = await openSeveringProxy(`tcp://127.0.0.1:${String(service.port)}`);
    });
    after(async () => {
      if (kind.missing !== null) return;
      await proxy.close();
      await processes.drop();
    });

    it('gives both parties the same transcript', async () => {
      const { sessionId, parties } = await processes.fixture.startSession();
      const [a, b] = parties;
      const ends = [
        { party: a, client: processes.connect(service.port, a), said: randomParts() },
        // Its connections are reset.
        {
          party: b,
          client: processes.connect(Number(new URL(proxy.uri).port), b),
          said: randomParts(),
        },
      ] as const;
      let broken = 0;
      const run = async ({ party, client, said }: (typeof ends)[number]): Promise<StubbornReader> => {
        let reader = readStubbornly(client, sessionId, { ackEvery: 5 });
        for (const [index, payload] of said.entries()) {
          const round = index + 1;
          const other = party === a ? 'node-b' : 'node-a';
          const draft = { senderSequence: round, round, payload, to: [other] };
          const message = envelope(party, sessionId, draft);
          // Sends every message twice at the same time: one of the two is stored first.
          const sent = await Promise.all([1, 2].map(() => sendUntilAnswered(client, message)));
          if (sent.every(({ failures }) => failures === 0))
            expect(sent.map(({ duplicate }) => duplicate).sort()).to.deep.equal([false, true]);
          await reader.upTo(round);
          if (party === a) continue;
          if (round % 4 === 2) {
            // The reading process ends in mid-round; another one begins after the last acknowledgement.
            await reader.stop();
            reader = readStubbornly(client, sessionId, { ackEvery: 5, before: reader });
          }
          if (round % 4 === 3) {
            proxy.sever();
            broken += 1;
          }
        }
        return reader;
      };
      const [atA, atB] = await Promise.all(ends.map(run));
      if (atA === undefined || atB === undefined) throw new Error('an end is missing');
      const spokenBy = (index: 0 | 1, partyId: string) =>
        ends[index].said.map((payload, at) => [at + 1, partyId, payload.toString('hex')] as const);
      const atEndA = transcript([...spokenBy(0, 'node-a'), ...heard(atA.deliveries)]);
      const atEndB = transcript([...spokenBy(1, 'node-b'), ...heard(atB.deliveries)]);
      expect(atEndA)
        .to.deep.equal(atEndB)
        .and.to.have.lengthOf(2 * ROUNDS);
      expect(heard(atB.deliveries).map(([round]) => round)).to.deep.equal(numbers(ROUNDS));
      expect(broken).to.be.greaterThan(2);
      // Nothing is unacknowledged at a restart only when it fell on an acknowledgement; here none did.
      expect(atB.repeated).to.be.greaterThan(0);
      await Promise.all([atA.stop(), atB.stop()]);
    });

    it('detects a party that sends two messages under one sequence number, in either order', async () => {
      const { sessionId, parties } = await processes.fixture.startSession();
      const [a, b] = parties;
      const client = processes.connect(service.port, a);
      const reader = readMailbox(processes.connect(service.port, b), sessionId);
      const said = [1, 2].map(() =>
        envelope(a, sessionId, { senderSequence: 1, payload: randomBytes(32), messageId: randomUUID() }),
      );
      const answers = await Promise.all(
        said.map((message) =>
          client.sendMessages({ envelopes: [message] }).then(
            () => status.OK,
            (error: unknown) => (error as { readonly code: status }).code,
          ),
        ),
      );
      expect([...answers].sort()).to.deep.equal([status.OK, status.ALREADY_EXISTS]);
      expect((await reader.ended)?.closedWith).to.equal(SessionState.FAILED);
      expect(
        await refusal(client.sendMessages({ envelopes: [broadcast(a, sessionId, 2, randomBytes(1))] })),
      ).to.deep.equal([status.FAILED_PRECONDITION, 'the session is failed']);
    });

    it('loses no confirmed message when it is killed', async () => {
      const { fixture } = processes;
      let running = await processes.start();
      const { port } = running;
      const sessions = await Promise.all(numbers(3).map(() => fixture.startSession()));
      let answered = 0;
      let resent = 0;
      const kills = KILLS.map((at) => ({ at, done: false }));
      const killAt = async (count: number): Promise<void> => {
        const due = kills.find(({ at, done }) => !done && count >= at);
        if (due === undefined) return;
        due.done = true;
        await running.stop('SIGKILL');
        running = await processes.start(port);
      };
      const restarts: Promise<void>[] = [];
      const send = async ({ sessionId, parties: [a] }: (typeof sessions)[number]): Promise<void> => {
        const client = processes.connect(port, a);
        for (const senderSequence of numbers(MESSAGES)) {
          const message = broadcast(a, sessionId, senderSequence, randomBytes(200));
          const { duplicate, failures } = await sendUntilAnswered(client, message);
          if (failures === 0) expect(duplicate).to.equal(false);
          else resent += 1;
          answered += 1;
          restarts.push(killAt(answered));
        }
      };
      const readers = sessions.flatMap(({ sessionId, parties: [, b, c] }) =>
        [b, c].map((party) => readStubbornly(processes.connect(port, party), sessionId, { ackEvery: 3 })),
      );
      await Promise.all(sessions.map(send));
      await Promise.all(restarts);
      for (const reader of readers) {
        await reader.upTo(MESSAGES);
        const order = reader.deliveries.map(({ envelope: message }) => Number(message?.senderSequence));
        expect(order).to.deep.equal(numbers(MESSAGES));
      }
      expect(kills.every(({ done }) => done)).to.equal(true);
      expect(resent).to.be.greaterThan(0);
      await Promise.all(readers.map((reader) => reader.stop()));
      await running.stop();
    });

    it('delivers every message in order although its connections to the mailbox server break', async () => {
      const storage = await openSeveringProxy(processes.mailboxUri);
      const running = await processes.start(undefined, storage.uri);
      const { sessionId, parties } = await processes.fixture.startSession();
      const [a, b, c] = parties;
      const readers = [b, c].map((party) =>
        readStubbornly(processes.connect(running.port, party), sessionId, { ackEvery: 3 }),
      );
      const client = processes.connect(running.port, a);
      for (const senderSequence of numbers(BREAKING)) {
        const sending = sendUntilAnswered(client, broadcast(a, sessionId, senderSequence, randomBytes(200)));
        // Breaks the connection before the message arrives, during the call, or after the response.
        if (senderSequence % 20 === 7) storage.sever();
        await sending;
        if (senderSequence % 20 === 14) storage.sever();
      }
      for (const reader of readers) {
        await reader.upTo(BREAKING);
        const order = reader.deliveries.map(({ envelope: message }) => Number(message?.senderSequence));
        expect(order).to.deep.equal(numbers(BREAKING));
      }
      await Promise.all(readers.map((reader) => reader.stop()));
      expect(running.output()).not.to.contain('a call of a party failed');
      await running.stop();
      await storage.close();
    });
  });
}

const randomParts = (): readonly Buffer[] => numbers(ROUNDS).map(() => randomBytes(100));

/** The numbers from 1 to the count. */
function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
