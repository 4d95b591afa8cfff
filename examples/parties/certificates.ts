/** X.509 certificates (RFC 5280) for a while: an authority of one's own and what it vouches for. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  bitString,
  der,
  identifier,
  integer,
  octetString,
  pem,
  sequence,
  setOf,
  TRUE,
  utcTime,
  utf8String,
} from './der.js';

export interface Certified {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS 8. */
  readonly key: string;
  /** SHA-256 of the SubjectPublicKeyInfo, as parties are registered with it; lower-case hexadecimal. */
  readonly publicKeySha256: string;
}

export interface Authority extends Certified {
  /** A certificate for a client, or for the server of this DNS name or IPv4 address. @param validMs an hour by default, in milliseconds */
  issue(name: string, validMs?: number): Certified;
}

const HOUR_MS = 3_600_000;

const ECDSA_SHA256 = sequence(identifier(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = identifier(0x55, 0x04, 0x03);
const SUBJECT_ALTERNATIVE_NAME = identifier(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = identifier(0x55, 0x1d, 0x13);

/** Vouches for itself, and for a DNS name where a server shows this very certificate. */
export function createAuthority(name: string): Authority {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const issuer = { name, key: pair.privateKey };
  return {
    ...certify(name, pair, issuer, true),
    issue: (subject, validMs) =>
      certify(subject, generateKeyPairSync('ec', { namedCurve: 'prime256v1' }), issuer, false, validMs),
  };
}

interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function certify(
  name: string,
  pair: KeyPair,
  issuer: Issuer,
  authority: boolean,
  validMs = HOUR_MS,
): Certified {
  const now = Date.now();
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' });
  const version3 = der(0xa0, integer(Buffer.from([2])));
  const serial = integer(Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const statement = sequence(
    version3,
    serial,
    ECDSA_SHA256,
    commonName(issuer.name),
    sequence(utcTime(now - HOUR_MS), utcTime(now + validMs)),
    commonName(name),
    publicKey,
    extensions(name, authority),
  );
  const signature = sign('sha256', statement, issuer.key);
  return {
    certificate: pem('CERTIFICATE', sequence(statement, ECDSA_SHA256, bitString(signature))),
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKeySha256: createHash('sha256').update(publicKey).digest('hex'),
  };
}

const commonName = (name: string): Buffer => sequence(setOf(sequence(COMMON_NAME, utf8String(name))));

function extensions(name: string, authority: boolean): Buffer {
  const constraints = sequence(BASIC_CONSTRAINTS, TRUE, octetString(sequence(...(authority ? [TRUE] : []))));
  const server = isIPv4(name)
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name));
  const alternative = sequence(SUBJECT_ALTERNATIVE_NAME, octetString(sequence(server)));
  return der(0xa3, sequence(constraints, alternative));
}
