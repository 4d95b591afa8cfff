/** What `dbr dev` prints of the running service: a line for each request, schema and outage. */
import { ConnectFailed, ConnectionLost, type Observation, PostgresError } from '../../../../src/face.js';

/** Time in which a lost connection becomes an outage, in milliseconds. */
const SUSPICION_MS = 2000;

/** Whether an observation follows from the loss of a database. It may come before the loss is known. */
function isOfOutage(observation: Observation): boolean {
  const { kind } = observation;
  if (kind === 'change-feed-lost' || kind === 'embedded-postgres-lost' || kind === 'reload-listener-lost')
    return true;
  return (
    (kind === 'background-work-failed' ||
      kind === 'change-feed-not-sent' ||
      kind === 'schema-cache-failed' ||
      kind === 'stream-failed') &&
    isOfConnection(observation.error)
  );
}

/** The server stops or starts, or cannot be reached. */
function isOfConnection(error: unknown): boolean {
  if (error instanceof ConnectFailed || error instanceof ConnectionLost) return true;
  if (!(error instanceof Error)) return false;
  const own = 'code' in error ? String(error.code) : '';
  const code = error instanceof PostgresError ? error.fields.code : own;
  return /^(?:57P0[123]|08...|ECONN.*|EPIPE|ENOENT|ENOTFOUND)$/.test(code);
}

/** @returns shows an observation as a line; false for one that the log writes */
export function createDevelopmentLines(
  announce: (line: string) => void,
  fail: (line: string) => void,
): (observation: Observation) => boolean {
  /** Pools without a connection. */
  const down = new Set<string>();
  let suspicion: NodeJS.Timeout | null = null;
  const settle = (): void => {
    if (suspicion !== null) clearTimeout(suspicion);
    suspicion = null;
  };
  return (observation) => {
    const { kind } = observation;
    if (kind === 'request-finished') announce(requestLine(observation));
    else if (kind === 'schema-cache-loaded') announce(schemaLine(observation.tables));
    else if (kind === 'database-down') {
      settle();
      if (down.size === 0) fail(`the database cannot be reached: ${oneLine(observation.error)}`);
      down.add(observation.pool);
    } else if (kind === 'database-up') {
      if (down.delete(observation.pool) && down.size === 0) announce('the database can be reached again');
    } else if (isOfOutage(observation)) {
      if (down.size === 0)
        suspicion ??= setTimeout(() => {
          suspicion = null;
          fail('a connection to the database was lost, and is opened again');
        }, SUSPICION_MS).unref();
    } else return false;
    return true;
  };
}

type RequestFinished = Extract<Observation, { readonly kind: 'request-finished' }>;

const requestLine = ({ method, path, status, durationMs, code }: RequestFinished): string =>
  `${method} ${path} ${String(status)} ${String(Math.round(durationMs))} ms${code === undefined ? '' : ` ${code}`}`;

const schemaLine = (tables: number): string =>
  `schema read: ${String(tables)} table${tables === 1 ? '' : 's'}`;

const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ').trim();
