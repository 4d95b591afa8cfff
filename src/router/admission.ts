/** Admission of a call, before its message is read: the party that makes it, within the rate that it may call at. */
import type { RateLimiter } from '../operations/rate-limit.js';
import type { PartyIdentity } from '../signing/router-port.js';
import type { Identify } from './identity.js';
import { Refused } from './refusal.js';
import type { IncomingCall } from './typed-service.js';

/** Names a party across tenants. */
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
