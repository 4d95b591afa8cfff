/** What a migration does at the moment, for the status line: its file, or the process that has a lock that it waits for. */
import { type History, type MigrationWatch, type StatusLine, withSession } from '../../../../src/face.js';

const POLL_MS = 1000;

const BLOCKERS = `
select pid from pg_catalog.unnest(pg_catalog.pg_blocking_pids($1)) as pid
union all
select pid from pg_catalog.pg_locks
where locktype = 'advisory' and granted and classid = 0 and objid = $2 and pid <> $1
limit 1`;

/**
 * Does work with migrations, and shows what they wait for.
 * @param uri of the role that migrates
 */
export async function withMigrationStatus<Result>(
  uri: string,
  status: StatusLine,
  history: History,
  work: (watch: MigrationWatch) => Promise<Result>,
): Promise<Result> {
  if (!status.isShown) return work(() => undefined);
  let doing = 'connecting to the database…';
  let session = 0;
  let blocker: number | null = null;
  const poll = async (): Promise<void> => {
    const [row] = await withSession(uri, (other) => other.query(BLOCKERS, [session, history.lock]));
    blocker = row === undefined ? null : Number(row['pid']);
  };
  const timer = setInterval(() => void poll().catch(() => undefined), POLL_MS).unref();
  status.show(() => (blocker === null ? doing : `${doing} waits for a lock of pid ${String(blocker)}`));
  try {
    return await work((file, processId) => {
      session = processId;
      doing = file === null ? 'migrating…' : `applying ${file}…`;
      blocker = null;
    });
  } finally {
    clearInterval(timer);
    status.end();
  }
}
