import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  expectShown,
  manualBlocks,
  manualCommandsIn,
  runManualCommand,
} from '../support/end-to-end/manual-commands.js';
import { runDbr, serveDbr, type ServingProcess } from '../support/service/built-service.js';
import { untilReady } from '../support/service/service.js';

interface Page {
  readonly path: string;
  /** Rows of the table `ratings` that the examples of the page begin with. */
  readonly ratings: readonly { readonly country_code: string; readonly stars: number }[];
  /** Parts of commands that need another database or other settings than those of the sample. */
  readonly elsewhere: readonly string[];
  /** Variables of the shell by the member of an answer that they take, for the commands behind it. */
  readonly taken?: Readonly<Record<string, string>>;
  /** A program that its commands call. */
  readonly program?: string;
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
  { path: 'docs/streams.md', ratings: [], elsewhere: ['…/unfinished', '…/metrics'] },
  { path: 'docs/ceilings.md', ratings: [], elsewhere: ['name=like.*burg*', 'limit=1000'] },
  { path: 'docs/observability.md', ratings: [{ country_code: 'CH', stars: 1 }], elsewhere: [] },
  { path: 'docs/notifications.md', ratings: [], elsewhere: [] },
  { path: 'docs/api-keys.md', ratings: [], elsewhere: [] },
  {
    path: 'docs/signing-calls.md',
    ratings: [],
    elsewhere: [],
    taken: { accountId: 'ACCOUNT', sessionId: 'SESSION' },
    program: 'openssl',
  },
];

const OPERATOR_SCOPES = 'parties:admin accounts:write accounts:read audit:read';

describe('the examples of the manual', function () {
  this.timeout(120_000);
  let directory: string;
  let service: ServingProcess;
  let tokens: Readonly<Record<string, string>>;

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
    const operator = ['--tenant', 'acme', '--user', 'ops', '--scope', OPERATOR_SCOPES];
    const printed = async (args: readonly string[]): Promise<string> =>
      (await runDbr(args, data)).stdout.trim();
    tokens = {
      TOKEN: await printed(['token', ...user, ...scopes]),
      OPS: await printed(['token', ...operator]),
      ADA: await printed(['token', '--tenant', 'acme', '--user', 'ada']),
      KEY: await printed(['key', 'create', '--name', 'manual', '--role', 'web_user']),
    };
  });
  after(async () => {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function rate(rows: Page['ratings']): Promise<void> {
    const url = `${service.url}/ratings`;
    const headers = { Authorization: `Bearer ${tokens['TOKEN'] ?? ''}`, 'Content-Type': 'application/json' };
    expect((await fetch(`${url}?user_id=eq.ada`, { method: 'DELETE', headers })).status).to.equal(204);
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(rows) })).status).to.equal(201);
  }

  for (const { path, ratings, elsewhere, taken = {}, program = null } of PAGES) {
    const lacks = program !== null && spawnSync(program, ['version']).error !== undefined;
    const skipped = lacks ? ` (skipped: ${program} is not installed)` : '';
    (lacks ? it.skip : it)(`have the answers that the page shows: ${path}${skipped}`, async () => {
      await rate(ratings);
      const blocks = await manualBlocks(path);
      const functions = blocks.filter(({ text }) => /^\w+\(\) \{$/m.test(text)).map(({ text }) => text);
      const commands = manualCommandsIn(blocks).filter(({ command }) =>
        /^(?:curl|party|printf) /.test(command),
      );
      const unknown = elsewhere.filter((part) => !commands.some(({ command }) => command.includes(part)));
      expect(unknown, 'parts of no command').to.deep.equal([]);
      const variables: Record<string, string> = { ...tokens };
      for (const { command, shown } of commands) {
        if (elsewhere.some((part) => command.includes(part))) continue;
        const output = await runManualCommand(command, service.url, variables, directory, functions.join(''));
        for (const [member, name] of Object.entries(taken)) {
          const [, value] = new RegExp(`^\\{"${member}":"([^"]*)"`).exec(output) ?? [];
          if (value !== undefined) variables[name] = value;
        }
        if (shown !== '') expectShown(output, shown, command);
      }
    });
  }
});
