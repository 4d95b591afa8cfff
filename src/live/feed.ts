/**
 * The feed: one replication connection, over which PostgreSQL sends the changes of the tables of a publication. Its slot is
 * temporary, so that PostgreSQL retains no log for a service that is gone; what happened while there was no connection is
 * not sent, and groups ask again then.
 */
import { randomBytes } from 'node:crypto';
import type { Observe } from '../observability/observation.js';
import { connectFailed } from '../postgres/connect-error.js';
import { asPostgresError, type Database, maxBackoffSeconds, serverAddress } from '../postgres/database.js';
import { openDirectConnection, type DirectConnection } from '../postgres/direct-connection.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { sql } from '../postgres/sql.js';
import { decodeMessage, type LogMessage, type WantedColumns } from './pgoutput.js';
import { isSeen, type SeenTransactions } from './visibility.js';

/** The publication of the tables that live answers read. */
export const PUBLICATION = 'dbr_live';

interface FeedOptions {
  /** Its connections replicate. */
  readonly replication: Database;
  /** Makes the publication. */
  readonly database: Database;
  readonly wanted: WantedColumns;
  /** Called with each message of a transaction in the order of the log. */
  readonly onMessage: (message: LogMessage, xid: number) => void;
  /** Called when changes are sent from now on. Changes of before may be missing. */
  readonly onStart: () => void;
  readonly observe: Observe;
}

export interface Feed {
  readonly isRunning: boolean;
  /** Why PostgreSQL refused to send changes at the last attempt; null if it did not, or may send them soon. */
  readonly refusal: string | null;
  /** Connects, if nothing has asked for changes before. Resolves when the first attempt to connect has ended. */
  start(): Promise<void>;
  /** Committed transactions that a snapshot may not see yet. */
  unseen(): readonly number[];
  /** Forgets the transactions that a snapshot sees: every later one sees them too. */
  noteSeen(seen: SeenTransactions): void;
  close(): Promise<void>;
}

/** A publication without tables changes nothing for writers. Partitions are published as their table. */
const CREATE_PUBLICATION = sql`
do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'dbr_live') then
    create publication dbr_live with (publish_via_partition_root = true);
  end if;
exception when duplicate_object then null;
end
$$`;

/** States of a server that starts, stops, or has no connection left: it may send changes a moment later. */
const MAY_PASS = /^(?:57...|53300)$/;

/** PostgreSQL closes a connection that is silent for `wal_sender_timeout`, which is a minute. */
const STATUS_MS = 10_000;
/** A server that sends nothing for so long, although it was asked to, is gone. */
const SILENCE_MS = 30_000;
/** Most transactions whose visibility is unknown; older ones are visible long since. */
const MOST_UNSEEN = 10_000;

const MESSAGE = { log: 0x77, keepAlive: 0x6b, status: 0x72 } as const;
/** Offset of the message of the plugin: type, position, end of the log, time. */
const LOG_HEADER = 25;

export function openFeed({ replication, database, wanted, onMessage, onStart, observe }: FeedOptions): Feed {
  const unseen = new Set<number>();
  let connection: DirectConnection | null = null;
  let isRunning = false;
  let refusal: string | null = null;
  /** What the log has already: a server that refuses for days is one line. */
  let lostBecause: string | null = null;
  let attempted: Promise<void> | null = null;
  let closed = false;
  let backoffSeconds = 1;
  let timer: NodeJS.Timeout | null = null;
  let status: NodeJS.Timeout | null = null;
  /** The end of the log that was received. */
  let position = 0n;
  let heardAt = 0;
  let xid = 0;

  async function connect(): Promise<void> {
    try {
      await database.none(CREATE_PUBLICATION);
      const own = await openDirectConnection(replication, () => lost('the connection was lost'));
      connection = own;
      if (closed) return void (await own.close());
      await replicate(own);
      if (connection !== own) return;
      isRunning = true;
      refusal = null;
      lostBecause = null;
      backoffSeconds = 1;
      heardAt = performance.now();
      status = setInterval(() => sendStatus(own), STATUS_MS);
      onStart();
    } catch (error) {
      const known = asPostgresError(error, replication);
      const isRefused = known instanceof PostgresError && !MAY_PASS.test(known.fields.code);
      refusal = isRefused ? known.fields.message : null;
      await connection?.close();
      lost(
        known instanceof PostgresError
          ? known.message
          : connectFailed(error, serverAddress(replication)).message,
      );
    }
  }

  /** Makes the slot and resolves when PostgreSQL has begun to send. */
  async function replicate({ client }: DirectConnection): Promise<void> {
    const slot = `dbr_live_${randomBytes(8).toString('hex')}`;
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')`);
    position = 0n;
    const emitter: NodeJS.EventEmitter = client.connection;
    emitter.on('copyData', ({ chunk }: { readonly chunk: Buffer }) => receive(chunk));
    await new Promise<void>((resolve, reject) => {
      emitter.once('replicationStart', () => resolve());
      client
        .query(
          `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names '${PUBLICATION}')`,
        )
        .then(() => lost('PostgreSQL ended the replication'), reject);
    });
  }

  function receive(chunk: Buffer): void {
    heardAt = performance.now();
    if (chunk[0] === MESSAGE.log) {
      const end = chunk.readBigUInt64BE(1);
      if (end > position) position = end;
      take(decodeMessage(chunk.subarray(LOG_HEADER), wanted));
    } else if (chunk[0] === MESSAGE.keepAlive) {
      const end = chunk.readBigUInt64BE(1);
      if (end > position) position = end;
      if (chunk[17] === 1 && connection !== null) sendStatus(connection);
    }
  }

  function take(message: LogMessage): void {
    if (message.kind === 'begin') {
      xid = message.xid;
      unseen.delete(xid);
      unseen.add(xid);
      if (unseen.size <= MOST_UNSEEN) return;
      const [oldest] = unseen;
      if (oldest !== undefined) unseen.delete(oldest);
    } else onMessage(message, xid);
  }

  function sendStatus({ client, socket }: DirectConnection): void {
    if (performance.now() - heardAt > SILENCE_MS) return void socket.destroy();
    const bytes = Buffer.alloc(34);
    bytes.writeUInt8(MESSAGE.status, 0);
    // Written, flushed and applied: nothing is read again from this slot.
    for (const at of [1, 9, 17]) bytes.writeBigUInt64BE(position, at);
    bytes.writeBigInt64BE((BigInt(Date.now()) - EPOCH_MS) * 1000n, 25);
    // The server answers, which shows that it is there.
    bytes.writeUInt8(1, 33);
    client.connection.sendCopyFromChunk(bytes);
  }

  function lost(message: string): void {
    isRunning = false;
    connection = null;
    if (status !== null) clearInterval(status);
    status = null;
    if (closed || timer !== null) return;
    if (message !== lostBecause)
      observe({ kind: 'live-feed-lost', error: message, retryInSeconds: backoffSeconds });
    lostBecause = message;
    timer = setTimeout(() => {
      timer = null;
      void connect();
    }, backoffSeconds * 1000);
    backoffSeconds = Math.min(backoffSeconds * 2, maxBackoffSeconds(replication));
  }

  return {
    start: () => (attempted ??= connect()),
    get isRunning() {
      return isRunning;
    },
    get refusal() {
      return refusal;
    },
    unseen: () => [...unseen],
    noteSeen(seen) {
      for (const each of unseen) if (isSeen(each, seen)) unseen.delete(each);
    },
    async close() {
      closed = true;
      isRunning = false;
      if (timer !== null) clearTimeout(timer);
      if (status !== null) clearInterval(status);
      await connection?.close();
    },
  };
}

/** Times of the protocol begin with the year 2000. */
const EPOCH_MS = 946_684_800_000n;
