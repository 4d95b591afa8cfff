/** A log for each session: every change of its mailboxes is written once, in one order for all processes. */
import type { LogEntry, PayloadReference } from './log-entry.js';

export interface PositionedEntry {
  /** Higher than the positions of all earlier entries. */
  readonly position: number;
  readonly entry: LogEntry;
}

/** Every function may throw MailboxesAway, and those that write MailboxesFull. */
export interface MailboxLog {
  /** Stores a payload before the entry that refers to it. A payload without an entry is removed in time. */
  keep(sessionId: string, payload: Buffer): Promise<PayloadReference>;
  /** Null if the payload was removed. */
  payload(reference: PayloadReference): Promise<Buffer | null>;
  /** The entries after a position, oldest first. */
  read(sessionId: string, after: number): Promise<readonly PositionedEntry[]>;
  /** The entry at a position; null if it was removed. */
  entry(sessionId: string, position: number): Promise<LogEntry | null>;
  /** Writes an entry right after the one at `after`. @returns its position; null if another writer has used it */
  append(sessionId: string, after: number, entry: LogEntry): Promise<number | null>;
  /** Removes everything of a session. */
  purge(sessionId: string): Promise<void>;
  /** Returns the identifiers of sessions that have entries or payloads. */
  sessions(): Promise<readonly string[]>;
  /** Identifies the place of the logs, as `MailboxStore.place`. */
  place(): Promise<string>;
  close(): Promise<void>;
}

/** Makes a log that calls `written` with sessions in whose logs others may have written; null for any session. */
export type OpenMailboxLog = (written: (sessionId: string | null) => void) => MailboxLog;
