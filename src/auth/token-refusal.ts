/** The error of the data API for a token that is refused. */
import { dbrError, type DbrError } from '../errors/dbr-error.js';
import type { TokenDiagnosis, TokenError, TokenFault } from '../errors/token-error.js';
import { invalidTokenChallenge } from './challenge.js';

/** @param level the release of PostgREST whose codes and texts the error has (`compatibility-level`) */
export function tokenRefusal(error: TokenError, level: '12' | '16'): DbrError {
  const { kind, reason } = level === '12' ? { kind: 'token', reason: error.message } : diagnosisOf(error);
  const options = { headers: invalidTokenChallenge(reason) };
  if (kind === 'claims') return dbrError('JwtClaimsInvalid', { reason }, options);
  const details = level === '12' ? null : (DETAILS[error.fault] ?? null);
  return dbrError('JwtVerificationFailed', { reason, details }, options);
}

const diagnosisOf = ({ diagnosis, fault, message }: TokenError): TokenDiagnosis =>
  diagnosis ?? DIAGNOSES[fault] ?? { kind: 'claims', reason: message };

/** Reasons in the words of release 16. Faults that it does not have keep their message. */
const DIAGNOSES: Readonly<Partial<Record<TokenFault, TokenDiagnosis>>> = {
  malformed: { kind: 'token', reason: "JWT couldn't be decoded" },
  'JWSError JWSInvalidSignature': { kind: 'token', reason: 'No suitable key or wrong key type' },
  'JWSError JWSNoSignatures': { kind: 'token', reason: 'Wrong or unsupported encoding algorithm' },
  'JWT expired': { kind: 'claims', reason: 'JWT expired' },
  JWTNotYetValid: { kind: 'claims', reason: 'JWT not yet valid' },
  JWTIssuedAtFuture: { kind: 'claims', reason: 'JWT issued at future' },
  JWTNotInAudience: { kind: 'claims', reason: 'JWT not in audience' },
};

const DETAILS: Readonly<Partial<Record<TokenFault, string>>> = {
  'JWSError JWSInvalidSignature': 'None of the keys was able to decode the JWT',
};

/** From release 13 on, a Bearer header without a token is refused; before, it is a request without a token. */
export const emptyToken = (): DbrError => {
  const reason = 'Empty JWT is sent in Authorization header';
  return dbrError(
    'JwtVerificationFailed',
    { reason, details: null },
    { headers: invalidTokenChallenge(reason) },
  );
};
