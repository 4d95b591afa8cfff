/** Why a token is refused. */

/** A reason for metrics. Tokens that cannot be parsed, or have a claim of the wrong type, are malformed. */
export type TokenFault =
  | 'malformed'
  | 'JWT expired'
  | 'JWTNotYetValid'
  | 'JWTIssuedAtFuture'
  | 'JWTNotInAudience'
  | 'unknown issuer'
  | 'role not allowed'
  | 'tenant not allowed'
  | 'JWSError JWSInvalidSignature'
  | 'JWSError JWSNoSignatures'
  | 'tenantId is missing'
  | 'sub is missing'
  | 'exp is required'
  | 'unknown API key'
  | 'API key expired';

/** Whether a token is refused for its form or signature, or for a claim, and why, in the words of release 16. */
export interface TokenDiagnosis {
  readonly kind: 'token' | 'claims';
  readonly reason: string;
}

/** A token that is refused. The message holds nothing of the token and may be shown to the client. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly fault: TokenFault;
  /** Null if the fault says enough. */
  readonly diagnosis: TokenDiagnosis | null;

  constructor(fault: TokenFault, message: string = fault, diagnosis: TokenDiagnosis | null = null) {
    super(message);
    this.fault = fault;
    this.diagnosis = diagnosis;
  }
}
