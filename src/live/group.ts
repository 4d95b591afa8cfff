/**
 * A group: all streams whose request has the same answer. It asks its request again after changes, compares the answer with
 * the last one, and keeps the differences for streams that read them at their own speed. No stream has a queue: one that is
 * slower than the kept differences gets the latest answer.
 */
import { randomBytes } from 'node:crypto';
import { runInSlices } from '../base/turns.js';
import { EVENT, type EndReason } from './events.js';
import { eventText } from '../operations/responses.js';
import { changeOfRows, changeText, isNoChange, type KeyedRows, readRows } from './rows.js';
import { isSeen, type SeenTransactions } from './visibility.js';

/** The answer to a request, and the transactions that it contains at least. */
export interface GroupAnswer {
  readonly body: Buffer;
  /** The number of all rows; null if it is not counted. */
  readonly total: bigint | null;
  readonly seen: SeenTransactions;
}

export interface GroupOptions {
  /** The beginning of the ids of its events. */
  readonly mark: string;
  /** Asks the request. @throws errors that end the group, or delay it (`retries`) */
  readonly read: () => Promise<GroupAnswer>;
  /** Whether the database may answer again after this error, so that the group asks once more. */
  readonly retries: (error: unknown) => boolean;
  /** What the client gets of an error that ends the group. */
  readonly endOf: (error: unknown) => GroupEnd;
  /** The members of a row that are its key; null for whole bodies. */
  readonly keyNames: readonly string[] | null;
  /** Shortest time from one read to the next one, in milliseconds. */
  readonly pauseMs: number;
  /** The group asks again after this time, in milliseconds, without a change; null if the log shows all changes. */
  readonly intervalMs: number | null;
  /** Longest body, in bytes. */
  readonly maxBytes: number;
  /** Transactions of the log that a snapshot may not see yet. */
  readonly unseen: () => readonly number[];
  /** Called when a read has ended, with the rows of the last answer; with null for whole bodies. */
  readonly onTaken: (rows: KeyedRows | null) => void;
  /** Called with each answer that differs from the last one; with null for whole bodies. */
  readonly onAnswer: (rows: KeyedRows | null) => void;
}

/** Why a group ended: the data of the event `end`. */
export interface GroupEnd {
  readonly reason: EndReason;
  /** The error as the data API writes it; null for none. */
  readonly error: string | null;
}

export interface Group {
  /** Resolves with the first answer. Rejects with the error of the first read. */
  readonly opened: Promise<void>;
  /** The last version; 0 before the first answer. */
  readonly version: number;
  readonly ended: GroupEnd | null;
  /** Bytes that the group keeps. */
  readonly bytes: number;
  /** Asks again. @param xid transactions that the answer must contain */
  wake(xids: readonly number[]): void;
  /** Text of the events after a version, and the version that they lead to; the last answer if that version is not known. */
  since(version: number | null): { readonly text: string; readonly version: number };
  /** The version of an event of this group; null for an id of another one. */
  versionOf(id: string): number | null;
  /** Calls a function after each change and after the end. @returns a function that stops it */
  watch(notify: () => void): () => void;
  end(end: GroupEnd): void;
}

/** Bytes of differences that a group keeps for streams that are behind, and for those that connect again. */
const HISTORY_BYTES = 65_536;
/** Most transactions that a group awaits one by one; beyond it, all that a snapshot may not see. */
const MOST_AWAITED = 64;
/** What the keys of a row take beside its text, in bytes. */
const ROW_BYTES = 500;
/** Pauses before a read is repeated, in milliseconds: for a commit that is not visible yet, and after a failure. */
const UNSEEN_PAUSES = { first: 1, longest: 100 };
const FAILURE_PAUSES = { first: 100, longest: 5000 };

interface State {
  readonly options: GroupOptions;
  /** Settles `opened`: with null it resolves. */
  readonly open: (failure: unknown) => void;
  readonly epoch: string;
  readonly watchers: Set<() => void>;
  version: number;
  body: Buffer;
  rows: KeyedRows | null;
  total: bigint | null;
  /** Text of the event `snapshot`, made when a stream needs it. */
  snapshot: string | null;
  history: HistoryEntry[];
  historyBytes: number;
  /** Transactions that the next answer must contain. */
  awaited: Set<number>;
  /** Whether the next answer must contain all transactions that a snapshot may not see. */
  awaitsAll: boolean;
  isDue: boolean;
  isReading: boolean;
  readAt: number;
  /** The pause before the next read in place of `pauseMs`, where the last one failed or came too early; otherwise null. */
  pause: number | null;
  timer: NodeJS.Timeout | null;
  ended: GroupEnd | null;
}

interface HistoryEntry {
  readonly version: number;
  readonly text: string;
}

/** Opens a group and asks for its first answer. */
export function openGroup(options: GroupOptions): Group {
  let open: (failure: unknown) => void = () => undefined;
  const opened = new Promise<void>((resolve, reject) => {
    open = (failure) => (failure === null ? resolve() : reject(asError(failure)));
  });
  // A group without a stream: nothing waits for its answer.
  opened.catch(() => undefined);
  const state: State = {
    options,
    open,
    epoch: `${options.mark}${randomBytes(9).toString('base64url')}`,
    watchers: new Set(),
    version: 0,
    body: Buffer.alloc(0),
    rows: null,
    total: null,
    snapshot: null,
    history: [],
    historyBytes: 0,
    awaited: new Set(),
    awaitsAll: false,
    isDue: true,
    isReading: false,
    readAt: -Infinity,
    pause: null,
    timer: null,
    ended: null,
  };
  awaitTransactions(state, options.unseen());
  schedule(state);
  return {
    opened,
    get version() {
      return state.version;
    },
    get ended() {
      return state.ended;
    },
    get bytes() {
      // The rows, and the text of the snapshot, are further copies of the body.
      const rows = (state.rows?.keys.length ?? 0) * ROW_BYTES;
      return rows + state.historyBytes + state.body.length * (state.snapshot === null ? 2 : 3);
    },
    wake(xids) {
      awaitTransactions(state, xids);
      if (state.isDue && (state.isReading || state.timer !== null)) return;
      state.isDue = true;
      schedule(state);
    },
    since: (version) => since(state, version),
    versionOf: (id) => versionOf(state, id),
    watch(notify) {
      state.watchers.add(notify);
      return () => void state.watchers.delete(notify);
    },
    end: (end) => endGroup(state, end),
  };
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function awaitTransactions(state: State, xids: readonly number[]): void {
  for (const xid of xids) state.awaited.add(xid);
  if (state.awaited.size <= MOST_AWAITED) return;
  state.awaited.clear();
  state.awaitsAll = true;
}

/** Sets the time of the next read. */
function schedule(state: State): void {
  const { options, ended, isReading, isDue, readAt, pause } = state;
  if (state.timer !== null) clearTimeout(state.timer);
  state.timer = null;
  if (ended !== null || isReading) return;
  const wait = isDue ? (pause ?? options.pauseMs) : options.intervalMs;
  if (wait === null) return;
  const left = readAt + wait - performance.now();
  if (left <= 0) void readAgain(state);
  else state.timer = setTimeout(() => void readAgain(state), left);
}

async function readAgain(state: State): Promise<void> {
  const { options, awaited } = state;
  const expected = [...awaited];
  state.isReading = true;
  state.isDue = false;
  state.readAt = performance.now();
  try {
    const answer = await options.read();
    const seen = expected.filter((xid) => isSeen(xid, answer.seen));
    for (const xid of seen) awaited.delete(xid);
    if (options.unseen().length === 0) state.awaitsAll = false;
    const isBehind = seen.length < expected.length || state.awaitsAll;
    state.pause = isBehind ? nextPause(state.pause, UNSEEN_PAUSES) : null;
    if (isBehind) state.isDue = true;
    await take(state, answer);
  } catch (error) {
    if (state.version === 0 || !options.retries(error)) {
      state.open(error);
      endGroup(state, options.endOf(error));
    }
    state.isDue = true;
    state.pause = Math.max(options.pauseMs, nextPause(state.pause, FAILURE_PAUSES));
  }
  state.isReading = false;
  options.onTaken(state.rows);
  schedule(state);
}

const nextPause = (pause: number | null, { first, longest }: typeof UNSEEN_PAUSES): number =>
  Math.min(longest, Math.max(first, 2 * (pause ?? 0)));

/** Compares an answer with the last one. */
async function take(state: State, { body, total }: GroupAnswer): Promise<void> {
  const { options, ended, version } = state;
  if (ended !== null) return;
  if (body.length > options.maxBytes) return endGroup(state, { reason: 'too large', error: null });
  const isFirst = version === 0;
  const newTotal = total === state.total ? null : total;
  if (!isFirst && newTotal === null && body.equals(state.body)) return;
  const { keyNames } = options;
  const rows = keyNames === null ? null : await runInSlices(readRows(body, keyNames));
  const change = rows === null || state.rows === null ? null : changeOfRows(state.rows, rows);
  Object.assign(state, { body, rows, total, snapshot: null });
  options.onAnswer(rows);
  if (change !== null && isNoChange(change) && newTotal === null) return;
  state.version = version + 1;
  keep(state, change === null ? null : changeText(keyNames, change, newTotal));
  if (isFirst) state.open(null);
  for (const notify of state.watchers) notify();
}

/** Keeps a difference; null, where there is none, for a version that is sent as a whole. */
function keep(state: State, data: string | null): void {
  if (data === null) {
    state.history = [];
    state.historyBytes = 0;
    return;
  }
  const entry = { version: state.version, text: eventText(idOf(state), EVENT.change, data) };
  state.history.push(entry);
  state.historyBytes += entry.text.length;
  while (state.historyBytes > HISTORY_BYTES) state.historyBytes -= state.history.shift()?.text.length ?? 0;
}

const idOf = ({ epoch, version }: State): string => `${epoch}.${String(version)}`;

function versionOf(state: State, id: string): number | null {
  const [, version] = id.startsWith(`${state.epoch}.`) ? id.split('.') : [];
  return version !== undefined && /^\d{1,15}$/.test(version) ? Number(version) : null;
}

function since(state: State, from: number | null): { readonly text: string; readonly version: number } {
  const { version, history } = state;
  if (from === version) return { text: '', version };
  const oldest = version - history.length;
  if (from !== null && from >= oldest && from < version) {
    const later = history.slice(from - oldest);
    return { text: later.map(({ text }) => text).join(''), version };
  }
  return { text: (state.snapshot ??= snapshotText(state)), version };
}

function snapshotText(state: State): string {
  const id = idOf(state);
  const text = eventText(id, EVENT.snapshot, state.body.toString());
  return state.total === null
    ? text
    : text + eventText(id, EVENT.change, changeText(null, null, state.total));
}

function endGroup(state: State, end: GroupEnd): void {
  if (state.ended !== null) return;
  state.ended = end;
  if (state.timer !== null) clearTimeout(state.timer);
  state.timer = null;
  for (const notify of state.watchers) notify();
}
