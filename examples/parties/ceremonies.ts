/** The ceremonies that a party takes part in, from the first event to the end. Its new share is kept before it reports. */
import {
  FailureReason,
  SessionEventType,
  SessionState,
  type Session,
  type SessionEvent,
} from '../../generated/proto/router/v1/router_pb.js';
import { frostSecret } from './frost.js';
import { holdCeremony, isCertifiedByAll, planOf, type CeremonyOutcome } from './hold-ceremony.js';
import type { CeremonyPlan } from './ceremony.js';
import { removeNextKey, replacePartyFile, writeNextKey, type PartyFile } from './party-file.js';
import { keyFileOf, type Party } from './party.js';
import { persevere } from './persevere.js';
import { ProtocolFault } from './protocol-fault.js';
import { takeRequest, verifyRequest } from './verify-request.js';

export interface CeremonyHooks {
  /** Keeps the key that comes of a ceremony where it survives the process. It is not in use yet. */
  readonly keepNext: (party: Party, sessionId: string) => Promise<void>;
  /** The ceremony is completed: the party has this key from now on. */
  readonly adopt: (party: Party, sessionId: string) => Promise<void>;
  /** Receives messages without key material. */
  readonly report: (text: string) => void;
}

/**
 * Keeps keys in the file of the party; a key that is not in use yet lies beside it. One that is left there by a process that ended
 * between report and completion is used if the session was completed, and removed otherwise, by the operator.
 */
export const keysInFile = (path: string, file: PartyFile): Pick<CeremonyHooks, 'keepNext' | 'adopt'> => ({
  keepNext: (party, sessionId) => writeNextKey(path, sessionId, keyFileOf(party)),
  async adopt(party, sessionId) {
    await replacePartyFile(path, { ...file, ...keyFileOf(party) });
    await removeNextKey(path, sessionId);
  },
});

interface OpenCeremony {
  readonly ended: AbortController;
  readonly plan: CeremonyPlan;
  isJoined: boolean;
  done: { readonly outcome: CeremonyOutcome; readonly next: Party } | null;
}

export interface Ceremonies {
  /** Events of one party come one after the other. */
  take(party: Party, session: Session, event: SessionEvent): Promise<void>;
  close(): void;
}

export function createCeremonies({ keepNext, adopt, report }: CeremonyHooks): Ceremonies {
  const open = new Map<string, OpenCeremony>();

  async function begin(party: Party, session: Session): Promise<void> {
    const { sessionId } = session;
    const plan = planOf(party, session);
    const one = { ended: new AbortController(), plan, isJoined: false, done: null };
    open.set(sessionId, one);
    await joinApproved(party, session, one);
  }

  /** Joins once as many have signed the request as the policy of the party asks for. */
  async function joinApproved(party: Party, session: Session, one: OpenCeremony): Promise<void> {
    const { policy, partyId, instanceId, router } = party;
    if (one.isJoined || (policy !== null && verifyRequest(asked(session), policy).kind === 'waiting')) return;
    one.isJoined = true;
    const { sessionId, participants } = session;
    const joinedBefore = participants.some(
      (other) => other.partyId === partyId && other.joinedAt !== undefined,
    );
    const joined = await router.joinSession({ sessionId, instanceId });
    // An earlier process of this party may have dealt; its polynomial was lost with it.
    if (joinedBefore && joined.session?.state === SessionState.IN_PROGRESS)
      throw new ProtocolFault(FailureReason.PARTY_ABORTED, 'the party has restarted');
  }

  async function hold(party: Party, session: Session, one: OpenCeremony): Promise<void> {
    const { sessionId } = session;
    const { share, publicPackage: key, policy } = party;
    if (policy !== null) takeRequest(asked(session), policy);
    const deals = one.plan.kind === 'reshare' && share.kind === 'held';
    const held = deals ? { key, signingShare: share.secret.signingShare } : null;
    if (held === null && one.plan.before?.holders.some(({ partyId }) => partyId === party.partyId) === true)
      throw new ProtocolFault(FailureReason.SHARE_UNUSABLE, 'the party holds no share');
    const outcome = await holdCeremony(party, session, one.plan, held, one.ended.signal);
    if (outcome === null) return;
    const next = partyAfter(party, one.plan, outcome);
    // Others may rely on this share as soon as the report is sent.
    await keepNext(next, sessionId);
    one.done = { outcome, next };
    const certificate = { case: 'certificate', value: outcome.certificate } as const;
    await persevere(() => party.router.reportResult({ sessionId, outcome: certificate }), one.ended.signal);
  }

  async function attempt(party: Party, sessionId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (open.get(sessionId)?.ended.signal.aborted === true) return;
      const fault =
        error instanceof ProtocolFault ? error : new ProtocolFault(FailureReason.INTERNAL, 'internal error');
      const { reason, culprits, message: detail } = fault;
      report(`${sessionId}: ${error instanceof Error ? error.message : 'failed'}`);
      const value = { reason, culpritPartyIds: [...culprits], detail };
      const outcome = { case: 'abort', value } as const;
      // Otherwise the session had ended before, and its event is on the way.
      await party.router.reportResult({ sessionId, outcome }).catch(() => undefined);
    }
  }

  return {
    async take(party, session, { type }) {
      const { sessionId } = session;
      const one = open.get(sessionId);
      switch (type) {
        case SessionEventType.CREATED:
          await attempt(party, sessionId, () => begin(party, session));
          return;
        case SessionEventType.APPROVED:
          if (one !== undefined) await attempt(party, sessionId, () => joinApproved(party, session, one));
          return;
        case SessionEventType.STARTED:
          // Not waited for: the session may end meanwhile, and that is an event as well.
          if (one !== undefined) void attempt(party, sessionId, () => hold(party, session, one));
          return;
        case SessionEventType.COMPLETED:
          if (one?.done != null && isCertifiedByAll(party, session, one.done.outcome))
            await adopt(one.done.next, sessionId);
          else report(`${sessionId}: completed without this party's consent`);
          break;
        case SessionEventType.FAILED:
        case SessionEventType.EXPIRED:
        case SessionEventType.CANCELLED:
          break;
        case SessionEventType.PARTY_JOINED:
        case SessionEventType.PARTY_REPORTED:
        case SessionEventType.PARTY_KEYS_CHANGED:
        case SessionEventType.PARTY_KEYS_PROPOSED:
        case SessionEventType.DELEGATE_SHARE_SUPPLIED:
        case SessionEventType.UNSPECIFIED:
          return;
      }
      one?.ended.abort();
      open.delete(sessionId);
    },
    close() {
      for (const { ended } of open.values()) ended.abort();
      open.clear();
    },
  };
}

/** What people sign for a ceremony is the hash of its plan. */
const asked = (session: Session): Session => ({
  ...session,
  messageDigest: session.ceremony?.planSha256 ?? new Uint8Array(),
});

/** The party with the key and the share that it has after the ceremony. */
function partyAfter(party: Party, { after }: CeremonyPlan, { key, signingShare }: CeremonyOutcome): Party {
  const indices = new Map(after.holders.map(({ partyId, shareIndex }) => [partyId, shareIndex]));
  const shareIndex = indices.get(party.partyId) ?? 0;
  return {
    ...party,
    shareIndex,
    publicPackage: key,
    share:
      signingShare === null
        ? { kind: 'none' }
        : { kind: 'held', secret: frostSecret(shareIndex, signingShare) },
    peers: new Map(
      [...party.peers].map(([partyId, peer]) => [
        partyId,
        { ...peer, shareIndex: indices.get(partyId) ?? 0 },
      ]),
    ),
  };
}
