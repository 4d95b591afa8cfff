/** Why a party gives a session up: it becomes the party's `Abort`. */
import type { FailureReason } from '../../generated/proto/router/v1/router_pb.js';

export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly reason: FailureReason;
  readonly culprits: readonly string[];

  /** @param detail shown to operators: short, and never key material */
  constructor(reason: FailureReason, detail: string, culprits: readonly string[] = []) {
    super(detail);
    this.reason = reason;
    this.culprits = culprits;
  }
}
