import { expect } from 'chai';
import { MAX_WINDOW, type MailboxStore } from '../../../src/mailbox/mailbox-store.js';
import { createMailboxStore } from '../../../src/mailbox/log-mailbox-store.js';
import { postgresMailboxLog } from '../../../src/mailbox/postgres-mailbox-log.js';
import {
  createRouterFixture,
  signedMessage,
  type RouterFixture,
} from '../../support/router/router-fixture.js';
import { SILENT_FEED } from '../../support/router/silent-feed.js';
import type { TestParty } from '../../support/signing/signing-fixture.js';

describe('mailboxes in PostgreSQL, whose changes another process has not reported yet', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let here: MailboxStore;
  let there: MailboxStore;
  before(async () => {
    fixture = await createRouterFixture();
    const open = (): MailboxStore =>
      createMailboxStore({
        open: postgresMailboxLog(fixture.pool, SILENT_FEED),
        ...fixture.signing,
        observe: () => undefined,
      });
    [here, there] = [open(), open()];
  });
  after(async () => {
    await Promise.all([here.close(), there.close()]);
    await fixture.drop();
  });

  /** A session with a subscription of its third party in this process. */
  async function subscribed() {
    const { sessionId, parties } = await fixture.startSession();
    const [a, b, c] = parties;
    let wakes = 0;
    const opened = await here.open(c.identity, sessionId, 0);
    if (opened.kind !== 'opened') throw new Error(opened.kind);
    const stop = here.watch(c.identity, sessionId, opened.reader, () => void (wakes += 1));
    const send = (store: MailboxStore, from: TestParty, to: TestParty, first: number, count = 1) =>
      store.append(
        from.identity,
        sessionId,
        Array.from({ length: count }, (_, index) =>
          signedMessage(from, sessionId, { senderSequence: first + index, to: [to.identity.partyId] }),
        ),
      );
    return { sessionId, a, b, c, send, stop, wakes: () => wakes };
  }

  it('wake the recipient of a message that is found when another one is written', async () => {
    const { sessionId, a, b, c, send, stop, wakes } = await subscribed();
    await send(there, a, c, 1);
    expect(wakes()).to.equal(0);
    await send(here, b, a, 1);
    expect(wakes()).to.equal(1);
    const page = await here.read(c.identity, sessionId, 0, { deliveries: 64, bytes: 1_048_576 });
    expect(page?.deliveries.map(({ fromPartyId }) => fromPartyId)).to.deep.equal([a.identity.partyId]);
    stop();
  });

  it('wake a reader that is found not to be the newest one', async () => {
    const { sessionId, a, b, c, send, stop, wakes } = await subscribed();
    await there.open(c.identity, sessionId, 0);
    await send(here, b, a, 1);
    expect(wakes()).to.equal(1);
    stop();
  });

  it('wake a reader whose acknowledgements are found when another one begins to read', async () => {
    const { sessionId, a, b, c, send, stop, wakes } = await subscribed();
    for (let first = 1; first <= MAX_WINDOW; first += 64) await send(here, a, c, first, 64);
    await here.read(c.identity, sessionId, 0, { deliveries: MAX_WINDOW, bytes: 1_048_576 });
    await there.ack(c.identity, sessionId, MAX_WINDOW);
    const before = wakes();
    await here.open(b.identity, sessionId, 0);
    expect(wakes()).to.equal(before + 1);
    stop();
  });
});
