/** The share of a worker in the limits of the service: connections and memory are divided among the workers. */
import type { FixedSettings } from '../settings/settings.js';

/** The place of a worker among the workers. A replacement takes the place of the worker that ended. */
export interface WorkerPlace {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** The shares add up to the setting. If it is less than the number of workers, each share is 1. */
const DIVIDED = [
  'db-pool',
  'service-db-pool',
  'server-max-connections',
  'server-max-body-memory',
  'router-max-connections',
] as const;

/** Shares are rounded up, because connections of one address are not spread evenly. 0 stays 0, which is no limit. */
const DIVIDED_UP = ['server-max-connections-per-address', 'router-max-connections-per-address'] as const;

/** The pools of which every worker needs a connection. */
const POOLS = ['db-pool', 'service-db-pool'] as const;

/** The settings of the start, with the worker's share of each limit. */
export function dividedSettings(settings: FixedSettings, { index, count }: WorkerPlace): FixedSettings {
  const shares = [
    ...DIVIDED.map((name) => {
      const share = Math.floor(settings[name] / count) + (index < settings[name] % count ? 1 : 0);
      return [name, Math.max(1, share)] as const;
    }),
    ...DIVIDED_UP.map((name) => [name, Math.ceil(settings[name] / count)] as const),
  ];
  return { ...settings, ...Object.fromEntries(shares) };
}

/** Whether a body of the maximum size needs more memory than any worker has, so that it is always refused. */
export const refusesLargestBodies = (settings: FixedSettings, count: number): boolean =>
  Math.ceil(settings['server-max-body-memory'] / count) < settings['server-max-body-size'];

/** The pools that are smaller than the number of workers: each worker has one connection of them. */
export const exceededPools = (settings: FixedSettings, count: number): readonly (typeof POOLS)[number][] =>
  POOLS.filter((name) => settings[name] < count);
