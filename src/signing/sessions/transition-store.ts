/** Writes the transitions of sessions to PostgreSQL, as part of a transaction that has locked the session. */
import type { PartyId, SessionId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import type { PartyIdentity, SignedStatement } from '../router-port.js';
import type { FailureReason, SessionState } from '../types.js';
import {
  DELETE_MESSAGES,
  DELETE_READERS,
  INSERT_EQUIVOCATION,
  RECORD_JOIN,
  RECORD_REPORT,
  WRITE_TRANSITION,
} from './transition-sql.js';

export interface TransitionRow {
  readonly state: SessionState;
  /** True for a terminal state. */
  readonly isEnd: boolean;
  readonly signature: Buffer | null;
  readonly failure: TransitionFailure | null;
  readonly event: { readonly type: string; readonly partyId: PartyId | null; readonly data: object };
}

interface TransitionFailure {
  readonly reason: FailureReason;
  readonly detail: string | null;
  readonly culprits: readonly PartyId[];
}

/** Updates the session and appends the event. */
export const insertTransition = (
  transaction: DatabaseTask,
  sessionId: SessionId,
  { state, isEnd, signature, failure, event }: TransitionRow,
): Promise<null> =>
  transaction.none({
    text: WRITE_TRANSITION,
    values: [
      ...[sessionId, state, isEnd, signature],
      ...[failure?.reason ?? null, failure?.detail ?? null, failure?.culprits ?? []],
      ...[event.type, event.partyId, JSON.stringify(event.data)],
    ],
  });

export const recordJoin = (
  transaction: DatabaseTask,
  sessionId: SessionId,
  partyId: PartyId,
  instanceId: string,
): Promise<null> => transaction.none({ text: RECORD_JOIN, values: [sessionId, partyId, instanceId] });

export const recordReport = (
  transaction: DatabaseTask,
  sessionId: SessionId,
  partyId: PartyId,
  signature: Buffer,
): Promise<null> => transaction.none({ text: RECORD_REPORT, values: [sessionId, partyId, signature] });

/** Deletes the messages between the parties of the session. */
export async function deleteMessages(transaction: DatabaseTask, sessionId: SessionId): Promise<void> {
  await transaction.none({ text: DELETE_MESSAGES, values: [sessionId] });
  await transaction.none({ text: DELETE_READERS, values: [sessionId] });
}

/** Inserts two statements that the party signed and that contradict each other. */
export const insertEquivocation = (
  transaction: DatabaseTask,
  { tenantId, partyId, identityPublicKey }: PartyIdentity,
  sessionId: SessionId,
  first: SignedStatement,
  second: SignedStatement,
): Promise<null> =>
  transaction.none({
    text: INSERT_EQUIVOCATION,
    values: [
      ...[tenantId, sessionId, partyId, identityPublicKey],
      ...[first.statement, first.signature, second.statement, second.signature],
    ],
  });
