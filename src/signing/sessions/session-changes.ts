/** Changes of sessions on the change feed: which topics there are, and how lost reports are found. */
import type { PartyId, TenantId } from '../../base/identifiers.js';
import type { ChangeFeed } from '../../postgres/change-feed.js';
import type { Pool } from '../../postgres/pool.js';
import {
  parametersOf,
  placeOf,
  positionAt,
  runningOf,
  type EventPosition,
  inReach,
  NAMED,
  PRESENT,
} from '../../postgres/event-position.js';
import { watchOnce, type Watcher, type WatchSet } from '../../postgres/watch-sets.js';
import type { ChangedSession } from '../context.js';
import type { PartyIdentity, SessionEnds } from '../router-port.js';
import { asSweeper } from '../transaction.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';
import type { TerminalState } from '../types.js';
import { endedSessions, type EndedSession } from './session-store.js';

/** Keys are session identifiers. */
export const SESSION_TOPIC = 'session';
/** Keys are made by `partyKey`: a session has events that this party receives. */
const PARTY_TOPIC = 'party';

/** Longest delay of events whose report was lost, in milliseconds. */
const SESSION_POLL_MS = 2000;
const PARTY_POLL_MS = 1000;

/** Identifies a party across tenants. */
export const partyKey = ({ tenantId, partyId }: Pick<PartyIdentity, 'tenantId' | 'partyId'>): string =>
  JSON.stringify([tenantId, partyId]);

/** Wakes the streams of these sessions and of their participants, in every process. Called after the commit. */
export function publishSessions(
  feed: Pick<ChangeFeed, 'publish'>,
  sessions: readonly ChangedSession[],
): void {
  const parties = new Set(
    sessions.flatMap(({ tenantId, participants }) =>
      participants.map(({ partyId }) => partyKey({ tenantId, partyId })),
    ),
  );
  feed.publish(
    SESSION_TOPIC,
    sessions.map(({ sessionId }) => sessionId),
  );
  feed.publish(PARTY_TOPIC, [...parties]);
}

/** Watchers of sessions, each with the number of the last event that it has seen. */
export type SessionWatches = WatchSet<number, true>;

export const openSessionWatches = (feed: Pick<ChangeFeed, 'open'>, pool: Pool): SessionWatches =>
  feed.open<number, true>({
    topic: SESSION_TOPIC,
    pollMs: SESSION_POLL_MS,
    onReport: 'notify',
    work: 'events of sessions',
    async query(watchers) {
      const [keys, seen] = [watchers.map(({ key }) => key), watchers.map((watcher) => watcher.seen)];
      const rows = await asSweeper(pool, (transaction) => changedSessions(transaction, keys, seen));
      return rows.map(({ sessionId }) => [sessionId, true]);
    },
  });

/** Watchers of parties; each reads the events of its party by itself. The value seen is the tenant. */
export type PartyWatches = WatchSet<string, true>;

interface PartiesRow {
  /** Null in a row that stands for a result without parties. */
  readonly tenantId: TenantId | null;
  readonly partyId: PartyId | null;
  readonly place: string;
  readonly running: string;
}

/** Above every transaction: the first query finds no events. */
const LAST_XID = '9223372036854775807';

export function openPartyWatches(feed: Pick<ChangeFeed, 'open'>, pool: Pool): PartyWatches {
  let position: EventPosition | null = null;
  async function query(
    watchers: readonly Watcher<string, true>[],
  ): Promise<readonly (readonly [string, true])[]> {
    const tenants = [...new Set(watchers.map(({ seen }) => seen))];
    const before = position;
    const [xid, , open] = parametersOf(before ?? { xid: LAST_XID, eventId: '0', open: [] });
    const rows = await asSweeper(pool, (transaction) => partiesSince(transaction, tenants, xid, open));
    const { place, running } = rows[0] ?? {};
    position = positionAt(placeOf(place), runningOf(running));
    // The first query, and one after the database was restored to an earlier state.
    if (before === null || BigInt(position.xid) < BigInt(before.xid))
      return watchers.map(({ key }) => [key, true]);
    return rows.flatMap(({ tenantId, partyId }) =>
      tenantId === null || partyId === null ? [] : [[partyKey({ tenantId, partyId }), true] as const],
    );
  }
  return feed.open<string, true>({
    topic: PARTY_TOPIC,
    pollMs: PARTY_POLL_MS,
    onReport: 'notify',
    work: 'events of parties',
    query,
  });
}

// The statements that find sessions and parties with new events.

/** Of the sessions those with events after the last one that was seen of each, and those that do not exist. */
const changedSessions = query.any<
  [sessionIds: readonly string[], seen: readonly number[]],
  { readonly sessionId: string }
>(sql`
select distinct watched.session_id as "sessionId"
from rows from (
  pg_catalog.unnest($1::uuid[]),
  pg_catalog.unnest($2::bigint[])
) as watched (session_id, seen)
left join dbr_signing.signing_sessions as session on session.session_id = watched.session_id
where session.session_id is null or session.event_sequence > watched.seen`);

/** One row for each party that receives an event since a position, and one at least: the present position. */
const partiesSince = query.any<[tenants: readonly string[], xid: string, open: string], PartiesRow>(sql`
select changed.tenant_id as "tenantId", changed.party_id as "partyId", ${PRESENT} as place, ${NAMED}::text as running
from (values (true)) as one (row)
left join (
  select distinct event.tenant_id, participant.party_id
  from (
    select event.tenant_id, event.session_id
    from dbr_signing.session_events as event
    where event.tenant_id = any ($1::text[]) and event.xid >= $2::xid8 and ${inReach(sql`event.xid`)}
    union all
    select event.tenant_id, event.session_id
    from dbr_signing.session_events as event
    where event.tenant_id = any ($1::text[]) and event.xid = any ($3::xid8[])
  ) as event
  join dbr_signing.session_participants as participant on participant.session_id = event.session_id
) as changed on true`);

// Reports the ends of sessions to callers that watch them: one query for all sessions with a new event.

/** Longest delay of an end whose report was lost, in milliseconds. */
const POLL_MS = 250;

export function createSessionEnds(
  feed: Pick<ChangeFeed, 'open'>,
  pool: Pool,
): SessionEnds & { close(): Promise<void> } {
  const endedOf = (sessionIds: readonly string[]): Promise<readonly EndedSession[]> =>
    asSweeper(pool, (transaction) => endedSessions(transaction, sessionIds));

  const watches = feed.open<null, TerminalState>({
    topic: SESSION_TOPIC,
    pollMs: POLL_MS,
    onReport: 'query',
    work: 'ends of sessions',
    async query(watchers) {
      const rows = await endedOf([...new Set(watchers.map(({ key }) => key))]);
      return rows.map(({ sessionId, state }) => [sessionId, state]);
    },
  });

  return {
    watch(sessionId, onEnd) {
      const remove = watchOnce(watches, sessionId, null, onEnd);
      // The session may have ended before it was watched.
      watches.report([sessionId]);
      return remove;
    },
    ended: async (sessionIds) => (await endedOf(sessionIds)).map(({ sessionId }) => sessionId),
    close: () => watches.close(),
  };
}
