import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { type DataApiService, startDataApiService } from '../../support/data-api/data-api-service.js';
import { type Answer, read, sharedCounts, together } from '../../support/data-api/read-together.js';
import { until } from '../../support/until.js';

const ROLE = `shared_failures_${randomBytes(4).toString('hex')}`;

const SCRIPT = `
  create role ${ROLE} nologin;
  alter role ${ROLE} set statement_timeout = '500ms';
  create table public.films (id int primary key, title text not null);
  insert into public.films select n, 'Film ' || n from generate_series(1, 50) n;
  grant select on public.films to ${ROLE};
`;

const READS = {
  'rows by key': [1, 2, 3, 4, 5].map((id) => `/films?id=eq.${String(id)}`),
  'equal reads': [1, 2, 3, 4, 5].map(() => '/films?order=id&limit=3'),
} as const;

describe('reads whose statement fails that they share', () => {
  let service: DataApiService;
  let locker: Session;

  before(async () => {
    service = await startDataApiService(SCRIPT, ROLE);
    locker = await openSession(service.databaseUri);
  });

  after(async () => {
    await locker.close();
    await service.stop();
  });

  const readAll = (paths: readonly string[]): readonly Promise<Answer>[] =>
    paths.map((path) => read(service, path));

  /** Makes the shapes of paths known. */
  async function prepare(paths: readonly string[]): Promise<readonly Answer[]> {
    const { reads } = await sharedCounts(service);
    const answers = await together(() => readAll(paths));
    expect((await sharedCounts(service)).reads).to.be.greaterThan(reads);
    return answers;
  }

  /** Reads while the table is locked, and unlocks it after `meanwhile`. */
  async function readLocked(paths: readonly string[], meanwhile: () => Promise<void>) {
    await locker.script('begin; lock table public.films');
    const answers = Promise.all(readAll(paths));
    await meanwhile();
    await locker.script('commit');
    return answers;
  }

  /** Ends the connections on which a statement waits for the lock. */
  const endConnections = () =>
    until(async () => {
      const ended = await service.session.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`);
      return ended.length > 0;
    });

  for (const [kind, paths] of Object.entries(READS)) {
    it(`are repeated, as one that runs alone, if their connection ends (${kind})`, async () => {
      const expected = await prepare(paths);
      expect(await readLocked(paths.slice(0, 1), endConnections)).to.deep.equal(expected.slice(0, 1));
      expect(await readLocked(paths, endConnections)).to.deep.equal(expected);
    });

    it(`exceed the time of their role, as one that runs alone (${kind})`, async () => {
      await prepare(paths);
      await locker.script('begin; lock table public.films');
      const [alone] = await Promise.all(readAll(paths.slice(0, 1)));
      const answers = await Promise.all(readAll(paths));
      await locker.script('commit');
      expect(JSON.parse(alone?.body ?? '')).to.include({ code: '57014' });
      expect(answers).to.deep.equal(paths.map(() => alone));
    });
  }
});
