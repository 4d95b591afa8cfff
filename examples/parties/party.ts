/** A party that runs: its keys as they can be used, and its connection to the router. */
import { createPrivateKey, randomUUID, type KeyObject } from 'node:crypto';
import { frostSecret, type FrostPublic, type FrostSecret } from './frost.js';
import { createOneTimeKeys, type OneTimeKeys } from './one-time-keys.js';
import { publicPackageFile, publicPackageOf, type KeyFile, type PartyFile, type Peer } from './party-file.js';
import { certificateCredentials, connectRouter, type RouterClient } from './router-client.js';
import { importPrivateKey } from './sealing.js';
import { openUsedNonces } from './used-nonces.js';
import type { RequestPolicy } from './verify-request.js';

/** Where the party's share of the key comes from. */
export type ShareSource =
  | { readonly kind: 'held'; readonly secret: FrostSecret }
  /** It takes part in ceremonies alone, until it has one. */
  | { readonly kind: 'none' }
  /** By the user, for each session, sealed to one of these. */
  | { readonly kind: 'supplied'; readonly keys: OneTimeKeys };

export interface Party {
  readonly partyId: string;
  readonly shareIndex: number;
  /** Distinguishes this process from an earlier one of the same party. */
  readonly instanceId: string;
  readonly router: RouterClient;
  readonly identityKey: KeyObject;
  /** Opens messages that are for this party alone. */
  readonly sealingKey: CryptoKey;
  readonly publicPackage: FrostPublic;
  readonly share: ShareSource;
  /** All holders of the key, this one among them. */
  readonly peers: ReadonlyMap<string, Peer>;
  /** Whose requests it signs; null signs whatever the service asks for. */
  readonly policy: RequestPolicy | null;
}

/** Notices a router that is gone without a word, in milliseconds (https://grpc.io/docs/guides/keepalive/). */
const CHANNEL_OPTIONS = { 'grpc.keepalive_time_ms': 20_000, 'grpc.keepalive_timeout_ms': 10_000 };

/** The router, known by its certificate, which knows the party by its own. */
export const connectParty = (file: PartyFile): RouterClient =>
  connectRouter(
    file.router,
    certificateCredentials({
      authority: Buffer.from(file.authority),
      certificate: Buffer.from(file.certificate),
      key: Buffer.from(file.certificateKey),
    }),
    CHANNEL_OPTIONS,
  );

/** @throws where the file does not list the party itself */
export async function openParty(file: PartyFile, router: RouterClient): Promise<Party> {
  const peers = new Map(file.peers.map((peer) => [peer.partyId, peer]));
  const self = peers.get(file.partyId);
  if (self === undefined) throw new Error(`${file.partyId} is not among its own peers`);
  const identityKey = createPrivateKey(file.identityKey);
  return {
    partyId: file.partyId,
    shareIndex: self.shareIndex,
    instanceId: randomUUID(),
    router,
    identityKey,
    sealingKey: await importPrivateKey(Buffer.from(file.sealingKey, 'hex')),
    publicPackage: file.publicPackage === null ? NO_KEY : publicPackageOf(file.publicPackage),
    share:
      file.publicPackage === null || self.shareIndex === 0
        ? { kind: 'none' }
        : shareSource(self.shareIndex, file.signingShare, identityKey),
    peers,
    policy: file.policy === null ? null : { ...file.policy, nonces: openUsedNonces(file.policy.nonces) },
  };
}

const NO_KEY: FrostPublic = { signers: { min: 0, max: 0 }, commitments: [], verifyingShares: {} };

const shareSource = (shareIndex: number, signingShare: string | null, identityKey: KeyObject): ShareSource =>
  signingShare === null
    ? { kind: 'supplied', keys: createOneTimeKeys(identityKey) }
    : { kind: 'held', secret: frostSecret(shareIndex, Buffer.from(signingShare, 'hex')) };

/** What a file of the party keeps of its key. */
export const keyFileOf = ({ publicPackage, share, peers }: Party): KeyFile => ({
  publicPackage: publicPackageFile(publicPackage),
  signingShare: share.kind === 'held' ? Buffer.from(share.secret.signingShare).toString('hex') : null,
  peers: [...peers.values()],
});
