/** What the parts of a process are opened with. */
import type { Metrics } from '../observability/metrics.js';
import type { Observe } from '../observability/observation.js';
import type { Limits } from '../operations/limits.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { FixedSettings } from '../settings/settings.js';
import type { StartError } from './start-error.js';

export interface PartContext {
  /** Address of the database of the part. */
  readonly uri: string;
  readonly fixed: FixedSettings;
  readonly live: LiveSettings;
  readonly observe: Observe;
  readonly metrics: Metrics;
  readonly limits: Limits;
  /** Called when the service cannot continue. */
  readonly fail: (reason: StartError) => void;
}
