import { expect } from 'chai';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { withSession } from '../../../src/postgres/session.js';
import { startTestServer, type TestServer } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';
const token = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT({ tenantId: 't1', sub: 'u1', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(SECRET));

interface Progress {
  /** The first event has arrived: the stream sends every notification created from now on. */
  opened: boolean;
  readonly titles: string[];
}

/** A client of the live stream that resumes, as browsers do: it remembers the last id it saw. */
async function followUntil(
  service: TestService,
  headers: Record<string, string>,
  progress: Progress,
  done: (titles: readonly string[]) => boolean,
): Promise<void> {
  let lastEventId: string | null = null;
  while (!done(progress.titles)) {
    try {
      const resume = lastEventId === null ? {} : { 'Last-Event-ID': lastEventId };
      const response = await fetch(`${service.url}/api/v1/notifications/me/stream`, {
        headers: { ...headers, ...resume },
      });
      if (response.status !== 200 || response.body === null) throw new Error(`answered ${response.status}`);
      let text = '';
      for await (const chunk of response.body) {
        text += Buffer.from(chunk as Uint8Array).toString('utf8');
        const frames = text.split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) {
          progress.opened ||= frame.includes('event: ');
          lastEventId = /^id: (.*)$/m.exec(frame)?.[1] ?? lastEventId;
          const data = /^data: (.*)$/m.exec(frame)?.[1];
          if (/^event: notification\.created$/m.test(frame) && data !== undefined)
            progress.titles.push((JSON.parse(data) as { title: string }).title);
        }
        if (done(progress.titles)) return;
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

describe('the service while its database is away', function () {
  this.timeout(240_000);
  let server: TestServer;
  let service: TestService;
  let reader: Record<string, string>;
  let writer: Record<string, string>;

  before(async () => {
    server = await startTestServer();
    await withSession(server.uri, async (session) => {
      await session.script(
        'create table public.films (id int primary key); insert into public.films values (1)',
      );
      // Test servers run without durability; here confirmed writes must survive the kill.
      await session.query('alter database postgres set synchronous_commit = on');
    });
    await migrate(server.uri, join(packageRoot(), 'migrations'));
    service = await startTestService({
      'db-uri': server.uri,
      'db-anon-role': 'postgres',
      'service-jwt-secret': SECRET,
      'notifications-list-limit': '0',
    });
    await untilReady(service);
    reader = { Authorization: `Bearer ${await token({})}` };
    writer = {
      Authorization: `Bearer ${await token({ scope: 'notifications:write' })}`,
      'Content-Type': 'application/json',
    };
  });
  after(async () => {
    await service.stop();
    await server.remove();
  });

  const produce = (title: string): Promise<number> =>
    fetch(`${service.url}/api/v1/notifications`, {
      method: 'POST',
      headers: writer,
      body: JSON.stringify({ userIds: ['u1'], type: 'test.event', title, dedupeKey: title }),
    }).then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    });

  it('responds with 503 and the error body, recovers by itself, and loses and repeats no stream event', async () => {
    const progress: Progress = { opened: false, titles: [] };
    const { titles } = progress;
    const wanted = ['one', 'two', 'three'];
    const following = followUntil(service, reader, progress, (seen) =>
      wanted.every((title) => seen.includes(title)),
    );
    while (!progress.opened) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await produce('one')).to.equal(201);
    while (titles.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));

    await server.kill();
    const problems: unknown[] = [];

    for (const [path, headers] of [
      ['/films', {}],
      ['/api/v1/notifications/me', reader],
      ['/api/v1/notifications/me/unread-count', reader],
    ] as const) {
      let response = await fetch(`${service.url}${path}`, { headers });
      // Requests in flight may fail with various errors when the server dies; later ones get exactly one.
      while (response.status !== 503) response = await fetch(`${service.url}${path}`, { headers });
      expect(Number(response.headers.get('retry-after'))).to.be.at.least(1);
      problems.push(await response.json());
    }
    for (const problem of problems)
      expect(problem)
        .to.have.all.keys('code', 'message', 'details', 'hint')
        .and.to.have.property('code', 'DBR000');
    expect((await fetch(`${service.adminUrl}/ready`)).status).to.equal(503);
    expect((await fetch(`${service.adminUrl}/live`)).status).to.equal(200);

    await server.start();
    await untilReady(service);
    let status = 0;
    while (status !== 201 && status !== 200) status = await produce('two');
    expect((await fetch(`${service.url}/films`)).status).to.equal(200);
    expect(await produce('three')).to.equal(201);
    await following;
    expect(titles).to.deep.equal(wanted);
  });
});
