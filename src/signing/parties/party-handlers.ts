/** Operations on parties; the mount has seen to their scope `parties:admin`. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { Party, PartyCertificate } from '../../../generated/types.js';
import { dbrError } from '../../errors/dbr-error.js';
import type { RequestContext } from '../../operations/context.js';
import { matchesEntityTag } from '../../operations/entity-tag.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import { actorOf, type Actor } from '../access.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { audit } from '../audit.js';
import { denySessions, type SigningContext } from '../context.js';
import type { ChangedSession } from '../sessions/session-changes.js';
import { decodeCursor, pageOf } from '../../operations/cursor.js';
import { readIdentityKey } from './identity-key.js';
import {
  certificateProofMissing,
  requireCertificateProof,
  type CertificateProof,
  type CertificateStatement,
} from './party-certificate.js';
import { PRIVATE } from '../../operations/cache-control.js';
import {
  findParty,
  findPartyToChange,
  forgetKeys,
  insertParty,
  listParties,
  updateParty,
  type PartyRecord,
} from './party-store.js';
import { openSessionsOfParty } from '../sessions/session-rows.js';
import { inTenant } from '../transaction.js';
import { demandVersion, passingTag } from '../versions.js';

type PartyHandlers = Pick<
  SigningHandlers<RequestContext>,
  'listParties' | 'createParty' | 'getParty' | 'updateParty'
>;

const PARTY_ID = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export function createPartyHandlers(context: SigningContext): PartyHandlers {
  const { database } = context;
  return {
    async listParties({ query }, { caller, remoteAddress }) {
      const { tenantId } = actorOf(caller, remoteAddress);
      const { limit, cursor, status = null, role = null } = query;
      const [after = null] = cursor === undefined ? [] : decodeCursor(cursor, [PARTY_ID]);
      const rows = await inTenant(database, tenantId, (transaction) =>
        listParties(transaction, { status, role, after, limit: limit + 1 }),
      );
      const { items, ...rest } = pageOf(rows, limit, ({ partyId }) => [partyId]);
      const body = { items: items.map(partyJson), ...rest };
      return { status: 200, type: 'application/json', headers: PRIVATE, body };
    },
    async createParty({ body }, { caller, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(caller, remoteAddress);
      const { partyId, name, role, certificate } = body;
      const identityPublicKey = identityKeyOf(body.identityPublicKey);
      const statement = { tenantId: actor.tenantId, partyId, identityPublicKey };
      const certificateSha256 =
        certificate === undefined ? null : requireCertificateProof(proofOf(certificate), statement);
      const draft = { partyId, name, role, identityPublicKey, certificateSha256 };
      const party = await withUniqueCertificate(() =>
        inTenant(database, actor.tenantId, async (transaction) => {
          if (!(await insertParty(transaction, actor.tenantId, draft)))
            throw dbrError('PartyExists', { details: 'party' });
          const inserted = demandParty(await findParty(transaction, draft.partyId));
          await audit(transaction, actor, {
            ...change('party.create', inserted),
            before: null,
            after: auditView(inserted),
          });
          return inserted;
        }),
      );
      const headers = {
        ...PRIVATE,
        Location: `/api/v1/parties/${party.partyId}`,
        ETag: partyTag(party),
      };
      return { status: 201, type: 'application/json', headers, body: partyJson(party) };
    },
    async getParty({ path, headers: asked }, { caller, remoteAddress }) {
      const { tenantId } = actorOf(caller, remoteAddress);
      demandPartyId(path.id);
      const party = demandParty(
        await inTenant(database, tenantId, (transaction) => findParty(transaction, path.id)),
      );
      const headers = { ...PRIVATE, ETag: partyTag(party) };
      if (matchesEntityTag(asked['if-none-match'], headers.ETag)) return { status: 304, headers };
      return { status: 200, type: 'application/json', headers, body: partyJson(party) };
    },
    async updateParty({ path, headers: asked, body }, { caller, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(caller, remoteAddress);
      demandPartyId(path.id);
      const revised = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.status === undefined ? {} : { status: body.status }),
        ...(body.identityPublicKey === undefined
          ? {}
          : { identityPublicKey: identityKeyOf(body.identityPublicKey) }),
      };
      const certificate =
        body.certificate === undefined || body.certificate === null
          ? body.certificate
          : proofOf(body.certificate);
      const { party, denied } = await withUniqueCertificate(() =>
        reviseParty(context, actor, path.id, asked['if-match'], revised, certificate),
      );
      context.written(denied);
      const headers = { ...PRIVATE, ETag: partyTag(party) };
      return { status: 200, type: 'application/json', headers, body: partyJson(party) };
    },
  };
}

const proofOf = ({ publicKey, signature }: PartyCertificate): CertificateProof => ({
  publicKey: Buffer.from(publicKey, 'hex'),
  signature: Buffer.from(signature, 'hex'),
});

type Revision = Partial<Pick<PartyRecord, 'name' | 'status' | 'identityPublicKey'>>;

const reviseParty = (
  context: SigningContext,
  actor: Actor,
  partyId: string,
  ifMatch: string | undefined,
  revision: Revision,
  certificate: CertificateProof | null | undefined,
): Promise<{ readonly party: PartyRecord; readonly denied: readonly ChangedSession[] }> =>
  inTenant(context.database, actor.tenantId, async (transaction) => {
    const before = demandParty(await findPartyToChange(transaction, partyId));
    demandVersion(ifMatch, before.version);
    if (before.status === 'revoked') throw dbrError('PartyRevoked');
    const identityPublicKey = revision.identityPublicKey ?? before.identityPublicKey;
    const statement = { tenantId: actor.tenantId, partyId, identityPublicKey };
    const certificateSha256 = certificateAfter(before, statement, certificate);
    const revised = { ...before, ...revision, certificateSha256 };
    await updateParty(transaction, revised);
    if (!revised.identityPublicKey.equals(before.identityPublicKey)) await forgetKeys(transaction, partyId);
    const open = revised.status === 'revoked' ? await openSessionsOfParty(transaction, partyId) : [];
    const denied = await denySessions(context, transaction, open);
    const after = demandParty(await findParty(transaction, partyId));
    await audit(transaction, actor, {
      ...change('party.update', after),
      before: auditView(before),
      after: auditView(after),
    });
    return { party: after, denied };
  });

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

const change = (action: string, { partyId }: PartyRecord) => ({ action, subject: `party:${partyId}` });

const auditView = ({ name, role, status, identityPublicKey, certificateSha256 }: PartyRecord): object => ({
  name,
  role,
  status,
  identityPublicKey: identityPublicKey.toString('hex'),
  certificateSha256: certificateSha256?.toString('hex') ?? null,
});

/** @throws DbrError PartyNotFound for a text that no party can be called */
function demandPartyId(text: string): void {
  if (!PARTY_ID.test(text)) throw dbrError('PartyNotFound');
}

function demandParty(party: PartyRecord | null): PartyRecord {
  if (party === null) throw dbrError('PartyNotFound');
  return party;
}

/** @throws DbrError InvalidBody when it is no key that can verify signatures */
function identityKeyOf(hex: string): Buffer {
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

/** 23505 unique_violation: a certificate stands for one party alone, in whichever tenant. */
async function withUniqueCertificate<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PostgresError && error.fields.constraint === 'parties_certificate')
      throw dbrError('PartyExists', { details: 'certificate' });
    throw error;
  }
}

const partyTag = ({ version, lastSeenAt, online }: PartyRecord): string =>
  passingTag(version, lastSeenAt === null ? null : [lastSeenAt, online]);

export const partyJson = (party: PartyRecord): Party => ({
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
