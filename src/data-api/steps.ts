/** The steps of a request as a list, and the function that runs and times them. */
import type { Reply } from '../contract/reply.js';
import type { RequestHead } from '../contract/request.js';
import type { Timings } from '../contract/timings.js';
import type { Snapshot } from './snapshot.js';

/** Makes the reply from what the transaction has shown. @throws DbrError */
export type MakeReply = () => Reply;

/** What one kind of request does in each step. A step that need not wait does not: an `await` would let others run first. */
export interface Steps<Input extends RequestHead, Read, Planned> {
  /**
   * Checks what does not depend on the body, before a long one is received. Returns whether the body is needed. Null if the
   * body is received while it is handled.
   */
  readonly admit: ((head: RequestHead, snapshot: Snapshot) => Promise<boolean>) | null;
  readonly read: (input: Input, snapshot: Snapshot) => Read | Promise<Read>;
  readonly plan: (read: Read, snapshot: Snapshot) => Planned | Promise<Planned>;
  /** Runs the transaction. The reply that its result makes is the last step. */
  readonly execute: (planned: Planned, snapshot: Snapshot) => Promise<MakeReply>;
  /** Called once a plan was executed, or has failed. */
  readonly end?: (planned: Planned, succeeded: boolean, snapshot: Snapshot) => void;
  /** Adds how the request was executed to its reply; null if the request does not ask for it. */
  readonly explain?: (
    reply: Reply,
    planned: Planned,
    timings: Timings,
    snapshot: Snapshot,
  ) => Promise<Reply> | null;
}

/** Runs the steps of a request behind its admission. @throws what a step throws */
export async function runSteps<Input extends RequestHead, Read, Planned>(
  { read, plan, execute, end, explain }: Steps<Input, Read, Planned>,
  input: Input,
  snapshot: Snapshot,
): Promise<Reply> {
  const { timings } = input;
  const reading = read(input, snapshot);
  const found = reading instanceof Promise ? await reading : reading;
  timings?.lap('parse');
  const planning = plan(found, snapshot);
  const planned = planning instanceof Promise ? await planning : planning;
  timings?.lap('plan');
  let reply: Reply;
  try {
    const makeReply = await execute(planned, snapshot);
    timings?.lap('transaction');
    reply = timedReply(makeReply, timings);
  } catch (error) {
    end?.(planned, false, snapshot);
    throw error;
  }
  end?.(planned, true, snapshot);
  if (timings === null || explain === undefined) return reply;
  return explain(reply, planned, timings, snapshot) ?? reply;
}

/** Times the last step also if it fails. */
function timedReply(makeReply: MakeReply, timings: Timings | null): Reply {
  try {
    return makeReply();
  } finally {
    timings?.lap('response');
  }
}
