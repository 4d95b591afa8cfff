/** The registry of parties for the router: finds a party by certificate or name, and stores the keys its instances offer. */
import type { Pool } from '../../postgres/pool.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import {
  InvalidPartyKey,
  type PartyEncryptionKey,
  type PartyIdentity,
  type PartyRegistry,
  refuseChanged,
  type PartyChange,
  type PartyWatch,
} from '../router-port.js';
import { asSweeper, inTenant } from '../transaction.js';
import { countClaimableKeys, insertKeys, requireEncryptionKey } from './encryption-key-store.js';
import {
  CHANGED_PARTIES,
  identityByCertificate,
  identityByName,
  findByCurrentKey,
  partyChange,
  recordInstance,
} from './party-store.js';
import type { ChangeFeed } from '../../postgres/change-feed.js';
import { watchOnce, type Watcher } from '../../postgres/watch-sets.js';

/** Keys that one call may offer. */
const MAX_KEYS = 256;

export function createPartyRegistry(pool: Pool): PartyRegistry {
  return {
    async byCertificate(certificateSha256) {
      const found = await asSweeper(pool, (task) => identityByCertificate(task, certificateSha256));
      return found && { ...found, certificateSha256 };
    },
    async byName(tenantId, partyId) {
      const found = await asSweeper(pool, (task) => identityByName(task, tenantId, partyId));
      return found && { ...found, certificateSha256: null };
    },
    refuseChanged: (party) => asSweeper(pool, (transaction) => refuseChangedParty(transaction, party)),
    async register(party, instanceId, keys) {
      await registerInstance(pool, party, instanceId, keys);
    },
    heartbeat: async (party, instanceId, keys) => ({
      oneTimeKeysLeft: await registerInstance(pool, party, instanceId, keys),
    }),
  };
}

/** Returns the number of one-time keys that no user has claimed. */
async function registerInstance(
  pool: Pool,
  party: PartyIdentity,
  instanceId: string,
  keys: readonly PartyEncryptionKey[],
): Promise<number> {
  if (keys.length > MAX_KEYS)
    throw new InvalidPartyKey(`at most ${String(MAX_KEYS)} keys may be offered at once`);
  for (const key of keys) await requireEncryptionKey(party.identityPublicKey, key);
  return await inTenant(pool, party.tenantId, async (transaction) => {
    await recordInstance(transaction, party.partyId, instanceId);
    // The party is locked now. Keys that a former identity key has signed must not be offered.
    await refuseChangedParty(transaction, party);
    if (
      keys.length > 0 &&
      (await findByCurrentKey(transaction, party.partyId, party.identityPublicKey)) === null
    )
      refuseChanged('unknown');
    await insertKeys(transaction, party, keys);
    return await countClaimableKeys(transaction, party.partyId);
  });
}

// Detects that a party is no longer the one that was identified: active, with the same certificate and identity key.

/**
 * Checks the party in a transaction that has read data for it, so that the data is not sent to a former party.
 * @throws PartyRefused
 */
export async function refuseChangedParty(
  transaction: DatabaseTask,
  { tenantId, partyId, identityPublicKey, certificateSha256 }: PartyIdentity,
): Promise<void> {
  const row = await partyChange(transaction, tenantId, partyId, identityPublicKey, certificateSha256);
  refuseChanged(row === null ? 'unknown' : row.change);
}

/** Longest time until a change is noticed, in milliseconds. */
const POLL_MS = 400;

interface ChangedRow {
  readonly place: string;
  readonly change: PartyChange;
}

/** Finds changes of parties by polling, with one query for all parties that are watched. */
export function createPartyWatch(
  feed: Pick<ChangeFeed, 'open'>,
  pool: Pool,
): PartyWatch & { close(): Promise<void> } {
  const watches = feed.open<PartyIdentity, PartyChange>({
    topic: null,
    pollMs: POLL_MS,
    onReport: 'query',
    work: 'changes of parties',
    query: (watchers) => findChanges(pool, watchers),
  });
  return {
    watch: (party, onChange) => watchOnce(watches, identityOf(party), party, onChange),
    close: () => watches.close(),
  };
}

async function findChanges(
  pool: Pool,
  watchers: readonly Watcher<PartyIdentity, PartyChange>[],
): Promise<readonly (readonly [string, PartyChange])[]> {
  const distinct = [...new Map(watchers.map(({ key, seen }) => [key, seen]))];
  const parties = distinct.map(([, party]) => party);
  const values = [
    JSON.stringify(parties.map(({ tenantId }) => tenantId)),
    JSON.stringify(parties.map(({ partyId }) => partyId)),
    parties.map(({ identityPublicKey }) => identityPublicKey),
    parties.map(({ certificateSha256 }) => certificateSha256),
  ];
  const rows = await asSweeper(pool, (transaction) =>
    transaction.any<ChangedRow>({ text: CHANGED_PARTIES, values }),
  );
  return rows.flatMap(({ place, change }) => {
    const [key] = distinct[Number(place) - 1] ?? [];
    return key === undefined ? [] : [[key, change] as const];
  });
}

const identityOf = ({ tenantId, partyId, identityPublicKey, certificateSha256 }: PartyIdentity): string =>
  JSON.stringify([
    tenantId,
    partyId,
    identityPublicKey.toString('base64'),
    certificateSha256?.toString('base64') ?? null,
  ]);
