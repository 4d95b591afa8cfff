/** Registration and revision of parties: the rules and the transactions of the operations on parties. */
import type { PartyCertificate, PartyChange, PartyKey, PartyRequest } from '../../../generated/types.js';
import { dbrError } from '../../errors/dbr-error.js';
import { partyIdOf, type PartyId, type UserId } from '../../base/identifiers.js';
import type { Actor } from '../access.js';
import { audit } from '../audit.js';
import { actorText, type ChangedSession, type SigningContext } from '../context.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import type { NotificationPort } from '../router-port.js';
import { inTenant } from '../transaction.js';
import { requireVersion } from '../versions.js';
import { deleteKeys } from './encryption-key-store.js';
import {
  certificateProofMissing,
  requireCertificateProof,
  requireConsent,
  requireIdentityProof,
  type CertificateProof,
  type PartyStatement,
} from './key-proof.js';
import {
  findProposal,
  hasOtherKeys,
  listKeys,
  proposeKeys,
  type KeyProposal,
  type NextKeys,
} from './party-keys.js';
import {
  findParty,
  insertParty,
  lockParty,
  ownersOfParty,
  updateParty,
  type PartyRecord,
} from './party-store.js';

interface PartyContext {
  readonly context: SigningContext;
  /** Time between the proposal of keys and their confirmation by a second user, in seconds. */
  readonly keyDelaySeconds: number;
}

/**
 * Registers a party.
 * @throws DbrError KeyProofInvalid, PartyExists
 */
export async function registerParty(
  context: SigningContext,
  actor: Actor,
  body: PartyRequest,
): Promise<PartyRecord> {
  const { name, role, certificate } = body;
  const partyId = partyIdOf(body.partyId);
  const identityPublicKey = Buffer.from(body.identityPublicKey, 'hex');
  const statement = { tenantId: actor.tenantId, partyId, identityPublicKey };
  requireIdentityProof(Buffer.from(body.identitySignature, 'hex'), statement);
  const certificateSha256 =
    certificate === undefined ? null : requireCertificateProof(proofOf(certificate), statement);
  const draft = { partyId, name, role, identityPublicKey, certificateSha256 };
  return await withUniqueKeys(() =>
    inTenant(context.pool, actor.tenantId, async (transaction) => {
      if (!(await insertParty(transaction, actor.tenantId, draft)))
        throw dbrError('PartyExists', { details: 'party' });
      const party = requireParty(await findParty(transaction, partyId));
      await audit(transaction, actor, {
        action: 'party.create',
        subject: `party:${partyId}`,
        before: null,
        after: auditView(party),
      });
      return party;
    }),
  );
}

/** The outcome of a change: the party, or the keys that wait for a second user. */
type Revised =
  | { readonly kind: 'changed'; readonly party: PartyRecord }
  | { readonly kind: 'proposed'; readonly proposal: KeyProposal; readonly keys: readonly PartyKey[] };

/**
 * Changes a party. The open sessions of a party that is no longer active end. Other keys take effect if the current identity
 * key has signed them, and are proposed otherwise; those of a party that is revoked are left as they were.
 * @param ifMatch the header `If-Match`
 * @throws DbrError PartyNotFound, VersionMismatch, PartyRevoked, KeyProofInvalid, PartyExists, PartyKeyEnded
 */
export async function reviseParty(
  { context, keyDelaySeconds }: PartyContext,
  actor: Actor,
  partyId: PartyId,
  ifMatch: string | undefined,
  body: PartyChange,
): Promise<Revised> {
  const work = async (transaction: DatabaseTask): Promise<Written<Revised>> => {
    const before = requireParty(await lockParty(transaction, partyId));
    requireVersion(ifMatch, before.version);
    if (before.status === 'revoked') throw dbrError('PartyRevoked');
    const revised = revisedParty(actor, before, body);
    const formerSeconds = body.formerKeysSeconds ?? 0;
    if (revised.status !== 'revoked' && hasOtherKeys(before, revised)) {
      const { identityPublicKey, certificateSha256 } = revised;
      const next = { identityPublicKey, certificateSha256, formerSeconds };
      if (body.currentSignature === undefined) {
        const others = withKeysOf(before, revised);
        const isOther = others.name !== before.name || others.status !== before.status;
        const written = isOther ? await storeRevision(context, transaction, actor, before, others, 0) : null;
        const proposed = await storeProposal(context, transaction, actor, others, next, keyDelaySeconds);
        return { ...proposed, changed: [...(written?.changed ?? []), ...proposed.changed] };
      }
      const change = { ...next, partyId, tenantId: actor.tenantId, currentKey: before.identityPublicKey };
      requireConsent(Buffer.from(body.currentSignature, 'hex'), change);
    }
    const next = revised.status === 'revoked' ? withKeysOf(before, revised) : revised;
    const { result: party, changed } = await storeRevision(
      ...[context, transaction, actor, before, next, formerSeconds],
    );
    return { result: { kind: 'changed', party }, changed };
  };
  return await written(context, () => inTenant(context.pool, actor.tenantId, work));
}

/**
 * Puts the proposed keys of a party in force.
 * @throws DbrError PartyNotFound, PartyKeyNotFound, Forbidden for the user who proposed them, KeyProposalTooYoung, PartyRevoked,
 *   PartyExists, PartyKeyEnded
 */
export const confirmKeys = (
  { context, keyDelaySeconds }: PartyContext,
  actor: Actor,
  partyId: PartyId,
  proposalId: string,
): Promise<PartyRecord> =>
  written(context, () =>
    inTenant(context.pool, actor.tenantId, async (transaction) => {
      const before = requireParty(await lockParty(transaction, partyId));
      const proposal = await findProposal(transaction, partyId, keyDelaySeconds);
      if (proposal?.proposalId !== proposalId) throw dbrError('PartyKeyNotFound');
      if (before.status === 'revoked') throw dbrError('PartyRevoked');
      if (proposal.proposedBy === actor.userId)
        throw dbrError('Forbidden', {
          details: 'Another user than the one who proposed the keys must confirm them.',
        });
      if (!proposal.isRipe) throw dbrError('KeyProposalTooYoung', { from: proposal.confirmableFrom });
      const { identityPublicKey, certificateSha256, formerSeconds } = proposal;
      const next = { ...before, identityPublicKey, certificateSha256 };
      return await storeRevision(context, transaction, actor, before, next, formerSeconds);
    }),
  );

/** The result of a transaction, and the sessions that have new events. */
interface Written<Result> {
  readonly result: Result;
  readonly changed: readonly ChangedSession[];
}

/** Runs the transaction, then reports what it has written. @throws DbrError PartyExists, PartyKeyEnded */
async function written<Result>(
  context: SigningContext,
  work: () => Promise<Written<Result>>,
): Promise<Result> {
  const { result, changed } = await withUniqueKeys(work);
  context.written(changed);
  context.notifications?.wake();
  return result;
}

/**
 * Stores the revision as part of the transaction. Replaced keys are reported to the open sessions of the party and to the owners
 * of its accounts; a new identity key deletes the encryption keys that the former one signed, and so does the end of the party.
 */
async function storeRevision(
  context: SigningContext,
  transaction: DatabaseTask,
  actor: Actor,
  before: PartyRecord,
  revised: PartyRecord,
  formerSeconds: number,
): Promise<Written<PartyRecord>> {
  const { partyId } = before;
  await updateParty(transaction, revised, formerSeconds);
  const hasOtherIdentity = !revised.identityPublicKey.equals(before.identityPublicKey);
  const isChanged = hasOtherIdentity || !sameBytes(revised.certificateSha256, before.certificateSha256);
  const changed =
    revised.status === 'active'
      ? await (isChanged ? context.reportKeysToSessions(transaction, 'party-keys-changed', revised) : [])
      : await context.endSessionsOfParty(transaction, partyId);
  // After the sessions, because the supply of a share locks its session and then the key.
  if (hasOtherIdentity || revised.status === 'revoked') await deleteKeys(transaction, partyId);
  const after = requireParty(await findParty(transaction, partyId));
  if (isChanged)
    await notifyOwnersOfKeys(context.notifications, transaction, actor, after, {
      type: 'signing.party.keys_changed',
      title: `Other keys for party ${partyId}`,
      dedupe: String(after.version),
    });
  await audit(transaction, actor, {
    action: 'party.update',
    subject: `party:${partyId}`,
    before: auditView(before),
    after: auditView(after),
  });
  return { result: after, changed };
}

async function storeProposal(
  context: SigningContext,
  transaction: DatabaseTask,
  actor: Actor,
  party: PartyRecord,
  next: NextKeys,
  delaySeconds: number,
): Promise<Written<Revised>> {
  const { partyId } = party;
  const { proposal, isNew } = await proposeKeys(transaction, actor, partyId, next, delaySeconds);
  const keys = await listKeys(transaction, partyId);
  const result = { kind: 'proposed', proposal, keys } as const;
  if (!isNew) return { result, changed: [] };
  const proposed = { ...party, ...next };
  await notifyOwnersOfKeys(context.notifications, transaction, actor, proposed, {
    type: 'signing.party.keys_proposed',
    title: `Other keys proposed for party ${partyId}`,
    dedupe: proposal.proposalId,
  });
  await audit(transaction, actor, {
    action: 'party.propose-keys',
    subject: `party:${partyId}`,
    before: auditView(party),
    after: { ...auditView(proposed), formerKeysSeconds: next.formerSeconds },
  });
  const changed = await context.reportKeysToSessions(transaction, 'party-keys-proposed', proposed);
  return { result, changed };
}

const withKeysOf = (
  { identityPublicKey, certificateSha256 }: PartyRecord,
  party: PartyRecord,
): PartyRecord => ({
  ...party,
  identityPublicKey,
  certificateSha256,
});

const sameBytes = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other);

/** Owners of one notification. */
const OWNERS = 1000;

/** Notifies the owners of the accounts in which the party holds a share, as part of the transaction. */
async function notifyOwnersOfKeys(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  { tenantId, userId }: Actor,
  { partyId, identityPublicKey, certificateSha256 }: PartyRecord,
  { type, title, dedupe }: { readonly type: string; readonly title: string; readonly dedupe: string },
): Promise<void> {
  if (port === null) return;
  const ownersAfter = (user: string): Promise<readonly { readonly userId: UserId }[]> =>
    ownersOfParty(transaction, partyId, user, OWNERS);
  let owners = await ownersAfter('');
  while (owners.length > 0) {
    await port.publish(transaction, {
      tenantId,
      userIds: owners.map((owner) => owner.userId),
      type,
      category: 'signing',
      severity: 'warning',
      title,
      body: null,
      data: JSON.stringify({
        partyId,
        identityPublicKey: identityPublicKey.toString('hex'),
        certificateSha256: certificateSha256?.toString('hex') ?? null,
      }),
      actor: actorText(userId),
      actionUrl: null,
      groupKey: `party:${partyId}`,
      dedupeKey: `${type}:${partyId}:${dedupe}`,
      expiresAt: null,
    });
    owners = await ownersAfter(owners.at(-1)?.userId ?? '');
  }
}

/** @throws DbrError KeyProofInvalid */
function revisedParty({ tenantId }: Actor, before: PartyRecord, body: PartyChange): PartyRecord {
  const { partyId } = before;
  const newKey = body.identityPublicKey === undefined ? null : Buffer.from(body.identityPublicKey, 'hex');
  const signature = body.identitySignature === undefined ? null : Buffer.from(body.identitySignature, 'hex');
  const identityPublicKey = newKey ?? before.identityPublicKey;
  const statement = { tenantId, partyId, identityPublicKey };
  if (newKey !== null || signature !== null) requireIdentityProof(signature, statement);
  return {
    ...before,
    name: body.name ?? before.name,
    status: body.status ?? before.status,
    identityPublicKey,
    certificateSha256: certificateAfter(before, statement, body.certificate),
  };
}

/** @param certificate null removes the certificate; undefined leaves it. @throws DbrError KeyProofInvalid */
function certificateAfter(
  before: PartyRecord,
  statement: PartyStatement,
  certificate: PartyChange['certificate'],
): Buffer | null {
  if (certificate === null) return null;
  if (certificate !== undefined) return requireCertificateProof(proofOf(certificate), statement);
  const { certificateSha256: kept, identityPublicKey } = before;
  if (kept !== null && !identityPublicKey.equals(statement.identityPublicKey))
    throw certificateProofMissing();
  return kept;
}

const proofOf = ({ publicKey, signature }: PartyCertificate): CertificateProof => ({
  publicKey: Buffer.from(publicKey, 'hex'),
  signature: Buffer.from(signature, 'hex'),
});

const auditView = ({ name, role, status, identityPublicKey, certificateSha256 }: PartyRecord): object => ({
  name,
  role,
  status,
  identityPublicKey: identityPublicKey.toString('hex'),
  certificateSha256: certificateSha256?.toString('hex') ?? null,
});

/** @throws DbrError PartyNotFound for null */
export function requireParty(party: PartyRecord | null): PartyRecord {
  if (party === null) throw dbrError('PartyNotFound');
  return party;
}

/** The constraints that give a certificate to one party of all tenants, and an identity key to one party of its tenant, at a time. */
const HELD_KEYS: ReadonlyMap<string, 'certificate' | 'identityKey'> = new Map([
  ['parties_certificate', 'certificate'],
  ['parties_identity_key', 'identityKey'],
]);
/** Those that do so for ever. */
const ENDED_KEYS: typeof HELD_KEYS = new Map([
  ['party_keys_certificate', 'certificate'],
  ['party_keys_identity', 'identityKey'],
]);

/**
 * Maps violations of these constraints.
 * @throws DbrError PartyExists, PartyKeyEnded
 */
async function withUniqueKeys<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const constraint = error instanceof PostgresError ? (error.fields.constraint ?? '') : '';
    const held = HELD_KEYS.get(constraint);
    if (held !== undefined) throw dbrError('PartyExists', { details: held });
    const ended = ENDED_KEYS.get(constraint);
    if (ended !== undefined) throw dbrError('PartyKeyEnded', { details: ended });
    throw error;
  }
}
