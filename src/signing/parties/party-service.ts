/** Registration and revision of parties: the rules and the transactions of the operations on parties. */
import type { PartyCertificate, PartyChange, PartyRequest } from '../../../generated/types.js';
import { dbrError } from '../../errors/dbr-error.js';
import { partyIdOf, type PartyId } from '../../identifiers.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import type { Actor } from '../access.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import { inTenant } from '../transaction.js';
import { requireVersion } from '../versions.js';
import type { CertificateStatement } from './certificate-statement.js';
import { deleteKeys } from './encryption-key-store.js';
import { readIdentityKey } from './identity-key.js';
import {
  certificateProofMissing,
  requireCertificateProof,
  type CertificateProof,
} from './party-certificate.js';
import { findParty, insertParty, lockParty, updateParty, type PartyRecord } from './party-store.js';

/**
 * Registers a party.
 * @throws DbrError InvalidBody, CertificateProofInvalid, PartyExists
 */
export async function registerParty(
  context: SigningContext,
  actor: Actor,
  body: PartyRequest,
): Promise<PartyRecord> {
  const { name, role, certificate } = body;
  const partyId = partyIdOf(body.partyId);
  const identityPublicKey = requireIdentityKey(body.identityPublicKey);
  const statement = { tenantId: actor.tenantId, partyId, identityPublicKey };
  const certificateSha256 =
    certificate === undefined ? null : requireCertificateProof(proofOf(certificate), statement);
  const draft = { partyId, name, role, identityPublicKey, certificateSha256 };
  return await withUniqueCertificate(() =>
    inTenant(context.database, actor.tenantId, async (transaction) => {
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

/**
 * Changes a party. A revoked party leaves its sessions, which ends those that are open; a new identity key deletes the
 * encryption keys that the former one signed.
 * @param ifMatch the header `If-Match`
 * @throws DbrError PartyNotFound, VersionMismatch, PartyRevoked, InvalidBody, CertificateProofInvalid, PartyExists
 */
export async function reviseParty(
  context: SigningContext,
  actor: Actor,
  partyId: PartyId,
  ifMatch: string | undefined,
  body: PartyChange,
): Promise<PartyRecord> {
  const revision = revisionOf(body);
  const { party, ended } = await withUniqueCertificate(() =>
    inTenant(context.database, actor.tenantId, async (transaction) => {
      const before = requireParty(await lockParty(transaction, partyId));
      requireVersion(ifMatch, before.version);
      if (before.status === 'revoked') throw dbrError('PartyRevoked');
      const revised = revisedParty(actor, before, revision);
      await updateParty(transaction, revised);
      if (!revised.identityPublicKey.equals(before.identityPublicKey)) await deleteKeys(transaction, partyId);
      const ended =
        revised.status === 'revoked' ? await context.endSessionsOfParty(transaction, partyId) : [];
      const after = requireParty(await findParty(transaction, partyId));
      await audit(transaction, actor, {
        action: 'party.update',
        subject: `party:${partyId}`,
        before: auditView(before),
        after: auditView(after),
      });
      return { party: after, ended };
    }),
  );
  context.written(ended);
  return party;
}

interface Revision {
  readonly changes: Partial<Pick<PartyRecord, 'name' | 'status' | 'identityPublicKey'>>;
  /** null removes the certificate; undefined leaves it. */
  readonly certificate: CertificateProof | null | undefined;
}

function revisionOf(body: PartyChange): Revision {
  const { name, status, identityPublicKey, certificate } = body;
  return {
    changes: {
      ...(name === undefined ? {} : { name }),
      ...(status === undefined ? {} : { status }),
      ...(identityPublicKey === undefined
        ? {}
        : { identityPublicKey: requireIdentityKey(identityPublicKey) }),
    },
    certificate: certificate === undefined || certificate === null ? certificate : proofOf(certificate),
  };
}

/** @throws DbrError CertificateProofInvalid */
function revisedParty(
  { tenantId }: Actor,
  before: PartyRecord,
  { changes, certificate }: Revision,
): PartyRecord {
  const { partyId } = before;
  const identityPublicKey = changes.identityPublicKey ?? before.identityPublicKey;
  const statement = { tenantId, partyId, identityPublicKey };
  return { ...before, ...changes, certificateSha256: certificateAfter(before, statement, certificate) };
}

/** @throws DbrError CertificateProofInvalid */
function certificateAfter(
  before: PartyRecord,
  statement: CertificateStatement,
  certificate: CertificateProof | null | undefined,
): Buffer | null {
  if (certificate === null) return null;
  if (certificate !== undefined) return requireCertificateProof(certificate, statement);
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

/** @throws DbrError InvalidBody for bytes that are not a public key that can verify signatures */
function requireIdentityKey(hex: string): Buffer {
  const key = Buffer.from(hex, 'hex');
  if (readIdentityKey(key) !== null) return key;
  const path = '/identityPublicKey';
  const message = 'must be a raw Ed25519 key or a SubjectPublicKeyInfo in DER';
  throw dbrError(
    'InvalidBody',
    { details: `'${path}' ${message}` },
    { problems: [{ path, code: 'key', message }] },
  );
}

/**
 * Maps the violation of the constraint that gives a certificate to one party of all tenants.
 * @throws DbrError PartyExists
 */
async function withUniqueCertificate<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PostgresError && error.fields.constraint === 'parties_certificate')
      throw dbrError('PartyExists', { details: 'certificate' });
    throw error;
  }
}
