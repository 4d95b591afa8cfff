import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package.js';
import { exampleSettings } from '../../src/settings/dump.js';
import {
  expectShown,
  isFunctions,
  manualBlocks,
  manualCommandsIn,
  runManualCommand,
} from '../support/end-to-end/manual-commands.js';
import { reasonNotToRun, SAMPLE_PAGES, type SamplePage } from '../support/end-to-end/manual-pages.js';
import { inAllRuns } from '../support/runs.js';
import { developmentToken, runDbr, serveDbr, type ServingProcess } from '../support/service/built-service.js';
import { untilReady } from '../support/service/service.js';

const OPERATOR_SCOPES = 'parties:admin accounts:write accounts:read audit:read';
/** A start of the service with other settings, such as `DBR_DB_MAX_ROWS=100 dbr serve`. */
const SERVE = /^((?:DBR_\w+=\S+ )+)dbr serve$/;

describe('the examples of the manual', function () {
  this.timeout(180_000);
  let directory: string;
  let service: ServingProcess;
  let variables: Readonly<Record<string, string>>;

  async function serve(settings: Readonly<Record<string, string>>): Promise<void> {
    service = await serveDbr(
      {
        DBR_DATA_DIRECTORY: join(directory, '.dbr'),
        DBR_API_KEYS: 'true',
        DBR_LOG_LEVEL: 'crit',
        ...settings,
      },
      [],
      { folder: directory },
    );
    await untilReady(service);
  }

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dbr-manual-'));
    const programs = join(directory, 'programs');
    await mkdir(programs);
    const main = join(packageRoot(), 'dist', 'src', 'main.js');
    await writeFile(join(programs, 'dbr'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, {
      mode: 0o755,
    });
    await serve({});
    await writeFile(join(directory, 'dbr.conf'), exampleSettings());
    const key = await runDbr(['key', 'create', '--name', 'manual', '--role', 'web_user'], {}, directory);
    const ada = { tenant: 'acme', user: 'ada' };
    variables = {
      PATH: `${programs}:${process.env['PATH'] ?? ''}`,
      TOKEN: await developmentToken({ ...ada, role: 'web_user', scope: 'notifications:write' }),
      OPS: await developmentToken({ tenant: 'acme', user: 'ops', scope: OPERATOR_SCOPES }),
      ADA: await developmentToken(ada),
      KEY: key.stdout.trim(),
    };
  });
  after(async () => {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function rate(rows: SamplePage['ratings'] = []): Promise<void> {
    const url = `${service.url}/ratings`;
    const headers = {
      Authorization: `Bearer ${variables['TOKEN'] ?? ''}`,
      'Content-Type': 'application/json',
    };
    expect((await fetch(`${url}?user_id=eq.ada`, { method: 'DELETE', headers })).status).to.equal(204);
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(rows) })).status).to.equal(201);
  }

  /** Files that a page shows under the words `Write NAME:`. */
  async function writeFiles(path: string): Promise<void> {
    const text = await readFile(join(packageRoot(), path), 'utf8');
    for (const [, name = '', content = ''] of text.matchAll(/write `([^`]+)`:\n\n```\w*\n([^]*?)```/gi))
      await writeFile(join(directory, name), content);
  }

  /** A command that starts the service takes the place of the one that runs; it has another port here. */
  async function restart(settings: string): Promise<void> {
    await service.stop();
    const given: Record<string, string> = {};
    for (const [, name = '', value = ''] of settings.matchAll(/(\S+)=(\S+)/g)) given[name] = value;
    await serve(given);
    await appendFile(join(directory, 'variables'), `DBR=${service.url}\n`);
  }

  for (const { path, ratings, taken = {}, program = null, alike } of SAMPLE_PAGES) {
    const lacks = program !== null && spawnSync(program, ['version']).error !== undefined;
    const skipped = lacks ? ` (skipped: ${program} is not installed)` : '';
    const tag = path === 'README.md' ? '' : '';
    const define = lacks ? it.skip : it;
    const title = `have the answers that the page shows: ${path}${skipped}${tag}`;
    const test = async (): Promise<void> => {
      await rate(ratings);
      await writeFiles(path);
      await rm(join(directory, 'variables'), { force: true });
      const blocks = await manualBlocks(path);
      const functions = blocks
        .filter(isFunctions)
        .map(({ text }) => text)
        .join('');
      const known: Record<string, string> = { ...variables };
      let isOther = false;
      for (const { command, shown } of manualCommandsIn(blocks)) {
        if (reasonNotToRun(path, command) !== null) continue;
        const [, settings] = SERVE.exec(command) ?? [];
        if (settings !== undefined) {
          isOther = true;
          await restart(settings);
          continue;
        }
        const { url, adminUrl } = service;
        const options = { url, adminUrl, variables: known, folder: directory, functions };
        const output = await runManualCommand(command, options);
        for (const [member, name] of Object.entries(taken)) {
          const [, value] = new RegExp(`^\\{"${member}":"([^"]*)"`).exec(output) ?? [];
          if (value !== undefined) known[name] = value;
        }
        if (shown !== '') expectShown(output, shown, command);
      }
      if (isOther) await restart('');
    };
    if (alike === undefined) define(title, test);
    else inAllRuns(title, test, define);
  }
});
