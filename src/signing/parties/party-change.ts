/** Whether a party is still what it was recognised as: active, with the same certificate and identity key. */
import type { Database, DatabaseTask } from '../../postgres/database.js';
import type { Logger } from '../../observability/log.js';
import { createRounds } from '../../mailbox/rounds.js';
import { PartyRefused, type PartyChange, type PartyIdentity } from '../router-port.js';
import { asSweeper } from '../transaction.js';

/**
 * `PartyChange` of a row of `dbr_signing.parties`; SQL null where nothing has changed.
 * @param row name of the row, which the statement chooses
 * @param key the identity key that the party was recognised with, @param certificate its certificate's hash or null, as SQL
 */
export const partyChangeSql = (row: string, key: string, certificate: string): string => `case
    when ${row}.status <> 'active' then 'not-active'
    when ${row}.identity_public_key <> ${key} then 'unknown'
    when ${certificate} is not null and ${row}.certificate_sha256 is distinct from ${certificate} then 'unknown'
  end`;

const CHANGE = `
select ${partyChangeSql('party', '$3::bytea', '$4::bytea')} as change
from dbr_signing.parties as party
where party.tenant_id = $1 and party.party_id = $2`;

/** @throws PartyRefused when the party is no longer what it was recognised as */
export function refuseChanged(change: PartyChange | null): void {
  if (change === null) return;
  throw new PartyRefused({ kind: change === 'not-active' ? 'party-not-active' : 'party-unknown' });
}

/**
 * Looks at the party in a transaction that has read something for it: what was read is then not handed to one who is no
 * longer the party.
 * @throws PartyRefused
 */
export async function refuseChangedParty(
  transaction: DatabaseTask,
  { tenantId, partyId, identityPublicKey, certificateSha256 }: PartyIdentity,
): Promise<void> {
  const row = await transaction.oneOrNone<{ readonly change: PartyChange | null }>({
    text: CHANGE,
    values: [tenantId, partyId, identityPublicKey, certificateSha256],
  });
  refuseChanged(row === null ? 'unknown' : row.change);
}

export interface PartyWatch {
  /** Calls back once, when the party has changed. Returns a function that stops watching. */
  watch(party: PartyIdentity, onChange: (change: PartyChange) => void): () => void;
  close(): Promise<void>;
}

/** Time until a change is noticed in every process, in milliseconds. */
const POLL_MS = 400;

/** One question for all that are watched. */
const CHANGED = `
select watched.place, ${partyChangeSql('party', 'watched.identity_key', 'watched.certificate')} as change
from rows from (
  pg_catalog.jsonb_array_elements_text($1::jsonb),
  pg_catalog.jsonb_array_elements_text($2::jsonb),
  pg_catalog.unnest($3::bytea[]),
  pg_catalog.unnest($4::bytea[])
) with ordinality as watched (tenant_id, party_id, identity_key, certificate, place)
join dbr_signing.parties as party using (tenant_id, party_id)
where ${partyChangeSql('party', 'watched.identity_key', 'watched.certificate')} is not null`;

interface Watched {
  readonly party: PartyIdentity;
  readonly onChange: (change: PartyChange) => void;
}

interface ChangedRow {
  readonly place: string;
  readonly change: PartyChange;
}

export function createPartyWatch(database: Database, log: Logger): PartyWatch {
  const watched = new Set<Watched>();
  const rounds = createRounds(
    look,
    () => watched.size > 0,
    POLL_MS,
    (error) =>
      log.warn(
        { error: error instanceof Error ? error.message : String(error) },
        'parties with open streams could not be looked at',
      ),
  );

  async function look(): Promise<void> {
    const all = [...watched];
    const distinct = [...new Map(all.map(({ party }) => [identityOf(party), party])).values()];
    const values = [
      JSON.stringify(distinct.map(({ tenantId }) => tenantId)),
      JSON.stringify(distinct.map(({ partyId }) => partyId)),
      distinct.map(({ identityPublicKey }) => identityPublicKey),
      distinct.map(({ certificateSha256 }) => certificateSha256),
    ];
    const rows = await asSweeper(database, (transaction) =>
      transaction.any<ChangedRow>({ text: CHANGED, values }),
    );
    for (const { place, change } of rows) {
      const party = distinct[Number(place) - 1];
      if (party === undefined) continue;
      const changed = identityOf(party);
      for (const one of all)
        if (identityOf(one.party) === changed && watched.delete(one)) one.onChange(change);
    }
  }

  return {
    watch(party, onChange) {
      const one = { party, onChange };
      watched.add(one);
      return () => watched.delete(one);
    },
    close: () => rounds.close(),
  };
}

const identityOf = ({ tenantId, partyId, identityPublicKey, certificateSha256 }: PartyIdentity): string =>
  JSON.stringify([
    tenantId,
    partyId,
    identityPublicKey.toString('base64'),
    certificateSha256?.toString('base64') ?? null,
  ]);
