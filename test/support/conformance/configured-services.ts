/** A service for each recorded configuration, all on one database, each on a port of its own. */
import { readFile } from 'node:fs/promises';
import { environmentName } from '../../../src/settings/settings.js';
import { startTestService, untilReady, type TestService } from '../service/service.js';

type Configs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Starts one service for each configuration of `configs.json`; by name.
 * @param compatible true for services that take the place of PostgREST, with its variables
 */
export async function startConfiguredServices(
  uri: string,
  compatible = false,
): Promise<ReadonlyMap<string, TestService>> {
  const configs = JSON.parse(
    await readFile(new URL('../../conformance/configs.json', import.meta.url), 'utf8'),
  ) as Configs;
  const services = new Map<string, TestService>();
  for (const [name, config] of Object.entries(configs)) {
    const settings = { 'db-uri': uri, 'db-pool': '2', 'db-channel-enabled': 'false', ...config };
    const service = compatible
      ? await startTestService(
          { compatibility: 'postgrest' },
          { logLevel: 'crit', environment: asVariables(settings) },
        )
      : await startTestService({ areas: 'data-api', ...settings }, { logLevel: 'crit' });
    await untilReady(service);
    services.set(name, service);
  }
  return services;
}

const asVariables = (settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [environmentName(name, 'PGRST_'), value]),
  );
