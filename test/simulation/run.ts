/** Runs one schedule: starts the service, lets clients and faults act, heals everything, and audits what is left. */
import { createHash } from 'node:crypto';
import { audit, AUDIT, type Write } from './audit.js';
import { EPOCH_MS } from './clock.js';
import { LIVE_DATA, newFunction, RESET, RESET_AREAS, tokenOf, type Claims } from './database.js';
import { follow, type Follower } from './event-client.js';
import { clock, network, realNow, seedProcess } from './globals.js';
import { openConnection, type Answer, type Connection, type Outcome, type Wire } from './http-client.js';
import { drawMoments, foldLive, liveQueries, type Moment } from './live-readers.js';
import { auditInbox, auditStream, countOf, MINE, pageOf, type Inbox } from './notifications.js';
import { OPERATIONS } from './operations.js';
import { startProcesses, type Probe, type Process, type Processes } from './processes.js';
import { startParty, type Party, type PartyLog } from './parties.js';
import { auditParties } from './party-audit.js';
import { WINDOW_BYTES, type Weather } from './pipe.js';
import {
  auditSigning,
  SIGNING_AUDIT,
  storedSessions,
  type SessionStream,
  type Sight,
} from './signing-audit.js';
import { accountIdOf, ALL_PARTIES, isLastEvent, leaks, readConfig, seedOf, sessionIdOf } from './signing.js';
import { randomOf, type Random } from './random.js';
import { HEALED_MS, openReceiver, type Receiver } from './receiver.js';
import { bearer, type PlannedRequest, type SigningContext } from './requests.js';
import type { Client, Fault, FaultKind, Operation, Schedule } from './schedule.js';
import { otherServer } from './backends.js';
import {
  auditWebhooks,
  receiverPortOf,
  replayRequest,
  switchRequest,
  WEBHOOK_OPERATIONS,
  WEBHOOK_REST,
  webhooksOf,
  WEBHOOKS,
} from './webhooks.js';
import type { World } from './world.js';

export interface Result {
  readonly failures: readonly string[];
  /** Digest of all that clients were answered, and when. */
  readonly digest: string;
  readonly events: number;
  readonly requests: number;
  readonly milliseconds: number;
}

interface Repetition {
  readonly client: Client;
  readonly name: string;
  readonly planned: PlannedRequest;
  /** Null if it was lost. */
  readonly answer: Answer | null;
  readonly process: Process;
  readonly sentAt: number;
  readonly doneAt: number;
}

/** A connection of a client, and the process that has accepted it. */
interface Opened {
  readonly connection: Connection;
  readonly process: Process;
}

/** A function that was made, and the places whose processes must know it; null for all. */
interface Made {
  readonly name: string;
  readonly place: number | null;
}

interface Running {
  readonly world: World;
  readonly schedule: Schedule;
  readonly random: Random;
  readonly processes: Processes;
  readonly startedAt: number;
  readonly connections: Map<number, Opened>;
  readonly everOpened: Connection[];
  /** By client. */
  readonly followers: Map<number, Follower>;
  /** Streams of the events of sessions. */
  readonly sessionFollowers: SessionFollower[];
  readonly liveReaders: LiveReader[];
  readonly parties: Party[];
  /** Receivers of webhooks. */
  readonly receivers: Receiver[];
  readonly writes: Write[];
  readonly sights: Sight[];
  /** What the service has logged. */
  readonly lines: readonly string[];
  readonly failures: string[];
  /** Requests with a key. */
  readonly again: Repetition[];
  readonly trace: string[];
  readonly functions: Made[];
  /** Places whose processes have read changed settings. */
  readonly settingsChanged: Set<number>;
  requests: number;
}

interface LiveReader {
  readonly client: Client;
  readonly path: string;
  /** Whether it asks for whole bodies. */
  readonly isWhole: boolean;
  readonly follower: Follower;
}

interface SessionFollower extends Pick<SessionStream, 'name' | 'sessionId'> {
  readonly client: Client;
  readonly follower: Follower;
}

/** Longest time of a request, which ends with an answer or with its connection, in milliseconds. */
const LONGEST_MS = 30_000;

/** Longest time of a request in an overload: the wait for a connection, the slowest write, and bytes on their way. */
const LONGEST_OF_OVERLOAD_MS = 6000;

const FAIR: Weather = { latencyMs: 0.1, cuts: 0, window: WINDOW_BYTES };

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => clock.after(milliseconds, resolve));

/** A service may wait that long for what does not come; after it, a promise without an answer has none. */
const PATIENCE_MS = 300_000;

/** Runs the world until the work is done. Throws if it has no end. */
async function finished<Value>(work: Promise<Value>, what: string): Promise<Value> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  done.catch(() => undefined);
  if (!(await clock.runUntil(() => isDone, clock.now() + PATIENCE_MS))) throw new Error(`${what} has no end`);
  return done;
}

const has = ({ faults }: Schedule, ...kinds: readonly FaultKind[]): boolean =>
  faults.some(({ kind }) => kinds.includes(kind));

const DATABASE_FAULTS = [
  'end-backend',
  'cut-backend',
  'cut-long',
  'away',
  'slow-database',
  'break-load',
  'cut-service',
  'cut-events',
  'end-events',
  'failover',
  'switchover',
  'isolate-process',
] as const;

/** Faults after which nothing is lost, but some answers of the database come up to so much later, in milliseconds. */
const LATE_FAULTS: readonly FaultKind[] = ['late-events', 'late-service'];
const LONGEST_DELAY_MS = 200;

/** Time at which tokens end that end during the schedule, in milliseconds from its start. */
const EXPIRY_MS = 100;

function expires({ schedule }: Running, client: Client): boolean {
  return schedule.faults.some(
    ({ kind, choice }) => kind === 'expiry' && choice % schedule.clients.length === client.id,
  );
}

const userOf = ({ id }: Client): string => `user ${String(id)}`;

function claimsOf(running: Running, client: Client): Claims {
  const seconds = Math.floor((EPOCH_MS + running.startedAt) / 1000);
  return {
    role: 'web_user',
    tenant: client.tenant,
    tenantId: `tenant ${String(client.tenant)}`,
    scope: `notifications:write signing-config:write${signsForPeers(client) ? ' sign:create' : ''}${hasWebhooks(running.schedule) ? ' notifications:webhooks' : ''}`,
    sub: userOf(client),
    exp: expires(running, client) ? seconds + 1 - 30 : seconds + 3600,
  };
}

const hasWebhooks = ({ operations }: Schedule): boolean =>
  operations.some(({ kind }) => Object.hasOwn(WEBHOOK_OPERATIONS, kind));

const signsForPeers = ({ id }: Client): boolean => id % 2 === 1;
/** Accounts of which users have signing parties at the start. */
const isConfigured = ({ id }: Client): boolean => id % 4 === 0;

const firstConfig = (client: Client): Write => ({
  ...{ name: 'the start', tenant: client.tenant, user: userOf(client), outcome: 'acknowledged' },
  ...{ sentAt: -Infinity, doneAt: -Infinity },
  effect: {
    kind: 'config',
    accountId: ownAccount(client),
    parties: isConfigured(client) ? ALL_PARTIES : null,
  },
});

const tenantIdOf = ({ tenant }: Client): string => `tenant ${String(tenant)}`;
const ownAccount = (client: Client): string => accountIdOf(tenantIdOf(client), userOf(client));

function signingOf({ clients, operations }: Schedule, client: Client, operation: number): SigningContext {
  const isPeer = (other: Client): boolean => other.id !== client.id && other.tenant === client.tenant;
  const isForeign = (other: Client): boolean =>
    other.tenant !== client.tenant || (isPeer(other) && !signsForPeers(client));
  const foreign = clients.filter(isForeign);
  return {
    sessionId: sessionIdOf(operation),
    accountId: ownAccount(client),
    peerAccounts: clients.filter(isPeer).map(ownAccount),
    signsForPeers: signsForPeers(client),
    foreignAccounts: foreign.map(ownAccount),
    foreignSessions: operations
      .filter(({ kind }) => kind === 'create' || kind === 'createWithShare')
      .filter((each) => foreign.some(({ id }) => id === each.client))
      .map(({ id }) => sessionIdOf(id)),
    now: Math.floor(EPOCH_MS + clock.now()),
  };
}

function connectionOf(running: Running, client: Client, name: string): Opened {
  const known = running.connections.get(client.id);
  if (client.kind !== 'fresh' && known?.connection.isOpen === true && !known.connection.hasLast) return known;
  const opened = connect(running, client, name, null);
  running.connections.set(client.id, opened);
  return opened;
}

/** Connects to one of the processes. @param avoided is chosen if there is no other one */
function connect(
  { processes, random, everOpened }: Running,
  { address = 1 }: Client,
  name: string,
  avoided: Process | null,
): Opened {
  const process = processes.choose(random.of(`process of ${name}`), avoided);
  const own = random.of(`connection of ${name}`);
  const connection = openConnection(network, process.place.port, own, `192.0.2.${String(address)}`);
  everOpened.push(connection);
  return { connection, process };
}

/** Returns the port for each connection of a follower or a party. */
const portsOf =
  ({ processes }: Running, random: Random, name: 'port' | 'routerPort') =>
  (attempt: number): number =>
    processes.choose(random.of(`process of connection ${String(attempt)}`)).place[name];

function plan(running: Running, client: Client, { id, kind }: Operation): PlannedRequest {
  const before = running.schedule.operations.filter((each) => each.client === client.id && each.id < id);
  return OPERATIONS[kind]({
    random: running.random.of(`operation ${String(id)}`),
    claims: claimsOf(running, client),
    peers: running.schedule.clients
      .filter(({ id: other, tenant }) => other !== client.id && tenant === client.tenant)
      .map(userOf),
    mark: `mark ${String(id)} of ${String(client.id)}`,
    key: `key ${String(before.length)}`,
    signing: signingOf(running.schedule, client, id),
    receiver: receiverPortOf(id),
  });
}

/** Stops and resumes reading for a while. */
async function readSlowly({ end }: Connection, random: Random): Promise<void> {
  for (let round = random.between(1, 4); round > 0; round--) {
    end.setReading(false);
    await sleep(random.below(120));
    end.setReading(true);
    await sleep(random.below(10));
  }
}

async function perform(running: Running, client: Client, operation: Operation): Promise<void> {
  const name = `${operation.kind} ${String(operation.id)} of client ${String(client.id)} (${client.kind})`;
  const random = running.random.of(`performing ${String(operation.id)}`);
  await send(running, client, name, random, plan(running, client, operation));
}

async function send(
  running: Running,
  client: Client,
  name: string,
  random: Random,
  planned: PlannedRequest,
): Promise<void> {
  const opened = connectionOf(running, client, name);
  const { connection } = opened;
  const sentAt = clock.now() - running.startedAt;
  running.requests++;
  const answering = connection.send(planned.wire);
  const sent: Sent = { client, name, planned, sentAt, ...opened };
  const repeating = repeatAtOnce(running, sent, answering);
  if (client.kind === 'slow') void readSlowly(connection, random);
  if (client.kind === 'impatient' && random.chance(0.4)) {
    const patience = random.below(random.pick([3, 30]));
    clock.after(patience, () => connection.end.reset());
  }
  const outcome = await answering;
  if (client.kind === 'fresh') connection.close();
  const isRight = judge(running, sent, outcome);
  await repeating;
  if (!isRight || outcome === null) return;
  const path = planned.follows?.(outcome) ?? null;
  if (path !== null) followSession(running, client, name, path);
  const next = planned.next?.(outcome);
  if (next !== null && next !== undefined) await send(running, client, `${name}, then`, random, next);
}

/**
 * Sends a request with a key once more, to another process: while the first one is under way, or when it was lost. A
 * session is created under the configuration of its time, so that its creation is repeated only when it was lost.
 */
async function repeatAtOnce(running: Running, first: Sent, answering: Promise<Outcome>): Promise<void> {
  const { client, planned } = first;
  const name = `${first.name}, once more`;
  const random = running.random.of(name);
  if (running.schedule.processes === undefined || planned.isKeyed === undefined || expires(running, client))
    return;
  const isBeside = random.chance(0.4) && planned.effect?.kind !== 'session';
  if (isBeside) await sleep(random.below(40));
  else if ((await answering) !== null || random.chance(0.3)) return;
  const opened = connect(running, client, name, first.process);
  const outcome = await opened.connection.send(planned.wire);
  opened.connection.close();
  const doneAt = clock.now();
  running.trace.push(`${name} ${doneAt.toFixed(3)} ${String(outcome?.status)}`);
  const problem = problemOfRepetition(running, { ...first, ...opened, name }, outcome);
  if (problem !== null) running.failures.push(`${name}: ${problem}`);
  else if (outcome !== null && outcome.status < 300)
    running.again.push({
      ...{ client, name, planned, answer: outcome, process: opened.process },
      ...{ sentAt: running.startedAt + first.sentAt, doneAt },
    });
}

/** What is wrong with the answer to a repetition; null also if it was lost, or the first request is under way. */
function problemOfRepetition(running: Running, sent: Sent, outcome: Outcome): string | null {
  const isBroken = has(running.schedule, ...DATABASE_FAULTS);
  if (outcome === null)
    return isBroken || isLeft(running, sent) ? null : 'no whole answer, and nothing was cut';
  const { status, body } = outcome;
  if (sent.planned.statuses.includes(status)) return status < 300 ? sent.planned.check(outcome) : null;
  const isPassing = status === 503 || status === 504 || (status === 500 && body.includes('"57P01"'));
  return isInProgress(outcome) || (isBroken && isPassing)
    ? null
    : `status ${String(status)}: ${body.slice(0, 300)}`;
}

/** Another request with the key is in progress. */
const isInProgress = ({ status, body }: Answer): boolean => status === 409 && body.includes('"DBR164"');

function followSession(running: Running, client: Client, name: string, path: string): void {
  const { sessionFollowers } = running;
  const random = running.random.of(`following of ${name}`);
  const follower = follow({
    ...{ network, clock, portOf: portsOf(running, random, 'port'), random, path },
    headers: bearer({ claims: claimsOf(running, client) }),
    isLast: isLastEvent,
  });
  sessionFollowers.push({ client, name, sessionId: path.split('/').at(-2) ?? '', follower });
}

/** Keeps what an answer shows for the auditor. */
function see(
  { sights, failures }: Pick<Running, 'sights' | 'failures'>,
  { name, tenant, sentAt }: Pick<Sight, 'name' | 'tenant' | 'sentAt'>,
  planned: PlannedRequest,
  answer: Answer,
): void {
  const shown = planned.shows?.(answer) ?? null;
  if (shown !== null) sights.push({ name, tenant, shown, sentAt, doneAt: clock.now() });
  if (leaks(answer.body)) failures.push(`${name}: the answer has a share`);
}

interface Sent extends Opened {
  readonly client: Client;
  readonly name: string;
  readonly planned: PlannedRequest;
  /** In milliseconds from the start. */
  readonly sentAt: number;
}

/** A process that stops answers requests for this time on connections that are idle (docs/operating/start-and-stop.md), in milliseconds. */
const IDLE_MOMENT_MS = 500;

/** Whether a request without an answer was lost with its process, or sent too late to one that stops. */
function isLeft({ schedule, startedAt }: Running, { connection, process, sentAt }: Sent): boolean {
  const closesAt = process.stopsAt + IDLE_MOMENT_MS - 2 * schedule.latencyMs;
  return process.isKilled || connection.hasLast || startedAt + sentAt >= closesAt;
}

/** Returns whether the answer is whole and right. */
function judge(running: Running, sent: Sent, outcome: Outcome): boolean {
  const { client, name, planned, sentAt, process } = sent;
  const { schedule, failures, writes } = running;
  const now = clock.now() - running.startedAt;
  if (now - sentAt > (schedule.isOverloaded === true ? LONGEST_OF_OVERLOAD_MS : LONGEST_MS))
    failures.push(`${name}: it has ended after ${String(Math.round(now - sentAt))} ms`);
  running.trace.push(`${name} ${now.toFixed(3)} ${String(outcome?.status)} ${outcome?.body ?? ''}`);
  const note = (known: Write['outcome']): void => {
    const { effect } = planned;
    if (effect === undefined) return;
    const doneAt = known === 'unknown' ? Infinity : clock.now();
    writes.push({
      ...{ name, tenant: client.tenant, user: userOf(client), effect, outcome: known },
      ...{ sentAt: running.startedAt + sentAt, doneAt },
    });
  };
  const repeatLater = (answer: Answer | null): void =>
    void running.again.push({
      ...{ client, name, planned, answer, process },
      ...{ sentAt: running.startedAt + sentAt, doneAt: clock.now() },
    });
  const isLost = (): false => {
    if (planned.isKeyed === undefined) note('unknown');
    else repeatLater(null);
    return false;
  };
  const isRefused = (): false => {
    note('refused');
    return false;
  };
  const isWrong = (problem: string): false => {
    failures.push(`${name}: ${problem}`);
    note('unknown');
    return false;
  };
  if (outcome === null) {
    const mayBeCut =
      client.kind === 'impatient' ||
      has(schedule, 'cut-client', 'cut-answer', ...DATABASE_FAULTS) ||
      isLeft(running, sent);
    if (!mayBeCut) failures.push(`${name}: no whole answer, and nothing was cut`);
    // A request behind the last answer of a connection is not handled (RFC 9112 §9.6).
    return sent.connection.hasLast && planned.isKeyed === undefined ? isRefused() : isLost();
  }
  const { status, body } = outcome;
  const isExpected401 = planned.statuses.includes(401);
  if (expires(running, client) && status === 401 && !isExpected401) {
    if (now < EXPIRY_MS) failures.push(`${name}: 401 before the token has expired`);
    return isRefused();
  }
  if (expires(running, client) && sentAt > EXPIRY_MS + 1 && !isExpected401) {
    return isWrong(`${String(status)} after the token has expired`);
  }
  if (!planned.statuses.includes(status)) {
    if (schedule.processes !== undefined && planned.isKeyed === 'answer' && isInProgress(outcome))
      return isLost();
    if (schedule.isOverloaded === true && status === 504 && body.includes('DBR003')) return isRefused();
    if (has(schedule, ...DATABASE_FAULTS)) {
      if (status === 503 || status === 504) return isLost();
      // The write is undone then (docs/data-api/writes-and-calls.md).
      if (status === 500 && body.includes('"57P01"'))
        return planned.isKeyed === undefined ? isRefused() : isLost();
    }
    return isWrong(`status ${String(status)}: ${body.slice(0, 300)}`);
  }
  const problem = planned.check(outcome);
  if (problem !== null) failures.push(`${name}: ${problem}`);
  see(running, { name, tenant: client.tenant, sentAt: running.startedAt + sentAt }, planned, outcome);
  if (planned.isKeyed !== undefined && status < 300) repeatLater(outcome);
  else note(status < 300 ? 'acknowledged' : 'refused');
  return problem === null;
}

async function runClient(running: Running, client: Client): Promise<void> {
  const random = running.random.of(`client ${String(client.id)}`);
  const own = running.schedule.operations.filter((operation) => operation.client === client.id);
  for (let at = 0; at < own.length;) {
    await sleep(random.below(30));
    const together = client.kind === 'pipelined' ? random.between(1, 4) : 1;
    await Promise.all(own.slice(at, at + together).map((operation) => perform(running, client, operation)));
    at += together;
  }
}

const SERVICE = 'dbr_service';
/** In the answer to a stream of notifications that reads. */
const EVENT = 'notification.created';

const delayOf = (bytes: number) => ({ milliseconds: 20 + (bytes % (LONGEST_DELAY_MS - 20)) });

/** The setting `db-channel`. */
const CHANNEL = 'dbr';

/** A time in which nothing waits for the database any longer. */
const AWAY_MS = 2500;

/** @param place whose process must know it; null for all */
async function makeFunction({ functions, world }: Running, place: number | null): Promise<void> {
  const name = `extra${String(functions.length)}`;
  functions.push({ name, place });
  await world.backends.administer(newFunction(name));
}

async function breakSomething(running: Running, { kind, at, choice, bytes }: Fault): Promise<void> {
  const { schedule, world, connections, processes } = running;
  await sleep(at);
  const connection = connections.get(choice % schedule.clients.length)?.connection;
  const chosen = processes.chooseStarted(choice);
  switch (kind) {
    case 'cut-client':
      connection?.end.resetAfterWritten(bytes);
      break;
    case 'cut-answer':
      connection?.end.resetAfterRead(bytes);
      break;
    case 'end-backend':
      world.backends.terminate(choice);
      break;
    case 'cut-backend':
      world.backends.cut({ skip: choice % 6, bytes });
      break;
    case 'cut-long':
      world.backends.cut({ skip: choice % 2, least: 30_000, bytes: 300 + ((choice * 97) % 100_000) });
      break;
    case 'away':
      processes.setReachable('first', false);
      for (let each = 0; each < 5; each++) world.backends.terminate(each);
      await sleep(choice % AWAY_MS);
      processes.setReachable('first', true);
      break;
    case 'slow-database':
      world.backends.setSlowness(choice % 400);
      await sleep(bytes % 500);
      world.backends.setSlowness(1);
      break;
    case 'sluggish':
      world.backends.setSlowness(20 + (choice % 30));
      break;
    case 'reload-schema':
      for (let round = choice % 3; round >= 0; round--) {
        await makeFunction(running, chosen?.place.number ?? NaN);
        chosen?.service?.reloadSchema();
        await sleep(bytes % 60);
      }
      break;
    case 'break-load':
      await makeFunction(running, chosen?.place.number ?? NaN);
      world.backends.setSlowness(20);
      chosen?.service?.reloadSchema();
      await sleep(choice % 40);
      world.backends.terminateActive();
      world.backends.setSlowness(1);
      break;
    case 'reload-settings':
      await changeSettings(running, schedule.processes === 2 && choice % 2 === 1 ? null : chosen);
      break;
    case 'cut-stream': {
      const streams = [...running.sessionFollowers, ...running.liveReaders].map(({ follower }) => follower);
      const own = running.followers.get(choice % schedule.clients.length);
      (own ?? streams[choice % Math.max(1, streams.length)])?.end?.resetAfterRead(bytes);
      break;
    }
    case 'cut-service':
      world.backends.cut({ user: SERVICE, skip: choice % 8, bytes });
      break;
    case 'cut-events':
      world.backends.cut({ user: SERVICE, containing: EVENT, skip: choice % 3, bytes });
      break;
    case 'end-events':
      world.backends.endInstead({ user: SERVICE, containing: EVENT, skip: choice % 3 });
      break;
    case 'late-events':
      world.backends.delay({ user: SERVICE, containing: EVENT, skip: choice % 3, ...delayOf(bytes) });
      break;
    case 'late-service':
      world.backends.delay({ user: SERVICE, skip: choice % 12, ...delayOf(bytes) });
      break;
    case 'cut-log':
      world.backends.cutLog(bytes);
      break;
    case 'end-listener':
      world.backends.terminateListener(choice);
      break;
    case 'notify-reload':
      await makeFunction(running, null);
      world.backends.notify(CHANNEL, 'reload schema');
      break;
    case 'cut-party': {
      const cut = running.parties[choice % Math.max(1, running.parties.length)]?.connection?.end;
      if (choice % 2 === 0) cut?.resetAfterRead(bytes);
      else cut?.resetAfterWritten(bytes);
      break;
    }
    case 'failover':
    case 'switchover':
      await changePrimary(running, kind, choice % 2000, bytes % 1000);
      break;
    case 'restart-process':
      await processes.restart(choice, choice % 3 === 0 ? bytes % 300 : 0, bytes % 100);
      break;
    case 'kill-process':
      await processes.kill(choice, bytes % 300);
      break;
    case 'change-at-start':
      await changeAtStart(running, choice, bytes % 60);
      break;
    case 'isolate-process':
      await processes.isolate(choice, (choice * 7) % AWAY_MS);
      break;
    case 'none':
    case 'expiry':
      break;
  }
}

/** Changes a setting in the database, and lets a process read it, or all: null. */
async function changeSettings(
  { world: { backends }, processes, settingsChanged }: Running,
  process: Process | null | undefined,
): Promise<void> {
  for (const { place } of process === null ? processes.running : process === undefined ? [] : [process])
    settingsChanged.add(place.number);
  await backends.administer("alter role authenticator set dbr.db_aggregates_enabled = 'true'");
  if (process === null) backends.notify(CHANNEL, 'reload config');
  else process?.service?.reloadSettings();
}

/** Restarts a process, and changes the schema while it starts; three of four times one of its connections is refused. */
async function changeAtStart(running: Running, choice: number, afterMs: number): Promise<void> {
  const { world, processes } = running;
  const { backends } = world;
  let change = Promise.resolve();
  await processes.restart(choice, 0, 0, () => {
    const isRefused = choice % 4 > 0;
    const next = Math.max(...processes.running.map(({ number }) => number)) + 1;
    if (isRefused) backends.refuse(next, 'authenticator', (choice >> 2) % MOST_REFUSED);
    change = (async () => {
      await sleep(afterMs + (isRefused ? choice % 500 : 0));
      await makeFunction(running, null);
      backends.notify(CHANNEL, 'reload schema');
    })();
  });
  await change;
}

/** First connections of the data API that a process opens at its start. */
const MOST_REFUSED = 3;

/**
 * Puts the standby in the place of the primary. In a failover, the primary ends with its connections, and is a standby when
 * it is back; in a switchover, it keeps its connections and refuses to write.
 * @param gapMs time without a primary
 * @param awayMs time after which a primary that has ended is back
 */
async function changePrimary(
  { world: { backends }, processes }: Running,
  kind: 'failover' | 'switchover',
  gapMs: number,
  awayMs: number,
): Promise<void> {
  const former = backends.primary;
  // Between two primaries there is none that could be lost.
  if (former === null) return;
  backends.setPrimary(null);
  if (kind === 'failover') {
    processes.setReachable(former, false);
    backends.kill(former);
  }
  await sleep(gapMs);
  backends.setPrimary(otherServer(former));
  if (kind === 'switchover') return;
  await sleep(awayMs);
  processes.setReachable(former, true);
}

const hourFromNow = (): number => Math.floor((EPOCH_MS + clock.now()) / 1000) + 3600;

const auditorClaims = (): Claims => ({
  ...{ role: 'web_user', tenant: 1, tenantId: 'tenant 1', scope: '', sub: 'auditor' },
  exp: hourFromNow(),
});

/** Asks on a connection of its own, in fair weather. */
async function ask(
  running: Pick<Running, 'random' | 'everOpened'>,
  path: string,
  port: number,
  method = 'GET',
  claims = auditorClaims(),
): Promise<Outcome> {
  return sendAlone(running, port, { method, path, headers: { Authorization: `Bearer ${tokenOf(claims)}` } });
}

/** Sends a request on a connection of its own. */
async function sendAlone(
  { random, everOpened }: Pick<Running, 'random' | 'everOpened'>,
  port: number,
  wire: Wire,
): Promise<Outcome> {
  const connection = openConnection(network, port, random.of(`asking ${wire.path}`));
  everOpened.push(connection);
  const outcome = await connection.send(wire);
  connection.close();
  return outcome;
}

async function askUntilServed(running: Running, { place }: Process): Promise<void> {
  for (let round = 1; round <= 50; round++) {
    const outcome = await ask(running, '/films?select=id&limit=1', place.port);
    if (outcome?.status === 200) return;
    await sleep(50 * round);
  }
  running.failures.push('the service serves no more, although nothing is broken');
}

/** Names a process where there are several. */
const named = ({ schedule }: Running, { place }: Process): string =>
  schedule.processes === undefined ? '' : ` of process ${String(place.number)}`;

async function expectAnswer(
  running: Running,
  process: Process,
  path: string,
  expected: string,
  method = 'GET',
): Promise<void> {
  const outcome = await ask(running, path, process.place.port, method);
  if (outcome?.status !== 200 || outcome.body !== expected)
    running.failures.push(
      `${path}${named(running, process)}: ${String(outcome?.status)} ${outcome?.body.slice(0, 200) ?? ''}, not ${expected}`,
    );
}

/** Sends again what has a key, as a client would that has crashed, to another process if there is one. */
async function repeatKeyed(running: Running): Promise<void> {
  for (const { client, name, planned, answer, process, sentAt, doneAt } of running.again) {
    const { effect } = planned;
    const note = (outcome: Write['outcome'], at: number): void => {
      if (effect !== undefined)
        running.writes.push({
          ...{ name, tenant: client.tenant, user: userOf(client), effect, outcome, sentAt },
          doneAt: outcome === 'unknown' ? Infinity : at,
        });
    };
    if (expires(running, client)) {
      note(answer === null ? 'unknown' : 'acknowledged', doneAt);
      continue;
    }
    const random = running.random.of(`again ${name}`);
    const { place } = running.processes.running.find((each) => each.place !== process.place) ?? process;
    const connection = openConnection(network, place.port, random);
    running.everOpened.push(connection);
    const outcome = await connection.send(planned.wire);
    connection.close();
    running.trace.push(`again ${name} ${String(outcome?.status)}`);
    const isDone = outcome !== null && planned.statuses.includes(outcome.status);
    if (!isDone)
      running.failures.push(`${name}: its repetition gets ${String(outcome?.status)} ${outcome?.body ?? ''}`);
    else {
      const problem =
        answer !== null &&
        planned.isKeyed === 'answer' &&
        (answer.status !== outcome.status || answer.body !== outcome.body)
          ? `it gets ${outcome.body.slice(0, 100)}, and the first time ${answer.body.slice(0, 100)}`
          : planned.check(outcome);
      if (problem !== null) running.failures.push(`${name}: its repetition: ${problem}`);
      see(running, { name, tenant: client.tenant, sentAt }, planned, outcome);
    }
    const isAcknowledged = answer !== null || (isDone && outcome.status < 300);
    const known = isAcknowledged ? 'acknowledged' : isDone ? 'refused' : 'unknown';
    note(known, answer === null ? clock.now() : doneAt);
  }
}

/** What nothing may hold when nothing is under way. */
const RESTING: readonly (readonly [area: string, metric: string])[] = [
  ['', 'dbr_db_pool_waiting'],
  ['', 'dbr_request_body_bytes'],
  ['', 'dbr_row_streams_waiting'],
  ['', 'dbr_row_streams'],
  ['notifications', 'dbr_notification_streams'],
  ['signing', 'dbr_signing_streams'],
  ['signing', 'dbr_router_streams'],
  ['signing', 'dbr_router_db_pool_waiting'],
];

/** Returns NaN for a metric that is not there. */
function valueOf(metrics: string, name: string): number {
  const lines = metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.length === 0 ? NaN : lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

function auditPool(running: Running, metrics: string, where: string): void {
  const [size, available] = [valueOf(metrics, 'dbr_db_pool_size'), valueOf(metrics, 'dbr_db_pool_available')];
  if (size !== available)
    running.failures.push(`${String(available)} of ${String(size)} connections are in the pool ${where}`);
}

/** A long body for which there is memory waits there for its reader, and its connection is free. */
async function auditMemory(running: Running, process: Process): Promise<void> {
  if (!running.schedule.operations.some(({ kind }) => kind === 'long')) return;
  const connection = openConnection(network, process.place.port, running.random.of('asking for memory'));
  running.everOpened.push(connection);
  connection.end.setReading(false);
  const client: Client = { id: 0, kind: 'steady', tenant: 1 };
  const planned = OPERATIONS.long({
    random: running.random,
    claims: { ...claimsOf(running, client), exp: hourFromNow() },
    peers: [],
    mark: '',
    key: '',
    signing: signingOf(running.schedule, client, -1),
    receiver: 0,
  });
  const answering = connection.send(planned.wire);
  await sleep(1000);
  const metrics = await ask(running, '/metrics', process.place.adminPort);
  auditPool(running, metrics?.body ?? '', 'while a long body waits for its reader');
  connection.end.setReading(true);
  const outcome = await answering;
  const problem = outcome === null ? 'no whole answer' : planned.check(outcome);
  if (problem !== null) running.failures.push(`a long body with a slow reader: ${problem}`);
}

/** Calls each function by POST: an unknown name in a read would load the schema again. */
async function auditFunctions(running: Running, process: Process): Promise<void> {
  for (const { name, place } of running.functions)
    if (place === null || place === process.place.number)
      await expectAnswer(running, process, `/rpc/${name}`, '7', 'POST');
}

/** The service listens: a notification puts a new function into force. */
async function auditListeners(running: Running): Promise<void> {
  const kinds = ['end-listener', 'notify-reload', 'end-backend', 'away', 'failover', 'switchover'] as const;
  if (!has(running.schedule, ...kinds) && running.schedule.processes === undefined) return;
  await makeFunction(running, null);
  running.world.backends.notify(CHANNEL, 'reload schema');
  await sleep(1000);
  for (const process of running.processes.running) await auditFunctions(running, process);
}

async function auditService(running: Running): Promise<void> {
  const { settingsChanged, processes } = running;
  for (const process of processes.running) {
    await expectAnswer(running, process, '/films?select=id&id=eq.1001', '[{"id":1001}]');
    await auditFunctions(running, process);
  }
  await auditListeners(running);
  for (const process of processes.running) {
    if (settingsChanged.has(process.place.number))
      await expectAnswer(running, process, '/films?select=count()', '[{"count":40}]');
    await auditMemory(running, process);
  }
  for (const connection of running.everOpened) connection.close();
  await sleep(2000);
  for (const process of processes.running) await auditRest(running, process);
}

/** What a process holds when nothing is under way. */
async function auditRest(running: Running, process: Process): Promise<void> {
  const { failures, schedule } = running;
  const { port, adminPort } = process.place;
  const open = network.connectionsOf(port);
  if (open > 0) failures.push(`${String(open)} connections of clients are open, and no client has one`);
  const metrics = await ask(running, '/metrics', adminPort);
  if (metrics === null) return void failures.push('the admin port does not answer');
  const { areas = '' } = schedule;
  if (leaks(metrics.body)) failures.push('the metrics have a share');
  for (const [area, name] of RESTING)
    if (areas.includes(area) && valueOf(metrics.body, name) !== 0)
      failures.push(
        `${name}${named(running, process)} is ${String(valueOf(metrics.body, name))}, and nothing is under way`,
      );
  auditPool(running, metrics.body, `at the end${named(running, process)}`);
}

function startFollowing(running: Running): void {
  const { followers, random, schedule } = running;
  for (const client of schedule.clients.filter(({ follows }) => follows === true)) {
    const claims = claimsOf(running, client);
    const own = random.of(`following of ${String(client.id)}`);
    followers.set(
      client.id,
      follow({
        ...{ network, clock, portOf: portsOf(running, own, 'port'), random: own },
        path: `${MINE}/stream`,
        headers: bearer({ claims }),
      }),
    );
  }
}

function startLive(running: Running): void {
  const { schedule, random } = running;
  if (schedule.isLive !== true) return;
  for (const client of schedule.clients) {
    const paths = liveQueries(random.of('live queries'), client.id);
    for (const path of paths) startReader(running, client, path);
    startReader(running, client, paths[0] ?? '', true);
  }
}

function startReader(running: Running, client: Client, path: string, isWhole = false): void {
  const random = running.random.of(`live ${path} of ${String(client.id)}`);
  const whole: Record<string, string> = isWhole ? { Prefer: 'live=whole' } : {};
  const follower = follow({
    ...{ network, clock, portOf: portsOf(running, random, 'port'), random, path },
    headers: { ...bearer({ claims: claimsOf(running, client) }), ...whole },
  });
  running.liveReaders.push({ client, path, isWhole, follower });
}

/**
 * Changes have arrived, and answers are sent, in this time, in milliseconds: readers connect again within a half of a second,
 * and the service within one, in which it compares rights.
 */
const QUIET_MS = { none: 300, ahead: 300, cut: 700, lost: 1600, policy: 1600 } as const;

async function auditLive(running: Running): Promise<void> {
  const { schedule, failures, liveReaders } = running;
  if (schedule.isLive !== true) return;
  const random = running.random.of('quiet moments');
  for (const { client, path, follower } of liveReaders)
    if (expires(running, client) && follower.refusedWith !== 401)
      failures.push(`the live answer ${path} of ${userOf(client)} outlives its token`);
  await compareLive(running);
  const clients = schedule.clients.filter((client) => !expires(running, client));
  const tenants = clients.map(({ tenant }) => tenant);
  for (const moment of clients.length === 0 ? [] : drawMoments(random, tenants)) {
    if (failures.length > 0) break;
    await changeLive(running, moment, clients, random);
    await sleep(QUIET_MS[moment.trouble.kind]);
    await compareLive(running);
  }
  for (const { follower } of liveReaders) follower.close();
}

/** Changes rows or a policy while another reader begins. */
async function changeLive(
  running: Running,
  { script, tenant, path, trouble }: Moment,
  clients: readonly Client[],
  random: Random,
): Promise<void> {
  const { backends } = running.world;
  const readers = running.liveReaders;
  const [client] = clients.filter((each) => each.tenant === tenant);
  const begin = (): void => {
    if (client !== undefined) startReader(running, client, path);
  };
  if (trouble.kind === 'lost') backends.cutLog(0);
  if (trouble.kind === 'cut') readers[random.below(readers.length)]?.follower.end?.reset();
  const isBefore = trouble.kind !== 'ahead' && random.chance(0.6);
  if (isBefore) {
    begin();
    await sleep(random.between(5, 40));
  }
  const changing =
    trouble.kind === 'policy'
      ? backends.administer(script)
      : backends.change(script, trouble.kind === 'ahead' ? trouble.milliseconds : null);
  if (!isBefore) {
    await sleep(random.below(12));
    begin();
  }
  await changing;
}

/** Each stream has what a GET of its client has, and never had a row of another tenant. */
async function compareLive(running: Running): Promise<void> {
  const { failures, random, processes, liveReaders } = running;
  const known = new Map<string, unknown>();
  for (const { client, path, isWhole, follower } of liveReaders) {
    const name = `the ${isWhole ? 'whole ' : ''}live answer ${path} of ${userOf(client)}`;
    if (isWhole && follower.events.some(({ event }) => event === 'change'))
      failures.push(`${name} has differences`);
    const { problems, rows } = foldLive(follower.events, client.tenant);
    failures.push(...problems.map((problem) => `${name} ${problem}`));
    if (expires(running, client)) continue;
    const { port } = processes.choose(random.of(name)).place;
    const key = `${String(client.id)} ${path}`;
    if (!known.has(key)) {
      const claims = { ...claimsOf(running, client), exp: hourFromNow() };
      const outcome = await ask(running, path, port, 'GET', claims);
      // A page behind the last row is refused, and empty as a live answer.
      known.set(key, outcome?.status === 416 ? [] : JSON.parse(outcome?.body ?? 'null'));
    }
    const [has, expected] = [JSON.stringify(rows), JSON.stringify(known.get(key))];
    if (has !== expected) failures.push(`${name} has ${has}, and a GET ${expected}`);
  }
}

/** Returns null if the service does not answer. */
async function inboxOf(running: Running, client: Client): Promise<Inbox | null> {
  const { port } = running.processes.choose(running.random.of(`the inbox of ${String(client.id)}`)).place;
  const claims = { ...claimsOf(running, client), exp: hourFromNow() };
  const list = await ask(running, `${MINE}?limit=100`, port, 'GET', claims);
  const count = await ask(running, `${MINE}/unread-count`, port, 'GET', claims);
  const items = list?.status === 200 ? pageOf(list.body)?.items : undefined;
  if (items === undefined || count?.status !== 200) return null;
  return {
    ...{ tenant: client.tenant, user: userOf(client), items },
    count: countOf(count.body) ?? NaN,
  };
}

/** A report that was lost is found later, by a poll. */
const PROMPT_MS = 1000;
const POLL_MS = 2000;

/** Faults that lose no connection: streams end with their response, and calls have an answer. */
const GENTLE_FAULTS: readonly FaultKind[] = [
  'restart-process',
  'change-at-start',
  'notify-reload',
  'reload-schema',
  'reload-settings',
];

function auditStreamEnds(
  { schedule, failures }: Running,
  name: string,
  { cuts }: Pick<Follower, 'cuts'>,
): void {
  if (cuts.length > 0 && schedule.faults.every(({ kind }) => GENTLE_FAULTS.includes(kind)))
    failures.push(`${name} was cut, and had no end`);
}

async function auditNotifications(running: Running): Promise<void> {
  const { schedule, followers, failures, writes } = running;
  const isPrompt =
    schedule.latencyMs <= 20 && schedule.faults.every(({ kind }) => LATE_FAULTS.includes(kind));
  const promptMs = isPrompt
    ? PROMPT_MS + LONGEST_DELAY_MS * schedule.faults.length
    : schedule.processes === 2 && schedule.faults.every(({ kind }) => GENTLE_FAULTS.includes(kind))
      ? PROMPT_MS + POLL_MS
      : Infinity;
  if (schedule.areas?.includes('notifications') !== true) return;
  // The last events arrive within two seconds, and streams begin again within a half.
  await sleep(3000);
  for (const client of schedule.clients) {
    const inbox = await inboxOf(running, client);
    if (inbox === null) {
      failures.push(`the inbox of ${userOf(client)} cannot be read`);
      continue;
    }
    failures.push(...auditInbox(inbox, writes));
    const follower = followers.get(client.id);
    if (follower === undefined) continue;
    if (expires(running, client)) {
      if (follower.refusedWith !== 401) failures.push(`the stream of ${userOf(client)} outlives its token`);
      continue;
    }
    if (!follower.isOpen) failures.push(`the stream of ${userOf(client)} is not open`);
    if (follower.since === null) failures.push(`the stream of ${userOf(client)} has no event`);
    else failures.push(...auditStream(inbox, follower, follower.since, writes, promptMs));
    auditStreamEnds(running, `the stream of ${userOf(client)}`, follower);
  }
}

function startReceivers({ schedule, random, receivers }: Running): void {
  for (const { id, kind } of schedule.operations)
    if (kind === 'registerWebhook') {
      const port = receiverPortOf(id);
      receivers.push(openReceiver({ network, clock, port, random: random.of(`receiver ${String(port)}`) }));
    }
}

/** Longest time until all is sent: the lease of a process that was lost, and the longest pause of a message. */
const SENT_MS = 60_000;

/** Waits until no message waits and no process has a lane. */
async function untilSent({ world, failures }: Running): Promise<void> {
  for (const endsAt = clock.now() + SENT_MS; clock.now() < endsAt;) {
    const [{ waiting, lanes } = {}] = await world.backends.administer(WEBHOOK_REST);
    if (waiting === 0 && lanes === 0) return;
    await sleep(500);
  }
  const [rest] = await world.backends.administer(WEBHOOK_REST);
  failures.push(`messages of webhooks are not sent: ${JSON.stringify(rest)}`);
}

/** Switches the webhooks of a tenant on, or sends their dead messages again. */
async function changeWebhooks(running: Running, client: Client, work: 'switch' | 'replay'): Promise<void> {
  const claims = { ...claimsOf(running, client), exp: hourFromNow() };
  const { port } = running.processes.choose(running.random.of(`webhooks, ${work}`)).place;
  const list = await ask(running, WEBHOOKS, port, 'GET', claims);
  const webhooks = list?.status === 200 ? webhooksOf(list.body) : null;
  if (webhooks === null)
    running.failures.push(`the webhooks of tenant ${String(client.tenant)} cannot be read`);
  for (const webhook of webhooks ?? []) {
    const context = { claims };
    const wire =
      work === 'switch'
        ? switchRequest(context, webhook, true)
        : replayRequest(context, webhook, { dead: true });
    const outcome = await sendAlone(running, port, wire);
    if (outcome?.status !== 200)
      running.failures.push(`${work} of ${webhook.url}: ${String(outcome?.status)} ${outcome?.body ?? ''}`);
  }
}

async function auditDeliveries(running: Running): Promise<void> {
  const { schedule, receivers, writes, sights, failures, world } = running;
  if (!hasWebhooks(schedule)) return;
  await sleep(HEALED_MS);
  const tenants = new Map(schedule.clients.map((client) => [client.tenant, client]));
  for (const client of tenants.values()) await changeWebhooks(running, client, 'switch');
  await untilSent(running);
  const replayedAt = clock.now();
  for (const client of tenants.values()) await changeWebhooks(running, client, 'replay');
  await untilSent(running);
  const [{ dead } = {}] = await world.backends.administer(WEBHOOK_REST);
  if (dead !== 0) failures.push(`${String(dead)} messages of webhooks are dead, and no receiver refuses`);
  const allAre = (...kinds: readonly FaultKind[]): boolean =>
    schedule.faults.every(({ kind }) => kinds.includes(kind));
  const isQuiet = allAre('none', 'late-service');
  const isPrompt =
    receivers.every(({ isGood }) => isGood) && allAre('none', 'late-service', 'restart-process');
  failures.push(...auditWebhooks(receivers, writes, sights, { isQuiet, isPrompt, replayedAt }));
}

/** A session that a repetition has created is over then, in milliseconds. */
const SESSION_MS = 6000;

/** A session that has started is over then. */
const STARTED_MS = 16_000;

function startParties(running: Running): void {
  const { schedule, random, parties } = running;
  if (schedule.hasParties !== true) return;
  for (const tenantId of new Set(schedule.clients.map(tenantIdOf))) {
    const peers = new Map<string, PartyLog>();
    for (const partyId of ALL_PARTIES) {
      const own = random.of(`${partyId} of ${tenantId}`);
      const party = startParty({
        ...{ network, clock, portOf: portsOf(running, own, 'routerPort'), random: own, tenantId, partyId },
        peers,
      });
      peers.set(partyId, party.log);
      parties.push(party);
    }
  }
}

async function auditSessions(running: Running): Promise<void> {
  const { schedule, failures, sights, sessionFollowers, parties, writes, world, lines } = running;
  if (schedule.areas?.includes('signing') !== true) return;
  await sleep(schedule.hasParties === true ? STARTED_MS : SESSION_MS);
  for (const client of schedule.clients) {
    const sentAt = clock.now();
    const claims = { ...claimsOf(running, client), exp: hourFromNow() };
    const planned = readConfig({ claims }, ownAccount(client));
    const { port } = running.processes.choose(running.random.of(`the account of ${String(client.id)}`)).place;
    const outcome = await ask(running, planned.wire.path, port, 'GET', claims);
    const name = `the configuration of ${userOf(client)}`;
    const problem =
      outcome?.status === 200 ? planned.check(outcome) : `it cannot be read: ${outcome?.body ?? ''}`;
    if (problem !== null) failures.push(`${name}: ${problem}`);
    else if (outcome !== null) see(running, { name, tenant: client.tenant, sentAt }, planned, outcome);
  }
  const streams = sessionFollowers
    .filter(({ client }) => !expires(running, client))
    .map(({ name, sessionId, follower }) => ({
      name: `the stream of ${name}`,
      sessionId,
      events: follower.events,
      since: follower.since,
    }));
  for (const { name, follower } of sessionFollowers) {
    auditStreamEnds(running, `the stream of ${name}`, follower);
    follower.close();
  }
  const [row = {}] = await world.backends.administer(SIGNING_AUDIT);
  const isFair = schedule.faults.length === 0;
  failures.push(...auditSigning(row, writes, sights, streams, isFair));
  if (schedule.hasParties === true) {
    const logs = parties.map(({ log }) => log);
    const isGentle = schedule.faults.every(({ kind }) => GENTLE_FAULTS.includes(kind));
    failures.push(...auditParties(logs, storedSessions(row), isFair, isGentle));
  }
  for (const party of parties) party.stop();
  const leaking = lines.find(leaks);
  if (leaking !== undefined) failures.push(`the log has a share: ${leaking.slice(0, 300)}`);
}

async function act(running: Running): Promise<void> {
  const { schedule } = running;
  startFollowing(running);
  startLive(running);
  startParties(running);
  startReceivers(running);
  await Promise.all([
    ...schedule.clients.map((client) => runClient(running, client)),
    ...schedule.faults.map((fault) => breakSomething(running, fault)),
  ]);
}

function heal(running: Running): void {
  const { world, processes, random, followers, sessionFollowers, liveReaders, parties } = running;
  for (const { end } of followers.values()) end?.resetAfterRead(Infinity);
  for (const { follower } of [...sessionFollowers, ...liveReaders]) follower.end?.resetAfterRead(Infinity);
  for (const { connection } of parties) {
    connection?.end.resetAfterRead(Infinity);
    connection?.end.resetAfterWritten(Infinity);
  }
  for (const server of ['first', 'second'] as const) processes.setReachable(server, true);
  network.setWeather(FAIR, random.of('fair weather'));
  world.backends.heal();
}

/** Time after which pauses between attempts have ended, and what was asked for is loaded. */
const LASTING_MS = 20_000;

/** Whether the service waits after a fault has ended: before it connects, or loads, again. */
const isLasting = (schedule: Schedule): boolean =>
  has(
    schedule,
    ...DATABASE_FAULTS,
    'cut-log',
    'reload-schema',
    'reload-settings',
    'notify-reload',
    'end-listener',
  );

async function auditAll(running: Running): Promise<void> {
  heal(running);
  await sleep(isLasting(running.schedule) ? LASTING_MS : 2000);
  for (const process of running.processes.running) await askUntilServed(running, process);
  await repeatKeyed(running);
  await auditLive(running);
  await auditNotifications(running);
  await auditSessions(running);
  await auditDeliveries(running);
  for (const follower of running.followers.values()) follower.close();
  await auditService(running);
  const [row = {}] = await running.world.backends.administer(AUDIT);
  running.failures.push(...audit(row, running.writes));
}

const TURNS_OF_HTTP2 = 4;

/** A second begins as long after the start of a schedule as tokens expire. */
function untilStart(): number {
  const now = EPOCH_MS + clock.now();
  return Math.ceil(now / 1000) * 1000 + 1000 - EXPIRY_MS - now;
}

export async function runSchedule(world: World, schedule: Schedule): Promise<Result> {
  const began = realNow();
  const eventsBefore = clock.events;
  clock.restart();
  const random = randomOf(`run ${schedule.seed}`);
  seedProcess(`service ${schedule.seed}`);
  network.setWeather(FAIR, random.of('start'));
  world.backends.setRandom(random.of('backends'));
  clock.setTurns(schedule.hasParties === true ? TURNS_OF_HTTP2 : 1);
  const { areas = 'data-api' } = schedule;
  world.backends.setPrimary('first');
  await finished(world.backends.administer(RESET), 'the reset of the data');
  if (areas !== 'data-api') await finished(world.backends.administer(RESET_AREAS), 'the reset of the areas');
  if (schedule.isLive === true) await finished(world.backends.administer(LIVE_DATA), 'the rooms');
  if (areas.includes('signing')) {
    const owners = schedule.clients.map((client) => ({
      ...{ tenantId: tenantIdOf(client), user: userOf(client) },
      isConfigured: isConfigured(client),
    }));
    await finished(world.backends.administer(seedOf(owners)), 'the accounts');
  }
  world.backends.setStarting(true);
  const lines: string[] = [];
  const failures: string[] = [];
  const probe: Probe = async ({ place }, path) =>
    network.isListening(place.adminPort)
      ? ((await ask({ random, everOpened: [] }, path, place.adminPort))?.status ?? null)
      : null;
  const processes = await finished(startProcesses(world, schedule, { lines, failures, probe }), 'the start');
  const running: Running = {
    ...{ world, schedule, random, processes, failures, lines },
    startedAt: 0,
    connections: new Map(),
    everOpened: [],
    followers: new Map(),
    sessionFollowers: [],
    liveReaders: [],
    parties: [],
    receivers: [],
    writes: schedule.clients.map(firstConfig),
    sights: [],
    again: [],
    trace: [],
    functions: [],
    settingsChanged: new Set(),
    requests: 0,
  };
  try {
    for (const process of processes.running)
      await finished(askUntilServed(running, process), 'the first answer');
    await finished(sleep(untilStart()), 'the wait');
    const begun = { ...running, startedAt: clock.now() };
    world.backends.setStarting(false);
    const { latencyMs, cuts, window = WINDOW_BYTES } = schedule;
    network.setWeather({ latencyMs, cuts, window }, random.of('weather'));
    world.backends.setLatency(latencyMs);
    await finished(act(begun), 'the work of the clients');
    await finished(auditAll(begun), 'the audit');
    running.requests = begun.requests;
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
  }
  try {
    await finished(processes.stop(), 'the stop');
    await finished(sleep(3000), 'the wait');
    if (world.backends.open > 0)
      failures.push(`${String(world.backends.open)} backends are left after the stop`);
    failures.push(...world.backends.takeViolations());
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
  }
  return {
    failures,
    digest: createHash('sha256').update(running.trace.join('\n')).digest('hex').slice(0, 16),
    events: clock.events - eventsBefore,
    requests: running.requests,
    milliseconds: realNow() - began,
  };
}
