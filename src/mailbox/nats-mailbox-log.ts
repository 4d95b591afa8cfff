/**
 * Logs of mailboxes in NATS JetStream: one subject for the entries of a session, one for the payloads they refer to.
 * The server accepts an entry only if it follows the last entry that its writer has read.
 */
import {
  DiscardPolicy,
  jetstreamManager,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import {
  ClosedConnectionError,
  ConnectionError,
  connect,
  RequestError,
  TimeoutError,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { Observe } from '../observability/observation.js';
import { entryFromJson, entryToJson } from './entry-json.js';
import type { MailboxLog, OpenMailboxLog, PositionedEntry } from './mailbox-log.js';
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

/** `wrong last sequence`: another writer was first (https://docs.nats.io/nats-concepts/jetstream/headers). */
const WRONG_LAST_SEQUENCE = 10071;

/**
 * @param maxBytes most bytes of all messages in the stream
 * @throws when the server cannot be reached, has no JetStream or no room for the stream
 */
export async function connectNatsMailboxLog(
  uri: string,
  maxBytes: number,
  observe: Observe,
): Promise<OpenMailboxLog> {
  const address = new URL(uri);
  const { username, password } = address;
  const connection = await connect({
    servers: address.host,
    name: 'dbr router',
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    // Otherwise each request creates an error object to capture its stack.
    noAsyncTraces: true,
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(address.protocol === 'tls:' ? { tls: {} } : {}),
  });
  try {
    const manager = await jetstreamManager(connection, { timeout: REQUEST_MS });
    await createStream(manager, maxBytes);
    return (written) => openLog(connection, manager, observe, written);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * A full stream refuses new messages: one that discards old ones would lose them in silence. Of a stream that exists this bound
 * alone is changed, so that an operator may have it replicated.
 */
async function createStream(manager: JetStreamManager, maxBytes: number): Promise<void> {
  const bound = { max_bytes: maxBytes, discard: DiscardPolicy.New };
  try {
    const { config } = await manager.streams.info(STREAM);
    if (config.max_bytes !== maxBytes || config.discard !== DiscardPolicy.New)
      await manager.streams.update(STREAM, bound);
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.status === 404)) throw error;
    await manager.streams.add({
      name: STREAM,
      subjects: [`${ENTRIES}.*`, `${PAYLOADS}.*`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      max_age: MAX_AGE_NS,
      allow_direct: true,
      ...bound,
    });
  }
}

function openLog(
  connection: NatsConnection,
  manager: JetStreamManager,
  observe: Observe,
  written: (sessionId: string | null) => void,
): MailboxLog {
  const client = manager.jetstream();
  // Entries are ordinary messages too, so that a subscription receives them at once.
  const subscription = connection.subscribe(`${ENTRIES}.*`, {
    callback: (error, message) => {
      if (error === null) written(message.subject.slice(ENTRIES.length + 1));
    },
  });
  const timer = setInterval(() => written(null), POLL_MS);
  timer.unref();
  void reportStatus(connection, observe);
  return {
    keep: (sessionId, payload) => reached(keep(client, sessionId, payload)),
    async payload(reference) {
      const pieces = await reached(
        Promise.all(reference.map((position) => message(manager, { seq: position }))),
      );
      const kept = pieces.filter((piece) => piece !== null);
      return kept.length < pieces.length ? null : Buffer.concat(kept.map(({ data }) => data));
    },
    read: (sessionId, after) => reached(read(manager, sessionId, after)),
    async entry(_sessionId, position) {
      const found = await reached(message(manager, { seq: position }));
      return found === null ? null : entryFromJson(Buffer.from(found.data).toString('utf8'));
    },
    async append(sessionId, after, entry) {
      try {
        const expect = { lastSubjectSequence: after };
        const subject = `${ENTRIES}.${sessionId}`;
        const ack = await reached(client.publish(subject, entryToJson(entry), { expect }));
        return ack.seq;
      } catch (error) {
        if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return null;
        throw error;
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

async function keep(client: JetStreamClient, sessionId: string, payload: Buffer): Promise<readonly number[]> {
  const pieces: Promise<{ readonly seq: number }>[] = [];
  for (let start = 0; start < payload.length; start += PIECE_BYTES)
    pieces.push(client.publish(`${PAYLOADS}.${sessionId}`, payload.subarray(start, start + PIECE_BYTES)));
  return (await Promise.all(pieces)).map(({ seq }) => seq);
}

async function read(
  manager: JetStreamManager,
  sessionId: string,
  after: number,
): Promise<readonly PositionedEntry[]> {
  const entries: PositionedEntry[] = [];
  const subject = `${ENTRIES}.${sessionId}`;
  for (let position = after; ;) {
    const found = await message(manager, { seq: position + 1, next_by_subj: subject });
    if (found === null) return entries;
    position = found.seq;
    entries.push({ position, entry: entryFromJson(Buffer.from(found.data).toString('utf8')) });
  }
}

type Query = { readonly seq: number } | { readonly seq: number; readonly next_by_subj: string };

/** Reads a message from the stream's leader, because a replica may lag behind. Returns null if there is none. */
async function message(
  manager: JetStreamManager,
  query: Query,
): Promise<{ readonly seq: number; readonly data: Uint8Array } | null> {
  return await manager.streams.getMessage(STREAM, query);
}

async function reportStatus(connection: NatsConnection, observe: Observe): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') observe({ kind: 'bus-down' });
    if (type === 'reconnect') observe({ kind: 'bus-up' });
  }
}
