/** The sessions in progress of a party, live. */
import { sql } from '../../postgres/sql.js';
import type { SessionId } from '../../base/identifiers.js';
import type { Database } from '../../postgres/database.js';
import { watchKey } from '../../postgres/watch-sets.js';
import type { PartyIdentity } from '../router-port.js';
import { queryInTenant } from '../transaction.js';
import { partyKey, type PartyWatches } from './session-changes.js';

/** `$1` party, `$2` limit. Row security selects the tenant. */
const IN_PROGRESS = sql`
select session.session_id
from dbr_signing.session_participants as participant
join dbr_signing.signing_sessions as session on session.session_id = participant.session_id
where participant.tenant_id = (select dbr_signing.tenant_id())
  and participant.party_id = $1
  and session.state = 'in_progress'
  and pg_catalog.now() < dbr_signing.deadline(session.state, session.ready_by, session.expires_at)
order by session.session_id
limit $2`;

/** Yields at the beginning and after each event of a session of the party, see `SigningSessions.inProgress`. */
export async function* sessionsInProgress(
  database: Database,
  watches: PartyWatches,
  party: PartyIdentity,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<readonly SessionId[]> {
  const watch = watchKey(watches, partyKey(party), party.tenantId);
  try {
    while (!signal.aborted) {
      watch.due = false;
      const rows = await queryInTenant(database, party.tenantId, (transaction) =>
        transaction.any<{ readonly session_id: SessionId }>({
          text: IN_PROGRESS,
          values: [party.partyId, limit],
        }),
      );
      yield rows.map(({ session_id: sessionId }) => sessionId);
      await watch.next(null, signal);
    }
  } finally {
    watch.close();
  }
}
