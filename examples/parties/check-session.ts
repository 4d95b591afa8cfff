/** Whether a session is for the key, protocol and holders that a party knows; what it signs is for `verify-request.ts` to say. */
import { FailureReason, type Session } from '../../generated/proto/router/v1/router_pb.js';
import { groupPublicKey } from './frost.js';
import type { Party } from './party.js';
import { ProtocolFault } from './protocol-fault.js';

/** FROST makes an ordinary signature of Ed25519; how the parties make it is their own affair. */
const PROTOCOL = 'ed25519';
const DIGEST_BYTES = 32;

/** @throws ProtocolFault where the session is for another key, protocol or set of holders than this party knows */
export function checkSession({ peers, publicPackage, share }: Party, session: Session): void {
  const { participants, threshold } = session;
  if (share.kind === 'none') throw refused('the party holds no share');
  if (session.protocol !== PROTOCOL) throw refused('another protocol');
  if (session.derivationPath.length > 0) throw refused('child keys are not derived here');
  // Either a digest or a message: what both would say is not clear.
  if (session.messageDigest.length !== (session.message.length === 0 ? DIGEST_BYTES : 0))
    throw refused('the digest has another length');
  if (!Buffer.from(groupPublicKey(publicPackage)).equals(session.publicKey)) throw refused('another key');
  if (threshold !== publicPackage.signers.min) throw refused('another threshold');
  for (const { partyId, shareIndex } of participants)
    if (peers.get(partyId)?.shareIndex !== shareIndex)
      throw refused(`${partyId} does not hold share ${String(shareIndex)}`);
  if (
    participants.length < threshold ||
    new Set(participants.map(({ partyId }) => partyId)).size < participants.length
  )
    throw refused('too few participants');
}

const refused = (detail: string): ProtocolFault => new ProtocolFault(FailureReason.PARTY_ABORTED, detail);
