/** The calls of router.v1, each made by a party. */
import type {
  AckMessagesRequest,
  HeartbeatRequest,
  RegisterPartyRequest,
  SendMessagesRequest,
  SubscribeSessionEventsResponseSchema,
  Envelope,
} from '../../generated/proto/router/v1/router_pb.js';
import {
  MAX_WINDOW,
  type MailboxStore,
  envelopeStatement,
  type OutgoingMessage,
} from '../mailbox/mailbox-store.js';
import {
  type PartyIdentity,
  type RouterPorts,
  type SigningSessions,
  PartyRefused,
  type SignedStatement,
} from '../signing/router-port.js';
import {
  HEARTBEAT_SECONDS,
  MAX_EVENT_STREAMS,
  MAX_MAILBOX_STREAMS,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGE_STREAMS,
  MAX_PAYLOAD_BYTES,
  STREAM_KEEPALIVE_MS,
  STREAM_LIFETIME_MS,
  MAX_ENVELOPES,
  MAX_RECIPIENTS,
  MAX_SIGNATURE_BYTES,
} from './limits.js';
import { createPageRoom, mailboxStream, messageStream, type PageRoom } from './mailbox-stream.js';
import {
  readKey,
  roleMessage,
  carriesMessage,
  sessionMessage,
  eventMessage,
  readInstance,
  readPositions,
  readResult,
  readSequence,
  readSessionId,
} from './messages.js';
import { partyKey } from './identity.js';
import { linkGone, whenGone, type Gone } from '../base/gone.js';
import { createArrivalOrder, type ArrivalOrder } from '../base/arrival-order.js';
import type { Limits } from '../operations/limits.js';
import { partyStream } from './party-stream.js';
import { notFound, Refused, invalid } from './refusal.js';
import type { RouterHandlers, Send } from './typed-service.js';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import { verifyParty } from '../signing/parties/identity-key.js';
import { CANONICAL_UUID } from '../base/identifiers.js';
import { sha256 } from '../base/hash.js';

export interface HandlerParts extends RouterPorts {
  readonly mailboxes: MailboxStore;
  readonly limits: Limits;
  /** Aborted when the router stops: streams end, and no new ones begin. */
  readonly stopping: Gone;
}

type Response<Name extends keyof RouterHandlers> = ReturnType<RouterHandlers[Name]>;

export function createHandlers(parts: HandlerParts): RouterHandlers {
  const { sessions, mailboxes, ends, limits } = parts;
  const eventStreams = limits.openCount('router-event-streams', MAX_EVENT_STREAMS);
  const messageStreams = limits.openCount('router-message-streams', MAX_MESSAGE_STREAMS);
  const mailboxStreams = limits.openCount('router-mailbox-streams', MAX_MAILBOX_STREAMS);
  const room = createPageRoom();
  const arrival = createArrivalOrder();
  return {
    registerParty: (request, party) => registerParty(parts, party, request),
    heartbeat: (request, party) => heartbeat(parts, party, request),
    subscribeSessionEvents: ({ instanceId, afterEventId }, context) =>
      partyStream(parts, context, eventStreams, (party, signal) => {
        readInstance(instanceId);
        const after = afterEventId === '' ? null : afterEventId;
        return eventStream({ sessions, room, party, after, signal, send: context.send });
      }),
    async joinSession({ sessionId, instanceId }, party) {
      const session = await sessions.join(party, readSessionId(sessionId), readInstance(instanceId));
      return { session: sessionMessage(session) };
    },
    sendMessages: (request, party) => send(parts, arrival, party, request),
    subscribeMessages: ({ sessionId, instanceId, afterSequence }, context) =>
      partyStream(parts, context, messageStreams, (party, signal) => {
        readInstance(instanceId);
        const after = readSequence('after_sequence', afterSequence);
        return messageStream(
          {
            ...{ mailboxes, ends, room, party, signal },
            send: ({ sessionId: _sessionId, ...item }) => context.send(item),
          },
          readSessionId(sessionId),
          after,
        );
      }),
    subscribeMailbox: ({ instanceId, after }, context) =>
      partyStream(parts, context, mailboxStreams, (party, signal) => {
        readInstance(instanceId);
        return mailboxStream({
          ...{ mailboxes, ends, room, sessions, party, after: readPositions(after) },
          ...{ signal, send: context.send },
        });
      }),
    ackMessages: (request, party) => acknowledge(parts, party, request),
    async reportResult({ sessionId, outcome }, party) {
      const session = await sessions.reportResult(party, readSessionId(sessionId), readResult(outcome));
      return { session: sessionMessage(session) };
    },
  };
}

async function registerParty(
  { parties }: HandlerParts,
  party: PartyIdentity,
  { instanceId, encryptionKeys }: RegisterPartyRequest,
): Promise<Awaited<Response<'registerParty'>>> {
  await parties.register(party, readInstance(instanceId), encryptionKeys.map(readKey));
  return {
    partyId: party.partyId,
    role: roleMessage(party.role),
    heartbeatInterval: { seconds: BigInt(HEARTBEAT_SECONDS), nanos: 0 },
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    maxUnacked: MAX_WINDOW,
  };
}

async function heartbeat(
  { parties, stopping }: HandlerParts,
  party: PartyIdentity,
  { instanceId, encryptionKeys }: HeartbeatRequest,
): Promise<Awaited<Response<'heartbeat'>>> {
  const keys = encryptionKeys.map(readKey);
  const { oneTimeKeysLeft } = await parties.heartbeat(party, readInstance(instanceId), keys);
  return { oneTimeKeysLeft, draining: stopping.aborted };
}

async function send(
  { mailboxes, sessions }: HandlerParts,
  arrival: ArrivalOrder,
  party: PartyIdentity,
  { envelopes }: SendMessagesRequest,
): Promise<Awaited<Response<'sendMessages'>>> {
  const sessionId = envelopes[0]?.sessionId ?? '';
  const call = await arrival.after(`${partyKey(party)} ${sessionId}`, readEnvelopes(party, envelopes));
  const duplicates = await sendMessages(mailboxes, sessions, party, call);
  const results = call.messages.map(({ messageId }, index) => ({
    messageId,
    duplicate: duplicates[index] === true,
  }));
  return { results };
}

async function acknowledge(
  { mailboxes, sessions }: HandlerParts,
  party: PartyIdentity,
  { sessionId, upToSequence }: AckMessagesRequest,
): Promise<Awaited<Response<'ackMessages'>>> {
  const session = readSessionId(sessionId);
  const upTo = readSequence('up_to_sequence', upToSequence);
  const outcome = await mailboxes.ack(party, session, upTo);
  switch (outcome.kind) {
    case 'not-found':
      throw notFound();
    case 'not-delivered':
      throw new Refused('not-delivered', `up_to_sequence: ${String(outcome.delivered)} was delivered last`);
    case 'acked':
      // A delegate that acknowledges messages has begun to sign, so it has its share.
      if (party.role === 'delegate') await sessions.acknowledgeShare(party, session);
      return { ackedSequence: BigInt(outcome.acked) };
  }
}

// SubscribeSessionEvents: the events of all sessions of a party.

type Item = MessageInitShape<typeof SubscribeSessionEventsResponseSchema>;

interface EventSubscription {
  readonly sessions: Pick<SigningSessions, 'subscribe' | 'message'>;
  readonly room: PageRoom;
  readonly party: PartyIdentity;
  /** The last event that the party has; null for none. */
  readonly after: string | null;
  readonly signal: Gone;
  readonly send: Send<Item>;
}

/** Ends when the signal is aborted, and after the lifetime of a stream. */
async function eventStream(subscription: EventSubscription): Promise<void> {
  const { signal, send } = subscription;
  const link = linkGone([signal]);
  const lifetime = setTimeout(link.abort, STREAM_LIFETIME_MS);
  const events = eventsWithMessages({ ...subscription, signal: link.signal });
  try {
    let next = events.next();
    for (;;) {
      const result = await within(next, STREAM_KEEPALIVE_MS);
      if (result === null) {
        await send({ item: { case: 'keepaliveAt', value: timestampNow() } });
        continue;
      }
      if (result.done === true) return;
      await send({ item: { case: 'event', value: result.value } });
      // The next event is asked for when the client has this one: a client that is gone need not have it.
      if (signal.aborted) return;
      next = events.next();
    }
  } finally {
    clearTimeout(lifetime);
    link.abort();
    link.release();
    await events.return(undefined);
  }
}

/** The events, some with the message of their session. That takes room, as a page of a mailbox does, until the client has the event. */
async function* eventsWithMessages({
  sessions,
  room,
  party,
  after,
  signal,
}: Omit<EventSubscription, 'send'>): AsyncGenerator<ReturnType<typeof eventMessage>, undefined> {
  let wake = (): void => undefined;
  const place = room.place(partyKey(party), () => wake());
  const unlink = whenGone(signal, () => wake());
  try {
    for await (const event of sessions.subscribe(party, after, signal)) {
      if (!carriesMessage(event)) {
        yield eventMessage(event, null);
        continue;
      }
      while (!signal.aborted && !place.take(MAX_MESSAGE_BYTES))
        await new Promise<void>((resolve) => (wake = resolve));
      if (signal.aborted) return;
      yield eventMessage(event, await sessions.message(party, event.session.sessionId));
      place.release();
    }
  } finally {
    unlink();
    place.close();
  }
}

/** Resolves with null if the time is over first. @param ms in milliseconds */
function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

// SendMessages: checks the envelopes of a call before any is stored in the mailboxes.

interface OutgoingCall {
  readonly sessionId: string;
  readonly messages: readonly OutgoingMessage[];
}

/**
 * All of one session, all from the caller, each signed by its identity key.
 * @throws Refused INVALID_ARGUMENT, PERMISSION_DENIED for envelopes of another sender
 */
async function readEnvelopes(party: PartyIdentity, envelopes: readonly Envelope[]): Promise<OutgoingCall> {
  const [first] = envelopes;
  if (first === undefined) throw invalid('envelopes: at least one is needed');
  if (envelopes.length > MAX_ENVELOPES)
    throw invalid(`envelopes: at most ${String(MAX_ENVELOPES)} in a call`);
  const sessionId = readSessionId(first.sessionId);
  if (envelopes.some((envelope) => envelope.sessionId !== sessionId))
    throw invalid('envelopes: all of a call belong to one session');
  const signed = envelopes.map((envelope) => readEnvelope(party, envelope));
  const verified = signed.map(({ message, statement }) => verifyParty(party, statement, message.signature));
  for (const isValid of verified) if (!(await isValid)) throw invalid(NOT_SIGNED);
  return { sessionId, messages: signed.map(({ message }) => message) };
}

const NOT_SIGNED = "signature: not of the party's identity key over this envelope";

interface SignedMessage {
  readonly message: OutgoingMessage;
  readonly statement: Buffer;
}

/** The message of an envelope, and the statement that its signature must cover. */
function readEnvelope(party: PartyIdentity, envelope: Envelope): SignedMessage {
  const { sessionId, messageId, fromPartyId, toPartyIds, round } = envelope;
  if (fromPartyId !== party.partyId)
    throw new Refused('foreign-sender', 'from_party_id: a party sends in its own name alone');
  if (!CANONICAL_UUID.test(messageId)) throw invalid('message_id: a UUID in lower case is needed');
  if (toPartyIds.length > MAX_RECIPIENTS || new Set(toPartyIds).size !== toPartyIds.length)
    throw invalid('to_party_ids: too many, or one of them twice');
  if (envelope.payload.length > MAX_PAYLOAD_BYTES)
    throw invalid(`payload: at most ${String(MAX_PAYLOAD_BYTES)} bytes`);
  const senderSequence = readSequence('sender_sequence', envelope.senderSequence);
  if (senderSequence < 1) throw invalid('sender_sequence: counts from 1');
  if (envelope.signature.length > MAX_SIGNATURE_BYTES) throw invalid(NOT_SIGNED);
  const payload = bufferOf(envelope.payload);
  const signature = bufferOf(envelope.signature);
  const statement = envelopeStatement({
    sessionId,
    messageId,
    fromPartyId,
    toPartyIds,
    round,
    senderSequence,
    payload,
  });
  const contentSha256 = sha256(statement);
  const message = { messageId, toPartyIds, round, senderSequence, payload, signature, contentSha256 };
  return { message, statement };
}

/** The same bytes. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/**
 * Stores messages in mailboxes. A party that signs two messages under one number or identifier fails the session.
 * @returns for each message whether it had been accepted before
 */
async function sendMessages(
  mailboxes: MailboxStore,
  sessions: Pick<SigningSessions, 'equivocation'>,
  party: PartyIdentity,
  { sessionId, messages }: OutgoingCall,
): Promise<readonly boolean[]> {
  const outcome = await mailboxes.append(party, sessionId, messages);
  switch (outcome.kind) {
    case 'accepted':
      return outcome.duplicates;
    case 'not-found':
      throw notFound();
    case 'wrong-state':
      throw new Refused('wrong-session-state', `the session is ${outcome.state}`);
    case 'unknown-recipient':
      throw invalid(`to_party_ids: ${outcome.partyId} is no other participant`);
    case 'out-of-order':
      throw new Refused('out-of-order', `sender_sequence: ${String(outcome.expected)} comes next`);
    case 'full':
      throw new Refused('mailbox-full', `the mailbox of ${outcome.partyId} is full`);
    case 'session-full':
      throw new Refused('session-full', 'the session has as many messages as it may have');
    case 'store-full':
      throw new Refused('mailboxes-full', 'the mailboxes of all sessions are full: try again');
    case 'equivocation': {
      const [first, second] = [outcome.first, outcome.second] as const;
      await fail(sessions, party, sessionId, first, second);
      const [before, now] = [first, second].map(({ contentSha256 }) => contentSha256.toString('hex'));
      throw new Refused(
        'contradiction',
        `another message was accepted before: SHA-256 ${String(before)}, now ${String(now)}`,
      );
    }
  }
}

/** The session fails. If it has ended meanwhile, the call is refused for the contradiction all the same. */
async function fail(
  sessions: Pick<SigningSessions, 'equivocation'>,
  party: PartyIdentity,
  sessionId: string,
  first: OutgoingMessage,
  second: OutgoingMessage,
): Promise<void> {
  const signed = (message: OutgoingMessage): SignedStatement => ({
    statement: envelopeStatement({ ...message, sessionId, fromPartyId: party.partyId }),
    signature: message.signature,
  });
  try {
    await sessions.equivocation(party, sessionId, signed(first), signed(second));
  } catch (error) {
    if (!(error instanceof PartyRefused && error.refusal.kind === 'terminal')) throw error;
  }
}
