/** The eight calls of router.v1, each made by a party. */
import type { RouterService } from '../../generated/proto/router/v1/router_pb.js';
import { MAX_WINDOW, type MailboxStore } from '../mailbox/mailbox-store.js';
import {
  refuseChanged,
  type PartyChange,
  type PartyIdentity,
  type PartyRegistry,
  type PartyResult,
  type PartyWatch,
  type SessionEnds,
  type SigningSessions,
} from '../signing/router-port.js';
import { readEnvelopes, readSequence, readSessionId } from './envelopes.js';
import { eventStream } from './event-stream.js';
import { HEARTBEAT_SECONDS, MAX_EVENT_STREAMS, MAX_MESSAGE_STREAMS, MAX_PAYLOAD_BYTES } from './limits.js';
import { messageStream } from './message-stream.js';
import { readAbort, readKey, roleMessage, sessionMessage } from './messages.js';
import { partyKey } from './admission.js';
import { createArrivalOrder } from './arrival-order.js';
import type { Limits } from '../operations/limits.js';
import type { Leave, OpenCount } from '../operations/open-count.js';
import { invalid, notFound, Refused } from './refusal.js';
import { sendMessages } from './send-messages.js';
import type { CallContext, ServiceHandlers } from './typed-service.js';

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

type PartyContext = CallContext<PartyIdentity>;

export function createHandlers(parts: HandlerParts): ServiceHandlers<typeof RouterService, PartyContext> {
  const { sessions, parties, mailboxes, ends, limits, stopping } = parts;
  const eventStreams = limits.openCount('router-event-streams', MAX_EVENT_STREAMS);
  const messageStreams = limits.openCount('router-message-streams', MAX_MESSAGE_STREAMS);
  const arrival = createArrivalOrder();

  async function* streamOf<Item>(
    context: PartyContext,
    count: OpenCount,
    items: (party: PartyIdentity, signal: AbortSignal) => AsyncIterable<Item>,
  ): AsyncGenerator<Item> {
    const { caller: party } = context;
    if (stopping.aborted) throw new Refused('stopping', 'the router is stopping: try another one');
    const either = new AbortController();
    const abort = (): void => either.abort();
    let changed: PartyChange | null = null;
    const unwatch = parts.watch.watch(party, (change) => {
      changed = change;
      abort();
    });
    const changeSoFar = (): PartyChange | null => changed;
    for (const signal of [context.signal, stopping]) {
      // The client may have gone while its party was looked up.
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
    }
    let leave: Leave | null = null;
    try {
      leave = await count.enter(partyKey(party));
      if (leave === null) throw new Refused('too-many-streams', 'too many open streams');
      yield* items(party, either.signal);
      refuseChanged(changeSoFar());
    } finally {
      unwatch();
      for (const signal of [context.signal, stopping]) signal.removeEventListener('abort', abort);
      leave?.();
    }
  }

  return {
    async registerParty({ instanceId, encryptionKeys }, { caller: party }) {
      await parties.register(party, readInstance(instanceId), encryptionKeys.map(readKey));
      return {
        partyId: party.partyId,
        role: roleMessage(party.role),
        heartbeatInterval: { seconds: BigInt(HEARTBEAT_SECONDS), nanos: 0 },
        maxPayloadBytes: MAX_PAYLOAD_BYTES,
        maxUnacked: MAX_WINDOW,
      };
    },
    async heartbeat({ instanceId, encryptionKeys }, { caller: party }) {
      const keys = encryptionKeys.map(readKey);
      const { oneTimeKeysLeft } = await parties.heartbeat(party, readInstance(instanceId), keys);
      return { oneTimeKeysLeft, draining: stopping.aborted };
    },
    subscribeSessionEvents: ({ instanceId, afterEventId }, context) =>
      streamOf(context, eventStreams, (party, signal) => {
        readInstance(instanceId);
        return eventStream(sessions, party, afterEventId === '' ? null : afterEventId, signal);
      }),
    async joinSession({ sessionId, instanceId }, { caller: party }) {
      const session = await sessions.join(party, readSessionId(sessionId), readInstance(instanceId));
      return { session: sessionMessage(session) };
    },
    async sendMessages({ envelopes }, { caller: party }) {
      const sessionId = envelopes[0]?.sessionId ?? '';
      const call = await arrival.after(`${partyKey(party)} ${sessionId}`, readEnvelopes(party, envelopes));
      const duplicates = await sendMessages(mailboxes, sessions, party, call);
      const results = call.messages.map(({ messageId }, index) => ({
        messageId,
        duplicate: duplicates[index] === true,
      }));
      return { results };
    },
    subscribeMessages: ({ sessionId, instanceId, afterSequence }, context) =>
      streamOf(context, messageStreams, (party, signal) => {
        readInstance(instanceId);
        return messageStream({
          mailboxes,
          ends,
          party,
          sessionId: readSessionId(sessionId),
          after: readSequence('after_sequence', afterSequence),
          signal,
        });
      }),
    async ackMessages({ sessionId, upToSequence }, { caller: party }) {
      const session = readSessionId(sessionId);
      const upTo = readSequence('up_to_sequence', upToSequence);
      const outcome = await mailboxes.ack(party, session, upTo);
      switch (outcome.kind) {
        case 'not-found':
          throw notFound();
        case 'not-delivered':
          throw new Refused(
            'not-delivered',
            `up_to_sequence: ${String(outcome.delivered)} was delivered last`,
          );
        case 'acked':
          // Who acknowledges messages has begun to sign, so the delegate has its share.
          if (party.role === 'delegate') await sessions.acknowledgeShare(party, session);
          return { ackedSequence: BigInt(outcome.acked) };
      }
    },
    async reportResult({ sessionId, outcome }, { caller: party }) {
      const session = await sessions.reportResult(party, readSessionId(sessionId), readResult(outcome));
      return { session: sessionMessage(session) };
    },
  };
}

const MAX_INSTANCE_LENGTH = 128;

/** @throws Refused INVALID_ARGUMENT for what names no instance */
function readInstance(instanceId: string): string {
  if (instanceId === '' || instanceId.length > MAX_INSTANCE_LENGTH || /[^!-~]/.test(instanceId))
    throw invalid(`instance_id: 1 to ${String(MAX_INSTANCE_LENGTH)} visible characters of ASCII`);
  return instanceId;
}

const MAX_SIGNATURE = 1024;

type Outcome = Parameters<ServiceHandlers<typeof RouterService, PartyContext>['reportResult']>[0]['outcome'];

/** @throws Refused INVALID_ARGUMENT for no outcome, or none that could be one */
function readResult(outcome: Outcome): PartyResult {
  switch (outcome.case) {
    case undefined:
      throw invalid('outcome: a signature or an abort is needed');
    case 'abort':
      return readAbort(outcome.value);
    case 'signature':
      if (outcome.value.length < 1 || outcome.value.length > MAX_SIGNATURE)
        throw invalid('signature: its length is no signature’s');
      return { kind: 'signature', signature: Buffer.from(outcome.value) };
  }
}
