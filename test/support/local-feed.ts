/** A change feed within one process, without a database. */
import type { ChangeFeed } from '../../src/postgres/change-feed.js';
import { createWatchSets } from '../../src/postgres/watch-sets.js';

export function localFeed(): ChangeFeed {
  const sets = createWatchSets();
  return {
    open: (options) => sets.open(options),
    publish: (topic, keys) => sets.report(topic, keys),
    publishElsewhere: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** For the feed of a process in a test that reads no log. */
export const SILENT = { onLost: () => undefined, onNotSent: () => undefined };
