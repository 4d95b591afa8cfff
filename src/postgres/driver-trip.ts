/**
 * Queries that a client of the driver sends in one write, with one Sync: an error of one of them skips the rest. The
 * driver itself sends each query with a Sync of its own.
 */
import type { BatchQuery } from './batch.js';
import { parserOf, type DriverClient } from './database.js';
import { encodeBatch } from './encode-batch.js';
import type { PreparedStatements } from './prepared-statements.js';
import type { Statement } from './statement.js';

export interface TripResult {
  /** By column name, as the driver parses their values. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** As in `INSERT 0 1`. */
  readonly commandTag: string;
}

/**
 * Runs `leads`, which return no rows, and `query` behind them.
 * @param statements null sends unnamed statements
 * @throws the driver's error
 */
export const runTrip = (
  client: DriverClient,
  leads: readonly BatchQuery[],
  query: BatchQuery,
  statements: PreparedStatements | null,
): Promise<TripResult> =>
  new Promise((resolve, reject) => {
    const trip: Trip = {
      queries: [...leads, query],
      statements,
      parsing: [],
      columns: [],
      rows: [],
    };
    void client.query(submittable(trip, resolve, reject));
  });

interface Trip {
  readonly queries: readonly BatchQuery[];
  readonly statements: PreparedStatements | null;
  /** The statements whose Parse is part of the trip. */
  parsing: readonly Statement[];
  columns: readonly Column[];
  readonly rows: Readonly<Record<string, unknown>>[];
}

interface Column {
  readonly name: string;
  readonly parse: (value: string) => unknown;
}

/** The members that the driver's client calls (pg/lib/client.js). */
function submittable(
  trip: Trip,
  resolve: (result: TripResult) => void,
  reject: (error: Error) => void,
): Readonly<Record<string, unknown>> {
  let commandTag = '';
  const ignore = (): void => undefined;
  return {
    submit({ stream }: DriverClient['connection']) {
      const pieces: Buffer[] = [];
      trip.parsing = encodeBatch(trip, trip.statements, pieces, true);
      for (const piece of pieces) stream.write(piece);
      return null;
    },
    handleRowDescription({ fields }: RowDescription) {
      trip.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
    },
    handleDataRow({ fields }: DataRow) {
      trip.rows.push(rowOf(trip.columns, fields));
    },
    handleCommandComplete({ text }: CommandComplete) {
      commandTag = text;
    },
    handleReadyForQuery() {
      resolve({ rows: trip.rows, commandTag });
    },
    handleError(error: Error) {
      // PostgreSQL skips what follows the error, with the Parse messages in it. To close an absent statement is no error.
      for (const statement of trip.parsing) trip.statements?.renew(statement);
      reject(error);
    },
    handleEmptyQuery: ignore,
    handlePortalSuspended: ignore,
    handleCopyInResponse: ignore,
    handleCopyData: ignore,
  };
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

interface DataRow {
  readonly fields: readonly (string | null)[];
}

interface CommandComplete {
  readonly text: string;
}

function rowOf(
  columns: readonly Column[],
  fields: readonly (string | null)[],
): Readonly<Record<string, unknown>> {
  const row: Record<string, unknown> = {};
  for (const [index, { name, parse }] of columns.entries()) {
    const value = fields[index] ?? null;
    row[name] = value === null ? null : parse(value);
  }
  return row;
}
