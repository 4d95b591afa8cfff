/**
 * A reader that judges its stream by itself, without code of the service or of the client: it folds the events, and notes
 * whatever no stream may send.
 */
import { Agent, request } from 'node:http';

export interface AuditedReader {
  /** The rows in their order; each a JSON text. */
  readonly rows: readonly string[];
  /** The number of all rows; null if it was not counted. */
  readonly total: number | null;
  /** The status with which the last attempt to open the stream was refused; null if it was not. */
  readonly refusedWith: number | null;
  /** Whether a snapshot has arrived since the stream was refused last. */
  readonly hasRows: boolean;
  /** What was wrong with events. */
  readonly problems: readonly string[];
  /** Reasons of ends, and how often each came. */
  readonly ends: ReadonlyMap<string, number>;
  readonly changes: number;
  /** Streams that were opened again and went on with the next change. */
  readonly resumed: number;
  close(): void;
}

export interface AuditedReaderOptions {
  readonly url: string;
  /** Of the next connection. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Whether each change must be a snapshot. */
  readonly isWhole: boolean;
  /** What no event may contain. */
  readonly forbidden: RegExp;
}

interface Change {
  readonly key?: readonly string[];
  readonly upsert?: readonly Readonly<Record<string, unknown>>[];
  readonly delete?: readonly (readonly unknown[])[];
  readonly order?: readonly (readonly unknown[])[];
  readonly total?: number;
}

interface End {
  readonly reason: string;
  readonly error?: { readonly code: string };
}

/** Keeps the last results: many streams get the same texts. */
function remembered<Result>(make: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    known.set(text, made);
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return made;
  };
}

const MOST_REMEMBERED = 20_000;
const parsed = remembered((text): unknown => JSON.parse(text));
const rowsOf = remembered((text): readonly string[] =>
  (JSON.parse(text) as unknown[]).map((row) => JSON.stringify(row)),
);

/** Longest pause before a stream is opened again, in milliseconds, and before it is tried again where it was refused. */
const AGAIN_MS = 600;
const REFUSED_MS = 5000;

export function openAuditedReader({ url, headers, isWhole, forbidden }: AuditedReaderOptions): AuditedReader {
  const agent = new Agent({ keepAlive: false });
  const problems: string[] = [];
  const ends = new Map<string, number>();
  let rows: readonly string[] = [];
  let total: number | null = null;
  let refusedWith: number | null = null;
  let hasRows = false;
  let changes = 0;
  let resumed = 0;
  let lastId: string | null = null;
  let isFirst = true;
  let isClosed = false;
  let text = '';

  function fold(
    { key, upsert = [], delete: deleted = [], order, total: counted }: Change,
    data: string,
  ): void {
    if (counted !== undefined) total = counted;
    if (key === undefined) return;
    if (isWhole) problems.push(`a change for a reader of whole bodies: ${data}`);
    const keyOf = (row: unknown): string =>
      JSON.stringify(key.map((name): unknown => Reflect.get(Object(row), name)));
    const byKey = new Map(rows.map((row) => [keyOf(parsed(row)), row]));
    for (const gone of deleted)
      if (!byKey.delete(JSON.stringify(gone)))
        problems.push(`deletes a row that was not there: ${JSON.stringify(gone)}`);
    for (const row of upsert) {
      if (byKey.get(keyOf(row)) === JSON.stringify(row)) problems.push(`repeats ${JSON.stringify(row)}`);
      byKey.set(keyOf(row), JSON.stringify(row));
    }
    if (order !== undefined && order.length !== byKey.size)
      problems.push(`orders ${String(order.length)} of ${String(byKey.size)} rows`);
    rows =
      order === undefined ? [...byKey.values()] : order.map((each) => byKey.get(JSON.stringify(each)) ?? '');
  }

  function take(block: string): void {
    const fields = new Map<string, string[]>();
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
      fields.set(name, [...(fields.get(name) ?? []), value]);
    }
    const event = fields.get('event')?.[0];
    if (event === undefined) return;
    const data = (fields.get('data') ?? []).join('\n');
    if (forbidden.test(data)) problems.push(`a row out of sight: ${data.slice(0, 500)}`);
    if (event === 'end') {
      const { reason, error } = parsed(data) as End;
      const name = error === undefined ? reason : `${reason} ${error.code}`;
      ends.set(name, (ends.get(name) ?? 0) + 1);
      return;
    }
    if (event === 'snapshot') {
      rows = rowsOf(data);
      total = null;
      hasRows = true;
    } else {
      if (isFirst && lastId !== null) resumed += 1;
      changes += 1;
      fold(parsed(data) as Change, data);
    }
    isFirst = false;
    lastId = fields.get('id')?.[0] ?? lastId;
  }

  function connect(): void {
    if (isClosed) return;
    text = '';
    isFirst = true;
    let isOver = false;
    const again = (): void => {
      if (!isOver && !isClosed)
        setTimeout(connect, Math.random() * (refusedWith === null ? AGAIN_MS : REFUSED_MS)).unref();
      isOver = true;
    };
    const sent = request(
      url,
      {
        agent,
        headers: {
          ...headers(),
          Accept: 'text/event-stream',
          ...(lastId === null ? {} : { 'Last-Event-ID': lastId }),
        },
      },
      (response) => {
        const { statusCode = 0 } = response;
        const isOpen = statusCode === 200;
        // While the service connects to the log again, it refuses streams.
        if (isOpen) refusedWith = null;
        else if (statusCode !== 503) {
          refusedWith = statusCode;
          hasRows = false;
          lastId = null;
        }
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          if (!isOpen) return;
          text += chunk;
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            take(text.slice(0, end));
            text = text.slice(end + 2);
          }
        });
        response.on('error', () => undefined);
        response.on('close', again);
      },
    );
    sent.on('error', (error) => {
      again();
      if (!/ECONNRESET|socket hang up|aborted/.test(error.message)) problems.push(error.message);
    });
    sent.end();
  }

  connect();
  return {
    problems,
    ends,
    get rows() {
      return rows;
    },
    get total() {
      return total;
    },
    get refusedWith() {
      return refusedWith;
    },
    get hasRows() {
      return hasRows;
    },
    get changes() {
      return changes;
    },
    get resumed() {
      return resumed;
    },
    close() {
      isClosed = true;
      agent.destroy();
    },
  };
}
