/** The address of a client, which trusted proxies state in a header. */
import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { networkSet } from '../base/networks.js';

export interface ProxySettings {
  /** Addresses and networks of proxies; `unix` for those on the Unix socket. */
  readonly trusted: readonly string[];
  /** The header in which they name the client; clients can send the others. */
  readonly header: 'x-forwarded-for' | 'forwarded' | 'none';
}

export interface ClientAddresses {
  /** Whether the connection carries requests of several clients. */
  isProxied(socket: Socket): boolean;
  /** The address of the client of a request; empty if it is unknown. */
  of(request: IncomingMessage): string;
  /** The scheme of the request at the client, `http` or `https`. */
  scheme(request: IncomingMessage): string;
}

/** Most proxies between a client and the service. */
const MOST_HOPS = 32;
/** Most characters of `X-Forwarded-For` that are read, from its end. */
const LONGEST_HEADER = 4096;
const UNIX = 'unix';

/** The address at the other end of the connection; empty on a Unix socket. */
export const peerOf = (socket: Socket): string => socket.remoteAddress ?? '';

export function clientAddresses({ trusted, header }: ProxySettings): ClientAddresses {
  const inNetworks = networkSet(trusted);
  const isTrusted = (address: string): boolean =>
    address === '' ? trusted.includes(UNIX) : inNetworks(address);
  const isProxied = (socket: Socket): boolean =>
    header !== 'none' && trusted.length > 0 && isTrusted(peerOf(socket));
  return {
    isProxied,
    of(request) {
      const { socket, headers } = request;
      if (trusted.length === 0 || !isProxied(socket)) return peerOf(socket);
      const hops =
        header === 'forwarded'
          ? forwardedElements(headers.forwarded ?? '')
              .slice(-MOST_HOPS)
              .map((element) => addressOf(element.for))
          : hopsOf(String(headers['x-forwarded-for'] ?? ''));
      return clientBehind(peerOf(socket), hops, isTrusted);
    },
    scheme({ socket, headers }) {
      if (trusted.length === 0 || !isProxied(socket)) return 'http';
      const named =
        header === 'forwarded'
          ? forwardedElements(headers.forwarded ?? '').at(-1)?.proto
          : String(headers['x-forwarded-proto'] ?? '')
              .split(',')
              .at(-1);
      return named?.trim().toLowerCase() === 'https' ? 'https' : 'http';
    },
  };
}

/**
 * The client is the last hop that is not a trusted proxy: what stands before it was written by the client. A hop that is not a
 * address ends the search at the proxy that wrote it.
 */
function clientBehind(
  peer: string,
  hops: readonly (string | null)[],
  isTrusted: (address: string) => boolean,
): string {
  let client = peer;
  for (const hop of hops.slice(-MOST_HOPS).reverse()) {
    if (hop === null) return client;
    client = hop;
    if (!isTrusted(hop)) return client;
  }
  return client;
}

/** The addresses of `X-Forwarded-For`, in its order; null for a hop without one. */
const hopsOf = (header: string): readonly (string | null)[] =>
  header === '' ? [] : header.slice(-LONGEST_HEADER).split(',').map(addressOf);

/** What an element of `Forwarded` states; empty where it does not. */
interface ForwardedElement {
  readonly for: string;
  readonly proto: string;
}

const UNREADABLE: ForwardedElement = { for: '', proto: '' };

/** A pair of an element. What follows a pair, or stands in its place: the end of it, of its element or of the list. */
const PAIR = /([!#$%&'*+\-.^`|~\w]+)=(?:([!#$%&'*+\-.^`|~\w]+)|"((?:[^"\\]|\\.)*)")/y;
const END = /[\t ]*(?:([;,])[\t ]*|$)/y;

/**
 * The elements of `Forwarded` (RFC 7239 §4), in linear time. The list is read from its start: a quote that a client leaves
 * open takes up the quotes of the proxies behind it, so that only the start says where an element ends. Where the list
 * cannot be read, its rest is one element that states nothing, as is an element with a parameter twice.
 */
function forwardedElements(text: string): readonly ForwardedElement[] {
  const elements: ForwardedElement[] = [];
  const values = new Map<string, string>();
  let isSound = true;
  let at = 0;
  for (;;) {
    PAIR.lastIndex = at;
    const pair = PAIR.exec(text);
    if (pair !== null) {
      const [{ length }, name = '', token, quoted = ''] = pair;
      if (values.has(name.toLowerCase())) isSound = false;
      values.set(name.toLowerCase(), token ?? quoted.replaceAll(/\\(.)/g, '$1'));
      at += length;
    }
    END.lastIndex = at;
    const end = END.exec(text);
    if (end === null) return [...elements, UNREADABLE];
    at += end[0].length;
    if (end[1] === ';') continue;
    // An empty element of a list is none (RFC 9110 §5.6.1).
    if (values.size > 0)
      elements.push(
        isSound ? { for: values.get('for') ?? '', proto: values.get('proto') ?? '' } : UNREADABLE,
      );
    if (end[1] === undefined) return elements;
    values.clear();
    isSound = true;
  }
}

/** An address, also with a port, and in brackets (RFC 7239 §6); null for any other text. */
function addressOf(text: string): string | null {
  const [, bracketed, plain] =
    /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/i.exec(text.trim()) ?? [];
  const address = bracketed ?? plain ?? text.trim();
  return isIP(address) === 0 ? null : address;
}
