/** Ceremonies in PostgreSQL. The session of a ceremony is a row of `dbr_signing.signing_sessions`. */
import type { AccountId, PartyId, SessionId, TenantId, UserId } from '../../base/identifiers.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';
import type { PartyRole, PartyStatus } from '../types.js';
import type { CeremonyKind } from '../router-port.js';

/** A party that a ceremony may name. */
export interface CandidateParty {
  readonly partyId: PartyId;
  readonly role: PartyRole;
  readonly status: PartyStatus;
  /** Lower-case hexadecimal. */
  readonly identityPublicKey: string;
}

export const findCandidates = query.any<[names: readonly string[]], CandidateParty>(sql`
select
  party_id as "partyId",
  role,
  status,
  pg_catalog.encode(identity_public_key, 'hex') as "identityPublicKey"
from dbr_signing.parties
where party_id = any ($1::text[])`);

/**
 * Inserts the session of a ceremony. Returns no row if the identifier is in use, or the account has an open ceremony.
 * @param threshold how many participants there are, because each must report
 * @param requestSignatures as JSON text
 */
export const insertCeremonySession = query.any<
  [
    sessionId: SessionId,
    tenantId: TenantId,
    accountId: AccountId,
    createdBy: UserId,
    kind: CeremonyKind,
    threshold: number,
    plan: Buffer,
    requestSha256: Buffer,
    readySeconds: number,
    ttlSeconds: number,
    request: Buffer | null,
    requestSignatures: string | null,
  ],
  object
>(sql`
insert into dbr_signing.signing_sessions
  (session_id, tenant_id, account_id, created_by, kind, party_source, threshold, protocol, message_digest, request_sha256,
    event_sequence, ready_by, expires_at, request, request_signatures)
values
  ($1, $2, $3, $4, $5, 'requested', $6, 'ed25519', $7, $8, 1,
    pg_catalog.now() + pg_catalog.make_interval(secs => least($9::integer, $10::integer)),
    pg_catalog.now() + pg_catalog.make_interval(secs => $10::integer), $11, $12::jsonb)
on conflict do nothing
returning session_id`);

/** @param before holders with their threshold, as JSON text; null for a new key */
export const insertCeremony = query.none<
  [sessionId: SessionId, tenantId: TenantId, before: string | null, after: string]
>(sql`
insert into dbr_signing.ceremonies (session_id, tenant_id, before, after)
values ($1, $2, $3::jsonb, $4::jsonb)`);

/** Records what the first report names, in hexadecimal. */
export const recordResult = query.none<
  [sessionId: SessionId, publicKey: string, transcriptSha256: string]
>(sql`
update dbr_signing.ceremonies
set public_key = pg_catalog.decode($2, 'hex'), transcript_sha256 = pg_catalog.decode($3, 'hex')
where session_id = $1::uuid and public_key is null`);
