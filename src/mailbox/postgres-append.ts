/** Entries that are written to logs in PostgreSQL: the entries of many calls in one statement. */
import type { Parameter, Row } from '../postgres/batch.js';
import type { PartyIdentity } from '../signing/router-port.js';
import { entryToJson } from './entry-json.js';
import type { LogEntry } from './log-entry.js';
import { bytesArray, lastText, plainArray } from './postgres-values.js';

/** An entry with its payloads and deliveries. */
export interface NewEntry {
  readonly entry: LogEntry;
  /** Of the messages of the entry, in order. */
  readonly payloads: readonly Buffer[];
  /** The parties that receive the messages with their acceptance. */
  readonly receivers: readonly PartyIdentity[];
}

export interface Append extends NewEntry {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly position: number;
}

export type Appended =
  /** @param changed the receivers that are no longer the parties that were identified */
  | { readonly kind: 'written'; readonly changed: ReadonlySet<PartyIdentity> }
  /** The position is taken, the session has ended, or its row is locked. */
  | { readonly kind: 'not-written' };

/** Bytes that an entry takes in a statement, without what is small. */
export const appendBytes = ({ payloads }: NewEntry): number =>
  payloads.reduce((total, { length }) => total + base64Length(length), ENTRY_BYTES);

const ENTRY_BYTES = 1024;
const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Parameters of `APPEND`. @param appends of one tenant, each of another session */
export function appendParameters(appends: readonly Append[]): readonly Parameter[] {
  const receivers = receiversOf(appends);
  return [
    plainArray(appends.map(({ sessionId }) => sessionId)),
    plainArray(appends.map(({ position }) => String(position))),
    // JSON text contains no line feed, base64 neither that nor a comma or a hyphen.
    appends.map(({ entry }) => entryToJson(entry)).join('\n'),
    appends.map(({ payloads }) => payloadsText(payloads)).join('\n'),
    plainArray(receivers.map(({ partyId }) => partyId)),
    bytesArray(receivers.map(({ identityPublicKey }) => identityPublicKey)),
    bytesArray(receivers.map(({ certificateSha256 }) => certificateSha256)),
  ];
}

/** The outcome of each append, from the rows of their statement. */
export function appendedOf(appends: readonly Append[], rows: readonly Row[]): readonly Appended[] {
  const written = new Set(rows.map(({ columns: [sessionId] }) => sessionId));
  // Every row has the places of all receivers that have changed.
  const [first] = rows;
  const changed = first === undefined ? NONE : changedOf(appends, lastText(first));
  return appends.map(({ sessionId }) =>
    written.has(sessionId) ? { kind: 'written', changed } : NOT_WRITTEN,
  );
}

const NOT_WRITTEN: Appended = { kind: 'not-written' };
const NONE: ReadonlySet<PartyIdentity> = new Set();

/** @param places numbers from 1, separated by commas; null for none */
function changedOf(appends: readonly Append[], places: string | null): ReadonlySet<PartyIdentity> {
  if (places === null) return NONE;
  const receivers = receiversOf(appends);
  return new Set(places.split(',').flatMap((place) => receivers[Number(place) - 1] ?? []));
}

/** Each once: the sessions of a tenant have the same parties. */
const receiversOf = (appends: readonly Append[]): readonly PartyIdentity[] => [
  ...new Set(appends.flatMap(({ receivers }) => receivers)),
];

const payloadsText = (payloads: readonly Buffer[]): string =>
  payloads.length === 0 ? '-' : payloads.map((payload) => payload.toString('base64')).join(',');
