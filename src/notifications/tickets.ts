/**
 * Tickets that open a stream for clients that cannot send headers, because a token must not be part of a URL. A ticket must open
 * its stream within seconds, and opens it again while the stream lives: EventSource reconnects to the same URL. Each opening
 * ends the previous one, so that a ticket has one stream.
 */
import { randomBytes } from 'node:crypto';
import type { Principal } from '../contract/principal.js';
import { dbrError } from '../errors/dbr-error.js';
import { TICKET_SECONDS, type TicketStore } from './ticket-store.js';
import type { OpenTicket, Reader } from './types.js';
import { sha256Text } from '../base/hash.js';
import { invalidToken } from '../auth/verify-token.js';

const TICKET_BYTES = 24;

export interface Ticket {
  readonly ticket: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** The key of an opening in the store. */
export const openingKey = ({ sha256, opening }: OpenTicket): string => `${sha256} ${String(opening)}`;

/** @throws DbrError RateLimited if the user has too many tickets */
export async function createTicket(
  store: TicketStore,
  reader: Reader,
  principal: Principal,
): Promise<Ticket> {
  const ticket = randomBytes(TICKET_BYTES).toString('base64url');
  const expiresAt = await store.createTicket(reader, ticketHash(ticket), principal.expiresAt);
  if (expiresAt === null)
    throw dbrError('RateLimited', {}, { headers: { 'Retry-After': String(TICKET_SECONDS) } });
  return { ticket, expiresAt };
}

/**
 * Returns the principal of a ticket. It has no scope, because a ticket permits reading alone.
 * @returns null for a ticket that is unknown, revoked or expired
 */
export async function ticketHolder(store: TicketStore, ticket: string): Promise<Principal | null> {
  const holder = await store.findTicket(ticketHash(ticket));
  return holder === null ? null : { ...holder, scopes: new Set(), tenants: new Set(), authenticatedAt: null };
}

/** @throws DbrError AuthInvalid if the ticket expired after its holder was looked up */
export async function openTicket(store: TicketStore, ticket: string): Promise<OpenTicket> {
  const sha256 = ticketHash(ticket);
  const opening = await store.openTicket(sha256);
  if (opening === null) throw invalidToken();
  return { sha256, opening };
}

/** Tickets are looked up by their hash, so that the time of the comparison reveals nothing about a ticket. */
const ticketHash = (ticket: string): string => sha256Text(ticket, 'hex');
