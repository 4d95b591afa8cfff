/** Detects that a party is no longer the one that was identified: active, with the same certificate and identity key. */
import type { ChangeFeed } from '../../postgres/change-feed.js';
import type { Database, DatabaseTask } from '../../postgres/database.js';
import type { Watcher } from '../../postgres/watch-sets.js';
import { refuseChanged, type PartyChange, type PartyIdentity, type PartyWatch } from '../router-port.js';
import { asSweeper } from '../transaction.js';
import { CHANGED_PARTIES, PARTY_CHANGE } from './party-sql.js';

/**
 * Checks the party in a transaction that has read data for it, so that the data is not sent to a former party.
 * @throws PartyRefused
 */
export async function refuseChangedParty(
  transaction: DatabaseTask,
  { tenantId, partyId, identityPublicKey, certificateSha256 }: PartyIdentity,
): Promise<void> {
  const row = await transaction.oneOrNone<{ readonly change: PartyChange | null }>({
    text: PARTY_CHANGE,
    values: [tenantId, partyId, identityPublicKey, certificateSha256],
  });
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
  database: Database,
): PartyWatch & { close(): Promise<void> } {
  const watches = feed.open<PartyIdentity, PartyChange>({
    topic: null,
    pollMs: POLL_MS,
    onReport: 'query',
    work: 'changes of parties',
    query: (watchers) => findChanges(database, watchers),
  });
  return {
    watch(party, onChange) {
      const watcher: Watcher<PartyIdentity, PartyChange> = {
        key: identityOf(party),
        seen: party,
        notify(change) {
          if (change === null) return;
          remove();
          onChange(change);
        },
      };
      const remove = watches.add(watcher);
      return remove;
    },
    close: () => watches.close(),
  };
}

async function findChanges(
  database: Database,
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
  const rows = await asSweeper(database, (transaction) =>
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
