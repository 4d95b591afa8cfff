/** A change feed for mailboxes of one process, or of processes that do not hear from each other. */
import type { ChangeFeed } from '../../../src/postgres/change-feed.js';

/** Reports nothing, and does not poll. */
export const SILENT_FEED: Pick<ChangeFeed, 'open' | 'publishElsewhere'> = {
  open: () => ({
    size: 0,
    add: () => () => undefined,
    report: () => undefined,
    check: () => undefined,
    close: () => Promise.resolve(),
  }),
  publishElsewhere: () => undefined,
};
