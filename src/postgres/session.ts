import pgPromise from 'pg-promise';
import { version } from '../package.js';
import { guardDriver } from './guard-driver.js';
import { ignoreLateErrors } from './late-errors.js';
import { readConnectionString } from './connection-string.js';

/** One connection of its own, held for as long as the work needs it: migrations, provisioning, advisory locks. */
export interface Session {
  /** Runs one statement with parameters. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Runs a script of several statements; in one transaction, unless the script says otherwise. */
  script(text: string): Promise<void>;
  /** Resolves when the connection ends without our closing it. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;

const pgp = pgPromise({ noWarnings: true });
guardDriver(pgp.pg);

/**
 * Opens a session.
 *
 * @param text a connection string as libpq takes it
 * @throws InvalidConnectionString
 * @throws the driver's error when the server is not there or refuses us.
 */
export async function openSession(text: string): Promise<Session> {
  const database = pgp({
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: `dbr ${version()}`,
    ...readConnectionString(text),
    keepAlive: true,
  });
  let reportLost: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => (reportLost = resolve));
  const connection = await database.connect({ direct: true, onLost: reportLost });
  ignoreLateErrors(connection.client);
  return {
    query: async (text, values = []) =>
      await connection.any<Record<string, unknown>>(
        new pgp.ParameterizedQuery({ text, values: [...values] }),
      ),
    script: async (text) => {
      await connection.multi(text);
    },
    lost,
    close: async () => {
      await connection.done();
    },
  };
}

/** Opens a session for one piece of work and closes it, however the work ends. */
export async function withSession<Result>(
  uri: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = await openSession(uri);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
