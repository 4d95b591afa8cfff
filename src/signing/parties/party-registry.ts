/** The registry of parties for the router: finds a party by certificate or name, and stores the keys its instances offer. */
import type { PartyId, TenantId } from '../../base/identifiers.js';
import type { Database } from '../../postgres/database.js';
import type { Sql } from '../../postgres/sql.js';
import {
  InvalidPartyKey,
  type PartyEncryptionKey,
  type PartyIdentity,
  type PartyRegistry,
} from '../router-port.js';
import { asSweeper, inTenant } from '../transaction.js';
import type { PartyRole, PartyStatus } from '../types.js';
import { countClaimableKeys, insertKeys } from './encryption-key-store.js';
import { requireEncryptionKey } from './encryption-key.js';
import { refuseChangedParty } from './party-change.js';
import { IDENTITY_BY_CERTIFICATE, IDENTITY_BY_NAME } from './party-sql.js';
import { recordInstance } from './party-store.js';

/** Keys that one call may offer. */
const MAX_KEYS = 256;

export function createPartyRegistry(database: Database): PartyRegistry {
  return {
    byCertificate: (sha256) => findIdentity(database, IDENTITY_BY_CERTIFICATE, [sha256], sha256),
    byName: (tenantId, partyId) => findIdentity(database, IDENTITY_BY_NAME, [tenantId, partyId], null),
    refuseChanged: (party) => asSweeper(database, (transaction) => refuseChangedParty(transaction, party)),
    async register(party, instanceId, keys) {
      await registerInstance(database, party, instanceId, keys);
    },
    heartbeat: async (party, instanceId, keys) => ({
      oneTimeKeysLeft: await registerInstance(database, party, instanceId, keys),
    }),
  };
}

/** Returns the number of one-time keys that no user has claimed. */
async function registerInstance(
  database: Database,
  party: PartyIdentity,
  instanceId: string,
  keys: readonly PartyEncryptionKey[],
): Promise<number> {
  if (keys.length > MAX_KEYS)
    throw new InvalidPartyKey(`at most ${String(MAX_KEYS)} keys may be offered at once`);
  for (const key of keys) requireEncryptionKey(party.identityPublicKey, key);
  return await inTenant(database, party.tenantId, async (transaction) => {
    await recordInstance(transaction, party.partyId, instanceId);
    await insertKeys(transaction, party, keys);
    return await countClaimableKeys(transaction, party.partyId);
  });
}

interface IdentityRow {
  readonly tenant_id: TenantId;
  readonly party_id: PartyId;
  readonly role: PartyRole;
  readonly status: PartyStatus;
  readonly identity_public_key: Buffer;
}

const findIdentity = (
  database: Database,
  text: Sql,
  values: readonly (string | Buffer)[],
  certificateSha256: Buffer | null,
): Promise<PartyIdentity | null> =>
  asSweeper(database, async (transaction) => {
    const row = await transaction.oneOrNone<IdentityRow>({ text, values: [...values] });
    if (row === null) return null;
    return {
      tenantId: row.tenant_id,
      partyId: row.party_id,
      role: row.role,
      status: row.status,
      identityPublicKey: row.identity_public_key,
      certificateSha256,
    };
  });
