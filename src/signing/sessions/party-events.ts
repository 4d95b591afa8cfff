/**
 * The events of a party's sessions, live. The identifier of an event is the position after it: a resumed stream neither omits nor
 * repeats an event. Beside a transaction that stays open anywhere on the server, a read costs what is new.
 */
import type { Gone } from '../../base/gone.js';
import type { Pool } from '../../postgres/pool.js';
import { parsePosition, positionText, type EventPosition } from '../../postgres/event-position.js';
import { watchKey } from '../../postgres/watch-sets.js';
import { refuseChangedParty } from '../parties/party-registry.js';
import { InvalidEventId, type PartyIdentity, type PartySessionEvent } from '../router-port.js';
import { recordDelivery } from '../shares/share-store.js';
import { queryInTenant } from '../transaction.js';
import { beginStream, laterEvents, openEvents, type PartyEvent } from './event-store.js';
import { partyKey, type PartyWatches } from './session-changes.js';
import { partySession, type SessionRecord } from './session-record.js';
import { findSessions } from './session-store.js';

const PAGE = 64;

/** Begins the identifier of an event, before its position. */
const POSITION = 'p';
/** The earlier form: the oldest transaction that ran when the event was sent, then the event. */
const EARLIER_EVENT_ID = /^(\d{1,19})\.(\d{1,19})$/;

/** How far a stream has read. */
interface Progress {
  readonly position: EventPosition;
  /** For a new stream until it has read the open sessions: where they end. Sessions that have ended are left out until then. */
  readonly openUntil: EventPosition | null;
  /** An event that was sent although it is after the position, as an identifier of the earlier form says. */
  readonly sent: string | null;
}

export async function* partyEvents(
  pool: Pool,
  watches: PartyWatches,
  party: PartyIdentity,
  afterEventId: string | null,
  signal: Gone,
): AsyncGenerator<PartySessionEvent> {
  const watch = watchKey(watches, partyKey(party), party.tenantId);
  try {
    let progress = await begin(pool, party, afterEventId);
    while (!signal.aborted) {
      watch.due = false;
      const page = await readPage(pool, party, progress);
      for (const { event, session, position } of page.events) {
        if (event.eventId === progress.sent) continue;
        yield eventFor(event, session, position);
        // The reader asks for the next event, so it has received this one.
        if (event.delegateUserShare !== null)
          await queryInTenant(pool, party.tenantId, (transaction) =>
            recordDelivery(transaction, event.sessionId),
          );
        if (signal.aborted) return;
      }
      progress = page.progress;
      if (!page.more) await watch.next(null, signal);
    }
  } finally {
    watch.close();
  }
}

async function begin(
  pool: Pool,
  { tenantId, partyId }: PartyIdentity,
  afterEventId: string | null,
): Promise<Progress> {
  const resumed = afterEventId === null ? null : parseEventId(afterEventId);
  const { reached, present, first } = await queryInTenant(pool, tenantId, (transaction) =>
    beginStream(transaction, partyId, resumed?.position ?? null),
  );
  // A position ahead of the database is one of before a restore: it says nothing here.
  if (resumed !== null && reached === true) return resumed;
  if (first === null) return { position: present, openUntil: null, sent: null };
  return { position: { xid: first, eventId: '0', open: [] }, openUntil: present, sent: null };
}

/** @throws InvalidEventId */
function parseEventId(text: string): Progress {
  const position = text.startsWith(POSITION) ? parsePosition(text.slice(POSITION.length)) : null;
  if (position !== null) return { position, openUntil: null, sent: null };
  const [, xid, sent] = EARLIER_EVENT_ID.exec(text) ?? [];
  if (xid === undefined || sent === undefined) throw new InvalidEventId('not an event id');
  return { position: { xid, eventId: '0', open: [] }, openUntil: null, sent };
}

interface Page {
  readonly events: readonly {
    readonly event: PartyEvent;
    readonly session: SessionRecord;
    readonly position: EventPosition;
  }[];
  readonly progress: Progress;
  /** Whether there may be later events. */
  readonly more: boolean;
}

function readPage(pool: Pool, party: PartyIdentity, progress: Progress): Promise<Page> {
  const { tenantId, partyId } = party;
  const { position: from, openUntil, sent } = progress;
  return queryInTenant(pool, tenantId, async (transaction) => {
    const found =
      openUntil === null
        ? await laterEvents(transaction, partyId, from, PAGE)
        : await openEvents(transaction, partyId, from, openUntil, PAGE);
    const ids = [...new Set(found.events.map(({ event }) => event.sessionId))];
    const sessions = ids.length === 0 ? [] : await findSessions(transaction, ids);
    const byId = new Map(sessions.map((session) => [session.sessionId, session]));
    const events = found.events.flatMap(({ event, position }) => {
      const session = byId.get(event.sessionId);
      return session === undefined ? [] : [{ event, session, position }];
    });
    // Checked last, so that a change that was committed before the events were read is noticed.
    await refuseChangedParty(transaction, party);
    const isLast = found.events.length < PAGE;
    return {
      events,
      progress: { position: found.position, openUntil: isLast ? null : openUntil, sent },
      more: !isLast || openUntil !== null,
    };
  });
}

const eventFor = (event: PartyEvent, session: SessionRecord, position: EventPosition): PartySessionEvent => ({
  eventId: POSITION + positionText(position),
  sequence: event.sequence,
  type: event.type,
  session: partySession(session, event.state),
  occurredAt: event.occurredAt,
  partyId: event.partyId,
  delegateUserShare: event.delegateUserShare,
});
