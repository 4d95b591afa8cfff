/**
 * A party that misbehaves, to show what comes of it: `tsx examples/parties/faulty-main.ts PARTY_FILE SIGNATURE`. It joins
 * like any other, and then reports that signature (in hexadecimal), which is of another digest.
 */
import { SessionEventType } from '../../generated/proto/router/v1/router_pb.js';
import { readPartyFile } from './party-file.js';
import { connectParty, openParty } from './party.js';
import { sessionEvents } from './session-events.js';

const [path, signature] = process.argv.slice(2);
if (path === undefined || signature === undefined)
  throw new Error('usage: faulty-main.ts PARTY_FILE SIGNATURE');

const file = await readPartyFile(path);
const { partyId, router, instanceId } = await openParty(file, connectParty(file));
await router.registerParty({ instanceId, softwareVersion: 'faulty', protocols: ['ed25519'] });
process.stdout.write(`${partyId} is ready\n`);

for await (const { type, session } of sessionEvents(router, instanceId, new AbortController().signal)) {
  const sessionId = session?.sessionId ?? '';
  if (type === SessionEventType.CREATED) await router.joinSession({ sessionId, instanceId });
  if (type === SessionEventType.STARTED)
    await router.reportResult({
      sessionId,
      outcome: { case: 'signature', value: Buffer.from(signature, 'hex') },
    });
}
