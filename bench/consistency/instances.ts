/** Instances of the built service on ports that stay the same when one is killed and started again. */
import { readFile } from 'node:fs/promises';
import { findFreePort } from '../../test/support/postgres/database.js';
import { serveDbr, type Environment, type ServingProcess } from '../../test/support/service/built-service.js';
import { untilReady } from '../../test/support/service/service.js';
import type { Instance } from './requests.js';

export interface RunningInstance extends Instance {
  /** Its primary process. */
  readonly pid: () => number;
  readonly workers: () => Promise<readonly number[]>;
  /** Starts it again, after a kill. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** What it has logged, in all its lives. */
  readonly output: () => string;
}

export async function startInstance(settings: Environment): Promise<RunningInstance> {
  const [port, routerPort] = [await findFreePort(), await findFreePort()];
  const start = (): Promise<ServingProcess> =>
    serveDbr({ ...settings, DBR_SERVER_PORT: String(port), DBR_ROUTER_PORT: String(routerPort) });
  let serving = await start();
  let earlier = '';
  await untilReady(serving);
  const pid = (): number => serving.child.pid ?? 0;
  return {
    url: serving.url,
    router: `127.0.0.1:${String(routerPort)}`,
    pid,
    async workers() {
      const children = await readFile(`/proc/${String(pid())}/task/${String(pid())}/children`, 'utf8');
      return children.split(' ').map(Number).filter(Boolean);
    },
    async restart() {
      earlier += serving.output();
      await serving.stop('SIGKILL');
      serving = await start();
    },
    stop: async () => void (await serving.stop()),
    output: () => earlier + serving.output(),
  };
}
