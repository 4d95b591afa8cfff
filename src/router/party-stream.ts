/** The frame of every stream of a party: counted, and ended with its client, the router or a change of the party. */
import {
  refuseChanged,
  type PartyChange,
  type PartyIdentity,
  type PartyWatch,
} from '../signing/router-port.js';
import type { Leave, OpenCount } from '../operations/open-count.js';
import { partyKey } from './admission.js';
import { Refused } from './refusal.js';
import type { StreamContext } from './call-options.js';
import { atTime } from './deadline.js';
import { credentialExpired } from './identity.js';

export interface PartyStreamParts {
  readonly watch: PartyWatch;
  /** Aborted when the router stops. */
  readonly stopping: AbortSignal;
}

/** A reason for signals: without one, each abort makes an exception with its stack. */
const ENDED = 'the stream has ended';

/**
 * @param count of the open streams of this kind
 * @param serve sends the messages of the stream until it has ended or the signal is aborted
 * @throws Refused UNAVAILABLE when the router stops, UNAUTHENTICATED when the certificate or the token expires, RESOURCE_EXHAUSTED for too many streams, PartyRefused when the party changes
 */
export async function partyStream<Item>(
  { watch, stopping }: PartyStreamParts,
  { caller: party, signal, validUntil }: StreamContext<PartyIdentity, Item>,
  count: OpenCount,
  serve: (party: PartyIdentity, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (stopping.aborted) throw new Refused('stopping', 'the router is stopping: try another one');
  const either = new AbortController();
  const abort = (): void => either.abort(ENDED);
  let changed: PartyChange | null = null;
  const unwatch = watch.watch(party, (change) => {
    changed = change;
    abort();
  });
  const changeSoFar = (): PartyChange | null => changed;
  const expiry = atTime(validUntil, abort);
  for (const one of [signal, stopping]) {
    // The client may have disconnected while its party was looked up.
    if (one.aborted) abort();
    one.addEventListener('abort', abort, { once: true });
  }
  let leave: Leave | null = null;
  try {
    leave = await count.enter(partyKey(party));
    if (leave === null) throw new Refused('too-many-streams', 'too many open streams');
    await serve(party, either.signal);
    refuseChanged(changeSoFar());
    if (expiry.isOver) throw credentialExpired();
  } finally {
    unwatch();
    expiry.cancel();
    for (const one of [signal, stopping]) one.removeEventListener('abort', abort);
    leave?.();
  }
}
