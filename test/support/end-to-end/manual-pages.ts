/** The pages of the manual by the test that runs their commands, and the commands that no test runs. */

export interface SamplePage {
  readonly path: string;
  /** Rows of the table `ratings` that the examples of the page begin with. */
  readonly ratings?: readonly { readonly country_code: string; readonly stars: number }[];
  /** Variables of the shell by the member of an answer that they take, for the commands behind it. */
  readonly taken?: Readonly<Record<string, string>>;
  /** A program that its commands call. */
  readonly program?: string;
  /** A test of CI that calls what the page calls; `make test-long` alone runs the page then. */
  readonly alike?: string;
}

/** Pages whose examples are of the sample data of one service, in an order in which the first ones find no rows of Ada. */
export const SAMPLE_PAGES: readonly SamplePage[] = [
  { path: 'README.md' },
  { path: 'docs/data-api/overview.md' },
  { path: 'docs/data-api/streams.md' },
  { path: 'docs/data-api/graphs.md' },
  { path: 'docs/data-api/formats.md' },
  { path: 'docs/data-api/queries-in-bodies.md' },
  { path: 'docs/data-api/conditions.md', ratings: [{ country_code: 'CH', stars: 5 }] },
  { path: 'docs/data-api/pages.md', alike: 'test/integration/data-api/truncated-lists.test.ts' },
  { path: 'docs/data-api/groups.md' },
  { path: 'docs/data-api/live.md' },
  {
    path: 'docs/data-api/writes-and-calls.md',
    ratings: [
      { country_code: 'CH', stars: 1 },
      { country_code: 'PE', stars: 1 },
    ],
  },
  { path: 'docs/data-api/ceilings.md', alike: 'test/integration/data-api/ceilings.test.ts' },
  { path: 'docs/operating/observability.md', ratings: [{ country_code: 'CH', stars: 1 }] },
  { path: 'docs/notifications/overview.md' },
  { path: 'docs/access/api-keys.md', alike: 'test/integration/data-api/api-keys.test.ts' },
  {
    path: 'docs/data-api/typed-clients.md',
    alike: 'test/integration/data-api/client-generators.rare.long.test.ts',
  },
  {
    path: 'docs/tools/lint-and-doctor.md',
    alike: 'packages/tools/test/integration/lint/lint.test.ts',
  },
  { path: 'docs/tools/check.md', alike: 'packages/tools/test/integration/check/check.test.ts' },
  {
    path: 'docs/signing/calls.md',
    taken: { accountId: 'ACCOUNT', sessionId: 'SESSION', proposalId: 'PROPOSAL' },
    program: 'openssl',
    alike: 'test/contract/signing.test.ts',
  },
  { path: 'docs/signing/overview.md', program: 'openssl' },
  { path: 'docs/signing/audit-log.md', alike: 'packages/tools/test/integration/audit-evidence.long.test.ts' },
  { path: 'docs/tools/projects.md', alike: 'packages/tools/test/integration/project/project.test.ts' },
];

/** Pages, or beginnings of their paths, whose commands another test runs. */
export const OTHER_PAGES: readonly (readonly [path: string, test: string])[] = [
  ['docs/recipes/', 'test/integration/manual/recipes.long.test.ts'],
  ['docs/guide/a-database-that-you-have.md', 'packages/tools/test/integration/project/project.test.ts'],
  ['docs/guide/', 'test/end-to-end/guide.long.test.ts'],
  ['docs/operating/replicas.md', 'test/integration/replicas/replicas.long.test.ts'],
];

/** Commands that no test runs as they are: the page, a part of the command, and the reason. */
export const NOT_RUN: readonly (readonly [path: string, part: string, reason: string])[] = [
  [
    'README.md',
    'npx ./dbr-server',
    'installs the package; packages.long.test.ts and `make test-guide` do it',
  ],
  ['README.md', 'dbr init notes', 'is of a project; project.test.ts runs it'],
  ['README.md', '3000/notes', 'is of a project; project.test.ts runs it'],
  ['README.md', 'dbr test', 'is of a project; project.test.ts runs it'],
  ['README.md', 'make serve', 'serves until it is stopped; serve.long.test.ts starts what it starts'],
  ['docs/data-api/agents.md', 'claude mcp add', 'is of a program that the service does not bring'],
  ['docs/data-api/overview.md', 'npx', 'fetches packages; serve.long.test.ts runs the same versions'],
  [
    'docs/data-api/typed-clients.md',
    'npx',
    'fetches packages; client-generators.rare.long.test.ts runs the same version',
  ],
  ['docs/tools/check.md', 'shop', 'needs pg_dump and a database of that name; check.test.ts restores dumps'],
  ['docs/tools/projects.md', 'dbr init  ', 'asks at a terminal; project.test.ts answers'],
  ['docs/migrating/from-postgrest.md', 'postgrest', 'needs an installation of PostgREST'],
  [
    'docs/operating/installing.md',
    '',
    'needs Docker, or installs programs; packages.long.test.ts and `make test-image` do it',
  ],
  [
    'docs/access/api-keys.md',
    '--import',
    'reads keys of a project of Supabase; api-keys.test.ts imports some',
  ],
  ['docs/operating/backup.md', '', 'needs programs of PostgreSQL; backup.long.test.ts follows the page'],
  ['docs/benchmark/notifications.md', 'make bench-notifications', 'fills a database with ten million rows'],
  ['docs/operating/observability.md', 'make build', 'takes four minutes and makes pictures'],
  ['docs/internals/testing.md', '', 'runs tests, some of them for minutes; CI runs the targets'],
  ['docs/access/tokens.md', 'DBR_JWT_ISSUERS', 'a line of an environment, not a command'],
];

/** @returns null for a command that its page's test runs */
export const reasonNotToRun = (path: string, command: string): string | null =>
  NOT_RUN.find(([page, part]) => page === path && command.includes(part))?.[2] ?? null;
