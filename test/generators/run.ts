/** Prints the outcome of one client's calls as JSON. Usage: run.ts generator service */
import type { Outcome } from './calls/outcome';

const [generator = '', service = ''] = process.argv.slice(2);
process.env['SERVICE'] = service;
const { calls } = (await import(`./calls/${generator}.ts`)) as {
  readonly calls: (service: string) => Promise<Outcome>;
};
console.log(JSON.stringify(await calls(service)));
// Some clients keep timers.
process.exit();
