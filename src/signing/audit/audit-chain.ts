/**
 * The hash chain of an exported audit log. Each line is a JSON object whose `hash` is the SHA-256 of its other members but
 * `names` in the canonical form of RFC 8785, and whose `previousHash` is the hash of the line before. A user is named by a
 * pseudonym, a hash of the name and a salt, so that `names` can leave out users who were erased and is verified nevertheless.
 */
import { sha256Text, sortedJson } from '../../base/hash.js';

/** An entry at its place in the chain of its tenant. Times are RFC 3339 in UTC, in microseconds. */
export interface SealedEntry {
  readonly tenantId: string;
  /** Numbers the entries of the tenant from 1 without gaps. */
  readonly sequence: number;
  readonly previousHash: string;
  readonly sealedAt: string;
  readonly at: string;
  /** The pseudonym of a user, or the name of a party or a command. */
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly remoteAddress: string | null;
}

/** `previousHash` of the first entry. */
export const FIRST_PREVIOUS_HASH = '0'.repeat(64);

export const hashOfEntry = (entry: SealedEntry): string => sha256Text(sortedJson(entry), 'hex');

/** The users in an entry that were not erased, by pseudonym. */
export type KnownNames = Readonly<Record<string, { readonly userId: string; readonly salt: string }>>;

/** A sealed entry with its stored seal. */
export interface StoredEntry {
  readonly entry: SealedEntry;
  readonly hash: string;
  readonly names: KnownNames;
}

/** The line of an export, without the line feed. The hash is the stored one, which need not be that of the entry. */
export const lineOfEntry = ({ entry, hash, names }: StoredEntry): string =>
  sortedJson({ ...entry, hash, ...(Object.keys(names).length === 0 ? {} : { names }) });

/** The place of the last verified line. */
export interface ChainPosition {
  readonly tenantId: string;
  readonly sequence: number;
  readonly hash: string;
  readonly sealedAt: string;
}

interface VerifiedLine {
  readonly position: ChainPosition;
  /** What is wrong with the line, or between it and the line before; empty if nothing is. */
  readonly faults: readonly string[];
}

/**
 * Verifies one line.
 * @param before the position of the line before; null for the first line of an export, which may begin at any entry
 * @returns null for a line that is not an entry
 */
export function verifyLine(line: string, before: ChainPosition | null): VerifiedLine | null {
  const parsed = parseLine(line);
  if (parsed === null) return null;
  const { position, previousHash, computed, misnamed } = parsed;
  const entry = `entry ${String(position.sequence)}`;
  const altered =
    computed === position.hash ? [] : [`${entry} was altered: its members do not have the hash of its seal`];
  const names = misnamed.map((pseudonym) => `${entry} has a name that does not belong to ${pseudonym}`);
  return { position, faults: [...altered, ...names, ...linkFaults(position, previousHash, before)] };
}

function linkFaults(
  { sequence, tenantId, sealedAt }: ChainPosition,
  previousHash: string,
  before: ChainPosition | null,
): readonly string[] {
  const entry = `entry ${String(sequence)}`;
  if (before === null)
    return sequence === 1 && previousHash !== FIRST_PREVIOUS_HASH
      ? [`${entry} is the first of the chain, but names an entry before it`]
      : [];
  if (tenantId !== before.tenantId) return [`${entry} belongs to tenant ${tenantId}, not ${before.tenantId}`];
  const next = before.sequence + 1;
  if (sequence > next)
    return [
      sequence === next + 1
        ? `entry ${String(next)} is missing`
        : `entries ${String(next)} to ${String(sequence - 1)} are missing`,
    ];
  if (sequence < next) return [`${entry} follows entry ${String(before.sequence)}`];
  return [
    ...(previousHash === before.hash ? [] : [`${entry} does not continue entry ${String(before.sequence)}`]),
    ...(sealedAt < before.sealedAt ? [`${entry} was sealed before entry ${String(before.sequence)}`] : []),
  ];
}

interface ParsedLine {
  readonly position: ChainPosition;
  readonly previousHash: string;
  readonly computed: string;
  /** The pseudonyms in `names` that are not those of their users. */
  readonly misnamed: readonly string[];
}

const HASH = /^[0-9a-f]{64}$/;

function parseLine(line: string): ParsedLine | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const { hash, names = {}, ...entry } = value as Readonly<Record<string, unknown>>;
    const { tenantId, sequence, sealedAt, previousHash } = entry;
    if (typeof hash !== 'string' || !HASH.test(hash)) return null;
    if (typeof previousHash !== 'string' || !HASH.test(previousHash)) return null;
    if (typeof tenantId !== 'string' || typeof sealedAt !== 'string') return null;
    if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 1) return null;
    if (typeof names !== 'object' || names === null) return null;
    const computed = sha256Text(sortedJson(entry), 'hex');
    const misnamed = Object.entries(names).flatMap(([pseudonym, name]: readonly [string, unknown]) =>
      pseudonym === pseudonymOf(tenantId, name) ? [] : [pseudonym],
    );
    return { position: { tenantId, sequence, hash, sealedAt }, previousHash, computed, misnamed };
  } catch {
    // Not JSON, or nested more deeply than the stack allows.
    return null;
  }
}

/** Returns null for a value that is not a name with its salt. */
function pseudonymOf(tenantId: string, name: unknown): string | null {
  if (typeof name !== 'object' || name === null) return null;
  const { userId, salt } = name as Readonly<Record<string, unknown>>;
  if (typeof userId !== 'string' || typeof salt !== 'string') return null;
  const salted = Buffer.concat([Buffer.from(salt, 'hex'), Buffer.from(`${tenantId}\0${userId}`)]);
  return `user-${sha256Text(salted, 'hex')}`;
}
