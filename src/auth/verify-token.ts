/**
 * Verifies a compact JWS (RFC 7515 §7.1) and reads its claims (RFC 7519). jose verifies signatures; the reasons for a
 * refusal have the wording of the reference data-access layer.
 */
import { compactVerify, errors } from 'jose';
import type { VerificationKey } from './keys.js';
import { TokenError } from '../errors/token-error.js';

export type Claims = Readonly<Record<string, unknown>>;

export interface VerifiedToken {
  readonly claims: Claims;
  /** The claims as the issuer wrote them, so that no number loses digits. */
  readonly claimsText: string;
}

const LEEWAY_SECONDS = 30;

/**
 * Accepts only the canonical spelling of a token: base64url as in RFC 7515 §2, without padding, blanks or line ends, and
 * with trailing bits of zero (RFC 4648 §3.5).
 * @throws TokenError if no key verifies the signature, or the text is no token
 */
export async function verifySignature(
  token: string,
  keys: readonly VerificationKey[],
): Promise<VerifiedToken> {
  const algorithm = algorithmOf(token);
  if (!token.split('.').every(isBase64url)) throw new TokenError(INVALID_SIGNATURE);
  for (const { key, algorithms } of keys) {
    if (!algorithms.includes(algorithm)) continue;
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
      return readClaims(payload);
    } catch (error) {
      if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error;
    }
  }
  throw new TokenError(INVALID_SIGNATURE);
}

const INVALID_SIGNATURE = 'JWSError JWSInvalidSignature';

/** Whether the text is the canonical base64url of its bytes; other texts decode to the same bytes. */
const isBase64url = (text: string): boolean => Buffer.from(text, 'base64url').toString('base64url') === text;

function algorithmOf(token: string): string {
  const parts = token.split('.');
  const [header = ''] = parts;
  if (parts.length !== 3) {
    throw new TokenError(
      'malformed',
      `JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got ${parts.length})`,
    );
  }
  const decoded = jsonOf(header);
  if (decoded === undefined)
    throw new TokenError('malformed', 'JWSError (JSONDecodeError "Not valid base64url")');
  const algorithm = isRecord(decoded) ? decoded['alg'] : undefined;
  if (typeof algorithm !== 'string')
    throw new TokenError('malformed', 'JWSError (JSONDecodeError "Error in $: key \\"alg\\" not found")');
  if (algorithm === 'none') throw new TokenError('JWSError JWSNoSignatures');
  return algorithm;
}

function jsonOf(base64url: string): unknown {
  if (!isBase64url(base64url)) return undefined;
  try {
    return JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readClaims(payload: Uint8Array): VerifiedToken {
  let claimsText: string;
  let claims: unknown;
  try {
    claimsText = new TextDecoder('utf-8', { fatal: true }).decode(payload);
    claims = JSON.parse(claimsText);
  } catch {
    throw new TokenError('malformed', 'JWTClaimsSetDecodeError "Error in $: not a valid json value"');
  }
  if (!isRecord(claims)) {
    throw new TokenError(
      'malformed',
      `JWTClaimsSetDecodeError "Error in $: parsing JWT Claims Set failed, expected Object, but encountered ${jsonKind(claims)}"`,
    );
  }
  return { claims, claimsText };
}

function jsonKind(value: unknown): string {
  if (value === null) return 'Null';
  if (Array.isArray(value)) return 'Array';
  const kind = typeof value;
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

/** A NumericDate claim in seconds; null if it is absent. @throws TokenError if it is not a number */
export function numericDate(claims: Claims, name: 'exp' | 'nbf' | 'iat'): number | null {
  const value = claims[name];
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return value;
  throw new TokenError(
    'malformed',
    `JWTClaimsSetDecodeError "Error in $.${name}: parsing NumericDate failed, expected Number, but encountered ${jsonKind(value)}"`,
  );
}

/** Checks the time claims, with 30 seconds of leeway. @throws TokenError */
export function checkTimes(claims: Claims, nowSeconds: number): void {
  const [expires, notBefore, issued] = [
    numericDate(claims, 'exp'),
    numericDate(claims, 'nbf'),
    numericDate(claims, 'iat'),
  ];
  if (expires !== null && nowSeconds > expires + LEEWAY_SECONDS) throw new TokenError('JWT expired');
  if (notBefore !== null && nowSeconds < notBefore - LEEWAY_SECONDS) throw new TokenError('JWTNotYetValid');
  if (issued !== null && nowSeconds < issued - LEEWAY_SECONDS) throw new TokenError('JWTIssuedAtFuture');
}

/** Checks that a token with the claim `aud` names the audience. @param audience null accepts every audience @throws TokenError */
export function checkAudience(claims: Claims, audience: string | null): void {
  const named = claims['aud'];
  if (named === undefined || named === null) return;
  for (const name of Array.isArray(named) ? named : [named]) {
    if (typeof name === 'string') continue;
    throw new TokenError(
      'malformed',
      `JWTClaimsSetDecodeError "Error in $.aud: parsing StringOrURI failed, expected String, but encountered ${jsonKind(name)}"`,
    );
  }
  if (audience !== null && !(Array.isArray(named) ? named : [named]).includes(audience))
    throw new TokenError('JWTNotInAudience');
}

/** The end of a verified token with leeway, in milliseconds since the epoch; null without `exp`. */
export function expiryMs(claims: Claims): number | null {
  const expires = numericDate(claims, 'exp');
  return expires === null ? null : (expires + LEEWAY_SECONDS) * 1000;
}
