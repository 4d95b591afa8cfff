import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { createLogger } from '../../../src/observability/log.js';
import { sessionChangesOf, type SessionChanges } from '../../../src/signing/sessions/session-changes.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';

const NEVER = new AbortController().signal;
const LONG_MS = 60_000;

describe('new events of sessions, asked of the database', () => {
  let fixture: RouterFixture;
  let changes: SessionChanges;
  before(async () => {
    fixture = await createRouterFixture();
    changes = sessionChangesOf(fixture.database.service, createLogger({ level: 'crit', format: 'json' }));
  });
  after(async () => {
    await changes.close();
    await fixture.drop();
  });

  const watchFrom = (sessionId: string, seen: number) => {
    const watch = changes.watch(sessionId, seen);
    watch.due = false;
    return watch;
  };

  it('are found by those who have not seen them, whatever the tenant', async () => {
    const { sessionId } = await fixture.createOpenSession();
    const { sessionId: other } = await fixture.createOpenSession();
    const [behind, upToDate] = [watchFrom(sessionId, 0), watchFrom(other, 1)];
    const told = behind.next(LONG_MS, NEVER);
    changes.look();
    await told;
    expect([behind.due, upToDate.due]).to.deep.equal([true, false]);
    behind.close();
    upToDate.close();
  });

  it('are found of a session that is gone, so that its streams end', async () => {
    const gone = watchFrom(randomUUID(), 3);
    const told = gone.next(LONG_MS, NEVER);
    changes.look();
    await told;
    expect(gone.due).to.equal(true);
    gone.close();
  });
});
