/**
 * Tickets that open a stream for clients that cannot send headers; no token is ever part of a URL. A ticket opens its stream
 * within seconds, and again while the stream lives: EventSource connects again under the same URL. Each opening ends the one
 * before, so that a ticket has one stream.
 */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import { dbrError } from '../errors/dbr-error.js';
import type { StreamStore } from './stream-store.js';
import { TICKET_SECONDS } from './ticket-sql.js';
import type { OpenTicket, Reader } from './types.js';
import { sha256Text } from '../sha256.js';
import { invalidToken } from '../auth/challenge.js';

const TICKET_BYTES = 24;

export interface Ticket {
  readonly ticket: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** The text by which the store names an opening of a ticket. */
export const openingKey = ({ sha256, opening }: OpenTicket): string => `${sha256} ${String(opening)}`;

/** @throws DbrError RateLimited where the user has as many tickets as they may */
export async function createTicket(store: StreamStore, reader: Reader, caller: Caller): Promise<Ticket> {
  const ticket = randomBytes(TICKET_BYTES).toString('base64url');
  const expiresAt = await store.createTicket(reader, ticketHash(ticket), caller.expiresAt);
  if (expiresAt === null)
    throw dbrError('RateLimited', {}, { headers: { 'Retry-After': String(TICKET_SECONDS) } });
  return { ticket, expiresAt };
}

/**
 * The caller that a ticket stands for. The holder has no scope: a ticket is good for reading alone.
 * @returns null for a ticket that was never given out, was revoked, or whose time is over
 */
export async function ticketHolder(store: StreamStore, ticket: string): Promise<Caller | null> {
  const holder = await store.findTicket(ticketHash(ticket));
  return holder === null ? null : { ...holder, scopes: new Set(), authenticatedAt: null };
}

/** @throws DbrError AuthInvalid where the time of the ticket ended since its holder was looked up */
export async function openTicket(store: StreamStore, ticket: string): Promise<OpenTicket> {
  const sha256 = ticketHash(ticket);
  const opening = await store.openTicket(sha256);
  if (opening === null) throw invalidToken();
  return { sha256, opening };
}

/** Looked up by its hash, so that the time of the comparison reveals nothing about a ticket. */
const ticketHash = (ticket: string): string => sha256Text(ticket, 'hex');
