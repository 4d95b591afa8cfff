/** Stream tickets in PostgreSQL. The table holds hashes alone, so that its content opens no stream. */
import { tenantIdOf, userIdOf } from '../base/identifiers.js';
import { sql } from '../postgres/sql.js';
import { prepare, command, bodyText } from '../postgres/batch.js';
import { instant, TENANT, USER } from './record-sql.js';
import { asMarker, asSystem } from './role-sql.js';
import { identity, runRead, runWrite, type Runner } from './store.js';
import type { OpenTicket, Reader } from './types.js';

/** Seconds in which a new ticket must open its stream. */
export const TICKET_SECONDS = 30;

/** Seconds that a ticket outlives the last renewal: the time to reconnect. */
const RECONNECT_SECONDS = 90;

/** Hours after which a ticket is invalid and its stream ends. */
const TICKET_LIFE_HOURS = 12;

/** Tickets that one user may have. */
const TICKETS_PER_USER = 10;

interface TicketHolder extends Reader {
  /** The latest end of its stream, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** 9999-12-31T23:59:59Z, because claim `exp` of a token may be any number. */
const LATEST_TIME = 253_402_300_799_000;

export type TicketStore = ReturnType<typeof createTicketStore>;

export const createTicketStore = (pool: Runner) => ({
  /** Stores the hash of a ticket. Returns the time until which it opens a stream, RFC 3339; null if the user has too many tickets. */
  async createTicket(
    reader: Reader,
    sha256Hex: string,
    tokenExpiresAt: number | null,
  ): Promise<string | null> {
    const expiry =
      tokenExpiresAt === null ? null : new Date(Math.min(tokenExpiresAt, LATEST_TIME)).toISOString();
    const before = [asMarker(reader), command(LOCK_TICKETS, identity(reader))];
    const [row] = await runWrite(pool, before, CREATE_TICKET, [...identity(reader), sha256Hex, expiry]);
    return row === undefined ? null : bodyText(row);
  },
  /** Returns null for an unknown or expired ticket. */
  async findTicket(sha256Hex: string): Promise<TicketHolder | null> {
    const [row] = await runRead(pool, asSystem, FIND_TICKET, [sha256Hex]);
    if (row === undefined) return null;
    const [tenantId, userId] = row.columns;
    return {
      tenantId: tenantIdOf(tenantId ?? ''),
      userId: userIdOf(userId ?? ''),
      expiresAt: Date.parse(bodyText(row)),
    };
  },
  /** Returns the number of the opening; null for an unknown or expired ticket. */
  async openTicket(sha256Hex: string): Promise<number | null> {
    const [row] = await runWrite(pool, [asSystem], OPEN_TICKET, [sha256Hex]);
    return row === undefined ? null : Number(bodyText(row));
  },
  /** Returns the `openingKey` of every ticket that is still valid. */
  async renewTickets(tickets: readonly OpenTicket[]): Promise<ReadonlySet<string>> {
    const open = tickets.map(({ sha256, opening }) => ({ ticket: sha256, opening }));
    return new Set((await runWrite(pool, [asSystem], RENEW_TICKETS, [JSON.stringify(open)])).map(bodyText));
  },
  /** Deletes every ticket of the user. */
  async revokeTickets(reader: Reader): Promise<void> {
    await runWrite(pool, [asMarker(reader)], REVOKE_TICKETS, identity(reader));
  },
});

/** One transaction at a time counts and creates the tickets of a user. */
const LOCK_TICKETS = prepare(sql`
select pg_catalog.pg_advisory_xact_lock(
  5347120, pg_catalog.hashtext(pg_catalog.json_build_array(${TENANT}::text, ${USER}::text)::text)
)`);

/**
 * `$3`: SHA-256 of the ticket in hexadecimal; `$4`: expiry of the principal's token, or null.
 * One row: the time until which the ticket opens a stream. No row if the user has too many tickets.
 */
const CREATE_TICKET = prepare(sql`
insert into dbr_notifications.stream_tickets (ticket_sha256, tenant_id, user_id, expires_at, token_expires_at)
select
  pg_catalog.decode($3, 'hex'), ${TENANT}, ${USER},
  dbr_notifications.clock() + interval '${TICKET_SECONDS} seconds',
  least($4::timestamptz, dbr_notifications.clock() + interval '${TICKET_LIFE_HOURS} hours')
where (
  select pg_catalog.count(*)
  from dbr_notifications.stream_tickets t
  where t.expires_at > pg_catalog.now()
) < ${TICKETS_PER_USER}
returning ${instant(sql`expires_at`)}`);

/** `$1`: the hash. One row: tenant, user, latest end of the stream. No row for an unknown or expired ticket. */
const FIND_TICKET = prepare(sql`
select t.tenant_id, t.user_id, ${instant(sql`t.token_expires_at`)}
from dbr_notifications.stream_tickets t
where t.ticket_sha256 = pg_catalog.decode($1, 'hex')
  and t.expires_at > pg_catalog.now() and t.token_expires_at > pg_catalog.now()`);

/** `$1`: the hash. Opens the stream, which ends an earlier opening. One row: the number of the opening; or none. */
const OPEN_TICKET = prepare(sql`
update dbr_notifications.stream_tickets t
set
  openings = t.openings + 1,
  expires_at = dbr_notifications.clock() + interval '${RECONNECT_SECONDS} seconds'
where t.ticket_sha256 = pg_catalog.decode($1, 'hex')
  and t.expires_at > pg_catalog.now() and t.token_expires_at > pg_catalog.now()
returning t.openings::text`);

/** `$1`: open streams as JSON, `[{"ticket": hash, "opening": n}]`. Rows: `hash opening` of those that are still valid. */
const RENEW_TICKETS = prepare(sql`
update dbr_notifications.stream_tickets t
set expires_at = dbr_notifications.clock() + interval '${RECONNECT_SECONDS} seconds'
from pg_catalog.json_to_recordset($1::json) as stream (ticket text, opening integer)
where t.ticket_sha256 = pg_catalog.decode(stream.ticket, 'hex') and t.openings = stream.opening
returning pg_catalog.encode(t.ticket_sha256, 'hex') || ' ' || t.openings`);

/** Row security selects the user. */
const REVOKE_TICKETS = prepare(sql`
with revoked as (
  delete from dbr_notifications.stream_tickets t
  where t.tenant_id = ${TENANT} and t.user_id = ${USER}
  returning true
)
select pg_catalog.count(*)::text from revoked`);
