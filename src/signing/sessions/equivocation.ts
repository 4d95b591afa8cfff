/** Proofs of equivocation: two statements that a party signed and that contradict each other. */
import { userIdOf, type SessionId } from '../../identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import { sha256 } from '../../sha256.js';
import { audit } from '../audit.js';
import type { PartyIdentity, SignedStatement } from '../router-port.js';

const INSERT_PROOF = `
insert into dbr_signing.equivocations (
  tenant_id, session_id, party_id, identity_public_key, first_statement, first_signature, second_statement,
  second_signature
)
values ($1, $2::uuid, $3, $4, $5, $6, $7, $8)`;

/** Stores the proof in the transaction that fails the session; the audit log receives the hashes of the statements. */
export async function recordEquivocation(
  transaction: DatabaseTask,
  { tenantId, partyId, identityPublicKey }: PartyIdentity,
  sessionId: SessionId,
  first: SignedStatement,
  second: SignedStatement,
): Promise<void> {
  await transaction.none({
    text: INSERT_PROOF,
    values: [
      ...[tenantId, sessionId, partyId, identityPublicKey],
      ...[first.statement, first.signature, second.statement, second.signature],
    ],
  });
  const hash = ({ statement }: SignedStatement): object => ({ sha256: sha256(statement).toString('hex') });
  const actor = { tenantId, userId: userIdOf(`party:${partyId}`), remoteAddress: '' };
  await audit(transaction, actor, {
    action: 'session.equivocation',
    subject: `session:${sessionId}`,
    before: hash(first),
    after: hash(second),
  });
}
