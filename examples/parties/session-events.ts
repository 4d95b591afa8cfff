/** The events of all sessions of a party, each once, over as many streams as it takes. */
import type { SessionEvent } from '../../generated/proto/router/v1/router_pb.js';
import { isPassing, pause } from './persevere.js';
import type { RouterClient } from './router-client.js';

/** Maximum number of sessions whose last event is kept to detect repeated events. */
const REMEMBERED_SESSIONS = 10_000;

/**
 * Begins with the sessions that are open, and resumes after the last event where a stream ends.
 * @throws the error of a call that is refused for good
 */
export async function* sessionEvents(
  router: RouterClient,
  instanceId: string,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent> {
  const last = new Map<string, bigint>();
  let afterEventId = '';
  let attempt = 0;
  while (!signal.aborted) {
    try {
      for await (const { item } of router.subscribeSessionEvents({ instanceId, afterEventId }, { signal })) {
        attempt = 0;
        if (item.case !== 'event') continue;
        afterEventId = item.value.eventId;
        if (isNew(last, item.value)) yield item.value;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
    }
    await pause(attempt, signal);
    attempt += 1;
  }
}

function isNew(last: Map<string, bigint>, { session, sequence }: SessionEvent): boolean {
  if (session === undefined) return false;
  if (sequence <= (last.get(session.sessionId) ?? 0n)) return false;
  last.set(session.sessionId, sequence);
  const [oldest] = last.keys();
  if (last.size > REMEMBERED_SESSIONS && oldest !== undefined) last.delete(oldest);
  return true;
}
