/** Proof that a party contradicted itself: two statements with its signatures, kept with the audit log. */
import type { DatabaseTask } from '../../postgres/database.js';
import { audit } from '../audit.js';
import type { PartyIdentity, SignedStatement } from '../router-port.js';
import { sha256 } from '../../sha256.js';

const KEEP = `
insert into dbr_signing.equivocations (
  tenant_id, session_id, party_id, identity_public_key, first_statement, first_signature, second_statement,
  second_signature
)
values ($1, $2::uuid, $3, $4, $5, $6, $7, $8)`;

/** Part of the transaction that fails the session. The audit log gets the hashes, a table of its own what is hashed. */
export async function keepEquivocation(
  transaction: DatabaseTask,
  { tenantId, partyId, identityPublicKey }: PartyIdentity,
  sessionId: string,
  first: SignedStatement,
  second: SignedStatement,
): Promise<void> {
  await transaction.none({
    text: KEEP,
    values: [
      ...[tenantId, sessionId, partyId, identityPublicKey],
      ...[first.statement, first.signature, second.statement, second.signature],
    ],
  });
  const hash = ({ statement }: SignedStatement): object => ({ sha256: sha256(statement).toString('hex') });
  const actor = { tenantId, userId: `party:${partyId}`, remoteAddress: '' };
  await audit(transaction, actor, {
    action: 'session.equivocation',
    subject: `session:${sessionId}`,
    before: hash(first),
    after: hash(second),
  });
}
