/** What a party keeps on its own disk: who it is, whom it knows, and its share. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { FrostPublic } from '@noble/curves/abstract/frost.js';
import type { RequestPolicy } from './verify-request.js';

/** Another party, or the party itself, as all know it. Keys in hexadecimal. */
export interface Peer {
  readonly partyId: string;
  /** 0 for a party that holds no share. */
  readonly shareIndex: number;
  /** Ed25519: verifies its messages. */
  readonly identityKey: string;
  /** X25519: seals what is for it alone. */
  readonly sealingKey: string;
}

/** The public part of a split key, with the points in hexadecimal. */
export interface PublicPackageFile {
  readonly threshold: number;
  readonly holders: number;
  readonly commitments: readonly string[];
  readonly verifyingShares: Readonly<Record<string, string>>;
}

export interface PartyFile {
  readonly partyId: string;
  /** `host:port`. */
  readonly router: string;
  /** PEM. */
  readonly authority: string;
  readonly certificate: string;
  readonly certificateKey: string;
  /** PEM, PKCS 8. */
  readonly identityKey: string;
  /** X25519, in hexadecimal. */
  readonly sealingKey: string;
  /** null before the parties have made the key. */
  readonly publicPackage: PublicPackageFile | null;
  /** In hexadecimal; null for a delegate, which holds none at rest. */
  readonly signingShare: string | null;
  readonly peers: readonly Peer[];
  /** null: the party signs whatever the service asks for. */
  readonly policy: PolicyFile | null;
}

/** Whose requests the party signs, and where it notes their nonces. */
export interface PolicyFile extends Omit<RequestPolicy, 'nonces'> {
  /** The path of a file of this party alone. */
  readonly nonces: string;
}

/** The part of the file that a ceremony changes. */
export type KeyFile = Pick<PartyFile, 'publicPackage' | 'signingShare' | 'peers'>;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'hex'));

export const publicPackageFile = (key: FrostPublic): PublicPackageFile => ({
  threshold: key.signers.min,
  holders: key.signers.max,
  commitments: key.commitments.map(hex),
  verifyingShares: Object.fromEntries(
    Object.entries(key.verifyingShares).map(([identifier, point]) => [identifier, hex(point)]),
  ),
});

export const publicPackageOf = (file: PublicPackageFile): FrostPublic => ({
  signers: { min: file.threshold, max: file.holders },
  commitments: file.commitments.map(bytes),
  verifyingShares: Object.fromEntries(
    Object.entries(file.verifyingShares).map(([identifier, point]) => [identifier, bytes(point)]),
  ),
});

export const readPartyFile = async (path: string): Promise<PartyFile> =>
  JSON.parse(await readFile(path, 'utf8')) as PartyFile;

/** Readable by its owner alone. */
export const writePartyFile = (path: string, file: PartyFile): Promise<void> =>
  writeFile(path, JSON.stringify(file, null, 2), { mode: 0o600, flag: 'wx' });

/** Replaces the file as a whole: a process that ends meanwhile leaves the one of before. */
export async function replacePartyFile(path: string, file: PartyFile): Promise<void> {
  const temporary = `${path}.new`;
  await rm(temporary, { force: true });
  await writePartyFile(temporary, file);
  await rename(temporary, path);
}

/** Keeps the key of a ceremony that is not completed, beside the file of the party. */
export async function writeNextKey(path: string, sessionId: string, key: KeyFile): Promise<void> {
  const text = JSON.stringify(key, null, 2);
  await writeFile(`${path}.${sessionId}`, text, { mode: 0o600, flag: 'w' });
}

export const removeNextKey = (path: string, sessionId: string): Promise<void> =>
  rm(`${path}.${sessionId}`, { force: true });
