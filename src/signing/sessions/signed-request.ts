/**
 * The signed request of a session: what its creator asks for. The service verifies that registered keys signed exactly these
 * bytes, and holds no policy: whether the request allows the session, the parties decide.
 */
import type { RequestKey, SigningRequest } from '../../../generated/types.js';
import { lengthPrefixed } from '../../base/bytes.js';
import { sha256 } from '../../base/hash.js';
import { dbrError, invalidBody, type DbrError, type Problem } from '../../errors/dbr-error.js';
import type { Account } from '../accounts/account-store.js';
import { signsRequest } from '../accounts/request-keys.js';
import type { RequestSignature } from '../types.js';

const MAX_CONTENT_BYTES = 16_384;
const MAX_SIGNATURES = 16;

export interface SignedRequest {
  readonly content: Buffer;
  readonly signatures: readonly RequestSignature[];
}

/** @throws DbrError InvalidBody for content that is too large */
export function requestOf({ content, signatures }: SigningRequest): SignedRequest {
  const bytes = Buffer.from(content, 'base64url');
  if (bytes.length > MAX_CONTENT_BYTES)
    throw invalidBody('/request/content', 'size', 'must not be larger than 16 KiB');
  return {
    content: bytes,
    signatures: signatures.map(({ keyId, algorithm, signature }) => ({ keyId, algorithm, signature })),
  };
}

/** The request as one part of what identifies a session. */
export const requestPart = ({ content, signatures }: SignedRequest): Buffer =>
  lengthPrefixed([content, JSON.stringify(signatures)]);

/** The request as the audit log has it: which bytes were signed, and by which keys. */
export const requestView = ({ content, signatures }: SignedRequest): object => ({
  requestSha256: sha256(content).toString('hex'),
  requestKeyIds: signatures.map(({ keyId }) => keyId),
});

/**
 * Requires a request where the account does, and that keys of the account have signed it, each once.
 * @throws DbrError SigningRequestRequired, SigningRequestInvalid with every problem
 */
export function requireRequest({ requests, requestKeys }: Account, request: SignedRequest | null): void {
  if (request === null) {
    if (requests === 'required') throw dbrError('SigningRequestRequired');
    return;
  }
  const { content, signatures } = request;
  const problems = signatures.flatMap((signature, index) => {
    const path = `/request/signatures/${String(index)}`;
    const isRepeat = signatures.slice(0, index).some(({ keyId }) => keyId === signature.keyId);
    if (isRepeat)
      return [{ path: `${path}/keyId`, code: 'duplicate_key', message: 'the key has signed already' }];
    return signatureProblems(requestKeys, content, signature, path);
  });
  if (problems.length > 0) throw invalid(problems);
}

/**
 * Requires that a key of the account has signed the request of a session.
 * @param content that of the request; null for a session without one
 * @throws DbrError SigningRequestInvalid
 */
export function requireApproval(
  keys: readonly RequestKey[],
  content: Buffer | null,
  approval: RequestSignature,
): void {
  if (content === null)
    throw invalid([{ path: '', code: 'no_request', message: 'the session has no request' }]);
  const problems = signatureProblems(keys, content, approval, '');
  if (problems.length > 0) throw invalid(problems);
}

/**
 * Whether the key of the approval has signed already.
 * @throws DbrError SigningRequestInvalid if it has not, and no further signature is kept
 */
export function isRepeated(signatures: readonly RequestSignature[], { keyId }: RequestSignature): boolean {
  if (signatures.some((signature) => signature.keyId === keyId)) return true;
  if (signatures.length < MAX_SIGNATURES) return false;
  const message = `a request has at most ${String(MAX_SIGNATURES)} signatures`;
  throw invalid([{ path: '', code: 'too_many', message }]);
}

function signatureProblems(
  keys: readonly RequestKey[],
  content: Buffer,
  signature: RequestSignature,
  path: string,
): readonly Problem[] {
  const key = keys.find(({ keyId }) => keyId === signature.keyId);
  if (key === undefined)
    return [
      { path: `${path}/keyId`, code: 'unknown_key', message: 'the account has no key with this identifier' },
    ];
  if (signsRequest(key, content, signature)) return [];
  const message = 'must be by this key over the content of the request';
  return [{ path: `${path}/signature`, code: 'signature', message }];
}

const invalid = (problems: readonly Problem[]): DbrError =>
  dbrError('SigningRequestInvalid', {}, { problems });
