/** Admission of a call before its message is read: identifies its party and takes the party's rate limit. */
import type { RateLimiter } from '../operations/rate-limit.js';
import type { Observe } from '../observability/observation.js';
import { sha256 } from '../base/hash.js';
import type { PartyIdentity } from '../signing/router-port.js';
import type { Identities } from './identity.js';
import { Refused } from './refusal.js';
import type { IncomingCall } from './call-options.js';

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

/** Names a party in the log: these are no secrets. */
const nameOf = ({ tenantId, partyId }: PartyIdentity): string => `${tenantId}/${partyId}`;

/**
 * @param limiter counts the calls of each party
 * @throws Refused as `identify`, and RESOURCE_EXHAUSTED for a party that calls too often
 */
export function createAdmission(
  identify: Identities['identify'],
  limiter: RateLimiter,
  observe: Observe,
): (call: IncomingCall) => PartyIdentity | Promise<PartyIdentity> {
  const refuse = (call: IncomingCall, error: unknown): never => {
    if (error instanceof Refused)
      observe({ kind: 'party-refused', reason: error.reason, subject: error.subject ?? subjectOf(call) });
    throw error;
  };
  const within = (party: PartyIdentity, seconds: number): PartyIdentity => {
    if (seconds === 0) return party;
    observe({ kind: 'party-refused', reason: 'rate-exceeded', subject: nameOf(party) });
    throw new Refused('rate-exceeded', `again in ${String(seconds)} s`);
  };
  const take = (party: PartyIdentity): PartyIdentity | Promise<PartyIdentity> => {
    const taken = limiter.take(partyKey(party));
    return taken instanceof Promise ? taken.then((seconds) => within(party, seconds)) : within(party, taken);
  };
  const identified = (call: IncomingCall): PartyIdentity | Promise<PartyIdentity> => {
    try {
      const party = identify(call);
      return party instanceof Promise ? party.catch((error: unknown) => refuse(call, error)) : party;
    } catch (error) {
      return refuse(call, error);
    }
  };
  return (call) => {
    const party = identified(call);
    return party instanceof Promise ? party.then(take) : take(party);
  };
}

/** A client that is no known party is named by the SHA-256 of its certificate, as `openssl x509 -fingerprint` prints it. */
const subjectOf = ({ certificate }: IncomingCall): string =>
  certificate === null ? 'no certificate' : `certificate ${sha256(certificate).toString('hex')}`;
