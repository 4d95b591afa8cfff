/** Errors that ask for a bearer token: each has a `WWW-Authenticate` challenge (RFC 6750 §3). */
import { dbrError, type DbrError } from '../errors/dbr-error.js';

/** The challenge to a request without a token. */
export const BEARER_CHALLENGE = { 'WWW-Authenticate': 'Bearer' } as const;

const INVALID_TOKEN = 'Bearer error="invalid_token"';

/** The challenge to a request whose token is not accepted. @param description the reason, for the client */
export const invalidTokenChallenge = (description: string) =>
  ({
    'WWW-Authenticate': `${INVALID_TOKEN}, error_description=${JSON.stringify(description)}`,
  }) as const;

/** The 401 of areas A and B for a request without a token. */
export const missingToken = (): DbrError => dbrError('AuthMissing', {}, { headers: BEARER_CHALLENGE });

/** The 401 of areas A and B for a token that is not accepted. The response does not give the reason. */
export const invalidToken = (): DbrError =>
  dbrError('AuthInvalid', {}, { headers: { 'WWW-Authenticate': INVALID_TOKEN } });
