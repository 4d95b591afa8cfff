/** A service for each recorded configuration, all on one database, each on a port of its own. */
import { readFile } from 'node:fs/promises';
import { startTestService, untilReady, type TestService } from '../service/service.js';

type Configs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Starts one service for each configuration of `configs.json`; by name. */
export async function startConfiguredServices(uri: string): Promise<ReadonlyMap<string, TestService>> {
  const configs = JSON.parse(
    await readFile(new URL('../../conformance/configs.json', import.meta.url), 'utf8'),
  ) as Configs;
  const services = new Map<string, TestService>();
  for (const [name, config] of Object.entries(configs)) {
    const service = await startTestService(
      { areas: 'data-api', 'db-uri': uri, 'db-pool': '2', 'db-channel-enabled': 'false', ...config },
      { logLevel: 'crit' },
    );
    await untilReady(service);
    services.set(name, service);
  }
  return services;
}
