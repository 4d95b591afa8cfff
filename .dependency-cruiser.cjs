/** The architecture's rules (docs/internals/architecture.md): data flows one way, lower layers never import upper ones. */
const area = (name) => `^src/${name}/`;
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

/** The file that a package shows the service. */
const ENTRIES =
  '^packages/(tools/src/tools|console/server/console|embedded-postgres/src/embedded-postgres)\\.ts$';

module.exports = {
  forbidden: [
    forbid(
      'no-circles',
      { pathNot: '^generated/client/' },
      { circular: true },
      'Circles hide who depends on whom.',
    ),
    forbid(
      'generated-is-a-leaf',
      { path: '^generated/' },
      { path: '^(src|packages|codegen|test)/' },
      'generated/ imports nothing of ours.',
    ),
    forbid(
      'src-knows-no-tooling',
      { path: '^src/' },
      { path: '^(codegen|test|bench|examples)/' },
      'The service never imports its tooling.',
    ),
    forbid(
      'src-imports-packages-when-it-needs-them',
      { path: '^src/' },
      { path: '^packages/', dynamic: false },
      'A package is loaded by `await import(…)`: a service that does not use it starts without it.',
    ),
    forbid(
      'only-the-root-imports-packages',
      { path: '^src/', pathNot: '^src/(main\\.ts|service\\.ts|composition/addresses\\.ts)$' },
      { path: '^packages/' },
      'Parts do not know packages; the command line and the composition root give them what they need.',
    ),
    forbid(
      'src-knows-packages-by-their-entry',
      { path: '^src/' },
      { path: '^packages/', pathNot: ENTRIES },
      'Each package shows the service one file.',
    ),
    forbid(
      'packages-know-the-service-by-its-face',
      { path: '^packages/', pathNot: '^packages/[^/]+/test/' },
      { path: '^(src|codegen|test|bench|examples)/', pathNot: '^src/(embedded-)?face\\.ts$' },
      'What a package uses of the service is listed in one file.',
    ),
    forbid(
      'only-packages-use-the-face',
      { path: '^(src|test|codegen|bench|examples)/' },
      { path: '^src/(embedded-)?face\\.ts$' },
      'Within the service, and in tests, a file is imported by its own name.',
    ),
    forbid(
      'packages-are-apart',
      { path: '^packages/([^/]+)/', pathNot: '^packages/[^/]+/test/' },
      {
        path: '^packages/',
        pathNot: [
          '^packages/$1/',
          '^packages/tools/src/lint/',
          '^packages/embedded-postgres/src/embedded-postgres\\.ts$',
          '^packages/(client/src|console/page|build)/',
        ],
      },
      'A package is a product of its own; the next rules have what some share.',
    ),
    forbid(
      'only-the-console-shows-lint',
      { path: '^packages/', pathNot: '^packages/(tools|console)/' },
      { path: '^packages/tools/src/lint/' },
      'The console shows the findings of lint.',
    ),
    forbid(
      'only-tools-start-the-server',
      { path: '^packages/', pathNot: '^packages/(tools|embedded-postgres|[^/]+/test)/' },
      { path: '^packages/embedded-postgres/' },
      'Commands start the embedded PostgreSQL, as the service does.',
    ),
    forbid(
      'only-inbox-and-console-use-the-client',
      { path: '^packages/', pathNot: '^packages/(client|inbox|console/page|[^/]+/test)/' },
      { path: '^packages/client/' },
      'The inbox and the page of the console send requests as the client does.',
    ),
    forbid(
      'only-the-reference-shares-the-console',
      { path: '^packages/', pathNot: '^packages/(console|reference|[^/]+/test)/' },
      { path: '^packages/console/page/' },
      'The reference page looks like the console.',
    ),
    forbid(
      'pages-know-types-of-the-server',
      { path: '^packages/(console/page|reference|client|inbox)/', pathNot: '(/test/|/build\\.ts$)' },
      {
        path: '^(packages/(build|embedded-postgres|console/server/(?!answers\\.ts)|tools/src/(?!lint/rule\\.ts))|src)/',
      },
      'Browsers load what pages import.',
    ),
    forbid(
      'errors-are-below-every-room',
      { path: area('errors') },
      { path: '^src/', pathNot: area('errors') },
      'Every room may raise an error of the table.',
    ),
    forbid(
      'base-is-below-every-room',
      { path: area('base') },
      { path: '^src/', pathNot: area('base') },
      'Every room may use bytes, hashes, identifiers, turns and caches.',
    ),
    forbid(
      'contract-is-below-every-room',
      { path: area('contract') },
      { path: '^src/', pathNot: area('(contract|base|errors)') },
      'Every room may name a request, a reply and who waits for it.',
    ),
    forbid(
      'main-reaches-every-file',
      { path: '^src/main\\.ts$' },
      { path: '^src/', reachable: false },
      'A file that the service does not reach is dead, or its call is missing.',
    ),
    forbid(
      'areas-are-apart',
      { path: area('(notifications|signing|data-api)') },
      { path: area('(notifications|signing|data-api)'), pathNot: area('$1') },
      'Areas do not import each other; the composition root connects them.',
    ),
    forbid(
      'grammar-is-pure',
      { path: area('data-api/grammar') },
      { pathNot: area('data-api/grammar') },
      'The grammar imports nothing.',
    ),
    forbid(
      'requests-are-read-from-themselves',
      { path: area('data-api/request') },
      { path: area('data-api'), pathNot: '^src/data-api/(request/|grammar/)' },
      'Reading a request sees neither the schema nor a later step.',
    ),
    forbid(
      'schema-cache-knows-no-step',
      { path: area('data-api/schema-cache') },
      { path: area('data-api'), pathNot: '^src/data-api/schema-cache/' },
      'The schema cache describes a database, whatever requests do with it.',
    ),
    forbid(
      'plan-knows-no-sql',
      { path: area('data-api/plan') },
      { path: area('data-api/(sql|graph|prepare|execute|respond|document)') },
      'Planning never sees SQL.',
    ),
    forbid(
      'sql-knows-plans-only',
      { path: area('data-api/sql') },
      { path: area('data-api/(request|graph|prepare|execute|respond|document)') },
      'SQL is built from plans alone.',
    ),
    forbid(
      'preparing-runs-nothing',
      { path: area('data-api/prepare') },
      { path: '^src/data-api/(execute/|respond/|document/|snapshot\\.ts$|plan-cache\\.ts$)' },
      'A snapshot holds what is prepared; the step that runs it sees the snapshot.',
    ),
    forbid(
      'execution-knows-no-reply',
      { path: area('data-api/execute') },
      { path: area('data-api/(respond|document)') },
      'A result is a value, whatever reply is made of it.',
    ),
    forbid(
      'steps-know-no-pipeline',
      { path: '^src/data-api/[^/]+/' },
      { path: '^src/data-api/pipeline\\.ts$' },
      'The pipeline calls the steps; none calls the pipeline.',
    ),
    forbid(
      'only-http-knows-koa',
      { path: '^src/', pathNot: area('(http|admin)') },
      { path: 'node_modules/(koa|@koa)/' },
      'Nothing below http imports koa.',
    ),
    forbid(
      'http-knows-no-area',
      { path: area('http') },
      { path: area('(notifications|signing|data-api|mailbox|router)') },
      'The HTTP server serves handlers; the composition root gives it those of the areas.',
    ),
    forbid(
      'operations-know-no-server',
      { path: area('operations') },
      { path: '^src/(http|admin|notifications|signing|data-api|mailbox|router)/|node_modules/(koa|@koa)/' },
      'What handlers share knows neither the HTTP server nor an area.',
    ),
    forbid(
      'only-postgres-knows-the-driver',
      { path: '^src/', pathNot: area('postgres') },
      { path: 'node_modules/(pg|pg-[a-z]+)/' },
      'Nothing but postgres imports pg or pg-promise.',
    ),
    forbid(
      'signing-parties-know-no-other-room',
      { path: area('signing/parties') },
      { path: area('signing/(accounts|sessions|shares)') },
      'Accounts, shares and sessions are about parties, not the other way round.',
    ),
    forbid(
      'signing-accounts-and-shares-know-parties-alone',
      { path: area('signing/(accounts|shares)') },
      { path: area('signing/(accounts|shares|sessions)'), pathNot: area('signing/$1') },
      'Sessions join accounts with shares; they end sessions through the context.',
    ),
    forbid(
      'signing-rooms-share-no-room',
      { path: '^src/signing/[^/]+\\.ts$', pathNot: '^src/signing/signing\\.ts$' },
      { path: area('signing/(accounts|parties|sessions|shares)') },
      'What the rooms of signing share imports none of them; signing.ts connects them.',
    ),
    forbid(
      'services-call-stores-not-the-other-way',
      { path: '^src/(notifications|signing)/.*(store|sql)[.]ts$' },
      { path: '^src/(notifications|signing)/.*(service|handlers)[.]ts$' },
      'Handlers call services, services call stores, stores use statements.',
    ),
    forbid(
      'only-router-knows-mailboxes',
      { path: '^src/', pathNot: area('(router|composition|mailbox)') },
      { path: area('mailbox') },
      'Messages between parties reach the mailboxes through the router alone.',
    ),
    forbid(
      'mailboxes-know-signing-by-its-port',
      { path: area('mailbox') },
      { path: area('signing'), pathNot: '^src/signing/router-port\\.ts$' },
      'Mailboxes see of signing what its port shows.',
    ),
    forbid(
      'only-router-knows-grpc',
      { path: '^src/', pathNot: area('router') },
      { path: 'node_modules/@grpc/' },
      'gRPC stays at its edge.',
    ),
    forbid(
      'only-the-root-starts-workers',
      { path: '^src/', pathNot: '^src/(main\\.ts|service\\.ts|workers/)' },
      { path: area('workers') },
      'A part does not know whether its process is one of several.',
    ),
    forbid(
      'nobody-imports-the-root',
      { path: '^src/', pathNot: '^src/(main|service)\\.ts$' },
      { path: '^src/(main|service)\\.ts$' },
      'The composition root is imported by the command line only.',
    ),
    forbid(
      'tests-share-support-alone',
      { path: ['^test/', '^packages/[^/]+/test/'], pathNot: '^test/support/' },
      {
        path: ['^test/', '^packages/[^/]+/test/'],
        pathNot: [
          '^test/support/',
          '^test/conformance/(play|known-differences)',
          '^test/simulation/(?!.*\\.test)',
          '^test/spectral/lint\\.mjs$',
          '^test/clients/clients\\.mjs$',
          // A generator's outcome is compared with those of the others; each set of calls is compiled on its own.
          '^test/generators/',
          '^test/clients/(typed|builder|manual)/',
          '^test/(clients|spectral)/node_modules/',
        ],
      },
      'A test imports no other test: what tests share is in test/support/<area>/.',
    ),
    forbid(
      'support-knows-no-test',
      { path: '^(test/support|bench|examples)/' },
      { path: ['^test/', '^packages/[^/]+/test/'], pathNot: '^test/support/' },
      'Helpers, load generators and examples import helpers, never tests.',
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // What generators have written there is not ours.
    exclude: {
      path: '^(test/generators/out|examples/consumer/client|test/clients/(typed|builder|manual)/out)/',
    },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
