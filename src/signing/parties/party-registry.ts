/** Parties as the router knows them: by certificate, with the keys that their instances offer. */
import type { Database } from '../../postgres/database.js';
import { checkEncryptionKey } from './encryption-key.js';
import { refuseChangedParty } from './party-change.js';
import { noteInstance } from './party-store.js';
import {
  InvalidPartyKey,
  type PartyEncryptionKey,
  type PartyIdentity,
  type PartyRegistry,
  type PartyRole,
  type PartyStatus,
} from '../router-port.js';
import { asSweeper, inTenant } from '../transaction.js';

/** Of one call. */
const MAX_KEYS = 256;

interface IdentityRow {
  readonly tenant_id: string;
  readonly party_id: string;
  readonly role: PartyRole;
  readonly status: PartyStatus;
  readonly identity_public_key: Buffer;
}

const IDENTITIES = `
select tenant_id, party_id, role, status, identity_public_key
from dbr_signing.parties`;
const BY_CERTIFICATE = `${IDENTITIES}
where certificate_sha256 = $1`;
const BY_NAME = `${IDENTITIES}
where tenant_id = $1 and party_id = $2`;

export function createPartyRegistry(database: Database): PartyRegistry {
  const find = (
    text: string,
    values: readonly (string | Buffer)[],
    certificateSha256: Buffer | null,
  ): Promise<PartyIdentity | null> =>
    asSweeper(database, async (transaction) => {
      const row = await transaction.oneOrNone<IdentityRow>({ text, values: [...values] });
      return row === null ? null : { ...identityOf(row), certificateSha256 };
    });

  async function note(
    party: PartyIdentity,
    instanceId: string,
    keys: readonly PartyEncryptionKey[],
  ): Promise<number> {
    if (keys.length > MAX_KEYS)
      throw new InvalidPartyKey(`at most ${String(MAX_KEYS)} keys may be offered at once`);
    for (const key of keys) checkEncryptionKey(party.identityPublicKey, key);
    return await inTenant(database, party.tenantId, (transaction) =>
      noteInstance(transaction, party, instanceId, keys),
    );
  }

  return {
    byCertificate: (sha256) => find(BY_CERTIFICATE, [sha256], sha256),
    refuseChanged: (party) => asSweeper(database, (transaction) => refuseChangedParty(transaction, party)),
    byName: (tenantId, partyId) => find(BY_NAME, [tenantId, partyId], null),
    async register(party, instanceId, keys) {
      await note(party, instanceId, keys);
    },
    heartbeat: async (party, instanceId, keys) => ({ oneTimeKeysLeft: await note(party, instanceId, keys) }),
  };
}

const identityOf = (row: IdentityRow): Omit<PartyIdentity, 'certificateSha256'> => ({
  tenantId: row.tenant_id,
  partyId: row.party_id,
  role: row.role,
  status: row.status,
  identityPublicKey: row.identity_public_key,
});
