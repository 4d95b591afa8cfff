/**
 * The log of changes that PGlite does not have. Triggers report each change of the rooms by a notification, which comes when
 * its transaction has committed; here it becomes what the plugin `pgoutput` sends.
 */

/** The channel of the reports. */
export const LOG_CHANNEL = 'simulation_log';

interface Report {
  readonly xid: string;
  readonly oid: number;
  readonly table: string;
  readonly op: 'INSERT' | 'UPDATE' | 'DELETE';
  /** Names of the key columns, with commas between them. */
  readonly key: string;
  readonly old: Row | null;
  readonly new: Row | null;
}

type Row = Readonly<Record<string, number | null>>;

const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

const text = (value: string): Buffer => Buffer.from(`${value}\0`, 'utf8');
const letter = (value: string): Buffer => Buffer.from(value, 'latin1');

/** @param names of the columns that have their value; the others are null */
function tuple(row: Row, names: readonly string[] | null): Buffer {
  const entries = Object.entries(row);
  const values = entries.map(([name, value]) => {
    if (value === null || names?.includes(name) === false) return letter('n');
    const bytes = Buffer.from(String(value), 'utf8');
    return Buffer.concat([letter('t'), int32(bytes.length), bytes]);
  });
  return Buffer.concat([int16(entries.length), ...values]);
}

const relation = ({ oid, table }: Report, row: Row): Buffer =>
  Buffer.concat([
    ...[letter('R'), int32(oid), text('api'), text(table), letter('d'), int16(Object.keys(row).length)],
    ...Object.keys(row).map((name) => Buffer.concat([Buffer.alloc(1), text(name), int32(25), int32(-1)])),
  ]);

function change({ oid, op, key, old, new: row }: Report): Buffer {
  const names = key.split(',');
  const head = [letter(op.slice(0, 1)), int32(oid)];
  if (row === null) return Buffer.concat([...head, letter('K'), tuple(old ?? {}, names)]);
  const isMoved = old !== null && names.some((name) => old[name] !== row[name]);
  const before = isMoved ? [letter('K'), tuple(old, names)] : [];
  return Buffer.concat([...head, ...before, letter('N'), tuple(row, null)]);
}

/** The number of the transaction of a report. */
export const xidOf = (report: string): string => parse(report).xid;

const parse = (report: string): Report => JSON.parse(report) as Report;

/**
 * The messages of transactions.
 * @param reports in the order of the changes
 * @param xid of one transaction that has them all; by default, each report has its own
 */
export function logMessages(reports: readonly string[], xid: string | null = null): readonly Buffer[] {
  const messages: Buffer[] = [];
  const end = (): void => void messages.push(Buffer.concat([letter('C'), Buffer.alloc(25)]));
  let open: string | null = null;
  for (const report of reports.map(parse)) {
    const own = xid ?? report.xid;
    if (own !== open) {
      if (open !== null) end();
      open = own;
      const low = Number(BigInt.asUintN(32, BigInt(own)));
      messages.push(Buffer.concat([letter('B'), Buffer.alloc(16), int32(low)]));
    }
    messages.push(relation(report, report.new ?? report.old ?? {}), change(report));
  }
  if (open !== null) end();
  // Each in a message of replication: type, position, end of the log, time.
  return messages.map((each) => Buffer.concat([letter('w'), Buffer.alloc(24), each]));
}

/** The server answers that it is there. */
export const KEEP_ALIVE = Buffer.concat([letter('k'), Buffer.alloc(17)]);
