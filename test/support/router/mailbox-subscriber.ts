/** A party that reads the mailboxes of all its sessions on one stream, in the background. */
import { randomUUID } from 'node:crypto';
import type { RouterClient } from '../../../examples/parties/router-client.js';
import { SessionState, type Delivery } from '../../../generated/proto/router/v1/router_pb.js';

export interface MailboxSubscriber {
  /** Waits until so many deliveries of a session have come in all. */
  deliveries(sessionId: string, count: number): Promise<readonly Delivery[]>;
  /** Waits for the end of a session. */
  closedWith(sessionId: string): Promise<SessionState>;
  /** Items that ended a session, of all sessions. */
  readonly ends: readonly string[];
  /** Rejects when the stream is refused or breaks. */
  readonly ended: Promise<void>;
  stop(): void;
}

export function subscribeMailbox(
  client: RouterClient,
  after: readonly { readonly sessionId: string; readonly sequence: bigint }[] = [],
): MailboxSubscriber {
  const gone = new AbortController();
  const came = new Map<string, Delivery[]>();
  const states = new Map<string, SessionState>();
  const ends: string[] = [];
  let failure: Error | null = null;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const run = async (): Promise<void> => {
    const request = { instanceId: randomUUID(), after: [...after] };
    for await (const item of client.subscribeMailbox(request, { signal: gone.signal })) {
      came.set(item.sessionId, [...(came.get(item.sessionId) ?? []), ...item.deliveries]);
      if (item.closedWith !== SessionState.UNSPECIFIED) {
        states.set(item.sessionId, item.closedWith);
        ends.push(item.sessionId);
      }
      wake();
    }
  };
  const ended = run();
  ended.catch((error: unknown) => {
    failure = error instanceof Error ? error : new Error(String(error));
    wake();
  });
  async function find<Found>(look: () => Found | undefined): Promise<Found> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (failure !== null) throw failure;
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  }
  return {
    deliveries: (sessionId, count) =>
      find(() => {
        const deliveries = came.get(sessionId) ?? [];
        return deliveries.length >= count ? deliveries : undefined;
      }),
    closedWith: (sessionId) => find(() => states.get(sessionId)),
    ends,
    ended,
    stop: () => gone.abort(),
  };
}
