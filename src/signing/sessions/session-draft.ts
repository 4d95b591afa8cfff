/** The content of a request for a session, checked and decoded, with the hash that identifies the request. */
import type { SigningProtocol, SigningSessionRequest } from '../../../generated/types.js';
import { dbrError, type Problem, invalidBody } from '../../errors/dbr-error.js';
import { newSessionId, parseSessionId, type AccountId, type SessionId } from '../../base/identifiers.js';
import { sha256 } from '../../base/hash.js';
import type { Actor } from '../access.js';
import { lengthPrefixed } from '../../base/bytes.js';
import type { DelegateUserShare } from '../router-port.js';
import { shareOf } from '../shares/delegate-share.js';
import { requestOf, requestPart, type SignedRequest } from './signed-request.js';

const DEFAULT_TTL_SECONDS = 300;
const MAX_METADATA_BYTES = 4096;
const MAX_MESSAGE_BYTES = 1_048_576;

export interface SessionDraft {
  readonly sessionId: SessionId;
  /** The digest to sign, or the SHA-256 of the message. */
  readonly messageDigest: Buffer;
  readonly message: Buffer | null;
  /** null for the default protocol of the account's kind of key. */
  readonly protocol: SigningProtocol | null;
  readonly derivationPath: readonly number[];
  readonly ttlSeconds: number;
  /** JSON text. */
  readonly metadata: string;
  readonly share: DelegateUserShare | null;
  readonly request: SignedRequest | null;
  /** The named parties; null for those of the account. */
  readonly parties: readonly string[] | null;
  readonly replaces: SessionId | null;
  /** Equal for two requests if and only if they ask for the same session. */
  readonly requestSha256: Buffer;
}

/** @throws DbrError InvalidBody for metadata or a message of another form or size, DelegateShareInvalid for a share without `sessionId` */
export function sessionDraft(body: SigningSessionRequest, accountId: AccountId, actor: Actor): SessionDraft {
  const metadata = metadataText(body.metadata);
  const share = body.delegateUserShare === undefined ? null : shareOf(body.delegateUserShare);
  if (share !== null && body.sessionId === undefined) {
    const message = 'must be chosen by the caller, because the share is encrypted for it';
    const problems: readonly Problem[] = [{ path: '/sessionId', code: 'required', message }];
    throw dbrError('DelegateShareInvalid', {}, { problems });
  }
  const request = body.request === undefined ? null : requestOf(body.request);
  const parties = body.parties ?? null;
  const replaces = body.replaces === undefined ? null : parseSessionId(body.replaces);
  const message = messageOf(body);
  const messageDigest = message === null ? Buffer.from(body.messageDigest ?? '', 'hex') : sha256(message);
  const derivationPath = body.derivationPath ?? [];
  const protocol = body.protocol ?? null;
  const ttlSeconds = body.ttlSeconds ?? DEFAULT_TTL_SECONDS;
  const identifying = [
    accountId,
    actor.userId,
    protocol ?? '',
    JSON.stringify([ttlSeconds, derivationPath]),
    metadata,
    messageDigest,
    ...shareParts(share),
    ...(request === null ? [] : [requestPart(request)]),
    ...(parties === null && replaces === null ? [] : [JSON.stringify({ parties, replaces })]),
    ...(message === null ? [] : ['message']),
  ];
  return {
    sessionId: (body.sessionId === undefined ? null : parseSessionId(body.sessionId)) ?? newSessionId(),
    messageDigest,
    message,
    protocol,
    derivationPath,
    ttlSeconds,
    metadata,
    share,
    request,
    parties,
    replaces,
    requestSha256: sha256(lengthPrefixed(identifying)),
  };
}

/** Returns null for a body with a digest. @throws DbrError InvalidBody */
function messageOf({ messageDigest, message }: SigningSessionRequest): Buffer | null {
  if ((messageDigest === undefined) === (message === undefined))
    throw invalidBody('', 'one_of', 'must have either messageDigest or message');
  if (message === undefined) return null;
  const bytes = Buffer.from(message, 'base64url');
  // The decoder leaves out what it does not know.
  if (!/^[\w-]+$/.test(message) || message.length % 4 === 1)
    throw invalidBody('/message', 'base64url', 'must be base64url without padding, and not empty');
  if (bytes.length > MAX_MESSAGE_BYTES)
    throw invalidBody('/message', 'size', 'must not be larger than 1 MiB');
  return bytes;
}

/** @throws DbrError InvalidBody */
function metadataText(value: SigningSessionRequest['metadata']): string {
  const metadata = JSON.stringify(value ?? {});
  if (Buffer.byteLength(metadata) <= MAX_METADATA_BYTES) return metadata;
  throw invalidBody('/metadata', 'size', 'must not be larger than 4 KiB as JSON');
}

const shareParts = (share: DelegateUserShare | null): readonly (string | Buffer)[] =>
  share === null
    ? []
    : [
        ...[share.delegatePartyId, share.recipientKeyId, share.suite, share.aadSha256],
        ...[share.encapsulatedKey.reveal(), share.nonce?.reveal() ?? '', share.ciphertext.reveal()],
        String(share.expiresAt.getTime()),
      ];
