import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectShown, manualCommands, runManualCommand } from '../support/end-to-end/manual-commands.js';
import { runDbr, serveDbr, type ServingProcess } from '../support/service/built-service.js';
import { untilReady } from '../support/service/service.js';

interface Page {
  readonly path: string;
  /** Rows of the table `ratings` that the examples of the page begin with. */
  readonly ratings: readonly { readonly country_code: string; readonly stars: number }[];
  /** Parts of commands that need another database or other settings than those of the sample. */
  readonly elsewhere: readonly string[];
}

/** Pages whose examples are of the sample data, in an order in which the first ones find no rows of Ada. */
const PAGES: readonly Page[] = [
  { path: 'README.md', ratings: [], elsewhere: [] },
  { path: 'docs/data-api.md', ratings: [], elsewhere: [] },
  {
    path: 'docs/queries.md',
    ratings: [{ country_code: 'CH', stars: 1 }],
    elsewhere: ['…/pages?', '…/docs?', "'…/countries?select=name,cities(name)'"],
  },
  {
    path: 'docs/writes-and-calls.md',
    ratings: [
      { country_code: 'CH', stars: 1 },
      { country_code: 'PE', stars: 1 },
    ],
    elsewhere: [],
  },
  { path: 'docs/api-keys.md', ratings: [], elsewhere: [] },
];

describe('the examples of the manual', function () {
  this.timeout(120_000);
  let directory: string;
  let service: ServingProcess;
  let token: string;
  let key: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dbr-manual-'));
    const data = { DBR_DATA_DIRECTORY: join(directory, '.dbr'), DBR_SAMPLE_DATABASE: 'true' };
    service = await serveDbr({
      ...data,
      DBR_API_KEYS: 'true',
      DBR_LOG_LEVEL: 'crit',
    });
    await untilReady(service);
    const scopes = ['--scope', 'notifications:write'];
    const user = ['--tenant', 'acme', '--user', 'ada', '--role', 'web_user'];
    token = (await runDbr(['token', ...user, ...scopes])).stdout.trim();
    key = (await runDbr(['key', 'create', '--name', 'manual', '--role', 'web_user'], data)).stdout.trim();
  });
  after(async () => {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function rate(rows: Page['ratings']): Promise<void> {
    const url = `${service.url}/ratings`;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    expect((await fetch(`${url}?user_id=eq.ada`, { method: 'DELETE', headers })).status).to.equal(204);
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(rows) })).status).to.equal(201);
  }

  for (const { path, ratings, elsewhere } of PAGES)
    it(`have the answers that the page shows: ${path}`, async () => {
      await rate(ratings);
      const commands = (await manualCommands(path)).filter(({ command }) => command.startsWith('curl '));
      const skipped = elsewhere.filter((part) => !commands.some(({ command }) => command.includes(part)));
      expect(skipped, 'parts of no command').to.deep.equal([]);
      for (const { command, shown } of commands) {
        if (elsewhere.some((part) => command.includes(part))) continue;
        const variables = { TOKEN: token, KEY: key };
        const output = await runManualCommand(command, service.url, variables, directory);
        if (shown !== '') expectShown(output, shown, command);
      }
    });
});
