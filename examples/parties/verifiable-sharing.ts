/** A dealer splits a secret so that each receiver can check its share (Feldman's scheme), over the group of Ed25519. */
import { createHash, randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { lengthPrefixed } from './signed-bytes.js';

const { Point } = ed25519;
const { Fn } = Point;
type PointOfGroup = InstanceType<typeof Point>;

export const POINT_BYTES = 32;
export const SCALAR_BYTES = 32;
export const PROOF_BYTES = POINT_BYTES + SCALAR_BYTES;

export interface Dealing {
  /** Points of the coefficients, the secret's first; as many as the threshold. */
  readonly commitments: readonly Uint8Array[];
  /** Shows that the dealer knows the secret, so that no commitment is made of another (Schnorr). */
  readonly proof: Uint8Array;
  /** The share of a receiver. */
  shareFor(shareIndex: number): Uint8Array;
  /** Forgets the polynomial. */
  wipe(): void;
}

/** Uniform: 64 random bytes leave no bias after the reduction. */
const randomScalar = (): bigint => Fn.create(littleEndian(randomBytes(2 * SCALAR_BYTES)));

/**
 * @param context what the proof is bound to: the session and the dealer
 * @param secret null: a random one
 */
export function dealSecret(threshold: number, context: Uint8Array, secret: Uint8Array | null): Dealing {
  const coefficients = Array.from({ length: threshold }, (_, power) =>
    power === 0 && secret !== null ? Fn.fromBytes(new Uint8Array(secret)) : randomScalar(),
  );
  const [first = 0n] = coefficients;
  const commitments = coefficients.map((coefficient) => Point.BASE.multiply(coefficient).toBytes());
  const nonce = randomScalar();
  const point = Point.BASE.multiply(nonce).toBytes();
  const answer = Fn.add(nonce, Fn.mul(first, challengeOf(context, commitments, point)));
  return {
    commitments,
    proof: Buffer.concat([point, Fn.toBytes(answer)]),
    shareFor: (shareIndex) =>
      Fn.toBytes(coefficients.reduceRight((sum, next) => Fn.add(Fn.mul(sum, BigInt(shareIndex)), next), 0n)),
    wipe: () => coefficients.fill(0n),
  };
}

/** Whether the commitments are points of the group, none its identity, and the dealer knows the secret of the first. */
export function isDealing(
  threshold: number,
  context: Uint8Array,
  { commitments, proof }: Pick<Dealing, 'commitments' | 'proof'>,
): boolean {
  try {
    const [first] = commitments;
    if (first === undefined || commitments.length !== threshold || proof.length !== PROOF_BYTES) return false;
    const points = commitments.map(pointOf);
    if (points.some((point) => point.is0())) return false;
    const nonce = proof.subarray(0, POINT_BYTES);
    const answer = Fn.fromBytes(new Uint8Array(proof.subarray(POINT_BYTES)));
    const expected = pointOf(nonce).add(pointOf(first).multiply(challengeOf(context, commitments, nonce)));
    return timesBase(answer).equals(expected);
  } catch {
    return false;
  }
}

/** Whether the share is what the commitments promise to this receiver. */
export function isShareOf(
  commitments: readonly Uint8Array[],
  shareIndex: number,
  share: Uint8Array,
): boolean {
  try {
    return timesBase(Fn.fromBytes(new Uint8Array(share))).equals(
      pointOf(committedShare(commitments, shareIndex)),
    );
  } catch {
    return false;
  }
}

/** The public part of a receiver's share. */
export function committedShare(commitments: readonly Uint8Array[], shareIndex: number): Uint8Array {
  const index = BigInt(shareIndex);
  return commitments
    .map(pointOf)
    .reduceRight((sum, next) => sum.multiplyUnsafe(index).add(next), Point.ZERO)
    .toBytes();
}

/** Commitments of the sum of all dealings: those of the key that the receivers then share. */
export function sumOfCommitments(dealings: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] {
  const [first = []] = dealings;
  return first.map((_, power) =>
    dealings
      .map((commitments) => pointOf(commitments[power] ?? new Uint8Array()))
      .reduce((sum, point) => sum.add(point))
      .toBytes(),
  );
}

export const sumOfShares = (shares: readonly Uint8Array[]): Uint8Array =>
  Fn.toBytes(shares.reduce((sum, share) => Fn.add(sum, Fn.fromBytes(new Uint8Array(share))), 0n));

/** What a share counts for among the shares of these holders (Lagrange, at zero). */
export function weightOf(shareIndex: number, holders: readonly number[]): bigint {
  const others = holders.filter((holder) => holder !== shareIndex).map(BigInt);
  const numerator = others.reduce((product, other) => Fn.mul(product, other), 1n);
  const denominator = others.reduce(
    (product, other) => Fn.mul(product, Fn.sub(other, BigInt(shareIndex))),
    1n,
  );
  return Fn.mul(numerator, Fn.inv(denominator));
}

export const weighedShare = (share: Uint8Array, weight: bigint): Uint8Array =>
  Fn.toBytes(Fn.mul(Fn.fromBytes(new Uint8Array(share)), weight));

export const weighedPoint = (point: Uint8Array, weight: bigint): Uint8Array =>
  pointOf(point).multiply(weight).toBytes();

function challengeOf(context: Uint8Array, commitments: readonly Uint8Array[], nonce: Uint8Array): bigint {
  const statement = lengthPrefixed(['dbr-dealing-v1', context, Buffer.concat(commitments), nonce]);
  return Fn.create(littleEndian(createHash('sha512').update(statement).digest()));
}

/** @throws for what is not a point of the group */
function pointOf(bytes: Uint8Array): PointOfGroup {
  const point = Point.fromBytes(new Uint8Array(bytes));
  if (!point.isTorsionFree()) throw new Error('a point outside of the group');
  return point;
}

const timesBase = (scalar: bigint): PointOfGroup =>
  scalar === 0n ? Point.ZERO : Point.BASE.multiply(scalar);

const littleEndian = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
