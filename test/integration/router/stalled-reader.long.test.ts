import { status, type ClientReadableStream } from '@grpc/grpc-js';
import { create } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  RouterService,
  SubscribeMessagesRequestSchema,
  type SubscribeMessagesResponse,
} from '../../../generated/proto/router/v1/router_pb.js';
import { serviceDefinition } from '../../../src/router/typed-service.js';
import { tokenCredentials } from '../../../examples/parties/router-client.js';
import { MAILBOX_CAPACITY } from '../../../src/mailbox/mailbox-store.js';
import { MAX_ENVELOPES } from '../../../src/router/limits.js';
import { runs, some } from '../../support/runs.js';
import type { TestParty } from '../../support/signing/signing-fixture.js';
import { envelope, readMailbox } from '../../support/router/router-host.js';
import {
  createRouterProcesses,
  MAILBOX_KINDS,
  skipNote,
  type RouterProcess,
  type RouterProcesses,
} from '../../support/router/router-processes.js';

const STALLED = runs(4, 1);
const PAYLOAD = randomBytes(16_384);
/** More than the pages that are on their way and what the collector has not come to, less than the 64 MiB that wait in each session. */
const MOST_MORE_BYTES = runs(200, 112) * 1_048_576;

// The router holds the pages of a stalled reader, whatever the mailboxes are in; what a store holds for one recipient, its own tests fill.
for (const kind of some(MAILBOX_KINDS, 2)) {
  describe(`readers that do not read, mailboxes in ${kind.name}${skipNote(kind)}`, function () {
    this.timeout(480_000);
    let processes: RouterProcesses;
    let service: RouterProcess;
    const streams: ClientReadableStream<SubscribeMessagesResponse>[] = [];
    before(async function () {
      if (kind.missing !== null) this.skip();
      processes = await createRouterProcesses(kind);
      service = await processes.start();
    });
    after(async () => {
      if (kind.missing !== null) return;
      for (const stream of streams) stream.cancel();
      await processes.drop();
    });

    /** Subscribes and reads nothing: the window of the stream fills and stays full. */
    async function stall(party: TestParty, sessionId: string): Promise<void> {
      const { identity, privateKey } = party;
      const { metadata } = tokenCredentials(identity.tenantId, identity.partyId, privateKey);
      const method = serviceDefinition(RouterService)['subscribeMessages'];
      if (method === undefined) throw new Error('there is no such method');
      const { channel } = processes.connect(service.port, party);
      const request = create(SubscribeMessagesRequestSchema, { sessionId, instanceId: randomUUID() });
      const stream = channel.makeServerStreamRequest<typeof request, SubscribeMessagesResponse>(
        method.path,
        method.requestSerialize,
        (bytes) => method.responseDeserialize(bytes) as SubscribeMessagesResponse,
        request,
        await metadata(),
      );
      stream.on('error', () => undefined);
      streams.push(stream);
    }

    /** @returns the number of accepted messages, and the error for the first refused one */
    async function sendUntilFull({ sessionId, parties }: Awaited<ReturnType<typeof session>>) {
      const [a] = parties;
      const client = processes.connect(service.port, a);
      for (let taken = 0; ; taken += MAX_ENVELOPES) {
        const envelopes = Array.from({ length: MAX_ENVELOPES }, (_, index) =>
          envelope(a, sessionId, { senderSequence: taken + index + 1, to: ['node-b'], payload: PAYLOAD }),
        );
        try {
          await client.sendMessages({ envelopes }, { deadline: Date.now() + 60_000 });
        } catch (error) {
          const { code, details } = error as { readonly code: status; readonly details: string };
          return [taken, code, details] as const;
        }
      }
    }

    const session = () => processes.fixture.startSession();

    it('fill their own mailboxes only', async () => {
      const before = await residentBytes(service);
      const stalled = await Promise.all(Array.from({ length: STALLED }, session));
      for (const { sessionId, parties } of stalled) await stall(parties[1], sessionId);
      const other = await session();
      const [a, b] = other.parties;
      const receiver = processes.connect(service.port, b);
      const reader = readMailbox(receiver, other.sessionId);
      const sender = processes.connect(service.port, a);
      let isFull = false;
      const full = Promise.all(stalled.map(sendUntilFull)).finally(() => (isFull = true));
      let sent = 0;
      while (!isFull || sent < 20) {
        sent += 1;
        await sender.sendMessages({
          envelopes: [envelope(a, other.sessionId, { senderSequence: sent, to: ['node-b'] })],
        });
        const came = await reader.deliveries(sent);
        expect(came.at(-1)?.envelope?.senderSequence).to.equal(BigInt(sent));
        await receiver.ackMessages({ sessionId: other.sessionId, upToSequence: BigInt(sent) });
      }
      for (const outcome of await full)
        expect(outcome).to.deep.equal([
          MAILBOX_CAPACITY,
          status.RESOURCE_EXHAUSTED,
          'the mailbox of node-b is full',
        ]);
      const more = (await residentBytes(service)) - before;
      expect(more).to.be.lessThan(MOST_MORE_BYTES);
      reader.stop();
      await reader.ended.catch(() => null);
    });
  });
}

async function residentBytes({ child }: RouterProcess): Promise<number> {
  const text = await readFile(`/proc/${String(child.pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1]) * 1024;
}
