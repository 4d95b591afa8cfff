/** The table of log lines: level and message of each kind of observation. */
import type { CountedKind, ObservationKind } from './observation.js';

export interface LogLine {
  readonly level: 'error' | 'warn' | 'info';
  readonly message: string;
  /** True if a client can cause any number of them: at most one is written in ten seconds. */
  readonly isBounded?: boolean;
}

/** A kind without a line is counted. The access line has a level for each class of status. */
export const LOG_LINES = {
  'request-finished': null,
  'client-connection-failed': { level: 'info', message: 'client connections failed', isBounded: true },
  'response-failed': { level: 'error', message: 'responses failed', isBounded: true },
  'connection-refused': {
    level: 'error',
    message: 'connections were refused with 503: a limit of connections is reached',
    isBounded: true,
  },
  'client-refused': { level: 'info', message: 'connections or requests were refused', isBounded: true },
  'malformed-database-message': { level: 'error', message: 'a message of PostgreSQL cannot be read' },
  'migrations-missing': {
    level: 'error',
    message: 'the tables or roles of the service are missing: run `dbr migrate`',
  },
  'unexpected-error': { level: 'error', message: 'unexpected error' },
  'token-refused': null,
  'development-secret': {
    level: 'warn',
    message:
      'jwt-secret is not set: tokens are verified with the development secret, which is public. Set jwt-secret before production',
  },
  'secret-too-short': {
    level: 'warn',
    message: 'jwt-secret is too short for some algorithms: the data API refuses their tokens (RFC 7518 §3.2)',
  },
  'key-refused': {
    level: 'error',
    message: 'the new keys for tokens are refused: the previous ones stay in force',
  },
  'key-set-loaded': { level: 'info', message: 'key set loaded' },
  'key-set-failed': { level: 'warn', message: 'a key set cannot be loaded' },
  'settings-refused': {
    level: 'error',
    message: 'the settings are not reloaded, because a value is wrong: the previous settings stay in force',
  },
  'database-setting-refused': {
    level: 'error',
    message: 'a setting of the database is wrong: the previous value stays in force',
  },
  'role-setting-refused': {
    level: 'error',
    message: 'a setting of a role is invalid: the strictest value holds for the role',
  },
  'shape-list-refused': {
    level: 'error',
    message: 'the list of allowed shapes is not reloaded: the previous list stays in force',
  },
  'shapes-not-recorded': { level: 'error', message: 'shapes of requests are not recorded', isBounded: true },
  'shape-line-cut': {
    level: 'warn',
    message: 'the list of shapes ended with half a line, which is a comment now',
  },
  'settings-need-restart': { level: 'warn', message: 'these settings take effect at the next start' },
  'database-down': { level: 'error', message: 'the database cannot be reached' },
  'database-up': { level: 'info', message: 'the database can be reached again' },
  'engine-lacks': {
    level: 'warn',
    message: 'the server lacks functions of PostgreSQL: requests that need them fail',
  },
  'replica-read': null,
  'replica-used': { level: 'info', message: 'a replica serves reads' },
  'replica-not-used': { level: 'warn', message: 'a replica serves no reads: the primary serves them' },
  'schema-cache-loaded': { level: 'info', message: 'schema cache loaded' },
  'schema-cache-failed': { level: 'error', message: 'the schema cache cannot be loaded' },
  'reload-listener-lost': { level: 'warn', message: 'the connection that listens for reloads was lost' },
  'notifications-produced': null,
  'webhook-attempted': null,
  'notifications-removed': { level: 'info', message: 'old notifications removed' },
  'session-moved': null,
  'sessions-expired': { level: 'info', message: 'signing sessions expired' },
  'sessions-removed': { level: 'info', message: 'old signing sessions removed' },
  'stream-failed': { level: 'warn', message: 'an event stream cannot read its events' },
  'background-work-failed': { level: 'warn', message: 'background work failed: it is tried again' },
  'change-feed-lost': {
    level: 'warn',
    message: 'the listening connection was lost: changes of other processes are found by polling',
  },
  'change-feed-not-sent': {
    level: 'warn',
    message: 'changes cannot be reported to other processes: they find them by polling',
  },
  'embedded-postgres-started': { level: 'info', message: 'embedded PostgreSQL started' },
  'embedded-postgres-found': { level: 'info', message: 'embedded PostgreSQL was running already' },
  'embedded-postgres-lost': {
    level: 'warn',
    message: 'embedded PostgreSQL has stopped: it is started again',
  },
  'embedded-postgres-failed': { level: 'error', message: 'embedded PostgreSQL cannot be started' },
  'router-call-finished': null,
  'worker-ended': { level: 'error', message: 'a worker ended and will be replaced' },
  'worker-hung': { level: 'error', message: 'a worker does not respond and is killed' },
  'worker-replaced': { level: 'info', message: 'a new worker serves in place of the one that ended' },
  'pools-exceeded': {
    level: 'warn',
    message: 'a pool has fewer connections than there are workers: each worker opens one',
  },
  'largest-bodies-refused': {
    level: 'warn',
    message:
      'server-max-body-memory has no room for the largest bodies: longer ones than longestBody get 413',
  },
  'router-port-taken': {
    level: 'warn',
    message: 'the default router port is taken: this process serves no router. Set router-port to serve it',
  },
  'router-connection-refused': {
    level: 'warn',
    message: 'the router refuses connections: too many are open',
    isBounded: true,
  },
  'router-credentials-refused': {
    level: 'error',
    message: 'the new certificates of the router cannot be used: the previous ones stay in force',
  },
  'slow-statement': { level: 'warn', message: 'slow statement' },
  'party-refused': { level: 'warn', message: 'a call of a party was refused', isBounded: true },
  'traces-not-exported': { level: 'warn', message: 'spans cannot be exported', isBounded: true },
  'router-call-failed': { level: 'error', message: 'a call of a party failed' },
  'mailboxes-differ': {
    level: 'error',
    message:
      'processes use different mailboxes, so messages between parties are lost: give all processes the same bus-uri',
  },
  'bus-down': { level: 'warn', message: 'the bus of the mailboxes cannot be reached' },
  'bus-up': { level: 'info', message: 'the bus of the mailboxes can be reached again' },
  'no-party-recognition': {
    level: 'info',
    message: 'the router accepts no party: neither router-tls-cert nor router-dev-tokens is set',
  },
  'purge-failed': { level: 'warn', message: 'messages of ended sessions cannot be removed from the bus' },
} as const satisfies Readonly<Record<CountedKind, LogLine | null>> &
  Readonly<Record<Exclude<ObservationKind, CountedKind>, LogLine>>;
