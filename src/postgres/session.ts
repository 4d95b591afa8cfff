import { version } from '../base/package.js';
import { connectFailed, lacksPassword } from './connect-error.js';
import { readConnectionString } from './connection-string.js';
import { connectOptions } from './database.js';
import { HostClient, closeClient, openClient } from './host-client.js';

export interface StatementResult {
  /** The command tag without its numbers, such as `SELECT`. */
  readonly command: string;
  /** Rows that were returned or changed. */
  readonly rows: number;
  /** Whether the statement returns rows, be it none. */
  readonly returnsRows: boolean;
}

/**
 * One connection outside the pools for a task: migrations, provisioning, advisory locks. Queries that are called at once are
 * sent at once, each with its own Sync.
 */
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

/**
 * Opens a session.
 *
 * @param text a connection string of libpq
 * @throws InvalidConnectionString
 * @throws ConnectFailed if the server asks for a password and there is none
 * @throws the driver's error if the server cannot be reached or refuses the connection
 */
export async function openSession(text: string): Promise<Session> {
  const client = new HostClient({
    application_name: `dbr ${version()}`,
    ...connectOptions(readConnectionString(text), CONNECT_TIMEOUT_MS),
    ...{ keepAlive: true, pipeline: true },
  });
  let reportLost: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => (reportLost = resolve));
  await openClient(client, reportLost).catch((error: unknown) => {
    throw lacksPassword(error) ? connectFailed(error, client) : error;
  });
  return {
    query: async (text, values = []) => (await client.query<Record<string, unknown>>(text, [...values])).rows,
    results: async (text) =>
      // The driver returns an array if the script has several statements.
      [await client.query(text)].flat().map(({ command, rowCount, fields }) => ({
        command,
        rows: rowCount ?? 0,
        // `select from …` returns rows without columns.
        returnsRows: command === 'SELECT' || fields.length > 0,
      })),
    script: async (text) => {
      await client.query(text);
    },
    processId: client.processID,
    lost,
    close: () => closeClient(client),
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
