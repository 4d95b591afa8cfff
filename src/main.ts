#!/usr/bin/env node
/** The command line: `dbr serve`, `dbr migrate`, `dbr token`, … */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, USAGE, UsageError, type Command } from './command-line/arguments.js';
import { mintToken } from './command-line/mint-token.js';
import { createLogger } from './observability/log.js';
import { packageRoot } from './package-root.js';
import { migrateDatabase, startService } from './service.js';
import { dumpSettings, exampleSettings, settingsPage } from './settings/dump.js';
import { loadSettings, SettingsError } from './settings/load.js';
import { version } from './version.js';

const print = (text: string): void => void writeSync(1, text.endsWith('\n') ? text : `${text}\n`);

async function run(command: Command): Promise<number> {
  switch (command.name) {
    case 'serve':
      return serve(command.config);
    case 'migrate': {
      const applied = await migrateDatabase(settingsOf(command.config));
      print(applied.length === 0 ? 'nothing to apply' : applied.map((name) => `applied ${name}`).join('\n'));
      return 0;
    }
    case 'token':
      print(await mintToken(settingsOf(command.config), command.token));
      return 0;
    case 'settings':
      print(
        command.show === 'example'
          ? exampleSettings()
          : command.show === 'page'
            ? settingsPage()
            : dumpSettings(settingsOf(command.config)),
      );
      return 0;
    case 'openapi':
      print(readFileSync(join(packageRoot(), 'generated', 'openapi.json'), 'utf8'));
      return 0;
    case 'ready':
      return ready(command.config);
    case 'version':
      print(version());
      return 0;
    case 'help':
      print(USAGE);
      return 0;
  }
}

const settingsOf = (config: string | undefined) => loadSettings({ file: config, environment: process.env });

/** Serves until SIGTERM or SIGINT; a second signal ends the process at once. */
async function serve(config: string | undefined): Promise<number> {
  const settings = settingsOf(config);
  const log = createLogger({ level: settings['log-level'], format: settings['log-format'] });
  const service = await startService({
    sources: { file: config, environment: process.env },
    settings,
    log,
    announce: print,
  });
  await new Promise<void>((resolve) => {
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(1);
        stopping = true;
        resolve();
      });
    }
    process.on('SIGUSR1', () => service.reloadSchema());
    process.on('SIGUSR2', () => service.reloadSettings());
  });
  await service.stop();
  return 0;
}

/** 0 when the admin port of a running service says ready, else 1. */
async function ready(config: string | undefined): Promise<number> {
  const settings = settingsOf(config);
  try {
    const response = await fetch(
      `http://${settings['admin-server-host']}:${settings['admin-server-port']}/ready`,
      { signal: AbortSignal.timeout(5000) },
    );
    print(await response.text());
    return response.ok ? 0 : 1;
  } catch {
    print('not reachable');
    return 1;
  }
}

async function main(): Promise<number> {
  try {
    return await run(readArguments(process.argv.slice(2)));
  } catch (error) {
    if (error instanceof UsageError) process.stderr.write(`dbr: ${error.message}\n\n${USAGE}`);
    else process.stderr.write(`dbr: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError || error instanceof SettingsError ? 2 : 1;
  }
}

process.exitCode = await main();
