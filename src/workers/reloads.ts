/** The reloads that the primary requests of a worker, also while the service of the worker starts. */
import type { Service } from './running-service.js';

type Reloadable = Pick<Service, 'reloadSchema' | 'reloadSettings'>;

export interface Reloads {
  /** Reloads at once if the service runs, or else when it does. A reload of the settings includes the schema. */
  request(what: 'schema' | 'settings'): void;
  /** Starts to forward reloads to the service, and makes up for the one that was requested before. */
  follow(service: Reloadable): void;
}

export function createReloads(): Reloads {
  let service: Reloadable | null = null;
  let missed: 'schema' | 'settings' | null = null;

  function reload(running: Reloadable, what: 'schema' | 'settings'): void {
    if (what === 'schema') running.reloadSchema();
    else running.reloadSettings();
  }

  return {
    request(what) {
      if (service !== null) reload(service, what);
      else if (missed !== 'settings') missed = what;
    },
    follow(running) {
      service = running;
      if (missed !== null) reload(running, missed);
    },
  };
}
