import type { Observe } from '../../src/observability/observation.js';

/** For tests that read no log and no metrics. */
export const UNOBSERVED: Observe = () => undefined;
