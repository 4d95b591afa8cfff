/**
 * Logs of mailboxes in NATS JetStream: one subject for the entries of a session, one for the payloads they refer to.
 * An entry counts only if it follows the last entry that its writer has read.
 */
import {
  DiscardPolicy,
  jetstreamManager,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
  type JetStreamManager,
  type StoredMsg,
} from '@nats-io/jetstream';
import {
  ClosedConnectionError,
  ConnectionError,
  connect,
  headers,
  RequestError,
  TimeoutError,
  type NatsConnection,
} from '@nats-io/transport-node';
import { readBusAddress } from '../base/bus-address.js';
import type { Observe } from '../observability/observation.js';
import {
  entryFromJson,
  entryToJson,
  withReferences,
  type LogEntry,
  type LogPage,
  type LogPosition,
  type MailboxLog,
  type OpenMailboxLog,
  type PayloadReference,
  type ReadEntry,
} from './mailbox-log.js';
import { MailboxesAway, MailboxesFull } from './mailbox-store.js';

const STREAM = 'DBR_ROUTER';
const PREFIX = 'dbr.router';
const ENTRIES = `${PREFIX}.entries`;
const PAYLOADS = `${PREFIX}.payloads`;

/** Age in nanoseconds after which NATS removes messages that were not purged. It exceeds the lifetime of sessions. */
const MAX_AGE_NS = 2 * 3600 * 1e9;
/** Piece of a payload, below the default limit of a server for one message with its headers (1 MiB). */
const PIECE_BYTES = 512 * 1024;
/** Longest delay of a message whose notification was lost, in milliseconds. */
const POLL_MS = 1000;

/**
 * Longest wait for the server in milliseconds. It is shorter than the deadline of calls, so that parties receive an
 * error and try again.
 */
const REQUEST_MS = 2000;
const RECONNECT_MS = 250;

/**
 * The stream has as many bytes as it may have, or the server as many as it has room for
 * (https://github.com/nats-io/nats-server/blob/main/server/errors.json).
 */
const FULL: ReadonlySet<number> = new Set([10023, 10047, 10077]);

/**
 * Header of an entry: the position that its writer had read. A cluster compares the last sequence of a subject before it agrees
 * on a message, so that it accepts two messages after the same one (seen with NATS 2.9.10). The first of them counts: an entry
 * whose position is not that of the last valid one is passed over by all readers, also by its writer.
 */
const AFTER = 'Dbr-After';

/** `wrong last sequence`: another writer was first (https://docs.nats.io/nats-concepts/jetstream/headers). */
const WRONG_LAST_SEQUENCE = 10071;

interface BusStream {
  /** Most bytes of all messages in the stream. */
  readonly maxBytes: number;
  /** Replicas of a new stream; 0 for three where the address names as many servers, otherwise one. */
  readonly replicas: number;
}

/**
 * @throws when the server cannot be reached, has no JetStream or no room for the stream
 */
export async function connectNatsMailboxLog(
  uri: string,
  { maxBytes, replicas }: BusStream,
  observe: Observe,
): Promise<OpenMailboxLog> {
  const { servers, username, password, protocol } = readBusAddress(uri);
  const connection = await connect({
    servers: [...servers],
    name: 'dbr router',
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    // What this process writes is not news for it.
    noEcho: true,
    // Otherwise each request creates an error object to capture its stack.
    noAsyncTraces: true,
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
  });
  try {
    const manager = await jetstreamManager(connection, { timeout: REQUEST_MS });
    const wanted = replicas > 0 ? replicas : servers.length >= CLUSTER ? CLUSTER : 1;
    const held = await createStream(manager, maxBytes, wanted);
    void reportStatus(connection, observe);
    return (changed) => openLog(connection, manager, held > 1, changed);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Servers with which a stream outlives the loss of one. */
const CLUSTER = 3;

/**
 * A full stream refuses new messages: one that discards old ones would lose them in silence. Of a stream that exists this bound
 * alone is changed, so that an operator may have it replicated.
 * @returns the number of its replicas
 */
async function createStream(manager: JetStreamManager, maxBytes: number, replicas: number): Promise<number> {
  const bound = { max_bytes: maxBytes, discard: DiscardPolicy.New };
  try {
    const { config } = await manager.streams.info(STREAM);
    if (config.max_bytes !== maxBytes || config.discard !== DiscardPolicy.New)
      await manager.streams.update(STREAM, bound);
    return config.num_replicas;
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.status === 404)) throw error;
    const { config } = await manager.streams.add({
      name: STREAM,
      subjects: [`${ENTRIES}.*`, `${PAYLOADS}.*`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      max_age: MAX_AGE_NS,
      allow_direct: true,
      num_replicas: replicas,
      ...bound,
    });
    return config.num_replicas;
  }
}

function openLog(
  connection: NatsConnection,
  manager: JetStreamManager,
  isReplicated: boolean,
  changed: (sessionIds: readonly string[]) => Promise<void>,
): MailboxLog {
  const client = manager.jetstream();
  const followed = new Set<string>();
  // What cannot be read now is read at the next poll.
  const report = (sessionIds: readonly string[]): Promise<void> => changed(sessionIds).catch(() => undefined);
  // Entries are ordinary messages too, so that a subscription receives them at once.
  const subscription = connection.subscribe(`${ENTRIES}.*`, {
    callback: (error, { subject }) => {
      if (error === null) void report([subject.slice(ENTRIES.length + 1)]);
    },
  });
  let polled: Promise<void> | null = null;
  const timer = setInterval(() => {
    polled ??= report([...followed]).finally(() => (polled = null));
  }, POLL_MS);
  timer.unref();
  const keep = keeper(client);
  return {
    readers: null,
    follow(sessionId) {
      followed.add(sessionId);
      return () => void followed.delete(sessionId);
    },
    publish: () => undefined,
    begin: (session) => reached(read(manager, session)),
    read: (sessions) => reached(Promise.all(sessions.map((session) => read(manager, session)))),
    async entry({ sessionId, position }) {
      const found = await reached(message(manager, `${ENTRIES}.${sessionId}`, { seq: position }));
      return found === null ? null : entryOf(found.data);
    },
    payloads: ({ sessionId }, references) =>
      reached(Promise.all(references.map((reference) => payload(manager, sessionId, reference)))),
    async append(after, { entry: added, payloads }) {
      const { sessionId, position } = after;
      const references = await reached(Promise.all(payloads.map((one) => keep(sessionId, one))));
      const entry = withReferences(added, (place) => references[place] ?? []);
      const text = entryToJson(entry);
      for (let newest = position; ;) {
        const seq = await reached(publishEntry(client, after, newest, text));
        const written = { kind: 'written', position: seq ?? 0, entry, changed: new Set<never>() } as const;
        if (seq !== null && !isReplicated) return written;
        // Messages that do not count may be between.
        const read = await reached(readAfter(manager, after));
        const [first] = read.entries;
        if (seq !== null && first === undefined)
          throw new MailboxesAway('the bus does not have what it has accepted');
        if (seq !== null && first?.position === seq) return written;
        if (first !== undefined || read.newest === newest) return { kind: 'not-written' };
        newest = read.newest;
      }
    },
    async purge(sessionId) {
      for (const subject of [ENTRIES, PAYLOADS])
        await reached(manager.streams.purge(STREAM, { filter: `${subject}.${sessionId}` }));
    },
    async sessions() {
      const { state } = await reached(manager.streams.info(STREAM, { subjects_filter: `${PREFIX}.*.*` }));
      const names = Object.keys(state.subjects ?? {}).map((subject) => subject.split('.').at(-1) ?? '');
      return [...new Set(names)];
    },
    async place() {
      // Identifies the stream, independent of the server of a cluster through which it is reached.
      const { created } = await reached(manager.streams.info(STREAM));
      return `the NATS stream ${STREAM} made at ${created}`;
    },
    async close() {
      clearInterval(timer);
      subscription.unsubscribe();
      await connection.close();
    },
  };
}

/** @throws MailboxesAway if no server responds or the stream has no leader, MailboxesFull if it is full */
async function reached<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof JetStreamApiError && FULL.has(error.code))
      throw new MailboxesFull('the bus has no room for another message', { cause: error });
    if (isAway(error)) throw new MailboxesAway('the bus did not answer', { cause: error });
    throw error;
  }
}

const AWAY = [ClosedConnectionError, ConnectionError, RequestError, TimeoutError] as const;
const UNAVAILABLE = 503;

/** A server that has just started has no JetStream yet; the error names the request as its cause. */
const isAway = (error: unknown): boolean =>
  AWAY.some((kind) => error instanceof kind) ||
  (error instanceof JetStreamApiError && error.status === UNAVAILABLE) ||
  (error instanceof Error && error.cause !== undefined && isAway(error.cause));

type Keep = (sessionId: string, payload: Buffer) => Promise<PayloadReference>;

/**
 * Stores payloads before the entry that refers to them. An entry that is decided again refers to the payloads that were
 * stored before; a payload without an entry is removed with its session.
 */
function keeper(client: JetStreamClient): Keep {
  const kept = new WeakMap<
    Buffer,
    { readonly sessionId: string; readonly reference: Promise<PayloadReference> }
  >();
  return (sessionId, payload) => {
    const known = kept.get(payload);
    if (known?.sessionId === sessionId) return known.reference;
    const reference = store(client, sessionId, payload);
    kept.set(payload, { sessionId, reference });
    reference.catch(() => kept.delete(payload));
    return reference;
  };
}

async function store(client: JetStreamClient, sessionId: string, payload: Buffer): Promise<PayloadReference> {
  const pieces: Promise<{ readonly seq: number }>[] = [];
  for (let start = 0; start < payload.length; start += PIECE_BYTES)
    pieces.push(client.publish(`${PAYLOADS}.${sessionId}`, payload.subarray(start, start + PIECE_BYTES)));
  return (await Promise.all(pieces)).map(({ seq }) => seq);
}

async function payload(
  manager: JetStreamManager,
  sessionId: string,
  reference: PayloadReference,
): Promise<Buffer | null> {
  const subject = `${PAYLOADS}.${sessionId}`;
  const pieces = await Promise.all(reference.map((seq) => message(manager, subject, { seq })));
  const kept = pieces.filter((piece) => piece !== null);
  return kept.length < pieces.length ? null : Buffer.concat(kept.map(({ data }) => data));
}

/**
 * Publishes an entry.
 * @param newest sequence of the last message of the session, which need not count
 * @returns its sequence; null if there is a later message
 */
async function publishEntry(
  client: JetStreamClient,
  { sessionId, position }: LogPosition,
  newest: number,
  text: string,
): Promise<number | null> {
  const after = headers();
  after.set(AFTER, String(position));
  const options = { headers: after, expect: { lastSubjectSequence: newest } };
  try {
    return (await client.publish(`${ENTRIES}.${sessionId}`, text, options)).seq;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return null;
    throw error;
  }
}

async function read(manager: JetStreamManager, after: LogPosition): Promise<LogPage> {
  const { entries } = await readAfter(manager, after);
  return { entries, positions: [], isLast: true };
}

/** Returns the entries after a position, and the sequence of the last message, which need not be an entry. */
async function readAfter(
  manager: JetStreamManager,
  { sessionId, position }: LogPosition,
): Promise<{ readonly entries: readonly ReadEntry[]; readonly newest: number }> {
  const entries: ReadEntry[] = [];
  const subject = `${ENTRIES}.${sessionId}`;
  let last = position;
  for (let newest = position; ;) {
    const found = await message(manager, subject, { seq: newest + 1, next_by_subj: subject });
    if (found === null) return { entries, newest };
    newest = found.seq;
    // An earlier release writes none.
    const after = found.header.get(AFTER);
    if (after !== '' && Number(after) !== last) continue;
    last = found.seq;
    entries.push({ position: last, entry: entryOf(found.data), payloads: null });
  }
}

const entryOf = (data: Uint8Array): LogEntry => entryFromJson(Buffer.from(data).toString('utf8'));

type Query = { readonly seq: number } | { readonly seq: number; readonly next_by_subj: string };

/**
 * Reads a message from the stream's leader, because a replica may lag behind. Returns null if there is none of this subject: a
 * cluster that loses messages gives their sequences to later ones, of any session (seen with NATS 2.9.10).
 */
async function message(
  manager: JetStreamManager,
  subject: string,
  query: Query,
): Promise<Pick<StoredMsg, 'seq' | 'data' | 'header'> | null> {
  const found = await manager.streams.getMessage(STREAM, query);
  return found?.subject === subject ? found : null;
}

async function reportStatus(connection: NatsConnection, observe: Observe): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') observe({ kind: 'bus-down' });
    if (type === 'reconnect') observe({ kind: 'bus-up' });
  }
}
