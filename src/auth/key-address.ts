/** Addresses that keys are fetched from. They come from settings alone: nothing in a token names one. */

/** Where the key set of an issuer is: at an address of its own, or at the one that the issuer's metadata names. */
export type KeyAddress =
  { readonly kind: 'key-set'; readonly uri: string } | { readonly kind: 'issuer'; readonly issuer: string };

/** What such an address must be, for messages about settings. */
export const KEY_ADDRESS_FORM =
  'an https address without user, password and fragment (http for localhost, outside of production)';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether keys may be fetched from this address: by https, or by http from this machine. */
export function isKeyAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash, hostname } = new URL(text);
  if (username !== '' || password !== '' || hash !== '' || text.includes('#')) return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** Whether the address is one of development: http, and so on this machine. */
export const isPlainHttp = (text: string): boolean => new URL(text).protocol === 'http:';

/** The address that is asked first. */
export const textOf = (address: KeyAddress): string =>
  address.kind === 'key-set' ? address.uri : address.issuer;

/** The address for logs, without its query, which may hold a key of access. */
export const addressForLogs = (address: KeyAddress): string => textOf(address).replace(/\?.*/s, '');

/** The address of an issuer's metadata (OpenID Connect Discovery 1.0 §4). */
export const metadataAddress = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
