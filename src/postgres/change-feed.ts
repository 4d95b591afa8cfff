/**
 * Changes that the processes of one database report to each other: one LISTEN connection for a process, with the watchers
 * of all its parts. A process that knows of no other one sends no notification.
 */
import { randomBytes } from 'node:crypto';
import type { Observe } from '../observability/observation.js';
import { asPostgresError, type Database } from './database.js';
import { listen, type Listener } from './listener.js';
import { sql } from './sql.js';
import { createWatchSets, hashKey, type WatchSet, type WatchSetOptions, HASH_LENGTH } from './watch-sets.js';

export interface ChangeFeed {
  /** Opens a set of watchers. The caller closes it before the feed. */
  open<Seen, News>(options: WatchSetOptions<Seen, News>): WatchSet<Seen, News>;
  /**
   * Reports changes that this process has committed: at once to the watchers of this process, soon to other processes.
   * Never part of a writer's transaction: a commit that notifies takes a lock that all such commits share.
   */
  publish(topic: string, keys: readonly string[]): void;
  /** As `publish`, but only to other processes. */
  publishElsewhere(topic: string, keys: readonly string[]): void;
  close(): Promise<void>;
}

const CHANNEL = 'dbr_changes';
/** Time from one statement to the next, in milliseconds; all changes of that time share the next one. */
const NOTIFY_INTERVAL_MS = 2;
/** Each process reports its presence after this time, in milliseconds. */
const PRESENCE_MS = 10_000;
/** A process that was silent for this time, in milliseconds, has ended. */
const GONE_MS = 35_000;
/** Most other processes that are remembered. */
const MAX_PEERS = 1000;

const SENDER_BYTES = 16;
const NOTIFY = sql`
select pg_catalog.pg_notify('${CHANNEL}', payload)
from pg_catalog.unnest($1::text[]) as payload`;

/** @param database one connection of its own listens and notifies; while there is none, connections of its pool notify */
export function openChangeFeed(database: Database, observe: Observe): ChangeFeed {
  const sender = randomBytes(SENDER_BYTES).toString('base64url');
  const sets = createWatchSets(observe);
  /** Other processes, with the time of their last notification. */
  const peers = new Map<string, number>();
  const outbox = createOutbox(notify, sender, (error) =>
    observe({ kind: 'change-feed-not-sent', error: asPostgresError(error, database) }),
  );
  const listener: Listener = listen(database, {
    channels: [CHANNEL],
    onNotification: (_channel, text) => receive(text),
    onListening() {
      outbox.announce('joined');
      sets.check(null);
    },
    observe,
    lostAs: 'change-feed-lost',
  });
  const timer = setInterval(() => {
    outbox.announce('present');
    const now = performance.now();
    for (const [peer, heardAt] of peers) if (now - heardAt > GONE_MS) peers.delete(peer);
  }, PRESENCE_MS).unref();

  function receive(text: string): void {
    const payload = readPayload(text);
    if (payload === null || payload.sender === sender) return;
    if (payload.kind === 'left') {
      peers.delete(payload.sender);
      return;
    }
    const isNew = !peers.has(payload.sender);
    if (isNew && peers.size >= MAX_PEERS) return;
    peers.set(payload.sender, performance.now());
    if (payload.kind === 'joined') outbox.announce('present');
    // Until this moment, changes of one process may not have been sent to the other.
    if (isNew) sets.check(null);
    if (payload.kind !== 'changed') return;
    if (payload.hashes === null) sets.check(payload.topic);
    else sets.reportHashes(payload.topic, payload.hashes);
  }

  /**
   * Sends notifications on the connection that listens, which gets its own with the response: on another connection each
   * would wake the server process of the listening one, and this process once more.
   */
  async function notify(payloads: readonly string[]): Promise<void> {
    const query = { text: NOTIFY, values: [payloads] };
    await listener.execute(query).catch(() => database.any(query));
  }

  function publishElsewhere(topic: string, keys: readonly string[]): void {
    if (peers.size > 0) outbox.add(topic, keys);
  }

  return {
    open: (options) => sets.open(options),
    publish(topic, keys) {
      sets.report(topic, keys);
      publishElsewhere(topic, keys);
    },
    publishElsewhere,
    async close() {
      clearInterval(timer);
      await outbox.close();
      await listener.close();
    },
  };
}

interface Outbox {
  add(topic: string, keys: readonly string[]): void;
  announce(kind: 'joined' | 'present'): void;
  /** Sends the remaining notifications. */
  close(): Promise<void>;
}

/**
 * Sends notifications, one statement at a time: those that arrive meanwhile, or shortly after, share the next one.
 * @param onFailed called with the first error of several in a row
 */
function createOutbox(
  notify: (payloads: readonly string[]) => Promise<void>,
  sender: string,
  onFailed: (error: unknown) => void,
): Outbox {
  const changes = new Map<string, Set<string>>();
  const announced = new Set<'joined' | 'present' | 'left'>();
  let scheduled = false;
  let sending: Promise<void> = Promise.resolve();
  let sentAt = -Infinity;
  let failing = false;
  let closing = false;

  /** The first change after a pause is sent at the end of this turn of the event loop. */
  function schedule(): void {
    // A presence that is announced after the end would make this process look alive again.
    if (closing || scheduled) return;
    scheduled = true;
    const waitMs = sentAt + NOTIFY_INTERVAL_MS - performance.now();
    if (waitMs > 0) setTimeout(start, waitMs);
    else setImmediate(start);
  }

  function start(): void {
    if (closing) return;
    sending = sending.then(send).then(() => {
      scheduled = false;
      if (changes.size > 0 || announced.size > 0) schedule();
    });
  }

  async function send(): Promise<void> {
    const payloads = [
      ...[...announced].map((kind) => presencePayload(sender, kind)),
      ...[...changes].flatMap(([topic, keys]) => changedPayloads(sender, topic, [...keys].map(hashKey))),
    ];
    changes.clear();
    announced.clear();
    if (payloads.length === 0) return;
    try {
      await notify(payloads);
      failing = false;
    } catch (error) {
      if (!failing) onFailed(error);
      failing = true;
    }
    sentAt = performance.now();
  }

  return {
    add(topic, keys) {
      const known = changes.get(topic) ?? new Set();
      changes.set(topic, known);
      for (const key of keys) known.add(key);
      schedule();
    },
    announce(kind) {
      announced.add(kind);
      schedule();
    },
    async close() {
      closing = true;
      await sending;
      announced.clear();
      announced.add('left');
      await send();
    },
  };
}

// Payloads of the notifications by which processes report changes to each other. Every role of the
// database may send
// and receive notifications, so that a payload holds hashes in place of names, and one that is malformed
// is ignored.

type ChangePayload =
  /** A process has begun to listen; others answer with `present`. */
  | { readonly kind: 'joined' | 'present' | 'left'; readonly sender: string }
  /** `hashes` null: any value of the topic may have changed. */
  | {
      readonly kind: 'changed';
      readonly sender: string;
      readonly topic: string;
      readonly hashes: readonly string[] | null;
    };

const VERSION = 'dbr1';
const HASH = `[\\w-]{${String(HASH_LENGTH)}}`;
const PRESENCE = new RegExp(`^${VERSION} (${HASH}) (joined|present|left)$`);
const CHANGED = new RegExp(`^${VERSION} (${HASH}) changed ([a-z-]{1,30}) (\\*|${HASH}(?: ${HASH})*)$`);

/** Keeps a payload below PostgreSQL's limit of 8,000 bytes (manual, NOTIFY). */
const HASHES_PER_PAYLOAD = 300;
/** More changes of one topic at once are sent as "any value". */
const MAX_HASHES = 3000;

export const presencePayload = (sender: string, kind: 'joined' | 'present' | 'left'): string =>
  `${VERSION} ${sender} ${kind}`;

/** One payload or several, each within the limit of PostgreSQL. */
export function changedPayloads(sender: string, topic: string, hashes: readonly string[]): readonly string[] {
  const head = `${VERSION} ${sender} changed ${topic}`;
  if (hashes.length > MAX_HASHES) return [`${head} *`];
  const payloads: string[] = [];
  for (let start = 0; start < hashes.length; start += HASHES_PER_PAYLOAD)
    payloads.push(`${head} ${hashes.slice(start, start + HASHES_PER_PAYLOAD).join(' ')}`);
  return payloads;
}

/** Returns null for a text that is not a payload of this version. */
export function readPayload(text: string): ChangePayload | null {
  const [, present, kind] = PRESENCE.exec(text) ?? [];
  if (present !== undefined && (kind === 'joined' || kind === 'present' || kind === 'left'))
    return { kind, sender: present };
  const [, sender, topic, hashes] = CHANGED.exec(text) ?? [];
  if (sender === undefined || topic === undefined || hashes === undefined) return null;
  return { kind: 'changed', sender, topic, hashes: hashes === '*' ? null : hashes.split(' ') };
}
