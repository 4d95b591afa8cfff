/** An inbox without its page: the live stream, the list of a view, and the changes of its user. */
import type { Notification, NotificationChannel, NotificationPreferences, QuietHours } from 'dbr-client';
import { subscribe, type InboxEvent, type InboxState as Connection } from '../../client/src/inbox.js';
import { createApi, type Change, type Token } from './api.js';
import { afterEvent, emptyState, needsList, placeOf, withPage, type InboxState, type View } from './state.js';

export interface InboxOptions {
  /** The address of the service. */
  readonly url: string;
  readonly token: Token;
  readonly fetch: typeof fetch;
  readonly view: View;
  /** Called after each change of what `Inbox` has. */
  readonly onChange: () => void;
  /** Called for a notification that was created in the inbox while it is open: not in quiet hours. */
  readonly onCreated: (notification: Notification) => void;
}

export interface Inbox {
  readonly state: InboxState;
  readonly connection: Connection | 'refused';
  /** The status with which the service has refused the stream or the list; null while it refuses neither. */
  readonly refusal: number | null;
  /** Whether a list is being read, or could not be read. */
  readonly list: 'loading' | 'ready' | 'failed';
  readonly preferences: NotificationPreferences | null;
  /** Null until they are read. */
  readonly quietHours: readonly QuietHours[] | null;
  /** The time of the service, in milliseconds since the epoch. */
  now(): number;
  show(view: View): void;
  more(): Promise<void>;
  /** Reads the list again, for example after it has failed. */
  reload(): Promise<void>;
  /** @param ids null changes all @throws RequestFailure */
  change(change: Change, ids: readonly string[] | null): Promise<void>;
  snooze(ids: readonly string[], until: Date): Promise<void>;
  readPreferences(): Promise<void>;
  savePreferences(preferences: NotificationPreferences): Promise<void>;
  saveQuietHours(channel: NotificationChannel, hours: Omit<QuietHours, 'channel'>): Promise<void>;
  removeQuietHours(channel: NotificationChannel): Promise<void>;
  close(): void;
}

const PAGE = 20;
/** A list that could not be read is read again after a pause that doubles. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** As many items are read again after a reset, at most. */
const MOST_READ_AGAIN = 200;

export function openInbox(options: InboxOptions): Inbox {
  const { url, token, onChange, onCreated } = options;
  const closed = new AbortController();
  const api = createApi(url, token, options.fetch, closed.signal);
  const inbox = {
    state: emptyState(options.view),
    connection: 'connecting' as Connection | 'refused',
    list: 'loading' as Inbox['list'],
    preferences: null as NotificationPreferences | null,
    quietHours: null as readonly QuietHours[] | null,
    refusal: null as number | null,
  };
  const set = (changed: Partial<typeof inbox>): void => {
    if (closed.signal.aborted) return;
    Object.assign(inbox, changed);
    onChange();
  };
  /** Events since the reading of a list began; null while none is read. */
  let waiting: InboxEvent[] | null = null;
  /** Events since the reading of a further page began; null while none is read. */
  let paging: InboxEvent[] | null = null;
  /** Readings that have failed since the last one that did not. */
  let failures = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  /** Numbers the readings, so that the last one counts. */
  let reading = 0;

  /** Reads as many items of the view as there were, and applies what happened meanwhile. */
  async function reload(): Promise<void> {
    const mine = ++reading;
    const { view, items } = inbox.state;
    waiting = [];
    set({ list: 'loading' });
    try {
      let state = emptyState(view);
      do state = withPage(state, await api.list(view, state.cursor, PAGE));
      while (state.cursor !== null && state.items.length < Math.min(items.length, MOST_READ_AGAIN));
      if (mine !== reading) return;
      const events: readonly InboxEvent[] = waiting;
      waiting = null;
      set({
        state: events.reduce(afterEvent, { ...state, unread: inbox.state.unread }),
        ...{ list: 'ready', refusal: null },
      });
      // What refused the stream does not refuse requests any longer.
      if (inbox.connection === 'refused') start();
      if (events.some((event) => needsList(inbox.state, event))) await reload();
      failures = 0;
    } catch (error) {
      if (mine !== reading) return;
      set({ list: 'failed', refusal: refusalOf(error) });
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures++, LONGEST_PAUSE_MS);
      clearTimeout(again);
      again = setTimeout(() => {
        if (mine === reading && !closed.signal.aborted) void reload();
      }, pause);
    }
  }

  function receive(event: InboxEvent): void {
    // A notification of quiet hours begins snoozed. One that another device has archived by now is not announced either.
    if (event.event === 'notification.created' && placeOf(event.data) === 'inbox') onCreated(event.data);
    if (event.event === 'preferences.changed') set({ preferences: event.data });
    waiting?.push(event);
    paging?.push(event);
    // While a list is read, the count alone is known to be newer than what is shown.
    if (waiting === null || event.event === 'unread-count') set({ state: afterEvent(inbox.state, event) });
    if (waiting === null && needsList(inbox.state, event)) void reload();
  }

  async function follow(): Promise<void> {
    /** Whether an event has named the position from which a lost stream continues. */
    let positioned = false;
    const events = subscribe(url, {
      token,
      fetch: options.fetch,
      signal: closed.signal,
      onState: (connection) => {
        set({ connection });
        // The list is read once the stream is open, so that nothing happens between the two unseen. A stream that is lost
        // before its first event has no position: the next one does not have the events between the two.
        if (connection === 'open' && !positioned) void reload();
      },
    });
    for await (const event of events) {
      positioned = true;
      receive(event);
    }
  }
  const start = (): void =>
    void follow().catch((error: unknown) =>
      set({ connection: 'refused', list: 'failed', refusal: refusalOf(error) }),
    );
  const readQuietHours = async (): Promise<void> => set({ quietHours: await api.quietHours() });
  start();

  return {
    get state() {
      return inbox.state;
    },
    get connection() {
      return inbox.connection;
    },
    get list() {
      return inbox.list;
    },
    get refusal() {
      return inbox.refusal;
    },
    get quietHours() {
      return inbox.quietHours;
    },
    get preferences() {
      return inbox.preferences;
    },
    now: () => api.now(),
    show: (view) => {
      set({ state: emptyState(view, inbox.state.unread) });
      void reload();
    },
    more: async () => {
      const { view, cursor } = inbox.state;
      if (cursor === null || waiting !== null || paging !== null) return;
      const mine = reading;
      paging = [];
      try {
        const page = await api.list(view, cursor, PAGE);
        // The page may be older than events that have come meanwhile, which change nothing where it is not.
        if (mine === reading) set({ state: paging.reduce(afterEvent, withPage(inbox.state, page)) });
      } finally {
        paging = null;
      }
    },
    reload,
    change: (change, ids) => api.change(change, ids),
    snooze: (ids, until) => api.snooze(ids, until),
    readPreferences: async () => {
      set({ preferences: await api.preferences() });
      await readQuietHours();
    },
    savePreferences: async (preferences) => set({ preferences: await api.savePreferences(preferences) }),
    saveQuietHours: async (channel, hours) => {
      await api.saveQuietHours(channel, hours);
      await readQuietHours();
    },
    removeQuietHours: async (channel) => {
      await api.removeQuietHours(channel);
      await readQuietHours();
    },
    close: () => {
      closed.abort();
      clearTimeout(again);
    },
  };
}

/** The status of a refusal; null for what never reached the service. */
const refusalOf = (error: unknown): number | null =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : null;
