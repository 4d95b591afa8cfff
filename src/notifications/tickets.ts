/** One-use tickets that open a stream for clients that cannot send headers; no token is ever part of a URL. */
import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import type { StreamStore } from './stream-store.js';
import type { Reader } from './types.js';

const TICKET_BYTES = 24;

export interface Ticket {
  readonly ticket: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

export async function createTicket(store: StreamStore, reader: Reader, caller: Caller): Promise<Ticket> {
  const ticket = randomBytes(TICKET_BYTES).toString('base64url');
  return { ticket, expiresAt: await store.createTicket(reader, hashOf(ticket), caller.expiresAt) };
}

/**
 * Whom the ticket stands for; it opens nothing again. The holder has no scope: a ticket is good for reading alone.
 * @returns null for a ticket that was never given out, was used, or is too old
 */
export async function redeemTicket(store: StreamStore, ticket: string): Promise<Caller | null> {
  const holder = await store.redeemTicket(hashOf(ticket));
  return holder === null ? null : { ...holder, scopes: new Set(), authenticatedAt: null };
}

/** Looked up by its hash, so that the time of the comparison tells nothing about a ticket. */
const hashOf = (ticket: string): string => createHash('sha256').update(ticket).digest('hex');
