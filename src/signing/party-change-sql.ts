import { sql, type Sql } from '../postgres/sql.js';

/**
 * `PartyChange` of a row of `dbr_signing.parties`, as SQL; null where nothing has changed.
 * @param row name of the row
 * @param key the identity key that the party was identified with, as SQL
 * @param certificate the hash of its certificate or null, as SQL
 */
export const partyChangeSql = (row: Sql, key: Sql, certificate: Sql): Sql => sql`case
    when ${row}.status <> 'active' then 'not-active'
    when ${row}.identity_public_key <> ${key} then 'unknown'
    when ${certificate} is not null and ${row}.certificate_sha256 is distinct from ${certificate} then 'unknown'
  end`;
