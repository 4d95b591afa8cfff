/** Admission of a call before its message is read: identifies its party and takes the party's rate limit. */
import type { RateLimiter } from '../operations/rate-limit.js';
import type { Observe } from '../observability/observation.js';
import { sha256 } from '../sha256.js';
import type { PartyIdentity } from '../signing/router-port.js';
import type { Identify } from './identity.js';
import { Refused } from './refusal.js';
import type { IncomingCall } from './typed-service.js';

/** Identifies a party across tenants. */
export const partyKey = ({ tenantId, partyId }: PartyIdentity): string => JSON.stringify([tenantId, partyId]);

/** Names a party in the log: these are no secrets. */
const nameOf = ({ tenantId, partyId }: PartyIdentity): string => `${tenantId}/${partyId}`;

/**
 * @param limiter counts the calls of each party
 * @throws Refused as `identify`, and RESOURCE_EXHAUSTED for a party that calls too often
 */
export const createAdmission =
  (identify: Identify, limiter: RateLimiter, observe: Observe) =>
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

/** A client that is no known party is named by the SHA-256 of its certificate, as `openssl x509 -fingerprint` prints it. */
const subjectOf = ({ certificate }: IncomingCall): string =>
  certificate === null ? 'no certificate' : `certificate ${sha256(certificate).toString('hex')}`;
