/**
 * Tickets of live reads, for clients that cannot send headers (EventSource): a token must not be part of a URL. A ticket is
 * the sealed credentials of its maker, which each opening verifies again, for one request. Nothing is stored, so that every
 * process with the secret opens it. A ticket must open its stream within seconds. Later it opens it again for a client that
 * has received an event: `Last-Event-ID` shows it, which no log of URLs has.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sha256Text } from '../base/hash.js';
import { headerOf, lastingClaims, type Identity } from '../contract/request.js';
import { dbrError, type DbrError } from '../errors/dbr-error.js';
import { invalidTokenChallenge } from './verify-token.js';

/** What the mark of a request depends on. */
interface MarkedRequest {
  readonly path: string;
  readonly query: string;
  readonly identity: Identity;
}

/** A request with a ticket: that of its maker, without the ticket. */
interface TicketedRequest {
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /**
   * Returns the identity with the latest end of the stream, and ends an earlier stream of the ticket.
   * @throws DbrError JwtVerificationFailed (401)
   */
  admit(request: MarkedRequest, stream: TicketedStream): Identity;
}

/** The response of a live read, of which a ticket has one. */
interface TicketedStream {
  /** Whether the client has left, so that no `close` follows. */
  readonly destroyed: boolean;
  destroy(): void;
  once(event: 'close', listener: () => void): void;
}

export interface LiveTickets {
  /** @param request path and query, as in the URL */
  create(
    headers: IncomingHttpHeaders,
    request: string,
  ): { readonly ticket: string; readonly expiresAt: string };
  /** Null for a request without a ticket. @throws DbrError JwtVerificationFailed (401) */
  open(path: string, query: string, headers: IncomingHttpHeaders): TicketedRequest | null;
  /** The beginning of the ids of a live read. Others cannot make it. */
  markOf(request: MarkedRequest): string;
}

/** No filter: its value has no operator. */
const PARAMETER = 'dbr-ticket=';
/** Time in which a ticket must open its stream, and longest time in which it opens it again, in milliseconds. */
const OPEN_MS = 30_000;
const LIFE_MS = 43_200_000;
/** The headers that a ticket stands for. Those of credentials are verified at each opening. */
const SEALED = ['authorization', 'apikey', 'accept-profile', 'prefer'] as const;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MARK_BYTES = 12;
const MARK_LENGTH = 16;

interface Sealed {
  readonly headers: IncomingHttpHeaders;
  readonly request: string;
  readonly madeAt: number;
}

/** @param secret of all processes that open the tickets */
export function createLiveTickets(secret: Buffer, now: () => number = Date.now): LiveTickets {
  const keyOf = (purpose: string): Buffer => createHmac('sha256', secret).update(purpose).digest();
  const [sealing, marking] = [keyOf('tickets of live reads'), keyOf('events of live reads')];
  /** The open stream of each ticket. */
  const open = new Map<string, TicketedStream>();

  function seal(content: Sealed): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, sealing, nonce);
    const text = [cipher.update(JSON.stringify(content)), cipher.final()];
    return Buffer.concat([nonce, ...text, cipher.getAuthTag()]).toString('base64url');
  }

  function unseal(ticket: string): Sealed {
    const bytes = Buffer.from(ticket, 'base64url');
    if (bytes.length <= NONCE_BYTES + TAG_BYTES) throw refused('The ticket is invalid');
    const cipher = createDecipheriv(CIPHER, sealing, bytes.subarray(0, NONCE_BYTES));
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()]);
      return JSON.parse(text.toString()) as Sealed;
    } catch {
      throw refused('The ticket is invalid');
    }
  }

  const markOf = ({ path, query, identity }: MarkedRequest): string =>
    createHmac('sha256', marking)
      .update(JSON.stringify([path, query, identity.role, lastingClaims(identity)]))
      .digest()
      .toString('base64url', 0, MARK_BYTES);

  const hasMark = (request: MarkedRequest, id: string): boolean => {
    const given = Buffer.from(id.slice(0, MARK_LENGTH));
    return given.length === MARK_LENGTH && timingSafeEqual(given, Buffer.from(markOf(request)));
  };

  return {
    markOf,
    create(headers, request) {
      const madeAt = now();
      const sent = Object.fromEntries(SEALED.map((name) => [name, headerOf(headers, name)]));
      return {
        ticket: seal({ headers: sent, request: nameOf(request), madeAt }),
        expiresAt: new Date(madeAt + OPEN_MS).toISOString(),
      };
    },
    open(path, query, headers) {
      const pairs = query.split('&');
      const ticket = pairs.find((pair) => pair.startsWith(PARAMETER))?.slice(PARAMETER.length);
      if (ticket === undefined) return null;
      const rest = pairs.filter((pair) => !pair.startsWith(PARAMETER)).join('&');
      const sealed = unseal(ticket);
      if (sealed.request !== nameOf(`${path}?${rest}`)) throw refused('The ticket is for another request');
      const age = now() - sealed.madeAt;
      return {
        query: rest,
        headers: { ...headers, ...Object.fromEntries(SEALED.map((name) => [name, sealed.headers[name]])) },
        admit(request, stream) {
          const isKnown = age <= LIFE_MS && hasMark(request, headerOf(headers, 'last-event-id') ?? '');
          if (age > OPEN_MS && !isKnown) throw refused('The ticket has expired');
          open.get(ticket)?.destroy();
          if (!stream.destroyed) {
            open.set(ticket, stream);
            stream.once('close', () => {
              if (open.get(ticket) === stream) open.delete(ticket);
            });
          }
          return endingAt(request.identity, sealed.madeAt + LIFE_MS);
        },
      };
    },
  };
}

/** One text for all spellings of a request. */
function nameOf(request: string): string {
  const { pathname, searchParams } = new URL(`http://dbr${request}`);
  return sha256Text(JSON.stringify([pathname, [...searchParams]]), 'base64url');
}

/** The identity with a token that expires at a time, in milliseconds since the epoch, at the latest. */
function endingAt(identity: Identity, time: number): Identity {
  const claims = JSON.parse(identity.claims) as Readonly<Record<string, unknown>>;
  const { exp } = claims;
  const end = Math.min(typeof exp === 'number' ? exp : Infinity, time / 1000);
  return { ...identity, claims: JSON.stringify({ ...claims, exp: end }) };
}

const refused = (reason: string): DbrError =>
  dbrError('JwtVerificationFailed', { reason, details: null }, { headers: invalidTokenChallenge(reason) });
