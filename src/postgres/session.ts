import pgPromise from 'pg-promise';
import { version } from '../base/package.js';
import { guardDriver } from './guard-driver.js';
import { ignoreLateErrors } from './driver-error.js';
import { readConnectionString } from './connection-string.js';
import { connectOptions } from './database.js';
import { followHostChoices } from './host-client.js';

export interface StatementResult {
  /** The command tag without its numbers, such as `SELECT`. */
  readonly command: string;
  /** Rows that were returned or changed. */
  readonly rows: number;
  /** Whether the statement returns rows, be it none. */
  readonly returnsRows: boolean;
}

/** One connection outside the pools for a task: migrations, provisioning, advisory locks. */
export interface Session {
  /** Runs one statement with parameters. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Runs a script, and returns the result of each of its statements. */
  results(text: string): Promise<readonly StatementResult[]>;
  /** Runs a script of several statements, in one transaction unless the script contains transaction commands. */
  script(text: string): Promise<void>;
  /** Process identifier of the backend as the server reported it at the start; a pooler invents one. */
  readonly processId: number;
  /** Resolves when the connection ends without `close`. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;

const pgp = pgPromise({ noWarnings: true });
guardDriver(pgp.pg);
followHostChoices(pgp.pg);

/**
 * Opens a session.
 *
 * @param text a connection string of libpq
 * @throws InvalidConnectionString
 * @throws the driver's error if the server cannot be reached or refuses the connection
 */
export async function openSession(text: string): Promise<Session> {
  const database = pgp({
    application_name: `dbr ${version()}`,
    ...connectOptions(readConnectionString(text), CONNECT_TIMEOUT_MS),
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
    results: async (text) =>
      (await connection.multiResult(text)).map(({ command, rowCount, fields }) => ({
        command,
        rows: rowCount ?? 0,
        // `select from …` returns rows without columns.
        returnsRows: command === 'SELECT' || fields.length > 0,
      })),
    script: async (text) => {
      await connection.multi(text);
    },
    processId: connection.client.processID,
    lost,
    close: async () => {
      await connection.done();
    },
  };
}

/** Runs work with a session and closes the session, also if the work fails. */
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
