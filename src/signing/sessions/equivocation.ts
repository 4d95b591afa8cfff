/** Proofs of equivocation: two statements that a party signed and that contradict each other. */
import type { SessionId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import { sha256 } from '../../base/hash.js';
import { audit } from '../audit.js';
import type { PartyIdentity, SignedStatement } from '../router-port.js';
import { insertEquivocation } from './transition-store.js';

/** Stores the proof in the transaction that fails the session; the audit log receives the hashes of the statements. */
export async function recordEquivocation(
  transaction: DatabaseTask,
  party: PartyIdentity,
  sessionId: SessionId,
  first: SignedStatement,
  second: SignedStatement,
): Promise<void> {
  await insertEquivocation(transaction, party, sessionId, first, second);
  const { tenantId, partyId } = party;
  const hash = ({ statement }: SignedStatement): object => ({ sha256: sha256(statement).toString('hex') });
  const actor = { tenantId, userId: null, name: `party:${partyId}`, remoteAddress: '' };
  await audit(transaction, actor, {
    action: 'session.equivocation',
    subject: `session:${sessionId}`,
    before: hash(first),
    after: hash(second),
  });
}
