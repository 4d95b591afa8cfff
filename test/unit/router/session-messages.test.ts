import { expect } from 'chai';
import { Departure } from '../../../src/base/gone.js';
import { partyIdOf, tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { createHandlers, type HandlerParts } from '../../../src/router/handlers.js';
import { MAX_MESSAGE_BYTES, PARTY_PAGE_BYTES } from '../../../src/router/limits.js';
import type { PartyIdentity, PartySession, PartySessionEvent } from '../../../src/signing/router-port.js';
import { accountIdOf, sessionIdOf } from '../../support/identifiers.js';
import { until } from '../../support/until.js';

const FITTING = PARTY_PAGE_BYTES / MAX_MESSAGE_BYTES;
const PARTY: PartyIdentity = {
  ...{ tenantId: tenantIdOf('acme'), partyId: partyIdOf('a'), role: 'server', status: 'active' },
  ...{ identityPublicKey: Buffer.alloc(32), certificateSha256: null },
};
const SESSION: PartySession = {
  ...{ sessionId: sessionIdOf('018f0000-0000-7000-8000-000000000002'), tenantId: tenantIdOf('acme') },
  ...{ accountId: accountIdOf('018f0000-0000-7000-8000-000000000001'), state: 'created', threshold: 1 },
  ...{ participants: [], protocol: 'ed25519', messageDigest: Buffer.alloc(32), hasMessage: true },
  ...{ publicKey: null, derivationPath: [], createdAt: new Date(0).toISOString() },
  ...{ expiresAt: new Date(0).toISOString(), signature: null, recoveryId: null, failureReason: null },
  ...{ missingParties: [], missingSince: null, createdBy: userIdOf('ann'), metadata: {}, request: null },
  ...{ requestSignatures: null, ceremony: null, partySource: 'all_active', replaces: null, replacedBy: null },
};
const eventOf = (type: PartySessionEvent['type']): PartySessionEvent => ({
  ...{ eventId: 'p1.1', sequence: 1, type, session: SESSION, occurredAt: new Date(0), partyId: null },
  delegateUserShare: null,
});

const unused = (): never => {
  throw new Error('not called');
};

describe('messages of sessions', () => {
  it('have room as the pages of mailboxes: one that has none is not read before a client has another', async () => {
    let read = 0;
    const stopping = new Departure();
    const parts: HandlerParts = {
      sessions: {
        ...{ session: unused, join: unused, reportResult: unused, equivocation: unused },
        ...{ acknowledgeShare: unused, inProgress: unused },
        message() {
          read += 1;
          return Promise.resolve(Buffer.alloc(1));
        },
        async *subscribe(_party, _after, signal) {
          yield eventOf('party-joined');
          yield eventOf('created');
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => resolve());
          });
        },
      },
      parties: {
        byCertificate: unused,
        refuseChanged: unused,
        byName: unused,
        register: unused,
        heartbeat: unused,
      },
      mailboxes: {
        append: unused,
        open: unused,
        read: unused,
        ack: unused,
        watch: unused,
        place: unused,
        close: unused,
      },
      ends: { watch: unused, ended: unused },
      watch: { watch: () => () => undefined },
      limits: { rate: unused, openCount: () => ({ enter: () => () => undefined }) },
      stopping,
    };
    const handlers = createHandlers(parts);
    const reading: (() => void)[] = [];
    const received: number[] = [];
    const open = (): Promise<void> =>
      handlers.subscribeSessionEvents(
        { $typeName: 'router.v1.SubscribeSessionEventsRequest', instanceId: 'i', afterEventId: '' },
        {
          ...{ party: PARTY, validUntil: Infinity, signal: new Departure() },
          async send({ item }) {
            const message = item?.case === 'event' ? item.value.session?.message : undefined;
            received.push(message?.length ?? 0);
            if (message !== undefined && message.length > 0)
              await new Promise<void>((resolve) => reading.push(resolve));
          },
        },
      );
    const streams = Array.from({ length: FITTING + 2 }, open);
    await until(() => reading.length === FITTING);
    // Events without a message need no room.
    expect(received.filter((bytes) => bytes === 0)).to.have.lengthOf(FITTING + 2);
    expect(read).to.equal(FITTING);
    reading[0]?.();
    await until(() => reading.length === FITTING + 1);
    expect(read).to.equal(FITTING + 1);
    // A stream that waits for room ends with the router.
    stopping.abort();
    for (const finish of reading) finish();
    await Promise.all(streams);
  });
});
