/**
 * Sends requests to addresses that tenants chose. A request never reaches an address of a network that is not public (server-side
 * request forgery): the name is looked up once, its addresses are checked, and the connection is made to them and to no other.
 */
import { Resolver } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { networkSet } from '../base/networks.js';
import { type Gone, linkGone, whenGone } from '../base/gone.js';

/** Special-purpose networks of IPv4 (IANA registry, RFC 6890), multicast, and what is reserved. */
const SPECIAL_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3';
/** Within the global unicast addresses of IPv6: protocol assignments with Teredo, documentation, and 6to4, which has IPv4 addresses. */
const SPECIAL_IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const isSpecial = networkSet(`${SPECIAL_IPV4} ${SPECIAL_IPV6}`.split(' '));
const isGlobalIPv6 = networkSet(['2000::/3']);

/** Whether anyone may be reached at the address. Of IPv6 only global unicast addresses: none that contains one of IPv4. */
export const isPublicAddress = (address: string): boolean =>
  !isSpecial(address) && (isIP(address) === 4 || isGlobalIPv6(address));

/** Why there was no response. */
type SendError =
  | 'address-refused'
  | 'name-not-found'
  | 'http-refused'
  | 'timeout'
  | 'certificate-refused'
  | 'connection-failed'
  | 'stopped';

type SendOutcome =
  | { readonly status: number; readonly error: null }
  | { readonly status: null; readonly error: SendError };

interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface SenderOptions {
  /** Networks whose addresses are allowed although they are not public, and with `http`. */
  readonly allowedNetworks: readonly string[];
  /** For the lookup of the name, the request and the response together. */
  readonly timeoutMs: number;
  /** Returns the addresses of a name. Replaces DNS. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

export type Sender = (sending: Sending, stop: Gone) => Promise<SendOutcome>;

/** Bytes of the body of a response that are read, so that a receiver sees its response accepted. */
const MAX_RESPONSE_BYTES = 16_384;
const DNS_TIMEOUT_MS = 2000;

/** Asks DNS without the threads of the process, of which four slow names would take all. */
async function resolveName(name: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

/**
 * @returns a function that posts once, follows no redirect, and never throws
 */
export function createSender({ allowedNetworks, timeoutMs, resolve = resolveName }: SenderOptions): Sender {
  const isAllowed = networkSet(allowedNetworks);

  /** The addresses that the request may connect to. One that is refused refuses all: a name must not mix them. */
  async function addressesOf(url: URL): Promise<readonly string[] | SendError> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) === 0 ? await resolve(host) : [host];
    if (addresses.length === 0) return 'name-not-found';
    if (!addresses.every((each) => isPublicAddress(each) || isAllowed(each))) return 'address-refused';
    return url.protocol === 'https:' || addresses.every(isAllowed) ? addresses : 'http-refused';
  }

  return async (sending, stop) => {
    const { signal, release } = linkGone([stop], timeoutMs);
    const failed = (error: SendError): SendOutcome => ({ status: null, error });
    try {
      const url = new URL(sending.url);
      const addresses = await aborting(addressesOf(url), signal);
      if (typeof addresses === 'string') return failed(addresses);
      const answer = await post(url, addresses, sending, signal);
      return typeof answer === 'string' ? failed(answer) : { status: answer, error: null };
    } catch {
      if (stop.aborted) return failed('stopped');
      return failed(signal.aborted ? 'timeout' : 'connection-failed');
    } finally {
      release();
    }
  };
}

/** Rejects when the signal is aborted, whether or not the work ends. */
function aborting<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    whenGone(signal, () => reject(new Error('aborted')));
    work.then(resolve, reject);
  });
}

/** Every connection is a new one, to an address that was checked for this request. */
function post(
  url: URL,
  addresses: readonly string[],
  { headers, body }: Sending,
  signal: AbortSignal,
): Promise<number | SendError> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_name, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, ...length },
      agent: false,
      lookup,
      signal,
    });
    let outcome: number | SendError | null = null;
    request
      .on('response', (response) => {
        // The status counts, whatever becomes of the body.
        outcome = response.statusCode ?? 0;
        discard(response);
      })
      .on('error', () => {
        if (isCertificateRefused(request.socket)) outcome ??= 'certificate-refused';
      })
      // Status 101 closes the connection without a response and without an error.
      .on('close', () => (outcome === null ? reject(new Error('no response')) : resolve(outcome)))
      .end(body);
  });
}

/** Node has the reason in the socket of a receiver whose certificate it refuses: expired, of another name, of an unknown authority. */
const isCertificateRefused = (socket: (Socket & { readonly authorizationError?: unknown }) | null): boolean =>
  (socket?.authorizationError ?? null) !== null;

/** Reads a body, which the receiver sees accepted, up to its bound. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response
    .on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) response.destroy();
    })
    .on('error', () => undefined);
}
