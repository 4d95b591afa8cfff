/**
 * Payloads of the notifications by which processes report changes to each other. Every role of the database may send and
 * receive notifications, so that a payload holds hashes in place of names, and one that is malformed is ignored.
 */
import { HASH_LENGTH } from './watch-sets.js';

export type ChangePayload =
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
