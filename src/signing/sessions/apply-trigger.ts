/** What the state machine decides, applied: under the session's lock, each transition with exactly one event. */
import type { DatabaseTask } from '../../postgres/database.js';
import { decide, isTerminal, type Refusal, type Transition, type Trigger } from './session-machine.js';
import { viewOf, type SessionRecord } from './session-record.js';
import { findSession, lockSession } from './session-rows.js';

export type Applied =
  | { readonly kind: 'not-found' }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      readonly session: SessionRecord;
      readonly transitions: readonly Transition[];
    }
  /** `transitions` is empty where nothing was left to do. */
  | {
      readonly kind: 'applied';
      readonly session: SessionRecord;
      readonly transitions: readonly Transition[];
    };

export interface ApplyOptions {
  /** False: leave a session alone that somebody else is changing. */
  readonly wait?: boolean;
  /** Done as part of the transaction, whatever becomes of the trigger. */
  readonly also?: (transaction: DatabaseTask) => Promise<void>;
}

/**
 * Applies a trigger as part of the transaction. A session whose time has passed is ended first, and that stands even
 * though the trigger is then refused: so a caller throws after the transaction, not in it.
 * @param trigger made from the session under its lock, where it depends on it
 */
export async function applyTrigger(
  transaction: DatabaseTask,
  sessionId: string,
  trigger: (session: SessionRecord) => Trigger,
  { wait = true, also }: ApplyOptions = {},
): Promise<Applied> {
  const before = await lockSession(transaction, sessionId, wait);
  if (before === null) return { kind: 'not-found' };
  const asked = trigger(before);
  await also?.(transaction);
  const decision = decide(viewOf(before), asked, Date.parse(before.now));
  switch (decision.kind) {
    case 'refused':
      return { kind: 'refused', refusal: decision.refusal, session: before, transitions: [] };
    case 'unchanged':
      return { kind: 'applied', session: before, transitions: [] };
    case 'moved': {
      await noteParty(transaction, sessionId, asked);
      const { transitions } = decision;
      for (const transition of transitions) await apply(transaction, before, transition);
      const session = (await findSession(transaction, sessionId)) ?? before;
      return { kind: 'applied', session, transitions };
    }
    case 'lapsed': {
      const { transition } = decision;
      await apply(transaction, before, transition);
      const session = (await findSession(transaction, sessionId)) ?? before;
      const transitions = [transition];
      if (asked.kind === 'clock') return { kind: 'applied', session, transitions };
      const refusal: Refusal = { kind: 'terminal', state: transition.state };
      return { kind: 'refused', refusal, session, transitions };
    }
  }
}

const MOVE = `
with moved as (
  update dbr_signing.signing_sessions
  set
    state = $2::dbr_signing.session_state,
    state_version = state_version + 1,
    event_sequence = event_sequence + 1,
    ended_at = case when $3::boolean then pg_catalog.clock_timestamp() end,
    signature = $4,
    failure_reason = $5::dbr_signing.failure_reason,
    failure_detail = $6,
    culprit_party_ids = $7
  where session_id = $1::uuid
  returning session_id, tenant_id, event_sequence
)
insert into dbr_signing.session_events (session_id, tenant_id, sequence, type, party_id, state, data)
select session_id, tenant_id, event_sequence, $8, $9, $2::dbr_signing.session_state, $10::jsonb
from moved`;

async function apply(
  transaction: DatabaseTask,
  { sessionId }: SessionRecord,
  { state, happening }: Transition,
): Promise<void> {
  const ends = isTerminal(state);
  const signature = happening.type === 'completed' ? Buffer.from(happening.signature, 'hex') : null;
  const failure = happening.type === 'failed' ? happening : null;
  await transaction.none({
    text: MOVE,
    values: [
      sessionId,
      state,
      ends,
      signature,
      failure?.reason ?? null,
      failure?.detail ?? null,
      failure?.culprits ?? [],
      happening.type,
      partyOf(happening),
      JSON.stringify(dataOf(happening)),
    ],
  });
  if (ends) await erase(transaction, sessionId);
}

type Happening = Transition['happening'];

const partyOf = (happening: Happening): string | null => ('partyId' in happening ? happening.partyId : null);

/** What belongs to the type of event; never a share. */
function dataOf(happening: Happening): object {
  switch (happening.type) {
    case 'party-joined':
    case 'delegate-share-supplied':
    case 'started':
    case 'party-reported':
      return {};
    case 'completed':
      return { signature: happening.signature };
    case 'failed':
      return { reason: happening.reason, culpritPartyIds: happening.culprits, detail: happening.detail };
    case 'expired':
      return { missingParties: happening.missingParties, shareMissing: happening.shareMissing };
    case 'cancelled':
      return { reason: happening.reason };
  }
}

const NOTE_JOIN = `
update dbr_signing.session_participants
set joined_at = pg_catalog.clock_timestamp(), instance_id = $3
where session_id = $1::uuid and party_id = $2 and joined_at is null`;
const NOTE_REPORT = `
update dbr_signing.session_participants
set reported_signature = $3
where session_id = $1::uuid and party_id = $2`;

/** What the trigger says of its party. Bytes that are no signature could be anything: they are not kept. */
async function noteParty(transaction: DatabaseTask, sessionId: string, trigger: Trigger): Promise<void> {
  if (trigger.kind === 'join')
    await transaction.none({ text: NOTE_JOIN, values: [sessionId, trigger.partyId, trigger.instanceId] });
  if (trigger.kind === 'report-signature' && trigger.valid !== false) {
    const signature = Buffer.from(trigger.signature, 'hex');
    await transaction.none({ text: NOTE_REPORT, values: [sessionId, trigger.partyId, signature] });
  }
}

const ERASE_SHARE = `
update dbr_signing.delegate_user_shares
set ciphertext = null, encapsulated_key = null, nonce = null, erased_at = pg_catalog.clock_timestamp()
where session_id = $1::uuid and erased_at is null`;
const ERASE_MAILBOXES = `
delete from dbr_signing.router_mailbox where session_id = $1::uuid`;
const ERASE_MESSAGES = `
delete from dbr_signing.router_messages where session_id = $1::uuid`;

/** At any end nothing stays that was needed for signing alone. */
async function erase(transaction: DatabaseTask, sessionId: string): Promise<void> {
  await eraseShare(transaction, sessionId);
  await transaction.none({ text: ERASE_MAILBOXES, values: [sessionId] });
  await transaction.none({ text: ERASE_MESSAGES, values: [sessionId] });
}

export const eraseShare = (transaction: DatabaseTask, sessionId: string): Promise<null> =>
  transaction.none({ text: ERASE_SHARE, values: [sessionId] });
