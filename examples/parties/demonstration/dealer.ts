/** A trusted dealer: makes a key, splits it and forgets it. For a demonstration; parties of yours make theirs together. */
import { generateKeyPairSync } from 'node:crypto';
import { ed25519_FROST as frost } from '@noble/curves/ed25519.js';
import type { Authority, Certified } from '../certificates.js';
import { groupPublicKey } from '../frost.js';
import { rawPublicKey } from '../identity-key.js';
import { publicPackageFile, type PartyFile, type Peer } from '../party-file.js';
import { exportPrivateKey, generateSealingKey } from '../sealing.js';

export interface Holder {
  readonly partyId: string;
  readonly shareIndex: number;
  readonly role: 'server' | 'delegate';
}

export interface Dealt {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly parties: readonly DealtParty[];
}

export interface DealtParty {
  readonly holder: Holder;
  readonly peer: Peer;
  readonly certified: Certified;
  /** The share: of a server it goes into its file, of a delegate to the user. */
  readonly signingShare: Uint8Array;
  /** Complete but for where the router is, and whose requests the party signs. */
  readonly file: Omit<PartyFile, 'router' | 'policy'>;
}

/** Keys, certificates and one share for each holder. @param threshold how many must sign together */
export async function deal(
  authority: Authority,
  threshold: number,
  holders: readonly Holder[],
): Promise<Dealt> {
  const identifiers = holders.map(({ shareIndex }) => frost.Identifier.fromNumber(shareIndex));
  const dealt = frost.trustedDealer({ min: threshold, max: holders.length }, identifiers);
  const made = await Promise.all(holders.map(makeKeys));
  const peers = made.map(({ peer }) => peer);
  const publicPackage = publicPackageFile(dealt.public);
  const parties = made.map(({ holder, peer, identityKey, sealingKey }): DealtParty => {
    const { partyId, shareIndex, role } = holder;
    const secret = dealt.secretShares[frost.Identifier.fromNumber(shareIndex)];
    if (secret === undefined) throw new Error(`no share for ${partyId}`);
    const certified = authority.issue(partyId);
    const signingShare = role === 'delegate' ? null : Buffer.from(secret.signingShare).toString('hex');
    return {
      holder,
      peer,
      certified,
      signingShare: secret.signingShare,
      file: {
        partyId,
        authority: authority.certificate,
        certificate: certified.certificate,
        certificateKey: certified.key,
        identityKey,
        sealingKey,
        publicPackage,
        signingShare,
        peers,
      },
    };
  });
  return { publicKey: groupPublicKey(dealt.public), parties };
}

/** The keys of a party, whose share may come of a ceremony later. */
export async function makeKeys(holder: Holder) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const sealing = await generateSealingKey();
  const { partyId, shareIndex } = holder;
  const peer: Peer = {
    partyId,
    shareIndex,
    identityKey: rawPublicKey(publicKey).toString('hex'),
    sealingKey: Buffer.from(sealing.publicKey).toString('hex'),
  };
  const identityKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const sealingKey = Buffer.from(await exportPrivateKey(sealing.privateKey)).toString('hex');
  return { holder, peer, identityKey, sealingKey };
}
