/** Admission of a call before its message is read: identifies its party and takes the party's rate limit. */
import type { RateLimiter } from '../operations/rate-limit.js';
import type { PartyIdentity } from '../signing/router-port.js';
import type { Identify } from './identity.js';
import { Refused } from './refusal.js';
import type { IncomingCall } from './typed-service.js';

/** Identifies a party across tenants. */
export const partyKey = ({ tenantId, partyId }: PartyIdentity): string => JSON.stringify([tenantId, partyId]);

/**
 * @param limiter counts the calls of each party
 * @throws Refused as `identify`, and RESOURCE_EXHAUSTED for a party that calls too often
 */
export const createAdmission =
  (identify: Identify, limiter: RateLimiter) =>
  async (call: IncomingCall): Promise<PartyIdentity> => {
    const party = await identify(call);
    const seconds = await limiter.take(partyKey(party));
    if (seconds > 0) throw new Refused('rate-exceeded', `again in ${String(seconds)} s`);
    return party;
  };
