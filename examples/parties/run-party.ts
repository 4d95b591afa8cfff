/** A party's life: it registers, stays online, and takes part in every session that names it. */
import type { Party } from './party.js';
import { persevere } from './persevere.js';
import { sessionEvents } from './session-events.js';
import { createCeremonies, type CeremonyHooks } from './ceremonies.js';
import { createSessions } from './sessions.js';

const SOFTWARE_VERSION = '1';
const PROTOCOLS = ['ed25519'];
/** One-time keys that a delegate has on offer, and the stock below which it makes more. */
const KEYS_ON_OFFER = 20;
const LOW_STOCK = 5;
const SECOND_MS = 1000;
const DEFAULT_HEARTBEAT_SECONDS = 15n;

export interface PartyOptions {
  /** Aborted to stop. */
  readonly signal: AbortSignal;
  /** Called once the router has registered the party. */
  readonly onReady: () => void;
  readonly report: (text: string) => void;
  /** Keeps keys of ceremonies; without it they are lost with the process. */
  readonly keys?: Pick<CeremonyHooks, 'keepNext' | 'adopt'>;
}

/** Ends when the signal is aborted. @throws where the router refuses the party */
export async function runParty(party: Party, { signal, onReady, report, keys }: PartyOptions): Promise<void> {
  const { router, instanceId } = party;
  const encryptionKeys = await offer(party, KEYS_ON_OFFER);
  const request = { instanceId, softwareVersion: SOFTWARE_VERSION, protocols: PROTOCOLS, encryptionKeys };
  const { heartbeatInterval } = await persevere(() => router.registerParty(request), signal);
  onReady();
  const seconds = Number(heartbeatInterval?.seconds ?? DEFAULT_HEARTBEAT_SECONDS);
  const beating = setInterval(() => {
    beat(party, signal).catch((error: unknown) => {
      if (!signal.aborted) report(error instanceof Error ? error.message : 'failed');
    });
  }, seconds * SECOND_MS);
  let current = party;
  let sessions = createSessions(current, report);
  const ceremonies = createCeremonies({
    report,
    keepNext: async (next, sessionId) => keys?.keepNext(next, sessionId),
    async adopt(next, sessionId) {
      await keys?.adopt(next, sessionId);
      sessions.close();
      current = next;
      sessions = createSessions(current, report);
    },
  });
  try {
    for await (const event of sessionEvents(router, instanceId, signal)) {
      if (event.session?.ceremony === undefined) sessions.take(event);
      else await ceremonies.take(current, event.session, event);
    }
  } finally {
    clearInterval(beating);
    ceremonies.close();
    sessions.close();
    router.close();
  }
}

/** Sends a heartbeat, and offers new keys when few are left. The next call makes up for a failed one. */
async function beat(party: Party, signal: AbortSignal): Promise<void> {
  const { router, instanceId } = party;
  const { oneTimeKeysLeft } = await router.heartbeat({ instanceId });
  if (party.share.kind !== 'supplied' || oneTimeKeysLeft >= LOW_STOCK) return;
  const encryptionKeys = await offer(party, KEYS_ON_OFFER - oneTimeKeysLeft);
  await persevere(() => router.heartbeat({ instanceId, encryptionKeys }), signal);
}

async function offer({ share }: Party, count: number) {
  return share.kind === 'supplied' ? await share.keys.offer(count) : [];
}
