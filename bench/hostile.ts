/**
 * 100,000 generated query strings, valid, mutated and hostile, against the service: statuses, failures, statements that
 * hold a value, and memory before and after.  tsx bench/hostile.ts [count] [seed]
 */
import { runHostile, statementsWithValues } from '../test/support/data-api/hostile-run.js';
import { startHostileService } from '../test/support/data-api/hostile-service.js';

const ROUNDS = 4;
const [count = '100000', seed = '1'] = process.argv.slice(2);
const megabytes = (): number => {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1_048_576);
};

const service = await startHostileService();
const memory = [megabytes()];
const totals = new Map<number, number>();
let failed = 0;
const started = performance.now();
for (let round = 0; round < ROUNDS; round++) {
  const { statuses, failures } = await runHostile(service.url, Number(seed) + round, Number(count) / ROUNDS);
  for (const [status, times] of statuses) totals.set(status, (totals.get(status) ?? 0) + times);
  failed += failures.length;
  for (const failure of failures.slice(0, 5)) console.log(JSON.stringify(failure));
  memory.push(megabytes());
}
const seconds = (performance.now() - started) / 1000;
const leaked = await statementsWithValues(service.logFile);
await service.stop();
console.log(`${count} requests in ${seconds.toFixed(0)} s (client and service in one process)`);
console.log(
  `statuses: ${[...totals]
    .sort(([left], [right]) => left - right)
    .map(([status, times]) => `${status}: ${times}`)
    .join(', ')}`,
);
console.log(`undocumented failures: ${failed}; statements holding a value: ${leaked.length}`);
for (const statement of leaked.slice(0, 3)) console.log(statement.slice(0, 400));
console.log(`resident memory after each quarter, in MB: ${memory.join(', ')}`);
