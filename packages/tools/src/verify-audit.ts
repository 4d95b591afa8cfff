/** `dbr audit verify`: checks the hash chain of exports of the audit log, and what its entries attest. */
import { createReadStream } from 'node:fs';
import { type ChainPosition, verifyLine } from '../../../src/face.js';
import {
  type Attested,
  type Evidence,
  noEvidence,
  nothingAttested,
  takeEvidence,
  verifyEvidence,
} from './audit-evidence.js';

interface AuditReport {
  readonly lines: readonly string[];
  readonly intact: boolean;
}

/** Faults that are listed; further ones are counted. */
const LISTED = 100;
/** Longest line, in characters: entries are far shorter. */
const MAX_LINE = 16_777_216;

interface Chain {
  entries: number;
  first: ChainPosition | null;
  last: ChainPosition | null;
  faults: number;
  readonly lines: string[];
  readonly evidence: Evidence;
  readonly attested: Attested;
}

/**
 * Verifies exports as one chain: each file continues the one before. Lines of files before them may be evidence instead: sessions
 * and contradictions, by which entries are verified that attest them.
 * @param files paths; `/dev/stdin` reads a pipe
 * @throws Error if a file cannot be read
 */
export async function verifyAudit(files: readonly string[]): Promise<AuditReport> {
  const chain: Chain = {
    ...{ entries: 0, first: null, last: null, faults: 0, lines: [] },
    ...{ evidence: noEvidence(), attested: nothingAttested() },
  };
  for (const file of files) {
    let number = 0;
    for await (const line of linesOf(file)) {
      number += 1;
      verify(chain, `${file}:${String(number)}`, line);
    }
  }
  if (chain.faults > LISTED) chain.lines.push(`and ${String(chain.faults - LISTED)} more faults`);
  const attested = summaryOfEvidence(chain.attested.counts);
  return {
    lines: [...chain.lines, ...(attested === null ? [] : [attested]), summary(chain)],
    intact: chain.faults === 0,
  };
}

function verify(chain: Chain, place: string, line: string): void {
  if (chain.entries === 0 && takeEvidence(chain.evidence, line)) return;
  const verified = verifyLine(line, chain.last);
  const faults =
    verified === null
      ? ['the line is not an entry of the audit log']
      : [...verified.faults, ...attestedFaults(chain, line, verified.position)];
  for (const fault of faults) {
    chain.faults += 1;
    if (chain.faults <= LISTED) chain.lines.push(`${place}: ${fault}`);
  }
  if (verified === null) return;
  chain.entries += 1;
  chain.first ??= verified.position;
  chain.last = verified.position;
}

const attestedFaults = (
  { evidence, attested }: Chain,
  line: string,
  { sequence }: ChainPosition,
): readonly string[] =>
  verifyEvidence(line, evidence, attested).map((fault) => `entry ${String(sequence)} ${fault}`);

/** What was verified beyond the chain; null where no entry attests anything. */
function summaryOfEvidence({
  requests,
  certificates,
  contradictions,
  missing,
}: Attested['counts']): string | null {
  const counted = [
    [requests, 'signatures of requests'],
    [certificates, 'certificates'],
    [contradictions, 'contradictions'],
  ] as const;
  const found = counted.flatMap(([count, what]) => (count === 0 ? [] : [`${String(count)} ${what}`]));
  const verified = found.length === 0 ? [] : [`verified: ${found.join(', ')}`];
  const lacking = missing === 0 ? [] : [`without evidence: ${String(missing)}`];
  return missing + found.length === 0 ? null : [...verified, ...lacking].join('; ');
}

function summary({ entries, first, last, faults }: Chain): string {
  if (first === null || last === null)
    return faults === 0 ? 'no entries' : 'no entries: this is not an export of the audit log';
  const range = `${String(entries)} entries of tenant ${first.tenantId}, ${String(first.sequence)} to ${String(last.sequence)}`;
  const begins =
    first.sequence === 1
      ? 'from the begin of its chain'
      : `after the hash of entry ${String(first.sequence - 1)}`;
  return faults === 0
    ? `${range}, ${begins}: the chain is intact; it ends with hash ${last.hash}`
    : `${range}: the chain is broken`;
}

/** The lines of a file. Text after the last line feed is a line, too. @throws Error for a line that is too long */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n');
    rest += first;
    for (const next of others) {
      yield rest;
      rest = next;
    }
    if (rest.length > MAX_LINE) throw new Error(`${file} has a line of more than 16 MiB`);
  }
  if (rest !== '') yield rest;
}
