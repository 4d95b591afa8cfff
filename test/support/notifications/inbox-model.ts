/** What readers see of their notifications, in arrays: the model that tests compare the service with. It shares no code with it. */

/** Marks of a reader on a notification, as its record shows them; times in RFC 3339. */
export interface SeenMarks {
  readonly seenAt: string | null;
  readonly readAt: string | null;
  readonly interactedAt: string | null;
  readonly archivedAt: string | null;
  readonly snoozedUntil: string | null;
}

export type ModelMark =
  | 'read'
  | 'unread'
  | 'seen'
  | 'archived'
  | 'unarchived'
  | 'interacted'
  | 'snoozed'
  | 'unsnoozed'
  | 'deleted';

/** A notification that was sent: the users who have it, and what is equal for all of them. */
interface Sent {
  readonly notificationId: string;
  readonly messageId: string;
  readonly title: string;
  readonly createdAt: string;
  readonly readers: readonly string[];
}

/** A notification as one reader sees it. */
export interface SeenNotification extends SeenMarks, Pick<Sent, 'notificationId' | 'title' | 'createdAt'> {
  readonly isRead: boolean;
}

interface Entry {
  readonly reader: string;
  readonly sent: Sent;
  readonly marks: SeenMarks;
}

export type InboxModel = ReturnType<typeof createInboxModel>;

const UNMARKED: SeenMarks = {
  seenAt: null,
  readAt: null,
  interactedAt: null,
  archivedAt: null,
  snoozedUntil: null,
};

/** @param at the time of the mark; `until` that of its end, which only snoozing has */
function marked(marks: SeenMarks, mark: Exclude<ModelMark, 'deleted'>, at: string, until: string): SeenMarks {
  const { seenAt, readAt, interactedAt, archivedAt } = marks;
  switch (mark) {
    case 'seen':
      return { ...marks, seenAt: seenAt ?? at };
    case 'read':
      return { ...marks, seenAt: seenAt ?? at, readAt: readAt ?? at };
    case 'interacted':
      return { ...marks, seenAt: seenAt ?? at, readAt: readAt ?? at, interactedAt: interactedAt ?? at };
    case 'unread':
      return { ...marks, readAt: null };
    case 'archived':
      return { ...marks, archivedAt: archivedAt ?? at, snoozedUntil: null };
    case 'unarchived':
      return { ...marks, archivedAt: null };
    case 'snoozed':
      return { ...marks, archivedAt: null, snoozedUntil: until };
    case 'unsnoozed':
      return { ...marks, snoozedUntil: null };
  }
}

export function createInboxModel() {
  let entries: readonly Entry[] = [];
  const isInInbox = ({ marks }: Entry): boolean => marks.archivedAt === null && marks.snoozedUntil === null;
  const change = (isMeant: (entry: Entry) => boolean, mark: ModelMark, at: string, until = at): void => {
    entries =
      mark === 'deleted'
        ? entries.filter((entry) => !isMeant(entry))
        : entries.map((entry) =>
            isMeant(entry) ? { ...entry, marks: marked(entry.marks, mark, at, until) } : entry,
          );
  };

  return {
    send(sent: Sent): void {
      entries = [...entries, ...sent.readers.map((reader) => ({ reader, sent, marks: UNMARKED }))];
    },
    mark(
      reader: string,
      mark: ModelMark,
      notificationIds: readonly string[],
      { at, until }: { readonly at: string; readonly until?: string },
    ): void {
      change(
        (entry) => entry.reader === reader && notificationIds.includes(entry.sent.notificationId),
        mark,
        at,
        until,
      );
    },
    /** All are archived from the inbox alone: what is snoozed stays so. */
    markAll(reader: string, mark: ModelMark, at: string): void {
      change((entry) => entry.reader === reader && (mark !== 'archived' || isInInbox(entry)), mark, at);
    },
    /** Ends snoozes until `now`. */
    returnSnoozed(now: string): void {
      change(({ marks: { snoozedUntil } }) => snoozedUntil !== null && snoozedUntil <= now, 'unsnoozed', now);
    },
    recall(messageId: string): void {
      entries = entries.filter(({ sent }) => sent.messageId !== messageId);
    },
    update(messageId: string, title: string): void {
      entries = entries.map((entry) =>
        entry.sent.messageId === messageId ? { ...entry, sent: { ...entry.sent, title } } : entry,
      );
    },
    /** All that the reader has, wherever it is: the newest first. */
    listOf: (reader: string): readonly SeenNotification[] =>
      entries
        .filter((entry) => entry.reader === reader)
        .map(({ sent: { notificationId, title, createdAt }, marks }) => ({
          notificationId,
          title,
          createdAt,
          ...marks,
          isRead: marks.readAt !== null,
        }))
        .reverse(),
    unreadOf: (reader: string): number =>
      entries.filter((entry) => entry.reader === reader && isInInbox(entry) && entry.marks.readAt === null)
        .length,
  };
}
