/** Reads the fields that several requests have. */
import type { MailboxPosition, ReportResultRequest } from '../../generated/proto/router/v1/router_pb.js';
import type { PartyResult } from '../signing/router-port.js';
import { CANONICAL_UUID } from '../base/identifiers.js';
import { MAX_MAILBOX_SESSIONS } from './limits.js';
import { readAbort } from './messages.js';
import { invalid } from './refusal.js';

const MAX_INSTANCE_LENGTH = 128;
const MAX_SIGNATURE = 1024;

/** @throws Refused INVALID_ARGUMENT for text that cannot name an instance */
export function readInstance(instanceId: string): string {
  if (instanceId === '' || instanceId.length > MAX_INSTANCE_LENGTH || /[^!-~]/.test(instanceId))
    throw invalid(`instance_id: 1 to ${String(MAX_INSTANCE_LENGTH)} visible characters of ASCII`);
  return instanceId;
}

/** @throws Refused INVALID_ARGUMENT for text that is not an identifier in its canonical form */
export function readSessionId(text: string): string {
  if (!CANONICAL_UUID.test(text)) throw invalid('session_id: a UUID in lower case is needed');
  return text;
}

/** @throws Refused INVALID_ARGUMENT for a number above the largest safe integer */
export function readSequence(name: string, value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(`${name}: out of range`);
  return Number(value);
}

/** Positions by session. @throws Refused INVALID_ARGUMENT for too many, or a session that is named twice */
export function readPositions(positions: readonly MailboxPosition[]): ReadonlyMap<string, number> {
  if (positions.length > MAX_MAILBOX_SESSIONS)
    throw invalid(`after: at most ${String(MAX_MAILBOX_SESSIONS)} sessions`);
  const read = new Map(
    positions.map(({ sessionId, sequence }) => [
      readSessionId(sessionId),
      readSequence('sequence', sequence),
    ]),
  );
  if (read.size < positions.length) throw invalid('after: a session is named twice');
  return read;
}

/** @throws Refused INVALID_ARGUMENT for a missing outcome, or a signature of impossible length */
export function readResult(outcome: ReportResultRequest['outcome']): PartyResult {
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
