/** Parties in PostgreSQL. */
import type { PartyId, TenantId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import type { PartyRole, PartyStatus } from '../types.js';
import {
  FIND_PARTY,
  FIND_STANDINGS,
  INSERT_PARTY,
  LIST_PARTIES,
  LOCK_PARTY,
  RECORD_INSTANCE,
  UPDATE_PARTY,
} from './party-sql.js';

export interface PartyRecord {
  readonly partyId: PartyId;
  readonly name: string;
  readonly role: PartyRole;
  readonly status: PartyStatus;
  readonly identityPublicKey: Buffer;
  readonly certificateSha256: Buffer | null;
  readonly online: boolean;
  readonly lastSeenAt: string | null;
  readonly createdAt: string;
  readonly version: number;
}

interface PartyRow {
  readonly party_id: PartyId;
  readonly name: string;
  readonly role: PartyRole;
  readonly status: PartyStatus;
  readonly identity_public_key: Buffer;
  readonly certificate_sha256: Buffer | null;
  readonly online: boolean;
  readonly last_seen_at: string | null;
  readonly created_at: string;
  readonly version: string;
}

const partyOf = (row: PartyRow): PartyRecord => ({
  partyId: row.party_id,
  name: row.name,
  role: row.role,
  status: row.status,
  identityPublicKey: row.identity_public_key,
  certificateSha256: row.certificate_sha256,
  online: row.online,
  lastSeenAt: row.last_seen_at,
  createdAt: row.created_at,
  version: Number(row.version),
});

/** Returns null if the tenant has no such party. */
export async function findParty(transaction: DatabaseTask, partyId: PartyId): Promise<PartyRecord | null> {
  const row = await transaction.oneOrNone<PartyRow>({ text: FIND_PARTY, values: [partyId] });
  return row === null ? null : partyOf(row);
}

/** Finds the party and locks its row until the transaction ends. */
export async function lockParty(transaction: DatabaseTask, partyId: PartyId): Promise<PartyRecord | null> {
  const row = await transaction.oneOrNone<PartyRow>({ text: LOCK_PARTY, values: [partyId] });
  return row === null ? null : partyOf(row);
}

export interface PartyFilter {
  readonly status: PartyStatus | null;
  readonly role: PartyRole | null;
  /** The page begins after this identifier; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** Lists parties in the order of their identifiers. */
export async function listParties(
  transaction: DatabaseTask,
  { status, role, after, limit }: PartyFilter,
): Promise<readonly PartyRecord[]> {
  const rows = await transaction.any<PartyRow>({
    text: LIST_PARTIES,
    values: [status, role, after, limit],
    unnamed: true,
  });
  return rows.map(partyOf);
}

/** Role and status of a party that a request names. */
export interface PartyStanding {
  readonly partyId: PartyId;
  readonly role: PartyRole;
  readonly status: PartyStatus;
}

/** Finds the named parties, by name; names that the tenant does not have are left out. */
export async function partyStandings(
  transaction: DatabaseTask,
  names: readonly string[],
): Promise<ReadonlyMap<string, PartyStanding>> {
  const rows = await transaction.any<Pick<PartyRow, 'party_id' | 'role' | 'status'>>({
    text: FIND_STANDINGS,
    values: [names],
  });
  return new Map(rows.map(({ party_id: partyId, role, status }) => [partyId, { partyId, role, status }]));
}

/**
 * @returns false if the tenant has a party with this identifier
 * @throws PostgresError 23505 if another party has the certificate or the identity key
 */
export async function insertParty(
  transaction: DatabaseTask,
  tenantId: TenantId,
  party: Pick<PartyRecord, 'partyId' | 'name' | 'role' | 'identityPublicKey' | 'certificateSha256'>,
): Promise<boolean> {
  const { partyId, name, role, identityPublicKey, certificateSha256 } = party;
  const inserted = await transaction.oneOrNone<object>({
    text: INSERT_PARTY,
    values: [tenantId, partyId, name, role, identityPublicKey, certificateSha256],
  });
  return inserted !== null;
}

/** @throws PostgresError 23505 if another party has the certificate or the identity key */
export async function updateParty(
  transaction: DatabaseTask,
  party: Pick<PartyRecord, 'partyId' | 'name' | 'status' | 'identityPublicKey' | 'certificateSha256'>,
): Promise<void> {
  const { partyId, name, status, identityPublicKey, certificateSha256 } = party;
  await transaction.none({
    text: UPDATE_PARTY,
    values: [partyId, name, status, identityPublicKey, certificateSha256],
  });
}

/** Records that an instance of the party runs now; a party is online for 45 seconds after that. */
export async function recordInstance(
  transaction: DatabaseTask,
  partyId: PartyId,
  instanceId: string,
): Promise<void> {
  await transaction.none({ text: RECORD_INSTANCE, values: [partyId, instanceId] });
}
