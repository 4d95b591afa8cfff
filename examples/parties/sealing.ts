/** Encryption to one recipient: HPKE base mode (RFC 9180) with X25519, HKDF-SHA256 and AES-256-GCM. */
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';

export interface SealingKeyPair {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly privateKey: CryptoKey;
}

export interface Sealed {
  /** HPKE's `enc`, 32 bytes. */
  readonly encapsulatedKey: Uint8Array;
  /** With its tag of 16 bytes appended. */
  readonly ciphertext: Uint8Array;
}

/** What both ends must agree on: the purpose, and the data that the ciphertext is bound to. */
export interface SealingContext {
  readonly info: string;
  readonly associatedData: Uint8Array;
}

/** The suite's name in HTTP and in signed statements. */
export const SUITE_NAME = 'HPKE-X25519-SHA256-AES256GCM';
export const SHARE_INFO = 'router.v1 DelegateUserShare';
export const ENVELOPE_INFO = 'router.v1 Envelope';

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

export async function generateSealingKey(): Promise<SealingKeyPair> {
  const { publicKey, privateKey } = await suite.kem.generateKeyPair();
  return { publicKey: new Uint8Array(await suite.kem.serializePublicKey(publicKey)), privateKey };
}

export const exportPrivateKey = async (key: CryptoKey): Promise<Uint8Array> =>
  new Uint8Array(await suite.kem.serializePrivateKey(key));

export const importPrivateKey = (bytes: Uint8Array): Promise<CryptoKey> =>
  suite.kem.deserializePrivateKey(arrayBuffer(bytes));

export async function seal(
  recipient: Uint8Array,
  { info, associatedData }: SealingContext,
  plaintext: Uint8Array,
): Promise<Sealed> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(arrayBuffer(recipient));
  const sender = await suite.createSenderContext({
    recipientPublicKey,
    info: arrayBuffer(Buffer.from(info)),
  });
  const ciphertext = await sender.seal(arrayBuffer(plaintext), arrayBuffer(associatedData));
  return { encapsulatedKey: new Uint8Array(sender.enc), ciphertext: new Uint8Array(ciphertext) };
}

/** @throws where it was sealed to another key, for another purpose, or bound to other data */
export async function open(
  recipientKey: CryptoKey,
  { info, associatedData }: SealingContext,
  { encapsulatedKey, ciphertext }: Sealed,
): Promise<Uint8Array> {
  const recipient = await suite.createRecipientContext({
    recipientKey,
    enc: arrayBuffer(encapsulatedKey),
    info: arrayBuffer(Buffer.from(info)),
  });
  return new Uint8Array(await recipient.open(arrayBuffer(ciphertext), arrayBuffer(associatedData)));
}

/** A copy of exactly these bytes: a Buffer may be a window into a larger memory. */
const arrayBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
