/**
 * The keys of parties over time, in PostgreSQL: those of the past are known for ever, proposed ones wait for a second user. A trigger
 * of `dbr_signing.parties` records each change.
 */
import type { PartyKey, PartyKeyProposal } from '../../../generated/types.js';
import type { PartyId, TenantId, UserId } from '../../base/identifiers.js';
import { dbrError } from '../../errors/dbr-error.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import type { PartyRecord } from './party-store.js';

/** The keys of a party, and how long those that they replace are accepted. */
export interface NextKeys extends Pick<PartyRecord, 'identityPublicKey' | 'certificateSha256'> {
  readonly formerSeconds: number;
}

export interface KeyProposal extends NextKeys {
  readonly proposalId: string;
  readonly proposedBy: UserId;
  /** RFC 3339. */
  readonly proposedAt: string;
  readonly confirmableFrom: string;
  /** Whether the delay is over. */
  readonly isRipe: boolean;
}

/** Whether the party has other keys than before. The removal of a certificate adds no right. */
export const hasOtherKeys = (before: PartyRecord, after: PartyRecord): boolean =>
  !after.identityPublicKey.equals(before.identityPublicKey) ||
  (after.certificateSha256 !== null && before.certificateSha256?.equals(after.certificateSha256) !== true);

/**
 * Stores the proposal; the same keys again are the proposal of before, so that repeating a request starts no new delay.
 * @throws PostgresError 23505 if the party cannot have one of the keys
 */
export async function proposeKeys(
  transaction: DatabaseTask,
  { tenantId, userId }: { readonly tenantId: TenantId; readonly userId: UserId },
  partyId: PartyId,
  { identityPublicKey, certificateSha256, formerSeconds }: NextKeys,
  delaySeconds: number,
): Promise<{ readonly proposal: KeyProposal; readonly isNew: boolean }> {
  await probe(transaction, partyId, identityPublicKey, certificateSha256);
  const known = await findProposal(transaction, partyId, delaySeconds);
  const isKnown =
    known !== null &&
    known.formerSeconds === formerSeconds &&
    known.identityPublicKey.equals(identityPublicKey) &&
    (known.certificateSha256 ?? EMPTY).equals(certificateSha256 ?? EMPTY);
  if (isKnown) return { proposal: known, isNew: false };
  await transaction.none({
    text: STORE_PROPOSAL,
    values: [tenantId, partyId, identityPublicKey, certificateSha256, formerSeconds, userId],
  });
  const proposal = await findProposal(transaction, partyId, delaySeconds);
  if (proposal === null) throw new Error('a proposal that was stored cannot be read');
  return { proposal, isNew: true };
}

const EMPTY = Buffer.alloc(0);

/** As `GET /api/v1/parties/{id}/keys` shows it. */
export const proposalJson = (proposal: KeyProposal): PartyKeyProposal => ({
  proposalId: proposal.proposalId,
  identityPublicKey: proposal.identityPublicKey.toString('hex'),
  certificateSha256: proposal.certificateSha256?.toString('hex') ?? null,
  formerKeysSeconds: proposal.formerSeconds,
  proposedBy: proposal.proposedBy,
  proposedAt: proposal.proposedAt,
  confirmableFrom: proposal.confirmableFrom,
});

/**
 * Revokes a key under the lock of its party: a former one, or a proposed one together with its proposal.
 * @param sha256 of the key
 * @returns false if the key is revoked already
 * @throws DbrError PartyKeyNotFound, PartyKeyCurrent
 */
export async function revokeKey(
  transaction: DatabaseTask,
  partyId: PartyId,
  sha256: Buffer,
): Promise<boolean> {
  if ((await withdrawProposal(transaction, partyId, sha256)) !== null) return true;
  const key = (await listKeys(transaction, partyId)).find((one) => one.sha256 === sha256.toString('hex'));
  if (key === undefined) throw dbrError('PartyKeyNotFound');
  if (key.status === 'current') throw dbrError('PartyKeyCurrent');
  if (key.status === 'revoked') return false;
  await endFormerKeys(transaction, partyId);
  return true;
}

// The statements on `dbr_signing.party_keys` and `dbr_signing.party_key_proposals`.

/** The newest first. */
export const listKeys = query.any<[partyId: PartyId], PartyKey>(sql`
select
  key.kind,
  pg_catalog.encode(key.sha256, 'hex') as sha256,
  pg_catalog.encode(key.public_key, 'hex') as "publicKey",
  case
    when party.status = 'revoked' or key.accepted_until <= pg_catalog.now() then 'revoked'
    when key.accepted_until is null then 'current'
    else 'former'
  end as status,
  dbr_signing.instant(key.since) as since,
  dbr_signing.instant(key.accepted_until) as "acceptedUntil"
from dbr_signing.party_keys as key
join dbr_signing.parties as party using (tenant_id, party_id)
where key.party_id = $1
order by key.since desc, key.kind desc, key.sha256`);

/** A proposal ends with the erasure of the user who made it: another pseudonym would let the user confirm it. */
export const findProposal = query.oneOrNone<[partyId: PartyId, delaySeconds: number], KeyProposal>(sql`
select
  proposal.proposal_id::text as "proposalId",
  proposal.identity_public_key as "identityPublicKey",
  proposal.certificate_sha256 as "certificateSha256",
  proposal.former_seconds as "formerSeconds",
  proposer.user_id as "proposedBy",
  dbr_signing.instant(proposal.proposed_at) as "proposedAt",
  dbr_signing.instant(proposal.proposed_at + pg_catalog.make_interval(secs => $2::integer)) as "confirmableFrom",
  proposal.proposed_at + pg_catalog.make_interval(secs => $2::integer) <= pg_catalog.now() as "isRipe"
from dbr_signing.party_key_proposals as proposal
join dbr_signing.audit_names as proposer
  on proposer.tenant_id = proposal.tenant_id and proposer.pseudonym = proposal.proposed_by
where proposal.party_id = $1`);

const probe = query.any<
  [partyId: PartyId, identityPublicKey: Buffer, certificateSha256: Buffer | null],
  object
>(sql`select dbr_signing.probe_party_keys($1, $2, $3)::text as probed`);

/** `$1` tenant, `$2` party, `$3` identity key, `$4` hash of the certificate or null, `$5` seconds, `$6` user. */
const STORE_PROPOSAL = sql`
insert into dbr_signing.party_key_proposals
  (tenant_id, party_id, identity_public_key, certificate_sha256, former_seconds, proposed_by)
values ($1, $2, $3, $4, $5, dbr_signing.audit_pseudonym($1, $6))
on conflict (tenant_id, party_id) do update set
  proposal_id = excluded.proposal_id,
  identity_public_key = excluded.identity_public_key,
  certificate_sha256 = excluded.certificate_sha256,
  former_seconds = excluded.former_seconds,
  proposed_by = excluded.proposed_by,
  proposed_at = excluded.proposed_at`;

/** Withdraws the proposal that has the key, if it is not the current one, and records the key as revoked. */
const withdrawProposal = query.oneOrNone<
  [partyId: PartyId, sha256: Buffer],
  { readonly kind: PartyKey['kind'] }
>(sql`
with named as (
  select proposal.tenant_id, proposal.party_id, proposed.kind, proposed.sha256, proposed.public_key
  from dbr_signing.party_key_proposals as proposal
  cross join lateral (
    values
      ('identity', pg_catalog.sha256(dbr_signing.identity_key(proposal.identity_public_key)), proposal.identity_public_key),
      ('certificate', proposal.certificate_sha256, null)
  ) as proposed (kind, sha256, public_key)
  where proposal.party_id = $1 and proposed.sha256 = $2
    and not exists (
      select from dbr_signing.party_keys as known
      where known.party_id = $1 and known.kind = proposed.kind and known.sha256 = proposed.sha256
    )
), withdrawn as (
  delete from dbr_signing.party_key_proposals where party_id = $1 and exists (select from named)
)
insert into dbr_signing.party_keys (tenant_id, party_id, kind, sha256, public_key, accepted_until)
select tenant_id, party_id, kind, sha256, public_key, pg_catalog.now()
from named
returning kind`);

/** The keys beside the current ones are not accepted from now on. */
const endFormerKeys = query.none<[partyId: PartyId]>(sql`
update dbr_signing.parties
set former_identity_public_key = null, former_certificate_sha256 = null, former_until = null, version = version + 1
where party_id = $1`);
