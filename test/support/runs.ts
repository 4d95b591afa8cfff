import type { AsyncFunc, PendingTestFunction } from 'mocha';

const isEveryRun = process.env['TEST_RUNS'] === 'all';

/** How often a property is tried, or in which size: a part of the runs in `make test` and CI, all of them in `make test-long`. */
export const runs = (all: number, few: number): number => (isEveryRun ? all : few);

/** Of cases that try one law in many forms: one in `every`, or all of them in `make test-long`. @param from the first */
export const some = <Case>(cases: Iterable<Case>, every: number, from = 0): readonly Case[] =>
  [...cases].filter((_, index) => isEveryRun || index % every === from % every);

/**
 * A test that `make test-long` makes alone: another form of what other tests show in CI.
 * @param define `it`, or `it.skip` where something is not installed
 */
export const inAllRuns = (title: string, test: AsyncFunc, define: PendingTestFunction = it): void => {
  if (isEveryRun) define(title, test);
};
