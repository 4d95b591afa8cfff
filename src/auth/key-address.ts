/** Addresses from which keys are fetched. They come from the settings only; a token cannot name an address. */

/** The place of an issuer's key set: an address from the settings, or the address that the issuer's metadata names. */
export type KeyAddress =
  | { readonly kind: 'key-set'; readonly uri: string }
  | { readonly kind: 'issuer'; readonly issuer: string };

/** The accepted form of such an address, for messages about settings. */
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

/** Whether the address uses http, which is accepted for this machine only. */
export const isPlainHttp = (text: string): boolean => new URL(text).protocol === 'http:';

/** The address that is fetched first. */
export const textOf = (address: KeyAddress): string =>
  address.kind === 'key-set' ? address.uri : address.issuer;

/** The address for logs, without its query, which may contain an access key. */
export const addressForLogs = (address: KeyAddress): string => textOf(address).replace(/\?.*/s, '');

/** The address of an issuer's metadata (OpenID Connect Discovery 1.0 §4). */
export const metadataAddress = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
