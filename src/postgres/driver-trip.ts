/**
 * Queries that a client of the driver sends in one write, with one Sync: an error of one of them skips the rest. The
 * driver itself sends each query with a Sync of its own.
 */
import { parserOf, type DriverClient } from './database.js';
import type { ParsedStatements } from './encode-batch.js';
import { closeMessage, message, parseMessage, UNNAMED_BIND_HEAD, type Statement } from './statement.js';

export interface TripQuery {
  readonly statement: Statement;
  readonly parameters: readonly (string | null)[];
  /** The statement is parsed for this trip alone, without a name. */
  readonly unnamed?: true;
}

export interface TripResult {
  /** By column name, as the driver parses their values. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** As in `INSERT 0 1`. */
  readonly commandTag: string;
}

/** The statements of a connection. */
export interface TripStatements extends ParsedStatements {
  /** Marks a statement to be parsed again. */
  renew(statement: Statement): void;
}

/**
 * Runs `leads`, which return no rows, and `query` behind them.
 * @param statements null sends unnamed statements
 * @throws the driver's error
 */
export const runTrip = (
  client: DriverClient,
  leads: readonly TripQuery[],
  query: TripQuery,
  statements: TripStatements | null,
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
  readonly queries: readonly TripQuery[];
  readonly statements: TripStatements | null;
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
      stream.write(encodeTrip(trip));
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

/** Describe of the unnamed portal. */
const DESCRIBE = message('D', Buffer.from('P\0', 'latin1'));
/** Execute of the unnamed portal without a row limit. */
const EXECUTE = message('E', Buffer.alloc(5));
const SYNC = message('S', Buffer.alloc(0));

function encodeTrip(trip: Trip): Buffer {
  const { queries, statements } = trip;
  const parses = queries.map((query) => namesOf(query, statements)?.mustParse(query.statement) ?? true);
  // Close messages come first: an error cannot skip those.
  const pieces = (statements?.takeCloses() ?? []).map(closeMessage);
  trip.parsing = queries.flatMap((query, index) => (parses[index] === true ? [query.statement] : []));
  for (const [index, query] of queries.entries()) {
    const { statement, parameters } = query;
    const isNamed = namesOf(query, statements) !== null;
    if (parses[index] === true) pieces.push(parseMessage(statement, isNamed ? statement.name : ''));
    pieces.push(bindMessage(isNamed ? statement.bindHead : UNNAMED_BIND_HEAD, parameters));
    if (index === queries.length - 1) pieces.push(DESCRIBE);
    pieces.push(EXECUTE);
  }
  return Buffer.concat([...pieces, SYNC]);
}

const namesOf = ({ unnamed }: TripQuery, statements: TripStatements | null): TripStatements | null =>
  unnamed === true ? null : statements;

/** A Bind message; all parameters and results are text. */
function bindMessage(head: string, parameters: readonly (string | null)[]): Buffer {
  const values = parameters.map((value) => (value === null ? null : Buffer.from(value, 'utf8')));
  let length = head.length + 4;
  for (const value of values) length += 4 + (value === null ? 0 : value.length);
  const content = Buffer.alloc(length);
  let position = content.write(head, 'latin1');
  position = content.writeUInt16BE(values.length, position);
  for (const value of values) {
    position = content.writeInt32BE(value === null ? -1 : value.length, position);
    if (value !== null) position += value.copy(content, position);
  }
  return message('B', content);
}
