/** The table of log lines: level and message of each kind of observation. */
import type { CountedKind, ObservationKind } from './observation.js';

export interface LogLine {
  readonly level: 'error' | 'warn' | 'info';
  readonly message: string;
  /** True if a client can cause any number of them: at most one is written in ten seconds. */
  readonly isBounded?: boolean;
}

const error = (message: string): LogLine => ({ level: 'error', message });
const warn = (message: string): LogLine => ({ level: 'warn', message });
const info = (message: string): LogLine => ({ level: 'info', message });
const bounded = (line: LogLine): LogLine => ({ ...line, isBounded: true });

/** The kinds that are counted or have spans. */
type ShownElsewhere = CountedKind | 'live-read-finished';

/** A kind without a line is counted, or has spans. The access line has a level for each class of status. */
export const LOG_LINES = {
  'request-finished': null,
  'live-read-finished': null,
  'client-connection-failed': bounded(info('client connections failed')),
  'response-failed': bounded(error('responses failed')),
  'connection-refused': bounded(
    error('connections were refused with 503: a limit of connections is reached'),
  ),
  'client-refused': bounded(info('connections or requests were refused')),
  'malformed-database-message': error('a message of PostgreSQL cannot be read'),
  'migrations-missing': error('the tables or roles of the service are missing: run `dbr migrate`'),
  'unexpected-error': error('unexpected error'),
  'token-refused': null,
  'development-secret': warn(
    'JWT_SECRET is not set: tokens are verified with the development secret, which is public, so that the public port listens on this machine alone unless server-host is set. Set JWT_SECRET, or jwt-secret for the data API alone',
  ),
  'secret-too-short': warn(
    'jwt-secret is too short for some algorithms: the data API refuses their tokens (RFC 7518 §3.2)',
  ),
  'key-refused': error('the new keys for tokens are refused: the previous ones stay in force'),
  'key-set-loaded': info('key set loaded'),
  'key-set-failed': warn('a key set cannot be loaded'),
  'parameters-ignored': warn('parameters of a connection string have no effect'),
  'settings-refused': error(
    'the settings are not reloaded, because a value is wrong: the previous settings stay in force',
  ),
  'database-setting-refused': error('a setting of the database is wrong: the previous value stays in force'),
  'role-setting-refused': error('a setting of a role is invalid: the strictest value holds for the role'),
  'shape-list-refused': error('the list of allowed shapes is not reloaded: the previous list stays in force'),
  'shape-recorded': info('the list of allowed shapes does not have the shape of a request'),
  'settings-need-restart': warn('these settings take effect at the next start'),
  'database-down': error('the database cannot be reached'),
  'database-up': info('the database can be reached again'),
  'engine-lacks': warn('the server lacks functions of PostgreSQL: requests that need them fail'),
  'replica-read': null,
  'replica-used': info('a replica serves reads'),
  'replica-not-used': warn('a replica serves no reads: the primary serves them'),
  'schema-cache-loaded': info('schema cache loaded'),
  'schema-cache-failed': error('the schema cache cannot be loaded'),
  'live-feed-lost': warn('the connection that receives changes for live reads was lost'),
  'reload-listener-lost': warn('the connection that listens for reloads was lost'),
  'notifications-produced': null,
  'webhook-attempted': null,
  'audit-head-sent': null,
  'audit-head-failed': bounded(warn('the head of an audit chain was not accepted: it is sent again')),
  'notifications-removed': info('old notifications removed'),
  'session-moved': null,
  'sessions-expired': info('signing sessions expired'),
  'sessions-removed': info('old signing sessions removed'),
  'stream-failed': warn('an event stream cannot read its events'),
  'background-work-failed': warn('background work failed: it is tried again'),
  'change-feed-lost': warn(
    'the listening connection was lost: changes of other processes are found by polling',
  ),
  'change-feed-not-sent': warn('changes cannot be reported to other processes: they find them by polling'),
  'embedded-postgres-started': info('embedded PostgreSQL started'),
  'embedded-postgres-found': info('embedded PostgreSQL was running already'),
  'embedded-postgres-lost': warn('embedded PostgreSQL has stopped: it is started again'),
  'embedded-postgres-failed': error('embedded PostgreSQL cannot be started'),
  'router-call-finished': null,
  'worker-ended': error('a worker ended and will be replaced'),
  'worker-hung': error('a worker does not respond and is killed'),
  'worker-replaced': info('a new worker serves in place of the one that ended'),
  'pools-exceeded': warn('a pool has fewer connections than there are workers: each worker opens one'),
  'largest-bodies-refused': warn(
    'server-max-body-memory has no room for the largest bodies: longer ones than longestBody get 413',
  ),
  'router-port-taken': warn(
    'the default router port is taken: this process serves no router. Set router-port to serve it',
  ),
  'router-connection-refused': bounded(warn('the router refuses connections: too many are open')),
  'router-credentials-refused': error(
    'the new certificates of the router cannot be used: the previous ones stay in force',
  ),
  'slow-statement': warn('slow statement'),
  'party-refused': bounded(warn('a call of a party was refused')),
  'traces-not-exported': bounded(warn('spans cannot be exported')),
  'router-call-failed': error('a call of a party failed'),
  'mailboxes-differ': error(
    'processes use different mailboxes, so messages between parties are lost: give all processes the same bus-uri',
  ),
  'bus-down': warn('the bus of the mailboxes cannot be reached'),
  'bus-up': info('the bus of the mailboxes can be reached again'),
  'no-party-recognition': info(
    'the router accepts no party: neither router-tls-cert nor router-dev-tokens is set',
  ),
  'purge-failed': warn('messages of ended sessions cannot be removed from the bus'),
} as const satisfies Readonly<Record<ShownElsewhere, LogLine | null>> &
  Readonly<Record<Exclude<ObservationKind, ShownElsewhere>, LogLine>>;
