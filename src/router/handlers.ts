/** The calls of router.v1, each made by a party. */
import type {
  AckMessagesRequest,
  HeartbeatRequest,
  RegisterPartyRequest,
  RouterService,
  SendMessagesRequest,
  SubscribeSessionEventsResponseSchema,
} from '../../generated/proto/router/v1/router_pb.js';
import { MAX_WINDOW, type MailboxStore } from '../mailbox/mailbox-store.js';
import type {
  PartyIdentity,
  PartyRegistry,
  PartyWatch,
  SessionEnds,
  SigningSessions,
} from '../signing/router-port.js';
import { readEnvelopes } from './envelopes.js';
import {
  HEARTBEAT_SECONDS,
  MAX_EVENT_STREAMS,
  MAX_MAILBOX_STREAMS,
  MAX_MESSAGE_STREAMS,
  MAX_PAYLOAD_BYTES,
  STREAM_KEEPALIVE_MS,
  STREAM_LIFETIME_MS,
} from './limits.js';
import { mailboxStream } from './mailbox-stream.js';
import { messageStream } from './message-stream.js';
import { readKey, roleMessage, sessionMessage, eventMessage } from './messages.js';
import { partyKey } from './admission.js';
import { createArrivalOrder, type ArrivalOrder } from '../base/arrival-order.js';
import type { Limits } from '../operations/limits.js';
import { partyStream } from './party-stream.js';
import { notFound, Refused } from './refusal.js';
import { readInstance, readPositions, readResult, readSequence, readSessionId } from './request-fields.js';
import { sendMessages } from './send-messages.js';
import type { ServiceHandlers } from './typed-service.js';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import type { Send } from './call-options.js';
import { linkSignals } from './deadline.js';

export interface HandlerParts {
  readonly sessions: SigningSessions;
  readonly parties: PartyRegistry;
  readonly mailboxes: MailboxStore;
  readonly ends: SessionEnds;
  /** Ends the streams of a party that changes. */
  readonly watch: PartyWatch;
  readonly limits: Limits;
  /** Aborted when the router stops: streams end, and no new ones begin. */
  readonly stopping: AbortSignal;
}

type Handlers = ServiceHandlers<typeof RouterService, PartyIdentity>;
type Response<Name extends keyof Handlers> = ReturnType<Handlers[Name]>;

export function createHandlers(parts: HandlerParts): Handlers {
  const { sessions, mailboxes, ends, limits } = parts;
  const eventStreams = limits.openCount('router-event-streams', MAX_EVENT_STREAMS);
  const messageStreams = limits.openCount('router-message-streams', MAX_MESSAGE_STREAMS);
  const mailboxStreams = limits.openCount('router-mailbox-streams', MAX_MAILBOX_STREAMS);
  const arrival = createArrivalOrder();
  return {
    registerParty: (request, { caller }) => registerParty(parts, caller, request),
    heartbeat: (request, { caller }) => heartbeat(parts, caller, request),
    subscribeSessionEvents: ({ instanceId, afterEventId }, context) =>
      partyStream(parts, context, eventStreams, (party, signal) => {
        readInstance(instanceId);
        const after = afterEventId === '' ? null : afterEventId;
        return eventStream(sessions, party, after, signal, context.send);
      }),
    async joinSession({ sessionId, instanceId }, { caller: party }) {
      const session = await sessions.join(party, readSessionId(sessionId), readInstance(instanceId));
      return { session: sessionMessage(session) };
    },
    sendMessages: (request, { caller }) => send(parts, arrival, caller, request),
    subscribeMessages: ({ sessionId, instanceId, afterSequence }, context) =>
      partyStream(parts, context, messageStreams, (party, signal) => {
        readInstance(instanceId);
        const after = readSequence('after_sequence', afterSequence);
        return messageStream({
          ...{ mailboxes, ends, party, sessionId: readSessionId(sessionId) },
          ...{ after, signal, send: context.send },
        });
      }),
    subscribeMailbox: ({ instanceId, after }, context) =>
      partyStream(parts, context, mailboxStreams, (party, signal) => {
        readInstance(instanceId);
        return mailboxStream({
          ...{ mailboxes, ends, sessions, party, after: readPositions(after) },
          ...{ signal, send: context.send },
        });
      }),
    ackMessages: (request, { caller }) => acknowledge(parts, caller, request),
    async reportResult({ sessionId, outcome }, { caller: party }) {
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

/** Ends when the signal is aborted, and after the lifetime of a stream. */
async function eventStream(
  sessions: Pick<SigningSessions, 'subscribe'>,
  party: PartyIdentity,
  afterEventId: string | null,
  signal: AbortSignal,
  send: Send<Item>,
): Promise<void> {
  const link = linkSignals([signal], STREAM_LIFETIME_MS);
  const done = new AbortController();
  if (link.signal.aborted) done.abort();
  link.signal.addEventListener('abort', () => done.abort(), { once: true });
  const events = sessions.subscribe(party, afterEventId, done.signal)[Symbol.asyncIterator]();
  try {
    let next = events.next();
    for (;;) {
      const result = await within(next, STREAM_KEEPALIVE_MS);
      if (result === null) {
        await send({ item: { case: 'keepaliveAt', value: timestampNow() } });
        continue;
      }
      if (result.done === true) return;
      await send({ item: { case: 'event', value: eventMessage(result.value) } });
      next = events.next();
    }
  } finally {
    done.abort();
    link.release();
    await events.return?.();
  }
}

/** Resolves with null if the time is over first. @param ms in milliseconds */
function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
