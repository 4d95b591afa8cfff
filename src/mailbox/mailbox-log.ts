/**
 * A log for each session: every message is written once, in one order for all processes. The store of the mailboxes works
 * on this port; there is one implementation in PostgreSQL and one in NATS JetStream.
 */
import type { PartyChange, PartyIdentity } from '../signing/router-port.js';
import type { OutgoingMessage } from './mailbox-store.js';

/** A message without its payload. */
export interface LoggedMessage extends Omit<OutgoingMessage, 'payload'> {
  readonly fromPartyId: string;
  readonly recipients: readonly string[];
  readonly sentAt: Date;
  readonly payloadSize: number;
  /** Names the payload within the log, which sets it when it writes the entry. */
  readonly payload: PayloadReference;
}

export type PayloadReference = readonly number[];

export type LogEntry =
  | {
      readonly kind: 'messages';
      readonly messages: readonly LoggedMessage[];
      /** Recipients whose subscription had received all earlier messages: the entry also records their delivery. */
      readonly deliveredTo: readonly string[];
    }
  /** A subscription begins after a position, when these positions were acknowledged and delivered. */
  | {
      readonly kind: 'opened';
      readonly partyId: string;
      readonly after: number;
      readonly acked: number;
      readonly delivered: number;
    }
  | { readonly kind: 'delivered'; readonly partyId: string; readonly upTo: number }
  | { readonly kind: 'acked'; readonly partyId: string; readonly upTo: number };

export interface LogSession {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** A session, with the position of the last entry that is known of it. */
export interface LogPosition extends LogSession {
  readonly position: number;
}

export interface ReadEntry {
  /** Higher than the positions of all earlier entries. */
  readonly position: number;
  readonly entry: LogEntry;
  /** Of the messages of the entry, in order; null where they are read when they are delivered. */
  readonly payloads: readonly Buffer[] | null;
}

/** How far a party has received and acknowledged its mailbox. */
export interface ReaderPosition {
  readonly partyId: string;
  readonly acked: number;
  readonly delivered: number;
}

/** The next entries of a session, oldest first, and the positions that are not entries. */
export interface LogPage {
  readonly entries: readonly ReadEntry[];
  readonly positions: readonly ReaderPosition[];
  /** There are no more entries. */
  readonly isLast: boolean;
}

/** An entry with its payloads and deliveries. */
export interface NewEntry {
  readonly entry: LogEntry;
  /** Of the messages of the entry, in order. */
  readonly payloads: readonly Buffer[];
  /** The parties that receive the messages with their acceptance. */
  readonly receivers: readonly PartyIdentity[];
}

export type Appended =
  | {
      readonly kind: 'written';
      readonly position: number;
      /** With the references of its payloads. */
      readonly entry: LogEntry;
      /** The receivers that are no longer the parties that were identified, as far as the log finds it. */
      readonly changed: ReadonlySet<PartyIdentity>;
    }
  /** Another writer has used the position, the session has ended, or its row is locked. */
  | { readonly kind: 'not-written' };

export type Delivered =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'session-ended' }
  | { readonly kind: 'party-changed'; readonly change: PartyChange };

/** Positions of readers beside the entries, so that they are written without the turn of the session. */
interface ReaderPositions {
  /** Records that a party receives its mailbox up to a position, unless the party has changed. */
  deliver(party: PartyIdentity, sessionId: string, upTo: number): Promise<Delivered>;
  /** The position acknowledged; null when the session has ended. */
  ack(party: PartyIdentity, sessionId: string, upTo: number): Promise<number | null>;
}

/** Every function may throw the errors of its storage. */
export interface MailboxLog {
  /** Null: the positions of readers are entries, and the log does not know the parties. */
  readonly readers: ReaderPositions | null;
  /** Has changes of a session by other processes reported. @returns a function that ends it */
  follow(sessionId: string): () => void;
  /** Reports a change of a session to the other processes, unless they see it by themselves. */
  publish(sessionId: string): void;
  /** Prepares a session that is new to this process, and returns its first entries. */
  begin(session: LogPosition): Promise<LogPage>;
  /** The entries after a position of each session. */
  read(sessions: readonly LogPosition[]): Promise<readonly LogPage[]>;
  /** The entry at a position; null if it was removed. */
  entry(session: LogPosition): Promise<LogEntry | null>;
  /** Null for a payload that was removed. */
  payloads(session: LogSession, references: readonly PayloadReference[]): Promise<readonly (Buffer | null)[]>;
  /** Writes an entry right after a position. @param waits for the row of a session that is locked */
  append(after: LogPosition, added: NewEntry, waits: boolean): Promise<Appended>;
  /** Removes everything of a session, where its end does not. */
  purge(sessionId: string): Promise<void>;
  /** The sessions that may have to be purged. */
  sessions(): Promise<readonly string[]>;
  /** Identifies the place of the logs, as `MailboxStore.place`. */
  place(): Promise<string>;
  close(): Promise<void>;
}

/** Makes a log. @param changed reads the sessions that other processes have changed */
export type OpenMailboxLog = (changed: (sessionIds: readonly string[]) => Promise<void>) => MailboxLog;

/** The entry, with the references of the payloads of its messages. */
export const withReferences = (entry: LogEntry, reference: (place: number) => PayloadReference): LogEntry =>
  entry.kind === 'messages'
    ? {
        ...entry,
        messages: entry.messages.map((message, place) => ({ ...message, payload: reference(place) })),
      }
    : entry;

// Entries as JSON text.

interface MessageJson extends Omit<LoggedMessage, 'signature' | 'contentSha256' | 'sentAt'> {
  /** Base64. */
  readonly signature: string;
  readonly contentSha256: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
}

type EntryJson =
  | {
      readonly kind: 'messages';
      readonly messages: readonly MessageJson[];
      readonly deliveredTo: readonly string[];
    }
  | Exclude<LogEntry, { kind: 'messages' }>;

export function entryToJson(entry: LogEntry): string {
  const json: EntryJson =
    entry.kind === 'messages' ? { ...entry, messages: entry.messages.map(messageJson) } : entry;
  return JSON.stringify(json);
}

/** Parses the output of `entryToJson`; other text is not expected. */
export function entryFromJson(text: string): LogEntry {
  const json = JSON.parse(text) as EntryJson;
  return json.kind === 'messages' ? { ...json, messages: json.messages.map(messageOf) } : json;
}

const messageJson = (message: LoggedMessage): MessageJson => ({
  ...message,
  signature: message.signature.toString('base64'),
  contentSha256: message.contentSha256.toString('base64'),
  sentAt: message.sentAt.getTime(),
});

const messageOf = (json: MessageJson): LoggedMessage => ({
  ...json,
  signature: Buffer.from(json.signature, 'base64'),
  contentSha256: Buffer.from(json.contentSha256, 'base64'),
  sentAt: new Date(json.sentAt),
});
