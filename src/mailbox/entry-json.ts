/** Entries of a mailbox log as JSON text, for logs that keep bytes. */
import type { LogEntry, LoggedMessage } from './log-entry.js';

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
  messageId: message.messageId,
  fromPartyId: message.fromPartyId,
  toPartyIds: message.toPartyIds,
  recipients: message.recipients,
  round: message.round,
  senderSequence: message.senderSequence,
  payloadSize: message.payloadSize,
  payload: message.payload,
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
