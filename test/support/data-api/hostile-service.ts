/** The service on a server that writes every statement, without parameters, to its log. */
import { withSession } from '../../../src/postgres/session.js';
import { startTestServer } from '../postgres/database.js';
import { HOSTILE_SCHEMA } from './hostile-run.js';
import { startTestService, untilReady } from '../service/service.js';

export interface HostileService {
  readonly url: string;
  readonly logFile: string;
  stop(): Promise<void>;
}

export async function startHostileService(): Promise<HostileService> {
  const server = await startTestServer();
  await withSession(server.uri, async (session) => {
    await session.script(HOSTILE_SCHEMA);
    for (const parameter of [
      `log_statement = 'all'`,
      'log_parameter_max_length = 0',
      `statement_timeout = '5s'`,
    ]) {
      await session.query(`alter database postgres set ${parameter}`);
    }
  });
  const service = await startTestService(
    {
      'db-uri': server.uri,
      'db-anon-role': 'hostile_anon',
      areas: 'data-api',
      'db-aggregates-enabled': 'true',
    },
    { logLevel: 'error' },
  );
  await untilReady(service);
  return {
    url: service.url,
    logFile: server.logFile,
    async stop() {
      await service.stop();
      await server.remove();
    },
  };
}
