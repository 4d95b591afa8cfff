/** A proxy to PostgreSQL that counts the messages of the client. */
import { openRelay, type Relay } from './relay.js';

export interface CountingProxy extends Relay {
  /** Messages of the client since the last call, by type (PostgreSQL manual, 55.7). */
  take(): ReadonlyMap<string, number>;
}

/** The protocol version that begins a StartupMessage without encryption, 3.0. */
const STARTUP_VERSION = 196_608;

export async function openCountingProxy(serverUri: string): Promise<CountingProxy> {
  let counts = new Map<string, number>();
  const relay = await openRelay(serverUri, {
    fromClient(send) {
      const count = createMessageReader((type) => counts.set(type, (counts.get(type) ?? 0) + 1));
      return (chunk) => {
        count(chunk);
        send(chunk);
      };
    },
  });
  return {
    ...relay,
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
  };
}

/** Calls back with the type of each message. A message without a type begins a connection. */
function createMessageReader(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let begun = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = begun ? 1 : 0;
      if (rest.length < typeBytes + 4) return;
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (begun) onMessage(String.fromCharCode(rest[0] ?? 0));
      else begun = rest.readUInt32BE(4) === STARTUP_VERSION;
      rest = rest.subarray(end);
    }
  };
}
