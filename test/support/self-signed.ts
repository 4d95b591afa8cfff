/** A certificate that vouches for itself, for tests of TLS (RFC 5280; DER as ITU-T X.690 has it). */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SelfSigned {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS 8. */
  readonly key: string;
}

const HOUR_MS = 3_600_000;

/** @param name the DNS name that it is for */
export function selfSigned(name: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const commonName = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))));
  const now = Date.now();
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    commonName,
    sequence(utcTime(now - HOUR_MS), utcTime(now + HOUR_MS)),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(
          oid(0x55, 0x1d, 0x13),
          der(0x01, Buffer.from([0xff])),
          octets(sequence(der(0x01, Buffer.from([0xff])))),
        ),
        sequence(oid(0x55, 0x1d, 0x11), octets(sequence(der(0x82, Buffer.from(name))))),
      ),
    ),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', certificate, privateKey)]);
  return {
    certificate: pem('CERTIFICATE', sequence(certificate, algorithm, der(0x03, signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length =
    content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
const oid = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));
const octets = (content: Buffer): Buffer => der(0x04, content);

/** YYMMDDHHMMSSZ. */
const utcTime = (time: number): Buffer =>
  der(
    0x17,
    Buffer.from(
      `${new Date(time)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );

const pem = (label: string, content: Buffer): string =>
  `-----BEGIN ${label}-----\n${(content.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`;
