import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { serveDbr } from '../../support/service/built-service.js';
import { untilReady } from '../../support/service/service.js';
import { until } from '../../support/until.js';

describe('the log of a process', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let folder: string;
  before(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'dbr-log-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await database.drop();
  });

  for (const workers of ['1', '2'])
    it(`takes level and format of a reloaded file, with ${workers} worker(s)${workers === '1' ? '' : ''}`, async () => {
      const file = join(folder, `${workers}.conf`);
      const write = (level: string, format: string): void =>
        writeFileSync(file, `log-level = "${level}"\nlog-format = "${format}"\n`);
      write('error', 'json');
      const serving = await serveDbr(
        {
          DBR_DB_URI: database.uri,
          DBR_AREAS: 'data-api',
          DBR_DB_ANON_ROLE: 'postgres',
          DBR_SERVER_WORKERS: workers,
        },
        ['--config', file],
      );
      try {
        await untilReady(serving);
        const lines = (): readonly string[] => serving.output().split('\n');
        /** Sends requests until one has a line of the form. */
        const untilLine = (path: string, form: RegExp): Promise<void> =>
          until(async () => {
            await (await fetch(`${serving.url}${path}`, { headers: { connection: 'close' } })).arrayBuffer();
            return lines().some((line) => form.test(line));
          });
        expect(lines().filter((line) => line.includes('"msg":"request"'))).to.deep.equal([]);
        write('info', 'json');
        serving.child.kill('SIGHUP');
        await untilLine('/first', /^\{.*"path":"\/first".*"code":"42P01".*"msg":"request"/);
        write('info', 'pretty');
        serving.child.kill('SIGUSR2');
        await untilLine('/second', /WARN.*request/);
      } finally {
        expect(await serving.stop()).to.equal(0);
      }
    });
});
