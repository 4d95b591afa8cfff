/** Identifies the party of a call by the registered certificate of the client or, in development, by a token. */
import { X509Certificate } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import { isPartyId, tenantIdOf } from '../base/identifiers.js';
import { lruCache } from '../base/lru-cache.js';
import { readIdentityKey } from '../signing/parties/identity-key.js';
import type { PartyIdentity, PartyRegistry } from '../signing/router-port.js';
import { Refused } from './refusal.js';
import type { IncomingCall } from './typed-service.js';
import { sha256 } from '../base/hash.js';
import type { RateLimiter } from '../operations/limits.js';
import type { Observe } from '../observability/observation.js';

interface Identities {
  /**
   * @throws Refused UNAUTHENTICATED without a reason, or for a certificate that has expired since the connection was made;
   *   PERMISSION_DENIED for parties that are not active
   */
  readonly identify: (call: IncomingCall) => Promise<PartyIdentity>;
  /** When the certificate or the token of an identified call expires, in milliseconds since the epoch. */
  readonly validUntil: (call: IncomingCall) => number;
}

/**
 * Time for which a party is cached, and a suspended party may continue to send. Joins, results and streams query the
 * database.
 */
const REMEMBERED_MS = 1000;
/** Time for which an unknown certificate or name is refused without a query. */
const MISSED_MS = 1000;
/** Bounds of each cache. */
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 8_388_608;
/** Memory of a cached party in bytes; registration limits its texts. */
const PARTY_BYTES = 2000;
/** Memory of a SHA-256 in its own buffer, in bytes. */
const HASH_BYTES = 200;
/** Leeway for the times of a token. */
const LEEWAY_SECONDS = 30;
const TOKEN_AUDIENCE = 'router.v1';
const MAX_TOKEN_LENGTH = 4096;

const unauthenticated = (): Refused => new Refused('unknown-party', 'no known party');

/** The refusal of calls and streams whose certificate or token has expired. */
export const credentialExpired = (): Refused =>
  new Refused('credential-expired', 'the certificate or the token has expired: connect again with another');

/** @param devTokens true also accepts a token that the party's identity key signed, if there is no certificate */
export function createIdentities(parties: PartyRegistry, devTokens: boolean): Identities {
  const lookUp = createLookUp();
  /** Certificates by their SHA-256: parsing a certificate is the most expensive part of a call. */
  const known = lruCache<CertifiedKey>({
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    bytesOf: () => HASH_BYTES,
  });

  /** By the certificate of a connection, which is one object, see `rememberCertificate`. */
  const ofConnections = new WeakMap<Buffer, CertifiedKey>();

  function keyOf(certificate: Buffer): CertifiedKey {
    const ofConnection = ofConnections.get(certificate);
    if (ofConnection !== undefined) return ofConnection;
    const name = sha256(certificate).toString('base64');
    const key = known.get(name) ?? certifiedKey(certificate);
    known.set(name, key);
    ofConnections.set(certificate, key);
    return key;
  }

  async function byCertificate(certificate: Buffer): Promise<PartyIdentity | null> {
    const { hash, name, validUntil } = keyOf(certificate);
    // The handshake has verified it, but a connection may outlive it.
    if (Date.now() > validUntil) throw credentialExpired();
    return await lookUp(name, () => parties.byCertificate(hash));
  }

  async function byToken(token: string): Promise<PartyIdentity | null> {
    const claimed = readClaims(token);
    if (claimed === null) return null;
    const { tenantId, sub } = claimed;
    const name = sha256(Buffer.from(JSON.stringify([tenantId, sub]))).toString('base64');
    const party = await lookUp(`name ${name}`, () =>
      isPartyId(sub) ? parties.byName(tenantIdOf(tenantId), sub) : Promise.resolve(null),
    );
    return party !== null && (await isSignedBy(token, party)) ? party : null;
  }

  return {
    async identify({ certificate, metadata }) {
      if (certificate !== null) return activeParty(await byCertificate(certificate));
      const token = devTokens ? bearerToken(metadata.get('authorization')) : null;
      return activeParty(token === null ? null : await byToken(token));
    },
    validUntil({ certificate, metadata }) {
      if (certificate !== null) return keyOf(certificate).validUntil;
      const claims = readClaims(bearerToken(metadata.get('authorization')) ?? '');
      return claims === null ? 0 : (claims.exp + LEEWAY_SECONDS) * 1000;
    },
  };
}

/** The public key of a certificate: its SHA-256, and its name in the caches. */
interface CertifiedKey {
  readonly hash: Buffer;
  readonly name: string;
  /** `notAfter` of the certificate, in milliseconds since the epoch. */
  readonly validUntil: number;
}

function certifiedKey(certificate: Buffer): CertifiedKey {
  const { publicKey, validTo } = new X509Certificate(certificate);
  // The SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) does not change when a certificate is renewed with the same key.
  const hash = sha256(publicKey.export({ type: 'spki', format: 'der' }));
  return { hash, name: `certificate ${hash.toString('base64')}`, validUntil: Date.parse(validTo) };
}

/** @throws Refused */
function activeParty(party: PartyIdentity | null): PartyIdentity {
  if (party === null) throw unauthenticated();
  if (party.status !== 'active')
    throw new Refused('party-not-active', 'the party is not active', `${party.tenantId}/${party.partyId}`);
  return party;
}

type Find = () => Promise<PartyIdentity | null>;
type LookUp = (key: string, find: Find) => Promise<PartyIdentity | null>;

/**
 * Finds a party by a key, and caches hits and misses for a time. Misses have a separate cache, so that unknown
 * clients do not evict parties. Concurrent calls with one key share one query.
 */
function createLookUp(): LookUp {
  const now = (): number => performance.now();
  const bounds = { maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES, now };
  const found = lruCache<PartyIdentity>({ ...bounds, bytesOf: () => PARTY_BYTES });
  const missed = lruCache<true>({ ...bounds, bytesOf: () => HASH_BYTES });
  const asking = new Map<string, Promise<PartyIdentity | null>>();

  async function ask(key: string, find: Find): Promise<PartyIdentity | null> {
    const askedAt = now();
    try {
      const party = await find();
      if (party === null) missed.set(key, true, askedAt + MISSED_MS);
      else found.set(key, party, askedAt + REMEMBERED_MS);
      return party;
    } finally {
      asking.delete(key);
    }
  }

  return async (key, find) => {
    const known = found.get(key);
    if (known !== undefined) return known;
    if (missed.get(key) !== undefined) return null;
    const asked = asking.get(key) ?? ask(key, find);
    asking.set(key, asked);
    return await asked;
  };
}

function bearerToken(values: readonly (string | Buffer)[]): string | null {
  const [value, ...more] = values;
  if (typeof value !== 'string' || more.length > 0 || value.length > MAX_TOKEN_LENGTH) return null;
  return /^Bearer ([\w.-]+)$/.exec(value)?.[1] ?? null;
}

interface TokenClaims {
  readonly tenantId: string;
  readonly sub: string;
  /** In seconds since the epoch. */
  readonly exp: number;
}

/**
 * The claims of a token whose signature is not verified yet. Null for a token that is malformed, is for another audience, has
 * expired or is not valid yet.
 */
function readClaims(token: string): TokenClaims | null {
  const [, payload = ''] = token.split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null) return null;
    const { tenantId, sub, aud, exp, nbf } = claims as Partial<Record<string, unknown>>;
    if (typeof tenantId !== 'string' || typeof sub !== 'string' || aud !== TOKEN_AUDIENCE) return null;
    const now = Date.now() / 1000;
    if (typeof exp !== 'number' || !Number.isFinite(exp) || exp + LEEWAY_SECONDS < now) return null;
    // RFC 7519 §4.1.5.
    if (nbf !== undefined && (typeof nbf !== 'number' || !Number.isFinite(nbf) || nbf - LEEWAY_SECONDS > now))
      return null;
    return { tenantId, sub, exp };
  } catch {
    return null;
  }
}

const isSignedBy = async (
  token: string,
  { identityPublicKey, formerIdentityKey = null }: PartyIdentity,
): Promise<boolean> =>
  (await isSignedWith(token, identityPublicKey)) ||
  (formerIdentityKey !== null && (await isSignedWith(token, formerIdentityKey)));

async function isSignedWith(token: string, identityKey: Buffer): Promise<boolean> {
  const key = readIdentityKey(identityKey);
  if (key?.asymmetricKeyType !== 'ed25519') return false;
  try {
    await compactVerify(token, key, { algorithms: ['EdDSA'] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return false;
    throw error;
  }
}

// Admission of a call before its message is read: identifies its party and takes the party's rate limit.

/** Keys by identity, which is one object for all calls of a party within about a second. */
const partyKeys = new WeakMap<PartyIdentity, string>();

/** Identifies a party across tenants. */
export function partyKey(party: PartyIdentity): string {
  const known = partyKeys.get(party);
  if (known !== undefined) return known;
  const key = JSON.stringify([party.tenantId, party.partyId]);
  partyKeys.set(party, key);
  return key;
}

/** Names a party in the log: these are not secrets. */
const nameOf = ({ tenantId, partyId }: PartyIdentity): string => `${tenantId}/${partyId}`;

/**
 * @param limiter counts the calls of each party
 * @throws Refused as `identify`, and RESOURCE_EXHAUSTED for a party that calls too often
 */
export const createAdmission =
  (identify: Identities['identify'], limiter: RateLimiter, observe: Observe) =>
  async (call: IncomingCall): Promise<PartyIdentity> => {
    const party = await identify(call).catch((error: unknown) => {
      if (error instanceof Refused)
        observe({ kind: 'party-refused', reason: error.reason, subject: error.subject ?? subjectOf(call) });
      throw error;
    });
    const seconds = await limiter.take(partyKey(party));
    if (seconds === 0) return party;
    observe({ kind: 'party-refused', reason: 'rate-exceeded', subject: nameOf(party) });
    throw new Refused('rate-exceeded', `again in ${String(seconds)} s`);
  };

/** The name of an unknown client in the log: the SHA-256 of its certificate, as `openssl x509 -fingerprint` prints it. */
const subjectOf = ({ certificate }: IncomingCall): string =>
  certificate === null ? 'no certificate' : `certificate ${sha256(certificate).toString('hex')}`;
