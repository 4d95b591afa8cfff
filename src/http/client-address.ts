/** The address of a client, which trusted proxies state in a header or in front of the connection. */
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
  /** Notes the address that a trusted proxy has stated in front of the connection (PROXY protocol). */
  note(socket: Socket, address: string): void;
  /** The address at the other end of the connection; empty on a Unix socket. */
  peer(socket: Socket): string;
  /** Whether the connection carries requests of several clients. */
  isProxied(socket: Socket): boolean;
  /** The address of the client of a request; empty if it is unknown. */
  of(request: IncomingMessage): string;
  /** The scheme of the request at the client, `http` or `https`. */
  scheme(request: IncomingMessage): string;
  /** Whether the address belongs to a trusted proxy. */
  isTrusted(address: string): boolean;
}

/** Most proxies between a client and the service. */
const MOST_HOPS = 32;
/** Most characters of the header that are read, from its end. */
const LONGEST_HEADER = 4096;
const UNIX = 'unix';

export function clientAddresses({ trusted, header }: ProxySettings): ClientAddresses {
  const inNetworks = networkSet(trusted);
  const stated = new WeakMap<Socket, string>();
  const isTrusted = (address: string): boolean =>
    address === '' ? trusted.includes(UNIX) : inNetworks(address);
  const peer = (socket: Socket): string => stated.get(socket) ?? socket.remoteAddress ?? '';
  const isProxied = (socket: Socket): boolean =>
    header !== 'none' && trusted.length > 0 && isTrusted(peer(socket));
  return {
    note: (socket, address) => void stated.set(socket, address),
    peer,
    isProxied,
    isTrusted,
    of(request) {
      const { socket, headers } = request;
      if (trusted.length === 0 || !isProxied(socket)) return peer(socket);
      const text = header === 'forwarded' ? headers.forwarded : headers['x-forwarded-for'];
      const hops = hopsOf(typeof text === 'string' ? text : '', header === 'forwarded');
      return clientBehind(peer(socket), hops, isTrusted);
    },
    scheme({ socket, headers }) {
      if (trusted.length === 0 || !isProxied(socket)) return 'http';
      const named =
        header === 'forwarded'
          ? lastForwarded(headers.forwarded ?? '', PROTO)
          : String(headers['x-forwarded-proto'] ?? '')
              .split(',')
              .at(-1);
      return named?.trim().toLowerCase() === 'https' ? 'https' : 'http';
    },
  };
}

/**
 * The client is the last hop that is no trusted proxy: what stands before it was written by the client. A hop that is no
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

/** The addresses of the header, in its order; null for a hop without one. */
function hopsOf(header: string, isForwarded: boolean): readonly (string | null)[] {
  const text = header.slice(-LONGEST_HEADER);
  if (text === '') return [];
  return isForwarded
    ? elementsOf(text).map((element) => addressOf(parameterOf(element, FOR)))
    : text.split(',').map(addressOf);
}

/** Elements of `Forwarded` (RFC 7239 §4): commas in quotes separate none. */
const elementsOf = (text: string): readonly string[] => text.match(/(?:[^",]|"(?:[^"\\]|\\.)*")+/g) ?? [];

const FOR = /(?:^|;)\s*for\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/i;
const PROTO = /(?:^|;)\s*proto\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/i;

function parameterOf(element: string, form: RegExp): string {
  const [, quoted, token] = form.exec(element.trim()) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '';
}

const lastForwarded = (header: string, form: RegExp): string =>
  parameterOf(elementsOf(header.slice(-LONGEST_HEADER)).at(-1) ?? '', form);

/** An address, also with a port, and in brackets (RFC 7239 §6); null for any other text. */
function addressOf(text: string): string | null {
  const [, bracketed, plain] =
    /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/i.exec(text.trim()) ?? [];
  const address = bracketed ?? plain ?? text.trim();
  return isIP(address) === 0 ? null : address;
}
