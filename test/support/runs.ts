/** How often a property is tried, or in which size: a part of the runs in `make test` and CI, all of them in `make test-long`. */
export const runs = (all: number, few: number): number => (process.env['TEST_RUNS'] === 'all' ? all : few);
