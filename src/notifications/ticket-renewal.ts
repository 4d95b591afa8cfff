/** Renews the tickets of open streams, and ends streams whose ticket is revoked or has opened another stream. */
import { workFailed, type Observe } from '../observability/observation.js';
import { endClient, type StreamClient } from './stream-client.js';
import type { TicketStore } from './ticket-store.js';
import { openingKey } from './tickets.js';

/** A ticket outlives two missed renewals. */
const RENEW_MS = 30_000;
/** Tickets that one statement renews. */
const BATCH = 1000;

export interface TicketRenewal {
  /** Renews the tickets if the interval is over. Called regularly. @param now `performance.now()`, which a change of the clock leaves alone */
  tick(now: number): void;
}

/** @param clients the open streams */
export function createTicketRenewal(
  store: Pick<TicketStore, 'renewTickets'>,
  clients: () => Iterable<StreamClient>,
  observe: Observe,
): TicketRenewal {
  let renewedAt = performance.now();
  let renewing = false;

  async function renew(): Promise<void> {
    const ticketed = [...clients()].flatMap((client) =>
      client.ticket === null || client.ended ? [] : [{ client, ticket: client.ticket }],
    );
    for (let start = 0; start < ticketed.length; start += BATCH) {
      const batch = ticketed.slice(start, start + BATCH);
      const kept = await store.renewTickets(batch.map(({ ticket }) => ticket));
      for (const { client, ticket } of batch) if (!kept.has(openingKey(ticket))) endClient(client);
    }
  }

  return {
    tick(now) {
      if (renewing || now - renewedAt < RENEW_MS) return;
      renewing = true;
      renewedAt = now;
      renew()
        .catch((error: unknown) => observe(workFailed('renewal of stream tickets')(error)))
        .finally(() => (renewing = false));
    },
  };
}
