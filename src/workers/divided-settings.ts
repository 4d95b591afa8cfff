/** The share of a worker in the limits of the service: connections and memory are divided among the workers. */
import type { BodyMemoryShares } from '../http/body-memory.js';
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
  'notifications-db-pool',
  'db-max-streams',
  'server-max-connections',
  'router-max-connections',
] as const;

/** Shares are rounded up, because connections of one address are not spread evenly. 0 stays 0, which is not a limit. */
const DIVIDED_UP = [
  'db-max-streams-per-client',
  'server-max-connections-per-address',
  'router-max-connections-per-address',
] as const;

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

/** A quarter of the memory for bodies is divided among the workers; the primary lends the rest, so that one body may use it. */
export function bodyMemoryShares(
  { 'server-max-body-memory': memory }: Pick<FixedSettings, 'server-max-body-memory'>,
  count: number,
): BodyMemoryShares {
  if (count === 1) return { own: memory, lent: 0 };
  const own = Math.floor(memory / (4 * count));
  return { own, lent: memory - own * count };
}

/** Length of the longest body that there is memory for; null if that is at least the maximum size of a body. */
export function longestBody(settings: FixedSettings, count: number): number | null {
  const { own, lent } = bodyMemoryShares(settings, count);
  return own + lent < settings['server-max-body-size'] ? own + lent : null;
}

/** The pools that are smaller than the number of workers: each worker has one connection of them. */
export const exceededPools = (settings: FixedSettings, count: number): readonly (typeof POOLS)[number][] =>
  POOLS.filter((name) => settings[name] < count);
