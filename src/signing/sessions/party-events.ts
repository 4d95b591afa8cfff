/**
 * The events of a party's sessions, live. Transactions become visible in another order than they began, so each read starts
 * at the horizon: the oldest transaction that was still running at the read before. Events sent since then are remembered
 * and not sent again; a resumed stream starts at the horizon of its last event and may repeat some.
 */
import type { Database } from '../../postgres/database.js';
import { watchKey } from '../../postgres/watch-sets.js';
import { refuseChangedParty } from '../parties/party-change.js';
import { InvalidEventId, type PartyIdentity, type PartySessionEvent } from '../router-port.js';
import { recordDelivery } from '../shares/share-store.js';
import { queryInTenant } from '../transaction.js';
import {
  eventsOfParty,
  firstTransactionOfOpen,
  horizonOf,
  type EventPosition,
  type PartyEvent,
} from './event-store.js';
import { partyKey, type PartyWatches } from './session-changes.js';
import { partySession, type SessionRecord } from './session-record.js';
import { findSessions } from './session-store.js';

const PAGE = 64;

/** The horizon when the event was sent, then the event itself. */
const EVENT_ID = /^(\d{1,19})\.(\d{1,19})$/;

interface Progress {
  readonly horizon: string;
  /** Events since the horizon that were sent, with the transaction of each. */
  readonly seen: ReadonlyMap<string, bigint>;
  /** True for the first read of a new stream: sessions that have ended are left out. */
  readonly openOnly: boolean;
}

export async function* partyEvents(
  database: Database,
  watches: PartyWatches,
  party: PartyIdentity,
  afterEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<PartySessionEvent> {
  const watch = watchKey(watches, partyKey(party), party.tenantId);
  try {
    let progress = await begin(database, party, afterEventId);
    while (!signal.aborted) {
      watch.due = false;
      progress = yield* eventsSince(database, party, progress, signal);
      await watch.next(null, signal);
    }
  } finally {
    watch.close();
  }
}

/** Yields the events since the horizon that were not sent, and returns the next progress. */
async function* eventsSince(
  database: Database,
  party: PartyIdentity,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<PartySessionEvent, Progress> {
  const seen = new Map(progress.seen);
  let position: EventPosition = { xid: progress.horizon, eventId: '0' };
  let horizon: string | null = null;
  for (;;) {
    const page = await readPage(database, party, position, progress.openOnly);
    // The horizon of the first page: what is written while later pages are read belongs to the next round.
    horizon ??= page.horizon;
    for (const { event, session, position: at } of page.events) {
      position = at;
      if (seen.has(event.eventId)) continue;
      yield eventFor(event, session, progress.horizon);
      // The reader asks for the next event, so it has received this one.
      if (event.delegateUserShare !== null)
        await queryInTenant(database, party.tenantId, (transaction) =>
          recordDelivery(transaction, event.sessionId),
        );
      seen.set(event.eventId, BigInt(at.xid));
      if (signal.aborted) return progress;
    }
    if (page.events.length < PAGE) break;
  }
  return { horizon, seen: since(seen, BigInt(horizon)), openOnly: false };
}

const since = (seen: ReadonlyMap<string, bigint>, horizon: bigint): ReadonlyMap<string, bigint> =>
  new Map([...seen].filter(([, xid]) => xid >= horizon));

async function begin(
  database: Database,
  { tenantId, partyId }: PartyIdentity,
  afterEventId: string | null,
): Promise<Progress> {
  const token = afterEventId === null ? null : parseEventId(afterEventId);
  return await queryInTenant(database, tenantId, async (transaction) => {
    const horizon = await horizonOf(transaction);
    // A position ahead of the database is one of before a restore: it says nothing here.
    if (token !== null && BigInt(token.horizon) <= BigInt(horizon))
      return {
        horizon: token.horizon,
        seen: new Map([[token.eventId, BigInt(token.horizon)]]),
        openOnly: false,
      };
    const first = await firstTransactionOfOpen(transaction, partyId);
    const start = first !== null && BigInt(first) < BigInt(horizon) ? first : horizon;
    return { horizon: start, seen: new Map(), openOnly: true };
  });
}

/** @throws InvalidEventId */
function parseEventId(text: string): { readonly horizon: string; readonly eventId: string } {
  const [, horizon, eventId] = EVENT_ID.exec(text) ?? [];
  if (horizon === undefined || eventId === undefined) throw new InvalidEventId('not an event id');
  return { horizon, eventId };
}

interface Page {
  readonly horizon: string;
  readonly events: readonly {
    readonly event: PartyEvent;
    readonly session: SessionRecord;
    readonly position: EventPosition;
  }[];
}

function readPage(
  database: Database,
  party: PartyIdentity,
  after: EventPosition,
  openOnly: boolean,
): Promise<Page> {
  const { tenantId, partyId } = party;
  return queryInTenant(database, tenantId, async (transaction) => {
    // The horizon is read first, so that transactions that end between the two statements are read again, not
    // skipped.
    const horizon = await horizonOf(transaction);
    const found = await eventsOfParty(transaction, partyId, after, openOnly, PAGE);
    const ids = [...new Set(found.map(({ event }) => event.sessionId))];
    const sessions = ids.length === 0 ? [] : await findSessions(transaction, ids);
    const byId = new Map(sessions.map((session) => [session.sessionId, session]));
    const events = found.flatMap(({ event, position }) => {
      const session = byId.get(event.sessionId);
      return session === undefined ? [] : [{ event, session, position }];
    });
    // Checked last, so that a change that was committed before the events were read is noticed.
    await refuseChangedParty(transaction, party);
    return { horizon, events };
  });
}

const eventFor = (event: PartyEvent, session: SessionRecord, horizon: string): PartySessionEvent => ({
  eventId: `${horizon}.${event.eventId}`,
  sequence: event.sequence,
  type: event.type,
  session: partySession(session, event.state),
  occurredAt: event.occurredAt,
  partyId: event.partyId,
  delegateUserShare: event.delegateUserShare,
});
