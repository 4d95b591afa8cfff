/**
 * Live reads: streams of events that keep the answer to a request true. Streams whose requests have the same answer share
 * a group, which asks the request again when the log has a change that concerns it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createGate, type Gate } from '../base/gate.js';
import { DbrError, dbrError } from '../errors/dbr-error.js';
import { turnOfTheEventLoop } from '../base/turns.js';
import type { DataResource, Observe } from '../observability/observation.js';
import type { Traces } from '../observability/tracer.js';
import type { LiveCounts } from '../observability/scraped-metrics.js';
import { createOpenCount, type Leave, type LocalOpenCount } from '../operations/limits.js';
import { eventText, KEEP_ALIVE_MS, KEEP_ALIVE_TEXT, RETRY_TEXT } from '../operations/responses.js';
import type { Database } from '../postgres/database.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { type Dependencies, readDependencies, type ReadTable } from './dependencies.js';
import { EVENT } from './events.js';
import { type Feed, openFeed } from './feed.js';
import type { LiveAnswer, LivePlan, LiveReads, LiveRequest, LiveStream } from '../data-api/live-read.js';
import { type Group, type GroupAnswer, type GroupEnd, openGroup } from './group.js';
import { planFacts, type PlanFacts, type RowFacts } from './plan-facts.js';
import { type Rights, readRights, roleKey } from './rights.js';
import { readSeen } from './visibility.js';
import { createInterests, type Interests, type RelationInterest, rowKey } from './interest.js';
import type { LogMessage } from './pgoutput.js';
import type { KeyedRows } from './rows.js';

export interface LiveSettings {
  /** Shortest time between two reads of a group, in milliseconds. */
  readonly pauseMs: number;
  /** Time between two reads where the log does not show all changes, in milliseconds. */
  readonly intervalMs: number;
  /** Longest body, in bytes. */
  readonly maxBytes: number;
  /** Most open streams of a user. */
  readonly maxStreams: number;
}

interface LiveOptions {
  /** Reads the catalogue and extends the publication. */
  readonly database: Database;
  /** Logs in as requests do. */
  readonly requests: Database;
  /** For the replication connection. */
  readonly replication: Database;
  readonly settings: LiveSettings;
  /** The status and the JSON text with which the data API answers an error. */
  readonly answerTo: (error: unknown) => { readonly status: number; readonly body: string };
  readonly observe: Observe;
  /** Null while traces are switched off. */
  readonly traces: Traces | null;
}

export interface Live extends LiveReads {
  /** Plans and asks everything again: schema, settings, rights or policies have changed. */
  refresh(): void;
  counts(): LiveCounts;
  close(): Promise<void>;
}

/** Most reads of groups at once: live reads leave connections of the pool to other requests. */
const READS_AT_ONCE = 4;
/** Bounds of the process, in streams, in groups, and in bytes that groups keep; as many may wait for slow readers. */
const MOST_STREAMS = 20_000;
const MOST_GROUPS = 10_000;
const MOST_BYTES = 268_435_456;
/** A group without a stream stays so long, in milliseconds, for clients that connect again. */
const LINGER_MS = 10_000;
/** Longest wait of a stream for the first connection to the log, which waits for all transactions that run at its start. */
const FIRST_CONNECT_MS = 5000;
const TICK_MS = 1000;
/** Interval at which the API key of a stream is looked for, in milliseconds. */
const KEY_CHECK_MS = 5000;

/** A group with its streams. */
interface Member {
  readonly request: LiveRequest;
  group: Group | null;
  planned: Planned | null;
  /** Whether it was planned again, so that its keys must be set also if its next answer is that of before. */
  hasLostKeys: boolean;
  /** Resolves when the group is open. */
  readonly ready: Promise<Opened>;
  streams: number;
  linger: NodeJS.Timeout | null;
  /** Bytes that the group keeps, as they are counted. */
  bytes: number;
}

/** A request that was planned under one schema. */
interface Planned extends LivePlan {
  /** The keys of the rights on which the answer depends. */
  readonly objects: readonly string[];
  readonly facts: PlanFacts;
  readonly interests: readonly RelationInterest[];
  /** Whether the log does not show all that the answer depends on. */
  readonly isInterval: boolean;
  /** The oid of the table by whose keys the rows of the answer are found; null for none. */
  readonly root: number | null;
}

interface Opened {
  readonly group: Group;
  readonly planned: Planned;
  readonly isInterval: boolean;
}

interface Stream {
  readonly expiresAt: number | null;
  /** Null for a request without an API key. */
  readonly requireKey: LiveRequest['requireKey'];
  keyCheckedAt: number;
  end: GroupEnd | null;
  sentAt: number;
  wake: () => void;
}

interface State {
  readonly options: LiveOptions;
  readonly interests: Interests<Member>;
  readonly members: Map<string, Member>;
  readonly streams: Set<Stream>;
  readonly feed: Feed;
  /** By the names of what is read; emptied by `refresh`. */
  readonly dependencies: Map<string, Promise<Dependencies>>;
  /** Those that were read last, of what the groups of that time read. */
  rights: Rights;
  /** Counts changes of rights: what was planned meanwhile is planned once more. */
  changes: number;
  isComparing: boolean;
  readonly openCount: LocalOpenCount;
  readonly gate: Gate;
  /** One at a time: a wait for the only connection would have an end. */
  readonly catalogueGate: Gate;
  /** Bytes that all groups keep, and those of each user that opened some. */
  bytes: number;
  readonly bytesByUser: Map<string, number>;
  /** Characters that wait for slow readers. */
  unsent: number;
  closed: boolean;
  reads: number;
  /** When all groups were asked while no changes arrived, or changes arrived. */
  askedAt: number;
}

export function openLive(options: LiveOptions): Live {
  const interests = createInterests<Member>();
  const feed = openFeed({
    replication: options.replication,
    database: options.database,
    wanted: interests.wanted,
    observe: options.observe,
    onMessage: (message, xid) => takeMessage(state, message, xid),
    onStart: () => wakeAll(state),
  });
  const state: State = {
    options,
    interests,
    members: new Map(),
    streams: new Set(),
    feed,
    dependencies: new Map(),
    rights: new Map(),
    changes: 0,
    isComparing: false,
    openCount: createOpenCount(options.settings.maxStreams),
    gate: createGate(READS_AT_ONCE),
    catalogueGate: createGate(1),
    bytes: 0,
    bytesByUser: new Map(),
    unsent: 0,
    closed: false,
    reads: 0,
    askedAt: 0,
  };
  const ticks = setInterval(() => tick(state), TICK_MS).unref();
  return {
    open: (request) => open(state, request),
    refresh: () => refresh(state),
    counts() {
      const { streams, members, reads, bytes } = state;
      return { streams: streams.size, groups: members.size, reads, bytes };
    },
    async close() {
      state.closed = true;
      clearInterval(ticks);
      for (const stream of state.streams) endStream(stream, { reason: 'service stops', error: null });
      for (const member of state.members.values()) removeMember(state, member);
      await feed.close();
    },
  };
}

// Changes of the log.

function takeMessage({ interests }: State, message: LogMessage, xid: number): void {
  switch (message.kind) {
    case 'relation':
      return interests.describe(message.relation);
    case 'insert':
    case 'update':
    case 'delete':
      return interests.note(message);
    case 'truncate':
      for (const relation of message.relations) interests.noteTruncate(relation);
      return;
    case 'commit':
      for (const { group } of interests.endTransaction()) group?.wake([xid]);
      return;
    case 'begin':
    case 'other':
  }
}

/** Asks everything again after changes that the log did not show. */
function wakeAll({ interests }: State): void {
  // The transaction that was open when the connection was lost is sent again or was missed.
  interests.endTransaction();
  for (const { group } of interests.all()) group?.wake([]);
}

function refresh(state: State): void {
  void replanAll(state, [...state.members.values()]);
}

/** Groups that are planned in one turn of the event loop. */
const PLANNED_AT_ONCE = 20;

async function replanAll(state: State, members: readonly Member[]): Promise<void> {
  state.changes += 1;
  state.dependencies.clear();
  for (const [index, member] of members.entries()) {
    void replan(state, member);
    if (index % PLANNED_AT_ONCE === 0) await turnOfTheEventLoop();
  }
}

/**
 * Plans and asks groups again whose rights are others than at the last comparison. Of what nothing was known, all that began
 * to read it: its rights may have changed since then.
 */
async function compareRights(state: State): Promise<void> {
  const { members, options } = state;
  if (state.isComparing || members.size === 0) return;
  state.isComparing = true;
  try {
    const lists = new Set<readonly string[]>();
    const roles = new Set<string>();
    for (const { planned, request } of members.values()) {
      if (planned === null) continue;
      lists.add(planned.objects);
      roles.add(request.role);
    }
    const objects = new Set([...lists].flat());
    const rights = await readRights(options.requests, [...objects], [...roles]);
    const before = state.rights;
    state.rights = rights;
    const changed = new Set<string>();
    for (const key of [...objects, ...[...roles].map(roleKey)])
      if (before.get(key) !== rights.get(key)) changed.add(key);
    if (changed.size === 0) return;
    const isConcerned = ({ planned, request }: Member): boolean =>
      changed.has(roleKey(request.role)) || planned?.objects.some((key) => changed.has(key)) === true;
    await replanAll(state, [...members.values()].filter(isConcerned));
  } catch {
    // The database is away or busy: the next comparison finds what has changed.
  } finally {
    state.isComparing = false;
  }
}

/** Plans the request of a group under another schema, and asks it again. */
async function replan(state: State, member: Member): Promise<void> {
  const opened = await member.ready.catch(() => null);
  if (opened === null) return;
  const { group, planned, isInterval } = opened;
  try {
    const next = await plan(state, member);
    if (state.members.get(member.request.key) !== member) return;
    const isSame =
      isInterval === next.isInterval &&
      String(keyNamesOf(member, planned)) === String(keyNamesOf(member, next));
    if (!isSame) return group.end({ reason: 'schema', error: null });
    member.planned = next;
    state.interests.remove(member);
    state.interests.add(member, next.interests);
    member.hasLostKeys = true;
    group.wake(state.feed.unseen());
  } catch (error) {
    group.end({ ...endOf(state.options, error), reason: 'schema' });
  }
}

// Groups.

/** Statuses of a database that is away or busy. */
const MAY_PASS: ReadonlySet<number> = new Set([503, 504]);

function endOf({ answerTo }: LiveOptions, error: unknown): GroupEnd {
  const { status, body } = answerTo(error);
  return { reason: status === 401 || status === 403 ? 'rights' : 'error', error: body };
}

/** Returns the group of a request, which it opens if there is none. @throws DbrError TooManyStreams */
function memberOf(state: State, request: LiveRequest): Member {
  const known = state.members.get(request.key);
  if (known !== undefined && known.group?.ended == null) return known;
  if (state.members.size >= MOST_GROUPS) throw tooMany(MOST_GROUPS);
  const member: Member = {
    request,
    planned: null,
    hasLostKeys: false,
    group: null,
    ready: Promise.resolve().then(() => openMember(state, member)),
    streams: 0,
    linger: null,
    bytes: 0,
  };
  member.ready.catch(() => removeMember(state, member));
  if (!count(state, member, bytesOf(request))) {
    count(state, member, 0);
    throw tooMany(state.options.settings.maxStreams);
  }
  state.members.set(request.key, member);
  return member;
}

async function openMember(state: State, member: Member): Promise<Opened> {
  const { options, interests, feed } = state;
  const { settings } = options;
  const planned = await plan(state, member);
  member.planned = planned;
  interests.add(member, planned.interests);
  // A change that is decoded from now on wakes the group; one of before is among those that a snapshot may not see.
  const group = openGroup({
    mark: member.request.mark,
    read: () => state.gate(() => readMember(state, member)),
    retries: (error) => MAY_PASS.has(options.answerTo(error).status),
    endOf: (error) => endOf(options, error),
    keyNames: keyNamesOf(member, planned),
    pauseMs: settings.pauseMs,
    intervalMs: planned.isInterval ? settings.intervalMs : null,
    maxBytes: settings.maxBytes,
    unseen: () => feed.unseen(),
    onTaken(rows) {
      interests.setReading(member, false);
      if (member.hasLostKeys) takeKeys(state, member, rows);
    },
    onAnswer: (rows) => takeAnswer(state, member, rows),
  });
  member.group = group;
  await group.opened;
  return { group, planned, isInterval: planned.isInterval };
}

/** The members of a row that identify it in changes; null for whole bodies. */
const keyNamesOf = ({ request }: Member, { facts }: Planned): readonly string[] | null =>
  request.whole ? null : (facts.rows?.keyNames ?? null);

async function readMember(state: State, member: Member): Promise<GroupAnswer> {
  const { planned } = member;
  if (planned === null) throw new Error('a group is planned before it reads');
  state.interests.setReading(member, true);
  state.reads += 1;
  const { body, total, snapshot } = await observed(state.options, planned);
  const seen = readSeen(snapshot);
  state.feed.noteSeen(seen);
  return { body, total, seen };
}

/** Asks a request, which has spans as a request of a client has. */
async function observed({ observe, traces }: LiveOptions, { plan, read }: Planned): Promise<LiveAnswer> {
  const startedAt = performance.now();
  let sentAt: number | null = null;
  const finished = { hasFailed: true, code: undefined as string | undefined };
  try {
    const answer = await read(() => (sentAt = performance.now()));
    finished.hasFailed = false;
    return answer;
  } catch (error) {
    if (error instanceof PostgresError) finished.code = error.fields.code;
    throw error;
  } finally {
    const trace = traces?.begin(undefined, undefined) ?? null;
    const durationMs = performance.now() - startedAt;
    if (trace !== null)
      observe({
        kind: 'live-read-finished',
        ...finished,
        resource: resourceOf(plan),
        ...{ startedAt, durationMs, sentAt, trace },
      });
  }
}

const resourceOf = (plan: LivePlan['plan']): DataResource =>
  plan.kind === 'call'
    ? { kind: 'function', name: plan.call.function.name }
    : { kind: 'relation', name: decodeURIComponent(plan.path).replace(/^\//, '') };

/** Notes the keys of an answer, and ends the group if the groups of its user, or all, keep too much. */
function takeAnswer(state: State, member: Member, rows: KeyedRows | null): void {
  const { group, request } = member;
  if (!count(state, member, bytesOf(request) + (group?.bytes ?? 0)))
    group?.end({ reason: 'too large', error: null });
  takeKeys(state, member, rows);
}

function takeKeys(state: State, member: Member, rows: KeyedRows | null): void {
  const { planned } = member;
  member.hasLostKeys = false;
  if (planned?.root == null) return;
  const keys = rows === null ? null : new Set(rows.keyValues.map(logKey));
  state.interests.setKeys(member, planned.root, keys);
}

/** A request is kept as it came, as its key, and as its values. */
const bytesOf = ({ key }: LiveRequest): number => 3 * key.length;

/** Counts the bytes that a member keeps. Returns whether its user and all members are within their bounds. */
function count(state: State, member: Member, bytes: number): boolean {
  const { user } = member.request;
  const own = (state.bytesByUser.get(user) ?? 0) + bytes - member.bytes;
  state.bytes += bytes - member.bytes;
  member.bytes = bytes;
  if (own === 0) state.bytesByUser.delete(user);
  else state.bytesByUser.set(user, own);
  return state.bytes <= MOST_BYTES && own <= Math.max(MOST_BYTES / 8, 4 * state.options.settings.maxBytes);
}

/** The key of a row as the log has it: texts without quotation marks. */
const logKey = (values: readonly string[]): string =>
  rowKey(values.map((value) => (value.startsWith('"') ? String(JSON.parse(value)) : value)));

/** Plans the request of a group, and reads what its answer depends on. */
async function plan(state: State, member: Member): Promise<Planned> {
  const { changes } = state;
  const planned = await member.request.plan();
  const facts = planFacts(planned.plan, planned.values, planned.cache);
  const { tables, objects, unlogged } = await dependenciesOf(state, facts);
  if (changes !== state.changes) return plan(state, member);
  const root = tables.find((table) => isRoot(table, facts));
  return {
    ...planned,
    ...{ facts, objects },
    interests: tables.map((table) => interestIn(table, table === root ? facts.rows : null)),
    isInterval: unlogged.length > 0 || facts.readsClock || planned.hasPreRequest,
    root: facts.rows?.key == null ? null : (root?.oid ?? null),
  };
}

/** @param rows of the table; null if it decides about the answer in another way */
function interestIn({ oid, inexact }: ReadTable, rows: RowFacts | null): RelationInterest {
  if (rows === null) return { relation: oid, demand: null, key: null };
  const { demand, key } = rows;
  return {
    relation: oid,
    demand:
      demand === null || inexact.includes(demand.column)
        ? null
        : { column: demand.column, values: [demand.value] },
    key: key === null || key.some((column) => inexact.includes(column)) ? null : key,
  };
}

/** Whether the rows of the table appear in the answer as its rows and in no other way. */
const isRoot = ({ schema, name, readsItself }: ReadTable, { rows, relations }: PlanFacts): boolean =>
  !readsItself &&
  rows?.table.schema === schema &&
  rows.table.name === name &&
  relations.filter((relation) => relation.schema === schema && relation.name === name).length === 1;

function dependenciesOf(
  { dependencies, catalogueGate, options }: State,
  { relations, functions }: PlanFacts,
): Promise<Dependencies> {
  const key = JSON.stringify([relations, functions]);
  let known = dependencies.get(key);
  if (known === undefined) {
    known = catalogueGate(() => readDependencies(options.database, { relations, functions }));
    dependencies.set(key, known);
    known.catch(() => dependencies.delete(key));
    const [oldest] = dependencies.keys();
    if (dependencies.size > MOST_GROUPS && oldest !== undefined) dependencies.delete(oldest);
  }
  return known;
}

function removeMember(state: State, member: Member): void {
  const { members, interests } = state;
  if (members.get(member.request.key) === member) members.delete(member.request.key);
  interests.remove(member);
  count(state, member, 0);
  if (member.linger !== null) clearTimeout(member.linger);
  member.group?.end({ reason: 'service stops', error: null });
}

// Streams.

async function open(state: State, request: LiveRequest): Promise<LiveStream> {
  const { feed } = state;
  if (!feed.isRunning) await Promise.race([feed.start(), delay(FIRST_CONNECT_MS, null, { ref: false })]);
  const leave = enter(state, request);
  let member: Member;
  try {
    member = memberOf(state, request);
    join(member);
  } catch (error) {
    leave();
    throw error;
  }
  try {
    const { group, planned } = await member.ready;
    const { expiresAt, requireKey, signal } = request;
    const now = performance.now();
    const stream: Stream = {
      ...{ expiresAt, requireKey, keyCheckedAt: now, sentAt: now },
      ...{ end: null, wake: () => undefined },
    };
    state.streams.add(stream);
    const stopWatching = group.watch(() => stream.wake());
    let isOpen = true;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      // A generator that waits ends too.
      endStream(stream, { reason: 'service stops', error: null });
      stopWatching();
      state.streams.delete(stream);
      part(state, member);
      leave();
    };
    // The generator never begins, and its `finally` never runs, if the client disconnects before the first read.
    signal?.addEventListener('abort', close);
    if (signal?.aborted === true) close();
    return {
      events: streamText(state, stream, group, request.lastEventId, close),
      applied: [
        ...(keyNamesOf(member, planned) === null ? ['whole' as const] : []),
        ...(planned.isInterval ? ['interval' as const] : []),
      ],
    };
  } catch (error) {
    part(state, member);
    leave();
    throw error;
  }
}

/** @throws DbrError */
function enter({ closed, streams, openCount, options, feed }: State, { user }: LiveRequest): Leave {
  if (!feed.isRunning && feed.refusal !== null)
    throw dbrError('LiveReadsOff', { details: 'database', reason: feed.refusal });
  if (closed || !feed.isRunning)
    throw dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '1' } });
  if (streams.size >= MOST_STREAMS) throw tooMany(MOST_STREAMS);
  const leave = openCount.enter(user);
  if (leave === null) throw tooMany(options.settings.maxStreams);
  return leave;
}

const tooMany = (limit: number) => dbrError('TooManyStreams', { limit }, { headers: { 'Retry-After': '5' } });

function join(member: Member): void {
  member.streams += 1;
  if (member.linger !== null) clearTimeout(member.linger);
  member.linger = null;
}

function part(state: State, member: Member): void {
  member.streams -= 1;
  if (member.streams > 0 || state.closed) return;
  if (member.group?.ended != null) removeMember(state, member);
  else member.linger = setTimeout(() => removeMember(state, member), LINGER_MS).unref();
}

/** Yields the events of a stream. A client that reads slowly gets the latest answer, not all answers between. */
async function* streamText(
  state: State,
  stream: Stream,
  group: Group,
  lastEventId: string | null,
  close: () => void,
): AsyncGenerator<string, void> {
  let version = lastEventId === null ? null : group.versionOf(lastEventId);
  let text = RETRY_TEXT;
  try {
    for (;;) {
      const next = group.since(version);
      version = next.version;
      text += next.text;
      const end = stream.end ?? group.ended;
      if (end !== null) text += endText(end);
      else if (text === '' && performance.now() - stream.sentAt >= KEEP_ALIVE_MS) text = KEEP_ALIVE_TEXT;
      if (state.unsent + text.length > MOST_BYTES) {
        yield endText({ reason: 'busy', error: null });
        return;
      }
      if (text !== '') {
        stream.sentAt = performance.now();
        state.unsent += text.length;
        try {
          yield text;
        } finally {
          state.unsent -= text.length;
        }
        text = '';
      }
      if (end !== null) return;
      if (version === group.version && stream.end === null && group.ended === null)
        await new Promise<void>((resolve) => (stream.wake = resolve));
    }
  } finally {
    close();
  }
}

const endText = ({ reason, error }: GroupEnd): string =>
  eventText(
    null,
    EVENT.end,
    `{"reason":${JSON.stringify(reason)}${error === null ? '' : `,"error":${error}`}}`,
  );

function endStream(stream: Stream, end: GroupEnd): void {
  stream.end ??= end;
  stream.wake();
}

/** Ends streams whose token has expired, wakes those that need a keep-alive, and asks at the interval while no changes arrive. */
function tick(state: State): void {
  const { streams, feed, options } = state;
  const [time, now] = [Date.now(), performance.now()];
  if (feed.isRunning) state.askedAt = now;
  else if (now - state.askedAt >= options.settings.intervalMs) {
    state.askedAt = now;
    wakeAll(state);
  }
  void compareRights(state);
  for (const stream of streams) {
    if (stream.expiresAt !== null && stream.expiresAt <= time)
      endStream(stream, { reason: 'token expired', error: null });
    else if (now - stream.sentAt >= KEEP_ALIVE_MS) stream.wake();
    if (stream.requireKey !== null && now - stream.keyCheckedAt >= KEY_CHECK_MS) void checkKey(stream, now);
  }
}

/** Ends a stream whose API key was revoked or has expired. Where keys cannot be read, nothing is read for the stream either. */
async function checkKey(stream: Stream, now: number): Promise<void> {
  stream.keyCheckedAt = now;
  await stream.requireKey?.().catch((error: unknown) => {
    if (error instanceof DbrError && error.status === 401)
      endStream(stream, { reason: 'token expired', error: null });
  });
}
