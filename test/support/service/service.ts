/** The real service in this process, on ports of its own, against a database of the test's. */
import { Writable } from 'node:stream';
import { openLog, type LogLevel } from '../../../src/observability/log.js';
import { startService, type Service } from '../../../src/service.js';
import { environmentName } from '../../../src/settings/settings.js';
import { loadSettings } from '../../../src/settings/load.js';

export interface TestService extends Omit<Service, 'adminUrl'> {
  /** Empty without an admin port. */
  readonly adminUrl: string;
  /** Lines for the terminal. */
  readonly announced: readonly string[];
  /** The log: one JSON line in each entry. */
  readonly logs: readonly string[];
}

export interface TestServiceOptions {
  readonly logLevel?: LogLevel;
  /** A configuration file. */
  readonly file?: string;
  /** Further variables of the environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Starts the service with settings by their own names (`{'db-uri': …, 'areas': 'data-api'}`); ports are free ones.
 * Call `stop()` in the `after` hook.
 */
export async function startTestService(
  settings: Readonly<Record<string, string>>,
  { logLevel = 'info', file, environment: variables = {} }: TestServiceOptions = {},
): Promise<TestService> {
  const logs: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logs.push(
        ...chunk
          .toString('utf8')
          .split('\n')
          .filter((line) => line !== ''),
      );
      done();
    },
  });
  const given = {
    'server-host': '127.0.0.1',
    'server-port': '0',
    'admin-server-port': '0',
    'router-port': '0',
    ...settings,
  };
  const environment = {
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [environmentName(name), value])),
    ...variables,
  };
  const announced: string[] = [];
  const sources = { file, environment };
  const service = await startService({
    sources,
    settings: loadSettings(sources),
    log: openLog({ level: logLevel, format: 'json', destination }),
    announce: (line) => void announced.push(line),
  });
  return {
    ...service,
    adminUrl: service.adminUrl ?? '',
    announced,
    logs,
    async stop() {
      await service.stop();
      const conflict = logs.find((line) => /SQLSTATE 40(?:001|P01)/.test(line));
      if (conflict !== undefined) throw new Error(`a call failed because of other transactions: ${conflict}`);
    },
  };
}

/** Resolves when the service says that it is ready. */
export async function untilReady(service: Pick<TestService, 'adminUrl'>): Promise<void> {
  for (;;) {
    const { status } = await fetch(`${service.adminUrl}/ready`);
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
