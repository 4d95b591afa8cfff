/** Loads the key set of an issuer, from its address or from the address in the issuer's metadata. */
import { FetchError, fetchJson, type FetchOptions } from './fetch-json.js';
import { isKeyAddress, isPlainHttp, metadataAddress, type KeyAddress } from './key-address.js';
import { readPublishedKeys, type PublishedKey } from './keys.js';

export interface LoadedKeySet {
  /** May be empty: an issuer that publishes no key withdraws its keys. */
  readonly keys: readonly PublishedKey[];
  /** Freshness of the set in seconds, as the issuer states it; null if it states none. */
  readonly freshSeconds: number | null;
}

/** @throws FetchError when the set cannot be fetched, KeyError when it is not a key set */
export async function loadKeySet(address: KeyAddress, options: FetchOptions): Promise<LoadedKeySet> {
  const uri = address.kind === 'key-set' ? address.uri : await discover(address.issuer, options);
  const { value, freshSeconds } = await fetchJson(uri, options);
  return { keys: readPublishedKeys(value), freshSeconds };
}

/**
 * Reads the address of the key set from the metadata of an issuer, which must name exactly this issuer (OpenID
 * Connect Discovery 1.0 §4.3).
 */
async function discover(issuer: string, options: FetchOptions): Promise<string> {
  const { value } = await fetchJson(metadataAddress(issuer), options);
  const metadata = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  if (metadata.get('issuer') !== issuer) throw new FetchError('the metadata are of another issuer');
  const uri: unknown = metadata.get('jwks_uri');
  if (typeof uri !== 'string' || !isKeyAddress(uri) || (isPlainHttp(uri) && !isPlainHttp(issuer)))
    throw new FetchError('the metadata name no https address of a key set in "jwks_uri"');
  return uri;
}
