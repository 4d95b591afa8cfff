/** Compares a history with what the manual promises. Pure; shares no code with the service. */
import type {
  Append,
  Batch,
  BatchRead,
  BatchesAtRest,
  BusAtRest,
  BusWrite,
  Created,
  Delivery,
  HistoryRecord,
  InboxAtRest,
  LogAtRest,
  Mark,
  Notify,
  Operation,
  RowRead,
  RowWrite,
  Scan,
  Send,
  SessionAtRest,
} from './records.js';
import { judgeRegister, type RegisterOperation } from './register.js';

export type Rule =
  | 'an acknowledged write is lost'
  | 'a refused write took effect'
  | 'a write from nowhere'
  | 'a key was executed twice'
  | 'a repetition has another answer'
  | 'a read misses the own write'
  | 'a read misses an earlier write'
  | 'a read went back'
  | 'half a batch'
  | 'a row is not linearizable'
  | 'a notification is lost'
  | 'a notification is there twice'
  | 'a mark is lost'
  | 'the unread count is wrong'
  | 'a message is lost'
  | 'a message came twice'
  | 'a message is out of order';

export interface Finding {
  readonly rule: Rule;
  readonly text: string;
}

export interface Report {
  readonly operations: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
  /** Rows whose search was given up. */
  readonly undecided: number;
  readonly rows: number;
  /** Reads without the primary that lack what the same client had read before. The manual does not promise otherwise. */
  readonly backwards: number;
  readonly replicaReads: number;
  /** Messages that NATS has acknowledged to a client without dbr, and those that it did not have at rest. */
  readonly busWrites: number;
  readonly busLost: number;
}

type Find = (rule: Rule, text: string) => void;

const MAX_STEPS = 2_000_000;

export function check(history: readonly HistoryRecord[]): Report {
  const findings: Finding[] = [];
  const find: Find = (rule, text) => findings.push({ rule, text });
  const of = <Kind extends HistoryRecord['kind']>(
    kind: Kind,
  ): Extract<HistoryRecord, { readonly kind: Kind }>[] =>
    history.filter(
      (record): record is Extract<HistoryRecord, { readonly kind: Kind }> => record.kind === kind,
    );
  const scans = of('scan');
  const rows = groupBy<RowRead | RowWrite>([...of('row-read'), ...of('row-write')], ({ row }) => row);
  const undecided = checkRows(rows, find);
  checkLogs(of('append'), scans, of('log-at-rest'), find);
  checkBatches(of('batch'), of('batch-read'), of('batches-at-rest'), find);
  const streams = { created: of('created'), resets: new Set(of('reset').map(({ user }) => user)) };
  checkInboxes(of('notify'), of('mark'), streams, of('inbox-at-rest'), find);
  checkSessions(of('send'), of('delivery'), of('session-at-rest'), find);
  const counts = countsOf(history);
  return {
    operations: history.filter(isOperation).length,
    ...{ counts, findings, undecided },
    rows: rows.size,
    backwards: backwardsOf(scans),
    replicaReads: scans.filter(({ via }) => via !== 'primary').length,
    ...lostByBus(of('bus-write'), of('bus-at-rest')),
  };
}

function lostByBus(
  writes: readonly BusWrite[],
  rests: readonly BusAtRest[],
): Pick<Report, 'busWrites' | 'busLost'> {
  if (rests.length === 0) return { busWrites: 0, busLost: 0 };
  const found = new Set(rests.flatMap(({ numbers }) => numbers));
  const lost = writes.filter(({ number }) => !found.has(number));
  return { busWrites: writes.length, busLost: lost.length };
}

export const isOperation = (record: HistoryRecord): record is Operation => 'client' in record;

function countsOf(history: readonly HistoryRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const record of history) {
    const name = 'outcome' in record ? `${record.kind} ${record.outcome}` : record.kind;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => number | string,
): ReadonlyMap<number | string, readonly Value[]> {
  const groups = new Map<number | string, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

function checkRows(rows: ReadonlyMap<number | string, readonly (RowRead | RowWrite)[]>, find: Find): number {
  let undecided = 0;
  for (const [row, records] of rows) {
    const verdict = judgeRegister(records.flatMap(registerOperation), 0, MAX_STEPS);
    if (verdict === 'undecided') undecided++;
    if (verdict === 'not linearizable')
      find('a row is not linearizable', `row ${String(row)}, ${String(records.length)} operations`);
  }
  return undecided;
}

function registerOperation(record: RowRead | RowWrite): readonly RegisterOperation[] {
  const { begin, end } = record;
  if (record.kind === 'row-read') return [{ begin, end, effect: { kind: 'read', value: record.value } }];
  const { value, expected, outcome } = record;
  if (outcome === 'refused')
    return expected === null ? [] : [{ begin, end, effect: { kind: 'unlike', expected } }];
  const effect =
    expected === null ? ({ kind: 'write', value } as const) : ({ kind: 'swap', expected, value } as const);
  return [{ begin, end: outcome === 'done' ? end : Infinity, effect }];
}

function checkLogs(
  appends: readonly Append[],
  scans: readonly Scan[],
  rests: readonly LogAtRest[],
  find: Find,
): void {
  const scansOfLogs = groupBy(scans, ({ log }) => log);
  const appendsOfLogs = groupBy(appends, ({ log }) => log);
  for (const [log, scansOfLog] of scansOfLogs) checkScans(appendsOfLogs.get(log) ?? [], scansOfLog, find);
  if (rests.length === 0) return;
  const restOf = new Map(rests.map((rest) => [rest.log, rest]));
  const logs = new Set([...restOf.keys(), ...appends.map(({ log }) => log)]);
  // A log without rows is not among the rests.
  for (const log of logs)
    checkLogAtRest(
      appendsOfLogs.get(log) ?? [],
      restOf.get(log) ?? { kind: 'log-at-rest', log, rows: [] },
      find,
    );
}

const nameOf = ({ log, entry }: { readonly log: number; readonly entry: number }): string =>
  `entry ${String(entry)} of log ${String(log)}`;

function checkLogAtRest(appends: readonly Append[], { log, rows }: LogAtRest, find: Find): void {
  const known = new Set(appends.map(({ entry }) => entry));
  const ids = new Map<number, number[]>();
  for (const [entry, id] of rows) {
    if (!known.has(entry)) find('a write from nowhere', nameOf({ log, entry }));
    ids.set(entry, [...(ids.get(entry) ?? []), id]);
  }
  for (const append of appends) {
    const found = ids.get(append.entry) ?? [];
    const name = nameOf(append);
    if (append.outcome === 'done' && found.length === 0) find('an acknowledged write is lost', name);
    if (append.outcome === 'refused' && found.length > 0) find('a refused write took effect', name);
    if (found.length > 1) find('a key was executed twice', name);
    if (append.ids.length > 1 || append.ids.some((id) => found.length > 0 && !found.includes(id)))
      find('a repetition has another answer', `${name}: ${append.ids.join()}, stored ${found.join()}`);
  }
}

function checkScans(appends: readonly Append[], scans: readonly Scan[], find: Find): void {
  const byEntry = [...appends].sort((one, other) => one.entry - other.entry);
  const known = new Map(appends.map((append) => [append.entry, append]));
  const shown = firstShown(scans);
  const shownEntries = [...shown.keys()].sort((one, other) => one - other);
  for (const scan of scans) {
    const seen = new Set(scan.entries);
    const where = `scan of client ${String(scan.client)} at ${String(scan.begin)} (${scan.via})`;
    for (const entry of scan.entries) {
      const append = known.get(entry);
      if (append === undefined || append.outcome === 'refused' || append.begin > scan.end)
        find('a write from nowhere', `${nameOf({ log: scan.log, entry })}, ${where}`);
    }
    for (const append of above(byEntry, scan.after, ({ entry }) => entry)) {
      if (seen.has(append.entry) || append.outcome !== 'done') continue;
      const missing = missedBy(scan, append);
      if (missing !== null) find(missing, `${nameOf(append)}, ${where}`);
    }
    if (scan.via !== 'primary') continue;
    for (const entry of above(shownEntries, scan.after, (value) => value))
      if (!seen.has(entry) && (shown.get(entry) ?? Infinity) <= scan.begin)
        find('a read went back', `${nameOf({ log: scan.log, entry })}, ${where}`);
  }
}

/** When the first read on the primary had ended that showed an entry. */
function firstShown(scans: readonly Scan[]): ReadonlyMap<number, number> {
  const shown = new Map<number, number>();
  for (const { via, entries, end } of scans) {
    if (via !== 'primary') continue;
    for (const entry of entries) shown.set(entry, Math.min(end, shown.get(entry) ?? Infinity));
  }
  return shown;
}

/** The rule that a read breaks which lacks the acknowledged write. */
function missedBy({ via, begin, since, client }: Scan, append: Append): Rule | null {
  if (via === 'any') return null;
  if (append.client === client && append.end <= begin) return 'a read misses the own write';
  const until = via === 'primary' ? begin : since;
  return until !== null && append.end <= until ? 'a read misses an earlier write' : null;
}

/** The values of a sorted list that are greater. */
function* above<Value>(
  sorted: readonly Value[],
  bound: number,
  numberOf: (value: Value) => number,
): Generator<Value> {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle];
    if (value !== undefined && numberOf(value) <= bound) low = middle + 1;
    else high = middle;
  }
  for (let place = low; place < sorted.length; place++) {
    const value = sorted[place];
    if (value !== undefined) yield value;
  }
}

/** Scans of one client and log that lack what the one before had. */
function backwardsOf(scans: readonly Scan[]): number {
  const before = new Map<string, Scan>();
  let backwards = 0;
  for (const scan of scans) {
    const place = `${String(scan.client)} ${String(scan.log)}`;
    const last = before.get(place);
    const seen = new Set(scan.entries);
    if (
      scan.via !== 'primary' &&
      last?.entries.some((entry) => entry > scan.after && !seen.has(entry)) === true
    )
      backwards++;
    before.set(place, scan);
  }
  return backwards;
}

function checkBatches(
  batches: readonly Batch[],
  reads: readonly BatchRead[],
  rests: readonly BatchesAtRest[],
  find: Find,
): void {
  const known = new Map(batches.map((batch) => [batch.batch, batch]));
  const name = (batch: number): string => `batch ${String(batch)}`;
  const checkFound = (number: number, found: number, where: string): void => {
    const batch = known.get(number);
    if (batch === undefined) find('a write from nowhere', `${name(number)}, ${where}`);
    else if (batch.outcome === 'refused' && found > 0) find('a refused write took effect', name(number));
    else if (found > batch.parts) find('a key was executed twice', `${name(number)}, ${where}`);
    else if (found !== 0 && found !== batch.parts)
      find('half a batch', `${name(number)}: ${String(found)} of ${String(batch.parts)}, ${where}`);
  };
  for (const { batch, found, via, begin, client } of reads) {
    const where = `read of client ${String(client)} at ${String(begin)} (${via})`;
    if (found > 0) checkFound(batch, found, where);
    const written = known.get(batch);
    if (found === 0 && via === 'primary' && written?.outcome === 'done' && written.end <= begin)
      find('a read misses an earlier write', `${name(batch)}, ${where}`);
  }
  if (rests.length === 0) return;
  const stored = new Map(rests.flatMap(({ rows }) => rows));
  for (const [batch, found] of stored) checkFound(batch, found, 'at rest');
  for (const { batch, outcome } of batches)
    if (outcome === 'done' && !stored.has(batch)) find('an acknowledged write is lost', name(batch));
}

interface StreamedEvents {
  readonly created: readonly Created[];
  /** Users whose stream has said that events are missing. */
  readonly resets: ReadonlySet<number>;
}

function checkInboxes(
  created: readonly Notify[],
  marks: readonly Mark[],
  streams: StreamedEvents,
  rests: readonly InboxAtRest[],
  find: Find,
): void {
  const ofUser = groupBy(created, ({ user }) => user);
  const marksOfUser = groupBy(marks, ({ user }) => user);
  const eventsOfUser = groupBy(streams.created, ({ user }) => user);
  for (const rest of rests) {
    checkList(ofUser.get(rest.user) ?? [], rest, find);
    checkMarks(marksOfUser.get(rest.user) ?? [], rest, find);
    const events = eventsOfUser.get(rest.user) ?? [];
    checkEvents(events, rest, streams.resets.has(rest.user), find);
  }
}

const notificationName = (user: number, notification: number): string =>
  `notification ${String(notification)} of user ${String(user)}`;

function checkList(created: readonly Notify[], { user, listed }: InboxAtRest, find: Find): void {
  const counts = new Map<number, number>();
  for (const [notification] of listed) counts.set(notification, (counts.get(notification) ?? 0) + 1);
  const known = new Set(created.map(({ notification }) => notification));
  for (const [notification, count] of counts) {
    const name = notificationName(user, notification);
    if (!known.has(notification)) find('a write from nowhere', name);
    if (count > 1) find('a notification is there twice', name);
  }
  for (const { notification, outcome } of created) {
    const name = notificationName(user, notification);
    if (outcome === 'done' && !counts.has(notification)) find('a notification is lost', name);
    if (outcome === 'refused' && counts.has(notification)) find('a refused write took effect', name);
  }
}

function checkMarks(
  marks: readonly Mark[],
  { user, listed, unread, streamed }: InboxAtRest,
  find: Find,
): void {
  const read = new Map(listed);
  const marked = new Set(marks.map(({ notification }) => notification));
  for (const { notification, outcome } of marks)
    if (outcome === 'done' && read.get(notification) === false)
      find('a mark is lost', notificationName(user, notification));
  for (const [notification, isRead] of listed)
    if (isRead && !marked.has(notification))
      find('a write from nowhere', `the mark of ${notificationName(user, notification)}`);
  const counted = listed.filter(([, isRead]) => !isRead).length;
  const counts = `user ${String(user)}: ${String(counted)} unread in the list`;
  if (unread !== counted) find('the unread count is wrong', `${counts}, ${String(unread)} counted`);
  if (streamed !== null && streamed !== counted)
    find('the unread count is wrong', `${counts}, ${String(streamed)} in the stream`);
}

function checkEvents(
  events: readonly Created[],
  { user, listed, streamed }: InboxAtRest,
  isReset: boolean,
  find: Find,
): void {
  const seen = new Set<number>();
  for (const { notification } of events) {
    const name = `the event of ${notificationName(user, notification)}`;
    if (seen.has(notification)) find('a notification is there twice', name);
    seen.add(notification);
  }
  if (isReset || streamed === null) return;
  for (const [notification] of listed)
    if (!seen.has(notification))
      find('a notification is lost', `the event of ${notificationName(user, notification)}`);
}

function checkSessions(
  sends: readonly Send[],
  deliveries: readonly Delivery[],
  rests: readonly SessionAtRest[],
  find: Find,
): void {
  const mailboxes = groupBy(deliveries, ({ session, to }) => `${session} ${to}`);
  const sent = new Map(sends.map((send) => [messageName(send), send]));
  const received = new Map([...mailboxes].map(([name, items]) => [name, checkMailbox(items, sent, find)]));
  const sendsOfSession = groupBy(sends, ({ session }) => session);
  for (const { session, parties } of rests)
    for (const send of sendsOfSession.get(session) ?? [])
      checkArrival(
        send,
        parties.filter((party) => party !== send.from),
        (party) => received.get(`${session} ${party}`)?.has(messageName(send)) === true,
        find,
      );
}

const messageName = ({ session, from, number }: Pick<Send, 'session' | 'from' | 'number'>): string =>
  `message ${String(number)} of ${from} in ${session}`;

/** @returns the messages that the mailbox had */
function checkMailbox(
  deliveries: readonly Delivery[],
  sent: ReadonlyMap<string, Send>,
  find: Find,
): ReadonlySet<string> {
  const messages: string[] = [];
  const numbers = new Map<string, number>();
  const seen = new Set<string>();
  for (const delivery of deliveries) {
    const { sequence, from, number, to } = delivery;
    const message = messageName(delivery);
    const where = `${message}, at ${String(sequence)} of ${to}`;
    const known = messages[sequence - 1];
    if (known !== undefined) {
      if (known !== message) find('a message is out of order', `${where}, where ${known} was before`);
      continue;
    }
    if (sequence !== messages.length + 1) find('a message is out of order', `${where}, after a gap`);
    if (!sent.has(message)) find('a write from nowhere', where);
    const last = numbers.get(from) ?? 0;
    if (seen.has(message)) find('a message came twice', where);
    else if (number !== last + 1) find('a message is out of order', `${where}, after ${String(last)}`);
    numbers.set(from, Math.max(number, last));
    seen.add(message);
    messages[sequence - 1] = message;
  }
  return seen;
}

function checkArrival(
  send: Send,
  recipients: readonly string[],
  hasArrived: (party: string) => boolean,
  find: Find,
): void {
  const missing = recipients.filter((party) => !hasArrived(party));
  const isLost = send.outcome === 'done' ? missing.length > 0 : missing.length % recipients.length !== 0;
  if (isLost) find('a message is lost', `${messageName(send)}, for ${missing.join()}`);
}
