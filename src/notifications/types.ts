/** The words of area A. */
import type { Principal } from '../contract/principal.js';
import type { TenantId, UserId } from '../base/identifiers.js';
import type { DatabaseTask } from '../postgres/transaction.js';

/** One user of one tenant: the scope of everything that a principal sees and does (contract, area A, scope keys). */
export type Reader = Pick<Principal, 'tenantId' | 'userId'>;

export type Severity = 'info' | 'success' | 'warning' | 'critical';

/** JSON that stays text, so that numbers and the order of members do not change. */
type JsonObjectText = string;

/** A notification to create, with its readers. */
export interface NotificationDraft {
  readonly tenantId: TenantId;
  /** null for the followers of the topic, or every user of the tenant. */
  readonly userIds: readonly UserId[] | null;
  /** Absent for users and for the tenant. */
  readonly topic?: string;
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
  /** A reader receives the first of several notifications with the same key. */
  readonly dedupeKey: string | null;
  /** RFC 3339. */
  readonly expiresAt: string | null;
}

/** The result of a draft. The three numbers add up to the number of named readers, or to one for a tenant or a topic. */
export interface ProducedCounts {
  readonly created: number;
  readonly duplicates: number;
  /** Readers who switched the category off. */
  readonly suppressed: number;
}

/** When a notification is sent, and the key that cancels it before. */
export interface Schedule {
  /** RFC 3339. */
  readonly sendAt: string;
  readonly cancelKey: string | null;
}

/** The window in which notifications of one user with the same key become one. */
export interface DigestWindow {
  readonly key: string;
  /** 1 to 604,800. */
  readonly windowSeconds: number;
  /** Whether the notification extends an open window. */
  readonly sliding: boolean;
}

/** The result of a draft with a digest. The three numbers add up to the number of named readers. */
export interface Collected extends Omit<ProducedCounts, 'created'> {
  /** Readers whose digest has the notification. */
  readonly collected: number;
}

export interface Produced extends ProducedCounts {
  /** Identifies what was created for the producer; null if nothing was. */
  readonly messageId: string | null;
}

/** The members of a message that change; null removes. */
export type MessageChange = Partial<
  Pick<NotificationDraft, 'title' | 'body' | 'severity' | 'data' | 'actor' | 'actionUrl' | 'expiresAt'>
>;

/** Identifies the notifications that one request of a producer created. */
export interface MessageName {
  readonly tenantId: TenantId;
  /** A UUID. */
  readonly messageId: string;
}

/** The port for other areas. It writes in the caller's transaction, so that a notification exists only if the transaction commits. */
export interface NotificationPort {
  /**
   * Writes the notification as part of the transaction.
   * @throws the error of the database, which aborts the caller's transaction
   */
  publish(transaction: DatabaseTask, draft: NotificationDraft): Promise<ProducedCounts>;
  /** Called after that transaction commits: live streams read at once instead of at their next poll. */
  wake(): void;
}

/** Selects among the notifications of a list or a count. */
export interface Filters {
  /** One of these; all if there is none. */
  readonly categories: readonly string[];
  /** One of these; all if there is none. */
  readonly types: readonly string[];
  readonly severity: Severity | null;
  /** What member `data` contains. */
  readonly data: JsonObjectText | null;
}

/** The checked parameters of a page of the list. */
export interface ListQuery extends Filters {
  /** 1 to 100. */
  readonly limit: number;
  readonly offset: number;
  /** The page begins below this sequence number; null for a page by offset. */
  readonly below: string | null;
  readonly status: 'unread' | 'read' | 'all';
  readonly archived: 'exclude' | 'only' | 'include';
  readonly snoozed: 'exclude' | 'only' | 'include';
}

/** Marks that all notifications can get at once. */
export type MarkOfAll = 'read' | 'unread' | 'seen' | 'archived' | 'unarchived';

export type Mark = MarkOfAll | 'interacted' | 'snoozed' | 'unsnoozed' | 'deleted';

/** A mark with its time, which only snoozing has. */
export type MarkChange =
  | { readonly mark: 'snoozed'; readonly until: string }
  | { readonly mark: Exclude<Mark, 'snoozed'> };

/** Hours of each day in which a channel does not disturb a user. */
export interface QuietHours {
  readonly channel: 'inApp' | 'webhook';
  /** A name of IANA. */
  readonly timeZone: string;
  /** `HH:MM`. */
  readonly starts: string;
  /** `HH:MM`, earlier than `starts` if the hours pass midnight. */
  readonly ends: string;
}

/** All notifications that were created before a time; null for all. */
export interface Early {
  readonly before: string | null;
}

/** A stream ticket in use. */
export interface OpenTicket {
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
  /** Counts the openings of the ticket from 1. */
  readonly opening: number;
}
