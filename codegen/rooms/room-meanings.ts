/**
 * The purpose of each room of `src/`, and of each folder of the rooms that have a plan of their own.
 * A room or folder without an entry, or an entry without a room, stops `make generate`.
 */

const MEANINGS: Readonly<Record<string, string>> = {
  'main.ts': 'Runs the commands of the command line.',
  'service.ts': 'Composition root: settings → parts → start and stop.',
  'face.ts': 'What the packages of tools and of the console use of the service.',
  'embedded-face.ts': 'What the package of the embedded PostgreSQL uses of the service.',
  composition: 'One file for each part that the composition root connects, and the errors of the start.',
  workers: 'Several processes of one service: the primary, its workers, and the messages between them.',
  'command-line': 'The table of commands: arguments → command, help; tokens for development.',
  admin: 'The admin port: probes, metrics, schema cache, settings, console.',
  router: 'The gRPC router between parties.',
  http: 'The HTTP server: everything between a socket and a handler.',
  notifications: 'Area A: handlers → service → store → SQL.',
  signing: 'Area B: accounts, parties, sessions, shares.',
  erasure: 'The erasure of a person from all areas.',
  mailbox: 'Messages between parties until they are acknowledged: one interface, three stores.',
  'data-api': 'Area C: a request → plan → SQL → rows → response, a folder for each step.',
  operations:
    'What handlers of notifications and signing share: rate limits, entity tags, cursors, event streams.',
  auth: 'Bearer token → verified claims; keys; cache of verified tokens.',
  errors:
    'DbrError: an entry of the generated error table with its values; the table of failures of the database; TokenError: why a token is refused.',
  settings: 'The table of all settings, their sources, and the settings in force.',
  observability: 'Log, metrics and their table, traces and their export.',
  postgres:
    'Everything that speaks to PostgreSQL: pool, pipelined connections, change feed, migrations, quoting.',
  live: 'Live reads: log of changes → groups that it concerns → answers asked again → differences → streams.',
  mcp: 'Agents at `/mcp`: messages of the Model Context Protocol → tools → requests of the data API.',
  replicas:
    'Which server runs a transaction of the data API: the primary, or a replica that has replayed enough.',
  contract:
    'What the HTTP server, the areas and the pool pass to each other: request, reply, caller, principal, admission.',
  base: 'What every room may use: bytes, hashes, identifiers, turns of the event loop, the cache.',
  'packages/build':
    'What `make build` makes of the sources: the bundle of the service, the pages, notices of licences.',
  'packages/client':
    'The written part of the package dbr-client: queries over the types of a database, the live inbox.',
  'packages/inbox': 'The custom element `<dbr-inbox>`.',
  'packages/reference': 'The reference page.',
  'packages/console':
    'The console: its page, questions about the database with the rights of a token, samples of metrics, the way to the public port.',
  'packages/embedded-postgres':
    'The PostgreSQL server that `make serve` starts, with its roles and sample data.',
  'packages/tools':
    'The commands beside the service: check, lint, doctor, tests of policies, projects, types, keys, signatures of shapes, exports of the audit log.',
  'data-api/grammar': 'Query strings → syntax trees.',
  'data-api/request': 'Method, path, headers, query string and body → request.',
  'data-api/ceilings': 'What a role may ask for at most: cost, operators, orders, allowed shapes.',
  'data-api/plan': 'Request and schema cache → plan: what to read, write or call.',
  'data-api/sql': 'Plan → SQL text with its parameters.',
  'data-api/graph':
    'Rows with the rows that belong to them in one write: body → resources → order → plan → SQL.',
  'data-api/prepare': 'Plan → prepared statements; what requests of one caller share.',
  'data-api/execute': 'Transaction of a request → batch → result; checks of privileges and of the outcome.',
  'data-api/batch': 'Several requests in one transaction: items, references to earlier answers, trips.',
  'data-api/respond': 'Result or error → reply.',
  'data-api/schema-cache': 'Catalogue of the database → tables, relationships, functions, roles.',
  'data-api/document': 'Descriptions of the schema: OpenAPI 3.1 and Swagger 2.0.',
  'signing/accounts': 'Accounts and their configurations.',
  'signing/audit': 'Seals, chain and export of the audit log.',
  'signing/parties': 'Parties: registration, certificates, encryption keys.',
  'signing/sessions': 'Signing sessions: state machine, events, streams, retention.',
  'signing/shares': 'Encrypted shares and their delegation.',
};

/**
 * Returns the meaning of a room.
 * @param path of the room below `src/`
 * @throws Error for a room without a meaning, with the place to add it
 */
export function meaningOf(path: string): string {
  const meaning = MEANINGS[path];
  if (meaning === undefined) throw new Error(`codegen/rooms/room-meanings.ts does not describe src/${path}`);
  return meaning;
}

/** @throws Error for a meaning whose room does not exist */
export function requireRooms(paths: readonly string[]): void {
  const names = new Set(paths);
  const gone = Object.keys(MEANINGS).filter((name) => !names.has(name));
  if (gone.length > 0)
    throw new Error(`codegen/rooms/room-meanings.ts describes rooms that do not exist: ${gone.join(', ')}`);
}
