/** A party as a process: `tsx examples/parties/main.ts PARTY_FILE`. Says when it is ready, ends on SIGTERM and SIGINT. */
import { keysInFile } from './ceremonies.js';
import { readPartyFile } from './party-file.js';
import { connectParty, openParty } from './party.js';
import { runParty } from './run-party.js';

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: main.ts PARTY_FILE');

const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());

const file = await readPartyFile(path);
const party = await openParty(file, connectParty(file));
await runParty(party, {
  signal: stopping.signal,
  onReady: () => process.stdout.write(`${party.partyId} is ready\n`),
  report: (text) => process.stderr.write(`${party.partyId}: ${text}\n`),
  keys: keysInFile(path, file),
});
