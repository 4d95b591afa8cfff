/** The words of area A: who asks, what for, and what notifications are made of. */
import type { TenantId, UserId } from '../identifiers.js';
import type { DatabaseTask } from '../postgres/database.js';

/** One user of one tenant: the scope of everything that a caller sees and does (contract, area A, scope keys). */
export interface Reader {
  readonly tenantId: TenantId;
  readonly userId: UserId;
}

export type Severity = 'info' | 'success' | 'warning' | 'critical';

/** JSON that is handed on as text, so that numbers and order stay as they came. */
export type JsonObjectText = string;

/** What to tell, and whom. */
export interface NotificationDraft {
  readonly tenantId: TenantId;
  /** null: every user of the tenant. */
  readonly userIds: readonly UserId[] | null;
  /** Words of lower case, digits and underscores, joined by dots. */
  readonly type: string;
  readonly title: string;
  readonly category: string;
  readonly severity: Severity;
  readonly body: string | null;
  readonly data: JsonObjectText;
  readonly actor: JsonObjectText | null;
  readonly actionUrl: string | null;
  readonly groupKey: string | null;
  /** Of notifications with the same key a reader gets the first. */
  readonly dedupeKey: string | null;
  /** RFC 3339. */
  readonly expiresAt: string | null;
}

/** What became of a draft: the three add up to the readers named, or to one for a tenant. */
export interface ProducedCounts {
  readonly created: number;
  readonly duplicates: number;
  /** Readers who switched the category off. */
  readonly suppressed: number;
}

/** How other areas notify: in the caller's own transaction, so that nobody is told of what did not happen. */
export interface NotificationPort {
  /**
   * Writes the notification as part of the transaction.
   * @throws the database's error, which ends the caller's transaction as well
   */
  publish(transaction: DatabaseTask, draft: NotificationDraft): Promise<ProducedCounts>;
  /** To be called after that transaction was committed: live streams look at once rather than at their next poll. */
  wake(): void;
}

/** A page of the list, after its parameters were checked. */
export interface ListQuery {
  /** 1 to 100. */
  readonly limit: number;
  readonly offset: number;
  /** The sequence number that the page lies below; null for a page by offset. */
  readonly below: string | null;
  readonly status: 'unread' | 'read' | 'all';
  readonly archived: 'exclude' | 'only' | 'include';
  readonly category: string | null;
  readonly type: string | null;
}

export type Mark = 'read' | 'unread' | 'seen' | 'archived';

/** What a mark applies to: one notification, or all that were created before a time. */
export type Selection =
  { readonly notificationId: string } | { readonly notificationId: null; readonly before: string | null };

/** A place in the order of stream events; `id:` of an event, and the resume cursor. */
export interface StreamPosition {
  /** Transaction id, decimal. */
  readonly xid: string;
  readonly eventId: string;
}

/** A stream ticket in use. */
export interface OpenTicket {
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
  /** Counts the openings of the ticket from 1. */
  readonly opening: number;
}
