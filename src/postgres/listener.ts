/** LISTEN on a connection of its own, and NOTIFY that many writers share. */
import { connectFailed } from './connect-error.js';
import { serverAddress, type Database } from './database.js';
import { ignoreLateErrors } from './late-errors.js';
import { quoteIdentifier, quoteLiteral } from './quote.js';

export interface ListenerOptions {
  readonly channels: readonly string[];
  readonly onNotification: (channel: string, payload: string) => void;
  /** Listening (again): what was sent meanwhile is lost, so whoever listens looks for itself. */
  readonly onListening: () => void;
  readonly onLost?: (message: string, retryInSeconds: number) => void;
}

export interface Listener {
  readonly isListening: boolean;
  close(): Promise<void>;
}

const MAX_BACKOFF_SECONDS = 32;

/** Listens for as long as the process lives; reconnects after 1, 2, 4 … 32 seconds. */
export function listen(database: Database, options: ListenerOptions): Listener {
  let isListening = false;
  let closed = false;
  let backoffSeconds = 1;
  let timer: NodeJS.Timeout | null = null;
  let release: (() => Promise<void>) | null = null;

  async function connect(): Promise<void> {
    try {
      const connection = await database.connect({
        direct: true,
        onLost: () => lost('the connection was lost'),
      });
      ignoreLateErrors(connection.client);
      release = async () => void (await connection.done(true));
      connection.client.on(
        'notification',
        ({ channel, payload }: { readonly channel: string; readonly payload?: string }) =>
          options.onNotification(channel, payload ?? ''),
      );
      for (const channel of options.channels) await connection.none(`listen ${quoteIdentifier(channel)}`);
      if (closed) return await close();
      isListening = true;
      backoffSeconds = 1;
      options.onListening();
    } catch (error) {
      lost(connectFailed(error, serverAddress(database)).message);
    }
  }

  function lost(message: string): void {
    isListening = false;
    release = null;
    if (closed || timer !== null) return;
    options.onLost?.(message, backoffSeconds);
    timer = setTimeout(() => {
      timer = null;
      void connect();
    }, backoffSeconds * 1000);
    backoffSeconds = Math.min(backoffSeconds * 2, MAX_BACKOFF_SECONDS);
  }

  async function close(): Promise<void> {
    closed = true;
    isListening = false;
    if (timer !== null) clearTimeout(timer);
    await release?.();
  }

  void connect();
  return {
    get isListening() {
      return isListening;
    },
    close,
  };
}

export interface Notifier {
  /** Sends a notification soon; many calls become one. */
  notify(): void;
  close(): Promise<void>;
}

/**
 * Wakes listeners of `channel` with an empty payload, at most once an interval. Never part of a writer's transaction:
 * a commit that notifies takes a lock that all such commits share.
 * @param intervalMs in milliseconds
 * @param onFailed told when a wake-up could not be sent; listeners poll, so it only costs them time
 */
export function createNotifier(
  database: Database,
  channel: string,
  intervalMs: number,
  onFailed: (message: string) => void,
): Notifier {
  const text = `notify ${quoteIdentifier(channel)}, ${quoteLiteral('')}`;
  let due: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();

  async function send(): Promise<void> {
    try {
      await database.none(text);
    } catch (error) {
      onFailed(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    notify() {
      due ??= setTimeout(() => {
        due = null;
        sending = sending.then(send);
      }, intervalMs);
    },
    async close() {
      if (due !== null) clearTimeout(due);
      await sending;
    },
  };
}
