/** The operations on parties; the mount has checked their scope `parties:admin`. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { Party, PartyCertificate, PartyChange, PartyRequest } from '../../../generated/types.js';
import { dbrError } from '../../errors/dbr-error.js';
import { isPartyId, PARTY_ID, type PartyId, partyIdOf, type UserId } from '../../base/identifiers.js';
import { PRIVATE, conditionalResponse, jsonResponse } from '../../operations/responses.js';
import type { RequestContext } from '../../contract/principal.js';
import { decodeCursor, pageOf } from '../../operations/cursor.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { actorOf, type Actor } from '../access.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { actorText, type SigningContext } from '../context.js';
import type { NotificationPort } from '../router-port.js';
import { queryInTenant, inTenant } from '../transaction.js';
import { volatileTag, requireVersion } from '../versions.js';
import {
  findParty,
  listParties,
  type PartyRecord,
  insertParty,
  lockParty,
  ownersOfParty,
  updateParty,
} from './party-store.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { audit } from '../audit.js';
import { deleteKeys } from './encryption-key-store.js';
import {
  certificateProofMissing,
  requireCertificateProof,
  requireIdentityProof,
  type CertificateProof,
  type PartyStatement,
} from './key-proof.js';

export const createPartyHandlers = (context: SigningContext) =>
  ({
    async listParties({ query }, request) {
      const { limit, cursor, status = null, role = null } = query;
      const [after = null] = cursor === undefined ? [] : decodeCursor(cursor, [PARTY_ID]);
      const rows = await queryInTenant(context.pool, actorOf(request).tenantId, (transaction) =>
        listParties(transaction, { status, role, after, limit: limit + 1 }),
      );
      const { items, ...rest } = pageOf(rows, limit, ({ partyId }) => [partyId]);
      return jsonResponse(PRIVATE, { items: items.map(partyJson), ...rest });
    },
    async createParty({ body }, request) {
      requireStorableBody(body);
      const party = await registerParty(context, actorOf(request), body);
      const headers = { ...headersOf(party), Location: `/api/v1/parties/${party.partyId}` };
      return { ...jsonResponse(headers, partyJson(party)), status: 201 };
    },
    async getParty({ path, headers }, request) {
      const { tenantId } = actorOf(request);
      const partyId = requirePartyId(path.id);
      const party = requireParty(
        await queryInTenant(context.pool, tenantId, (transaction) => findParty(transaction, partyId)),
      );
      return conditionalResponse(headers['if-none-match'], headersOf(party), partyJson(party));
    },
    async updateParty({ path, headers, body }, request) {
      requireStorableBody(body);
      const actor = actorOf(request);
      const party = await reviseParty(context, actor, requirePartyId(path.id), headers['if-match'], body);
      return jsonResponse(headersOf(party), partyJson(party));
    },
  }) satisfies Partial<SigningHandlers<RequestContext>>;

/** @throws DbrError PartyNotFound for text that cannot name a party */
function requirePartyId(text: string): PartyId {
  if (!isPartyId(text)) throw dbrError('PartyNotFound');
  return text;
}

const headersOf = ({ version, lastSeenAt, online }: PartyRecord) => ({
  ...PRIVATE,
  ETag: volatileTag(version, lastSeenAt === null ? null : [lastSeenAt, online]),
});

const partyJson = (party: PartyRecord): Party => ({
  partyId: party.partyId,
  name: party.name,
  role: party.role,
  status: party.status,
  identityPublicKey: party.identityPublicKey.toString('hex'),
  certificateSha256: party.certificateSha256?.toString('hex') ?? null,
  online: party.online,
  lastSeenAt: party.lastSeenAt,
  createdAt: party.createdAt,
  version: party.version,
});

// Registration and revision of parties: the rules and the transactions of the operations on parties.

/**
 * Registers a party.
 * @throws DbrError KeyProofInvalid, PartyExists
 */
async function registerParty(
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

/**
 * Changes a party. The open sessions of a party that is no longer active end. Replaced keys are reported to the open sessions of
 * the party and to the owners of its accounts; a new identity key deletes the encryption keys that the former one signed.
 * @param ifMatch the header `If-Match`
 * @throws DbrError PartyNotFound, VersionMismatch, PartyRevoked, KeyProofInvalid, PartyExists
 */
async function reviseParty(
  context: SigningContext,
  actor: Actor,
  partyId: PartyId,
  ifMatch: string | undefined,
  body: PartyChange,
): Promise<PartyRecord> {
  const { party, changed, hasOtherKeys } = await withUniqueKeys(() =>
    inTenant(context.pool, actor.tenantId, async (transaction) => {
      const before = requireParty(await lockParty(transaction, partyId));
      requireVersion(ifMatch, before.version);
      if (before.status === 'revoked') throw dbrError('PartyRevoked');
      const revised = revisedParty(actor, before, body);
      await updateParty(transaction, revised);
      const hasOtherIdentity = !revised.identityPublicKey.equals(before.identityPublicKey);
      const hasOtherKeys =
        hasOtherIdentity || !sameBytes(revised.certificateSha256, before.certificateSha256);
      const changed =
        revised.status === 'active'
          ? await (hasOtherKeys ? context.reportKeysToSessions(transaction, revised) : [])
          : await context.endSessionsOfParty(transaction, partyId);
      // After the sessions, because the supply of a share locks its session and then the key.
      if (hasOtherIdentity) await deleteKeys(transaction, partyId);
      const after = requireParty(await findParty(transaction, partyId));
      if (hasOtherKeys) await notifyOwnersOfKeys(context.notifications, transaction, actor, after);
      await audit(transaction, actor, {
        action: 'party.update',
        subject: `party:${partyId}`,
        before: auditView(before),
        after: auditView(after),
      });
      return { party: after, changed, hasOtherKeys };
    }),
  );
  context.written(changed);
  if (hasOtherKeys) context.notifications?.wake();
  return party;
}

const sameBytes = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other);

/** Owners of one notification. */
const OWNERS = 1000;

/** Notifies the owners of the accounts in which the party holds a share, as part of the transaction. */
async function notifyOwnersOfKeys(
  port: NotificationPort | null,
  transaction: DatabaseTask,
  { tenantId, userId }: Actor,
  { partyId, identityPublicKey, certificateSha256, version }: PartyRecord,
): Promise<void> {
  if (port === null) return;
  const ownersAfter = (user: string): Promise<readonly { readonly userId: UserId }[]> =>
    ownersOfParty(transaction, partyId, user, OWNERS);
  let owners = await ownersAfter('');
  while (owners.length > 0) {
    await port.publish(transaction, {
      tenantId,
      userIds: owners.map((owner) => owner.userId),
      type: 'signing.party.keys_changed',
      category: 'signing',
      severity: 'warning',
      title: `Other keys for party ${partyId}`,
      body: null,
      data: JSON.stringify({
        partyId,
        identityPublicKey: identityPublicKey.toString('hex'),
        certificateSha256: certificateSha256?.toString('hex') ?? null,
      }),
      actor: actorText(userId),
      actionUrl: null,
      groupKey: `party:${partyId}`,
      dedupeKey: `signing.party.keys_changed:${partyId}:${String(version)}`,
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
function requireParty(party: PartyRecord | null): PartyRecord {
  if (party === null) throw dbrError('PartyNotFound');
  return party;
}

/** The constraints that give a certificate to one party of all tenants, and an identity key to one party of its tenant. */
const UNIQUE_KEYS: ReadonlyMap<string, 'certificate' | 'identityKey'> = new Map([
  ['parties_certificate', 'certificate'],
  ['parties_identity_key', 'identityKey'],
]);

/**
 * Maps violations of these constraints.
 * @throws DbrError PartyExists
 */
async function withUniqueKeys<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const key = error instanceof PostgresError ? UNIQUE_KEYS.get(error.fields.constraint ?? '') : undefined;
    if (key !== undefined) throw dbrError('PartyExists', { details: key });
    throw error;
  }
}
