/**
 * The place where the processes of one database keep the mailboxes. Two processes with different places would lose messages
 * between their parties, so the second one does not start.
 */
import { query } from '../postgres/query.js';
import { randomUUID } from 'node:crypto';
import { workFailed, type Observation, type Observe } from '../observability/observation.js';
import type { Pool } from '../postgres/pool.js';
import { repeat } from '../observability/repeat.js';
import { asSweeper } from '../signing/router-port.js';
import type { MailboxStore } from './mailbox-store.js';
import { sql } from '../postgres/sql.js';

interface MailboxPlace {
  /** False: another process keeps the mailboxes elsewhere. */
  readonly isAgreed: boolean;
  close(): Promise<void>;
}

/** Another process of the same database keeps the mailboxes elsewhere. */
class DifferentMailboxes extends Error {
  override readonly name = 'DifferentMailboxes';

  constructor(own: string, other: string) {
    super(
      `bus-uri: this process keeps the mailboxes in ${own}, another process of the same database in ${other}: ` +
        'all need the same setting. Stop the others first, or wait 30 s after one was killed.',
    );
  }
}

const INTERVAL_MS = 10_000;
/**
 * Records the place, now and every ten seconds. If the database cannot be reached at the start, the place is compared
 * when it can.
 * @throws DifferentMailboxes if a running process has another place
 */
export async function noteMailboxPlace(
  pool: Pool,
  mailboxes: Pick<MailboxStore, 'place'>,
  observe: Observe,
): Promise<MailboxPlace> {
  const processId = randomUUID();
  let agreed = true;

  const forget = (): Promise<unknown> =>
    asSweeper(pool, (transaction) => forgetPlace(transaction, processId));

  /** @throws DifferentMailboxes */
  async function note(): Promise<void> {
    const own = await mailboxes.place();
    // The place is committed before those of other processes are read: of two processes that start together, one
    // finds the other.
    await asSweeper(pool, (transaction) => notePlace(transaction, processId, own));
    const other = await asSweeper(pool, (transaction) => otherPlace(transaction, own));
    agreed = other === null;
    if (other !== null) throw new DifferentMailboxes(own, other.mailboxes);
  }

  try {
    await note();
  } catch (error) {
    if (error instanceof DifferentMailboxes) {
      await forget();
      throw error;
    }
    observe(failure(error));
  }
  const noting = repeat(note, { intervalMs: INTERVAL_MS, observe, failure });
  return {
    get isAgreed() {
      return agreed;
    },
    async close() {
      await noting.close();
      await forget().catch(() => undefined);
    },
  };
}

const failure = (error: unknown): Observation =>
  error instanceof DifferentMailboxes
    ? { kind: 'mailboxes-differ', error }
    : workFailed('comparison of mailboxes')(error);

// The statements on the places in which the processes of a database keep the mailboxes.

/** A process has ended if it has not recorded its place for this time, in seconds. */
const GONE_SECONDS = 30;

/** Records the place, and deletes the rows of processes that have ended. */
const notePlace = query.none<[processId: string, place: string]>(sql`
with gone as (
  delete from dbr_signing.router_processes
  where seen_at < pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => ${GONE_SECONDS})
    and process_id <> $1::uuid
)
insert into dbr_signing.router_processes (process_id, mailboxes)
values ($1::uuid, $2)
on conflict (process_id) do update set mailboxes = excluded.mailboxes, seen_at = excluded.seen_at`);

/** Another place that a process has recorded. */
const otherPlace = query.oneOrNone<[place: string], { readonly mailboxes: string }>(sql`
select mailboxes
from dbr_signing.router_processes
where mailboxes <> $1
  and seen_at >= pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => ${GONE_SECONDS})
limit 1`);

const forgetPlace = query.none<[processId: string]>(sql`
delete from dbr_signing.router_processes
where process_id = $1::uuid`);
