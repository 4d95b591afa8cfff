/**
 * The parties of signing sessions: they join what they are called to, exchange messages through their mailboxes, and sign.
 * They connect again after each loss, and know what they have sent and received, which party-audit.ts compares.
 */
import { sign } from 'node:crypto';
import {
  FailureReason,
  RouterService,
  SessionEventType,
  type Session,
  type SessionEvent,
} from '../../generated/proto/router/v1/router_pb.js';
import { envelopeStatement } from '../../src/mailbox/mailbox-store.js';
import { EPOCH_MS, type Clock } from './clock.js';
import type { Network } from './network.js';
import {
  openParty,
  type PartyConnection,
  type Ended,
  type Reply,
  type Rpc,
  type Status,
  type Subscription,
} from './party-client.js';
import { randomOf, type Random } from './random.js';
import { DELEGATE, identityName, keyOf, uuidOf } from './signing.js';
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';

const METHODS = RouterService.method;

/** A message that a party sends in a session; which ones follows from the session and the party. */
export interface PlannedMessage {
  readonly from: string;
  /** Empty: to all others. */
  readonly to: readonly string[];
  readonly number: number;
  readonly messageId: string;
  readonly payload: string;
}

/** Messages of a mailbox in the simulation (build.ts). */
export const CAPACITY = 12;

/** One more than the most messages: some sessions have more than a mailbox holds. */
const MESSAGES = [5, 15] as const;

export function messagesOf(
  sessionId: string,
  from: string,
  participants: readonly string[],
): readonly PlannedMessage[] {
  const random = randomOf(`messages of ${from} in ${sessionId}`);
  const others = participants.filter((party) => party !== from);
  return Array.from({ length: random.below(random.pick(MESSAGES)) }, (_, at) => {
    const only = random.chance(0.4) ? others[random.below(others.length)] : undefined;
    return {
      from,
      to: only === undefined ? [] : [only],
      number: at + 1,
      messageId: uuidOf(`message ${String(at + 1)} of ${from} in ${sessionId}`),
      payload: `${String(at + 1)} of ${from} in ${sessionId}${'.'.repeat(random.pick([0, 10, 3000]))}`,
    };
  });
}

export const isFor = ({ from, to }: PlannedMessage, party: string): boolean =>
  party !== from && (to.length === 0 || to.includes(party));

/** What the parties of a session do when they have all messages. */
export function endingOf(sessionId: string): 'sign' | 'abort' | 'sign wrongly' {
  const drawn = randomOf(`ending of ${sessionId}`).below(12);
  return drawn === 0 ? 'abort' : drawn === 1 ? 'sign wrongly' : 'sign';
}

export interface Delivered {
  readonly position: number;
  readonly from: string;
  readonly number: number;
  readonly messageId: string;
  readonly payload: string;
}

/** One subscription of a mailbox. */
export interface MailboxRead {
  readonly after: number;
  /** The highest acknowledged position that the party knew of before. */
  readonly ackedBefore: number;
  readonly delivered: Delivered[];
  /** After each delivery, the highest position for which an acknowledgement was sent. */
  readonly ackSent: number[];
}

export interface PartySessionLog {
  readonly sessionId: string;
  readonly participants: readonly string[];
  readonly reads: MailboxRead[];
  /** Numbers of the messages whose acceptance was acknowledged. */
  readonly accepted: Set<number>;
  /** Acknowledged positions in the order of the answers. */
  readonly acked: number[];
  /** Answers with a lower position than one before, and their times in milliseconds since the epoch. */
  readonly wentBack: { readonly what: string; readonly at: number }[];
  ackSent: number;
  hasAll: boolean;
  closedWith: number | null;
}

export interface SeenEvent {
  readonly sessionId: string;
  readonly sequence: number;
  readonly type: number;
  readonly state: number;
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number;
  /** The ciphertext of a share, if the event has one. */
  readonly ciphertext: string | null;
}

export interface PartyLog {
  readonly tenantId: string;
  readonly partyId: string;
  /** The events that each subscription of the party has received. */
  readonly events: SeenEvent[][];
  /** When the first event arrived, in milliseconds since the epoch: a session that ended before may have none. */
  since: number;
  readonly sessions: Map<string, PartySessionLog>;
  /** Answers that no rule allows. */
  readonly problems: string[];
  /** Calls without an answer, apart from those that were not begun. */
  readonly lost: string[];
}

export interface Party {
  readonly log: PartyLog;
  /** The present connection; null between two. */
  readonly connection: PartyConnection | null;
  stop(): void;
}

export interface PartyOptions {
  readonly network: Network;
  readonly clock: Clock;
  /** Returns the port for the next connection. @param attempt from 0 */
  readonly portOf: (attempt: number) => number;
  readonly random: Random;
  readonly tenantId: string;
  readonly partyId: string;
  /** Logs of the parties of the tenant: they wait for each other before they sign. */
  readonly peers: ReadonlyMap<string, PartyLog>;
}

/** Statuses after which a party tries again: none, and those of a service that is away or has no room. */
const AGAIN: ReadonlySet<Status> = new Set([null, 1, 4, 8, 14]);
const OK = 0;
const INSTANCE = 'simulated';
const WRONG_STATE = 9;
const ABORTED = 10;

/** Longest pause before another attempt, in milliseconds. */
const PAUSE_MS = 400;

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(tenantId: string, partyId: string): string {
  const exp = Math.floor(EPOCH_MS / 1000) + 86_400;
  const signed = `${encoded({ alg: 'EdDSA' })}.${encoded({ tenantId, sub: partyId, aud: 'router.v1', exp })}`;
  const key = keyOf(identityName(tenantId, partyId));
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

interface Running extends PartyOptions {
  readonly log: PartyLog;
  readonly token: string;
  /** Sessions that have ended for the party. */
  readonly ended: Set<string>;
  /** Sessions that the party has been called to. */
  readonly taken: Set<string>;
  connection: PartyConnection | null;
  connections: number;
  isStopped: boolean;
}

const sleep = ({ clock }: Running, milliseconds: number): Promise<void> =>
  new Promise((resolve) => clock.after(milliseconds, resolve));

export function startParty(options: PartyOptions): Party {
  const { tenantId, partyId } = options;
  const running: Running = {
    ...options,
    log: { tenantId, partyId, events: [], since: Infinity, sessions: new Map(), problems: [], lost: [] },
    token: tokenOf(tenantId, partyId),
    ended: new Set(),
    taken: new Set(),
    connection: null,
    connections: 0,
    isStopped: false,
  };
  void followEvents(running);
  return {
    log: running.log,
    get connection() {
      return running.connection;
    },
    stop() {
      running.isStopped = true;
      running.connection?.close();
    },
  };
}

/** Returns null if the router does not listen. */
function connectionOf(running: Running): PartyConnection | null {
  const { network, portOf, random, token, connection } = running;
  if (connection?.isOpen === true) return connection;
  const port = portOf(running.connections);
  if (running.isStopped || !network.isListening(port)) return null;
  running.connection = openParty(
    network,
    port,
    random.of(`connection ${String(running.connections++)}`),
    token,
  );
  return running.connection;
}

const isOver = ({ isStopped, ended }: Running, sessionId: string): boolean =>
  isStopped || ended.has(sessionId);

/** Calls until there is an answer that another attempt would not change; null once the session is over. */
async function insist<Input extends DescMessage, Output extends DescMessage>(
  running: Running,
  sessionId: string,
  method: Rpc<Input, Output>,
  request: MessageInitShape<Input>,
): Promise<Reply<Output> | null> {
  while (!isOver(running, sessionId)) {
    const reply = await connectionOf(running)?.call(method, request);
    if (reply !== undefined && !AGAIN.has(reply.status)) return reply;
    if (reply?.status === null && !reply.isRefused) running.log.lost.push(`${method.name} in ${sessionId}`);
    await sleep(running, running.random.below(PAUSE_MS));
  }
  return null;
}

function complain({ log }: Running, what: string, { status, details }: Ended): void {
  log.problems.push(`${what}: status ${String(status)}: ${details}`);
}

// Events.

const EMPTY_STREAM: Ended = { status: null, details: '', isRefused: true };

async function followEvents(running: Running): Promise<void> {
  const { random, log } = running;
  let lastId = '';
  while (!running.isStopped) {
    const events: SeenEvent[] = [];
    log.events.push(events);
    const stream = connectionOf(running)?.subscribe(
      METHODS.subscribeSessionEvents,
      { instanceId: INSTANCE, afterEventId: lastId },
      ({ item }) => {
        if (item.case !== 'event') return;
        lastId = item.value.eventId;
        takeEvent(running, events, item.value);
      },
    );
    const ended = (await stream?.ended) ?? EMPTY_STREAM;
    if (!running.isStopped && ended.status !== OK && !AGAIN.has(ended.status))
      complain(running, 'the stream of events', ended);
    await sleep(running, random.below(PAUSE_MS));
  }
}

const LAST_EVENTS: ReadonlySet<SessionEventType> = new Set([
  SessionEventType.COMPLETED,
  SessionEventType.FAILED,
  SessionEventType.EXPIRED,
  SessionEventType.CANCELLED,
]);

function takeEvent(running: Running, events: SeenEvent[], event: SessionEvent): void {
  const { session, sequence, type, delegateUserShare: share } = event;
  if (session === undefined) return void running.log.problems.push('an event has no session');
  const { sessionId, state } = session;
  if (session.tenantId !== running.tenantId)
    running.log.problems.push(`an event of ${session.tenantId}: ${sessionId}`);
  const ciphertext = share === undefined ? null : Buffer.from(share.ciphertext).toString('utf8');
  const at = EPOCH_MS + running.clock.now();
  running.log.since = Math.min(running.log.since, at);
  events.push({ sessionId, sequence: Number(sequence), type, state, at, ciphertext });
  if (LAST_EVENTS.has(type)) running.ended.add(sessionId);
  if (running.taken.has(sessionId) || running.ended.has(sessionId)) return;
  running.taken.add(sessionId);
  void takePart(running, session);
}

// Sessions.

async function takePart(running: Running, session: Session): Promise<void> {
  const { random, log } = running;
  const { sessionId } = session;
  await sleep(running, random.below(40));
  const joined = await insist(running, sessionId, METHODS.joinSession, { sessionId, instanceId: INSTANCE });
  if (joined === null || joined.status === WRONG_STATE) return;
  if (joined.status !== OK) return complain(running, `joining ${sessionId}`, joined);
  const participants = session.participants.map(({ partyId }) => partyId);
  const own: PartySessionLog = {
    ...{ sessionId, participants, reads: [], accepted: new Set(), acked: [], ackSent: 0, wentBack: [] },
    ...{ hasAll: false, closedWith: null },
  };
  log.sessions.set(sessionId, own);
  while (!isOver(running, sessionId) && !hasShare(running, sessionId)) await sleep(running, 50);
  await Promise.all([readMailbox(running, own), sendAll(running, own), signWhenDone(running, own, session)]);
}

/** A delegate begins when it has the share. */
const hasShare = ({ partyId, log }: Running, sessionId: string): boolean =>
  partyId !== DELEGATE ||
  log.events.some((events) =>
    events.some((event) => event.sessionId === sessionId && event.ciphertext !== null),
  );

async function sendAll(running: Running, own: PartySessionLog): Promise<void> {
  const { random, partyId } = running;
  const { sessionId, participants, accepted } = own;
  const messages = messagesOf(sessionId, partyId, participants);
  for (let at = 0; at < messages.length && !isOver(running, sessionId);) {
    await sleep(running, random.below(20));
    const some = messages.slice(at, at + random.between(1, 3));
    const envelopes = some.map((message) => envelopeOf(running, sessionId, message));
    const reply = await insist(running, sessionId, METHODS.sendMessages, { envelopes });
    if (reply === null) return;
    if (reply.status === OK) {
      for (const { number } of some) accepted.add(number);
      noteBounds(running, own);
      if (!random.chance(REPEATED)) at += some.length;
    } else if (reply.status !== WRONG_STATE) return complain(running, `sending in ${sessionId}`, reply);
    // The session has not begun.
    else await sleep(running, random.below(PAUSE_MS));
  }
}

/** Probability that a party sends again what was accepted, as after a crash. */
const REPEATED = 0.15;

/** No mailbox has more accepted messages than it holds, of those that are not acknowledged. */
function noteBounds({ log, peers }: Running, { sessionId, participants }: PartySessionLog): void {
  for (const receiver of participants) {
    const held = participants
      .flatMap((from) => {
        const accepted = peers.get(from)?.sessions.get(sessionId)?.accepted;
        return messagesOf(sessionId, from, participants).filter(({ number }) => accepted?.has(number));
      })
      .filter((message) => isFor(message, receiver)).length;
    const acked = peers.get(receiver)?.sessions.get(sessionId)?.ackSent ?? 0;
    if (held - acked > CAPACITY)
      log.problems.push(`the mailbox of ${receiver} in ${sessionId} has ${String(held - acked)} messages`);
  }
}

function envelopeOf({ tenantId, partyId }: Running, sessionId: string, planned: PlannedMessage) {
  const content = {
    ...{ sessionId, messageId: planned.messageId, fromPartyId: partyId, toPartyIds: [...planned.to] },
    ...{ round: 1, senderSequence: planned.number, payload: Buffer.from(planned.payload) },
  };
  const signature = sign(null, envelopeStatement(content), keyOf(identityName(tenantId, partyId)));
  return { ...content, senderSequence: BigInt(planned.number), signature };
}

/** Longest time after which a party begins to read, in milliseconds. */
const LATENESS_MS = 1200;

async function readMailbox(running: Running, own: PartySessionLog): Promise<void> {
  const { random } = running;
  const { sessionId } = own;
  // Its mailbox fills meanwhile.
  if (random.chance(0.4)) await sleep(running, random.below(LATENESS_MS));
  while (!running.isStopped && own.closedWith === null) {
    const [ended, next] = await readOnce(running, own);
    if (ended.status !== OK && ended.status !== ABORTED && !AGAIN.has(ended.status))
      return complain(running, `the mailbox of ${sessionId}`, ended);
    if (!next) await sleep(running, random.below(PAUSE_MS));
  }
}

/** Reads until the end of a subscription, or until another one is to begin beside it: true. */
async function readOnce(
  running: Running,
  own: PartySessionLog,
): Promise<readonly [ended: Ended, isNewer: boolean]> {
  const { random } = running;
  const { sessionId, reads } = own;
  const last = reads.flatMap(({ delivered }) => delivered).at(-1)?.position ?? 0;
  const after = random.chance(0.5) ? 0 : last;
  const read: MailboxRead = {
    ...{ after, ackedBefore: Math.max(0, ...own.acked), delivered: [], ackSent: [] },
  };
  reads.push(read);
  let beginAnother: () => void = () => undefined;
  const another = new Promise<'another'>((resolve) => (beginAnother = () => resolve('another')));
  const stream = connectionOf(running)?.subscribe(
    METHODS.subscribeMessages,
    { sessionId, instanceId: INSTANCE, afterSequence: BigInt(after) },
    ({ deliveries, closedWith }) => {
      for (const { sequence, envelope } of deliveries)
        if (envelope !== undefined) {
          const { fromPartyId, senderSequence, messageId, payload } = envelope;
          read.delivered.push({
            ...{ position: Number(sequence), from: fromPartyId, number: Number(senderSequence), messageId },
            payload: Buffer.from(payload).toString('utf8'),
          });
          read.ackSent.push(own.ackSent);
        }
      if (closedWith !== 0) own.closedWith = closedWith;
      noteAll(running, own);
      const isLast = random.chance(0.1);
      // Another subscription begins while the acknowledgement is on its way.
      if (deliveries.length > 0) void acknowledge(running, own, isLast ? 1 : random.pick(ACK_PAUSES));
      if (random.chance(0.15)) void pause(running, stream);
      if (isLast) beginAnother();
    },
  );
  const first = await Promise.race([stream?.ended ?? EMPTY_STREAM, another]);
  return first === 'another' ? [EMPTY_STREAM, true] : [first, false];
}

async function pause(running: Running, stream: Subscription | undefined): Promise<void> {
  stream?.setReading(false);
  await sleep(running, running.random.below(300));
  stream?.setReading(true);
}

const positionsOf = ({ reads }: PartySessionLog): ReadonlySet<number> =>
  new Set(reads.flatMap(({ delivered }) => delivered.map(({ position }) => position)));

/** Whether the party has all that the others send it. */
function noteAll({ partyId }: Running, own: PartySessionLog): void {
  const { sessionId, participants } = own;
  const expected = participants.flatMap((from) =>
    messagesOf(sessionId, from, participants).filter((message) => isFor(message, partyId)),
  );
  own.hasAll = positionsOf(own).size >= expected.length;
}

/** Longest pauses before an acknowledgement, in milliseconds. */
const ACK_PAUSES = [1, 60, 250] as const;

/** Time after which a party acknowledges the rest of what it has, in milliseconds. */
const REST_MS = 3000;

const lastPosition = (own: PartySessionLog): number => Math.max(0, ...positionsOf(own));

/** Acknowledges all that has come; now and then less, as a party that has lost its memory, and the rest later. */
async function acknowledge(running: Running, own: PartySessionLog, pauseMs: number): Promise<void> {
  const { random } = running;
  await sleep(running, random.below(pauseMs));
  const all = lastPosition(own);
  const upTo = all > 1 && random.chance(0.15) ? random.between(1, all) : all;
  await acknowledgeUpTo(running, own, upTo);
  if (upTo === all) return;
  await sleep(running, REST_MS);
  if (own.ackSent < lastPosition(own)) await acknowledgeUpTo(running, own, lastPosition(own));
}

async function acknowledgeUpTo(running: Running, own: PartySessionLog, upTo: number): Promise<void> {
  const { sessionId } = own;
  if (upTo <= own.ackSent && own.acked.includes(upTo)) return;
  own.ackSent = Math.max(own.ackSent, upTo);
  const before = Math.max(0, ...own.acked);
  const reply = await insist(running, sessionId, METHODS.ackMessages, {
    sessionId,
    upToSequence: BigInt(upTo),
  });
  if (reply === null) return;
  if (reply.message === null) return complain(running, `acknowledging in ${sessionId}`, reply);
  const acked = Number(reply.message.ackedSequence);
  if (acked < Math.max(upTo, before))
    own.wentBack.push({
      what: `${String(acked)} is acknowledged after ${String(before)} and ${String(upTo)}`,
      at: EPOCH_MS + running.clock.now(),
    });
  own.acked.push(acked);
}

/** Signs when all parties have all messages, so that a session is completed only if none was lost. */
async function signWhenDone(running: Running, own: PartySessionLog, session: Session): Promise<void> {
  const { peers, partyId } = running;
  const { sessionId, participants } = own;
  noteAll(running, own);
  const isDone = (): boolean =>
    participants.every((party) => peers.get(party)?.sessions.get(sessionId)?.hasAll === true);
  while (!isOver(running, sessionId) && !isDone()) await sleep(running, 50);
  const ending = endingOf(sessionId);
  if (ending === 'abort' && partyId !== participants[0]) return;
  const signer = ending === 'sign wrongly' && partyId === participants[0] ? 'another' : session.accountId;
  const signature = sign(null, session.messageDigest, keyOf(signer));
  const abort = { reason: FailureReason.PARTY_ABORTED, culpritPartyIds: [], detail: 'simulated' };
  for (let status: Status = WRONG_STATE; status === WRONG_STATE && !isOver(running, sessionId);) {
    const reply = await insist(running, sessionId, METHODS.reportResult, {
      sessionId,
      outcome: ending === 'abort' ? { case: 'abort', value: abort } : { case: 'signature', value: signature },
    });
    if (reply === null) return;
    if (reply.status !== OK && reply.status !== WRONG_STATE)
      return complain(running, `the result of ${sessionId}`, reply);
    // The session has not begun, or its end has not arrived.
    if (reply.status === WRONG_STATE) await sleep(running, 200);
    status = reply.status;
  }
}
