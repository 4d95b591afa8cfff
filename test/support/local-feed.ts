/** A change feed within one process, without a database. */
import type { ChangeFeed } from '../../src/postgres/change-feed.js';
import { createWatchSets } from '../../src/postgres/watch-sets.js';
import { UNOBSERVED } from './unobserved.js';

export function localFeed(): ChangeFeed {
  const sets = createWatchSets(UNOBSERVED);
  return {
    open: (options) => sets.open(options),
    publish: (topic, keys) => sets.report(topic, keys),
    publishElsewhere: () => undefined,
    close: () => Promise.resolve(),
  };
}
