/** A request as a plan: what is sent, what the answer must be, and what it leaves in the database. */
import { tokenOf, type Claims } from './database.js';
import type { Answer, Wire } from './http-client.js';
import type { Random } from './random.js';

/** The effect of a write, which the auditor finds in the database. */
export type Effect =
  | { readonly kind: 'marks'; readonly marks: readonly string[] }
  | { readonly kind: 'order'; readonly mark: string; readonly lines: number }
  | { readonly kind: 'count'; readonly by: number }
  /** To these users, or to all of the tenant. */
  | { readonly kind: 'notify'; readonly title: string; readonly readers: readonly string[] | null }
  /** Marks these notifications as read, or all. */
  | { readonly kind: 'mark'; readonly titles: readonly string[] | null };

export interface PlannedRequest {
  readonly wire: Wire;
  /** Returns what is wrong with a whole answer of the expected status; null if nothing is. */
  readonly check: (answer: Answer) => string | null;
  readonly statuses: readonly number[];
  readonly effect?: Effect;
  /** It may be repeated with its key: the repetition has the same answer, or only the same effect. */
  readonly isKeyed?: 'answer' | 'effect';
  /** What the client does with the answer. */
  readonly next?: (answer: Answer) => PlannedRequest | null;
}

export interface Context {
  readonly random: Random;
  readonly claims: Claims;
  /** Other users of the tenant. */
  readonly peers: readonly string[];
  /** Unique in the schedule. */
  readonly mark: string;
  /** Each client uses the same keys. */
  readonly key: string;
}

export type Plan = (context: Context) => PlannedRequest;

export const bearer = ({ claims }: Pick<Context, 'claims'>): Record<string, string> => ({
  Authorization: `Bearer ${tokenOf(claims)}`,
});

export const json = (
  context: Context,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  ...bearer(context),
  'Content-Type': 'application/json',
  ...more,
});
