/**
 * Loaded into a service by NODE_OPTIONS: writes how often the young generation has been collected, on SIGWINCH. Each
 * collection stands for about one semi-space of allocated memory.
 */
import { constants, PerformanceObserver } from 'node:perf_hooks';

let collections = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries())
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MINOR) collections += 1;
}).observe({ entryTypes: ['gc'] });
process.on('SIGWINCH', () => process.stderr.write(`collections: ${String(collections)}\n`));
