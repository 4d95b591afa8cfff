import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { LogEntry, MailboxLog } from '../../../src/mailbox/mailbox-log.js';
import { connectNatsMailboxLog } from '../../../src/mailbox/nats-mailbox-log.js';
import { logged, messagesEntry, outgoing } from '../../support/router/mailbox-entries.js';
import { natsMissing, startNatsCluster, type NatsServer } from '../../support/router/nats-server.js';
import { UNOBSERVED } from '../../support/unobserved.js';
import { until } from '../../support/until.js';

const ROUNDS = 200;
const WRITERS = 3;
const MAX_BYTES = 64 * 1_048_576;

const missing = natsMissing();

describe(`logs in a cluster of NATS servers${missing === null ? '' : `: skipped, ${missing}`}`, function () {
  this.timeout(120_000);
  let cluster: Pick<NatsServer, 'uri' | 'stop'>;
  const logs: MailboxLog[] = [];
  before(async function () {
    if (missing !== null) this.skip();
    cluster = await startNatsCluster();
    const openOne = () =>
      connectNatsMailboxLog(cluster.uri, { maxBytes: MAX_BYTES, replicas: 0 }, UNOBSERVED);
    await until(async () => {
      try {
        logs.push((await openOne())(() => Promise.resolve()));
        return true;
      } catch {
        // The servers have not found each other.
        return false;
      }
    });
    while (logs.length < WRITERS) logs.push((await openOne())(() => Promise.resolve()));
  });
  after(async () => {
    for (const log of logs) await log.close();
    if (missing === null) await cluster.stop();
  });

  it('are kept by three servers of an address that names three', async () => {
    const connection = await connect({ servers: cluster.uri.replaceAll('nats://', '').split(',') });
    const { config } = await (await jetstreamManager(connection)).streams.info('DBR_ROUTER');
    await connection.close();
    expect(config.num_replicas).to.equal(3);
  });

  it('take one of several entries after the same position, the same for all processes', async () => {
    const session = { tenantId: 't', sessionId: randomUUID() };
    const written: LogEntry[] = [];
    let position = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const outcomes = await Promise.all(
        logs.map((log, writer) => {
          const entry = { kind: 'acked', partyId: `p${String(writer)}`, upTo: round } as const;
          return log.append({ ...session, position }, { entry, payloads: [], receivers: [] }, false);
        }),
      );
      const winners = outcomes.filter((outcome) => outcome.kind === 'written');
      expect(winners.length, `round ${String(round)}`).to.equal(1);
      for (const winner of winners) {
        written.push(winner.entry);
        position = winner.position;
      }
    }
    for (const log of logs) {
      const [page] = await log.read([{ ...session, position: 0 }]);
      expect(page?.entries.map(({ entry }) => entry)).to.deep.equal(written);
    }
  });

  it('give no payload and no entry of another session, whatever position is asked for', async () => {
    const [one, other] = [randomUUID(), randomUUID()].map((sessionId) => ({ tenantId: 't', sessionId }));
    const [log] = logs;
    if (log === undefined || one === undefined || other === undefined) throw new Error('no log');
    const message = outgoing(1, 'secret');
    const entry = messagesEntry([logged(message, 'p1', ['p2'], 0)]);
    const payloads = [message.payload];
    const written = await log.append({ ...one, position: 0 }, { entry, payloads, receivers: [] }, false);
    if (written.kind !== 'written' || written.entry.kind !== 'messages') throw new Error('not written');
    const { position } = written;
    const references = written.entry.messages.map(({ payload }) => payload);
    expect(await log.payloads(one, references)).to.deep.equal(payloads);
    expect(await log.payloads(other, references)).to.deep.equal([null]);
    expect(await log.entry({ ...one, position })).to.deep.include({ kind: 'messages' });
    expect(await log.entry({ ...other, position })).to.equal(null);
  });
});
