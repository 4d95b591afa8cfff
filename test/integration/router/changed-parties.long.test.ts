import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { PartyRefused } from '../../../src/signing/router-port.js';
import type { TestParty } from '../../support/signing/signing-fixture.js';
import { readMailbox, refusal } from '../../support/router/router-host.js';
import {
  createRouterProcesses,
  type RouterProcess,
  type RouterProcesses,
} from '../../support/router/router-processes.js';
import { broadcast } from '../../support/router/stubborn-party.js';

const UNKNOWN = [status.UNAUTHENTICATED, 'no known party'];
const SUSPENDED = [status.PERMISSION_DENIED, 'the party is not active'];

describe('parties that change while their streams are open', function () {
  this.timeout(120_000);
  let processes: RouterProcesses;
  let one: RouterProcess;
  let two: RouterProcess;
  before(async () => {
    processes = await createRouterProcesses({ name: 'PostgreSQL', missing: null, bus: false });
    [one, two] = await Promise.all([processes.start(), processes.start()]);
  });
  after(() => processes.drop());

  const change = ({ identity }: TestParty, what: string, value: unknown) =>
    processes.fixture.database.superuser.none(
      `update dbr_signing.parties set ${what} = $1 where tenant_id = $2 and party_id = $3`,
      [value, identity.tenantId, identity.partyId],
    );

  for (const { name, column, value, expected } of [
    { name: 'suspended', column: 'status', value: 'suspended', expected: SUSPENDED },
    { name: 'revoked', column: 'status', value: 'revoked', expected: SUSPENDED },
    {
      name: 'with another identity key',
      column: 'identity_public_key',
      value: randomBytes(32),
      expected: UNKNOWN,
    },
  ])
    it(`lose their streams in every process: ${name}`, async () => {
      const { sessionId, parties } = await processes.fixture.startSession();
      const [a, b] = parties;
      const atTwo = processes.connect(two.port, b);
      const reader = readMailbox(processes.connect(one.port, b), sessionId);
      const sender = processes.connect(one.port, a);
      await sender.sendMessages({ envelopes: [broadcast(a, sessionId, 1, randomBytes(8))] });
      await reader.deliveries(1);
      const events = atTwo.subscribeSessionEvents({ instanceId: 'i' });
      const iterator = events[Symbol.asyncIterator]();
      // From here on only the watch for changed parties reads the party.
      await iterator.next();
      await change(b, column, value);
      expect(await refusal(reader.ended)).to.deep.equal(expected);
      expect(await refusal({ [Symbol.asyncIterator]: () => iterator })).to.deep.equal(expected);
      await change(b, 'status', 'active');
      // A key that was replaced is known for ever.
      await processes.fixture.database.superuser.none(
        'delete from dbr_signing.party_keys where party_id = $1',
        [b.identity.partyId],
      );
      await change(b, 'identity_public_key', b.identity.identityPublicKey);
    });

  it('receive no event that was written after their certificate was replaced', async () => {
    const { fixture } = processes;
    const [, , party] = fixture.parties;
    const gone = new AbortController();
    const first = await fixture.createOpenSession();
    const events = fixture.signing.sessions.subscribe(party.identity, null, gone.signal);
    const iterator = events[Symbol.asyncIterator]();
    const read = (): Promise<string> =>
      iterator.next().then(
        (result) => (result.done === true ? 'ended' : result.value.session.sessionId),
        (error: unknown) => (error instanceof PartyRefused ? error.refusal.kind : 'failed'),
      );
    for (;;) if ((await read()) === first.sessionId) break;
    await change(party, 'certificate_sha256', randomBytes(32));
    const second = await fixture.createOpenSession();
    let last = await read();
    while (last === first.sessionId) last = await read();
    expect(last).to.equal('party-unknown').and.to.not.equal(second.sessionId);
    gone.abort();
  });
});
