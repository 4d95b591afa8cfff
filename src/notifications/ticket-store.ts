/** Stream tickets in PostgreSQL. */
import { tenantIdOf, userIdOf } from '../base/identifiers.js';
import { asMarker, asSystem } from './role-sql.js';
import { bodyText, identity, runRead, runWrite, type Runner } from './store.js';
import {
  CREATE_TICKET,
  FIND_TICKET,
  LOCK_TICKETS,
  OPEN_TICKET,
  RENEW_TICKETS,
  REVOKE_TICKETS,
} from './ticket-sql.js';
import type { OpenTicket, Reader } from './types.js';

/** The holder of a ticket. */
export interface TicketHolder extends Reader {
  /** The latest end of its stream, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface TicketStore {
  /** Stores the hash of a ticket. Returns the time until which it opens a stream, RFC 3339; null if the user has too many tickets. */
  createTicket(reader: Reader, sha256Hex: string, tokenExpiresAt: number | null): Promise<string | null>;
  /** Returns null for an unknown or expired ticket. */
  findTicket(sha256Hex: string): Promise<TicketHolder | null>;
  /** Returns the number of the opening; null for an unknown or expired ticket. */
  openTicket(sha256Hex: string): Promise<number | null>;
  /** Returns the `openingKey` of every ticket that is still valid. */
  renewTickets(tickets: readonly OpenTicket[]): Promise<ReadonlySet<string>>;
  /** Deletes every ticket of the user. */
  revokeTickets(reader: Reader): Promise<void>;
}

/** 9999-12-31T23:59:59Z, because claim `exp` of a token may be any number. */
const LATEST_TIME = 253_402_300_799_000;

export const createTicketStore = (pool: Runner): TicketStore => ({
  createTicket: (reader, sha256Hex, tokenExpiresAt) => createTicket(pool, reader, sha256Hex, tokenExpiresAt),
  findTicket: (sha256Hex) => findTicket(pool, sha256Hex),
  async openTicket(sha256Hex) {
    const query = { statement: OPEN_TICKET, parameters: [sha256Hex], returnsRows: true };
    const [row] = await runWrite(pool, [asSystem, query]);
    return row === undefined ? null : Number(bodyText(row));
  },
  async renewTickets(tickets) {
    const open = tickets.map(({ sha256, opening }) => ({ ticket: sha256, opening }));
    const query = { statement: RENEW_TICKETS, parameters: [JSON.stringify(open)], returnsRows: true };
    return new Set((await runWrite(pool, [asSystem, query])).map(bodyText));
  },
  async revokeTickets(reader) {
    const query = { statement: REVOKE_TICKETS, parameters: identity(reader), returnsRows: true };
    await runWrite(pool, [asMarker(reader), query]);
  },
});

async function createTicket(
  pool: Runner,
  reader: Reader,
  sha256Hex: string,
  tokenExpiresAt: number | null,
): Promise<string | null> {
  const expiry =
    tokenExpiresAt === null ? null : new Date(Math.min(tokenExpiresAt, LATEST_TIME)).toISOString();
  const lock = { statement: LOCK_TICKETS, parameters: identity(reader), returnsRows: false };
  const create = {
    statement: CREATE_TICKET,
    parameters: [...identity(reader), sha256Hex, expiry],
    returnsRows: true,
  };
  const [row] = await runWrite(pool, [asMarker(reader), lock, create]);
  return row === undefined ? null : bodyText(row);
}

async function findTicket(pool: Runner, sha256Hex: string): Promise<TicketHolder | null> {
  const query = { statement: FIND_TICKET, parameters: [sha256Hex], returnsRows: true };
  const [row] = await runRead(pool, [asSystem, query]);
  if (row === undefined) return null;
  const [tenantId, userId] = row.columns;
  return {
    tenantId: tenantIdOf(tenantId ?? ''),
    userId: userIdOf(userId ?? ''),
    expiresAt: Date.parse(bodyText(row)),
  };
}
