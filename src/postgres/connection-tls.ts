/** TLS of a connection string: sslmode and the parameters beside it (PostgreSQL manual, 34.19). */
import { readFileSync } from 'node:fs';
import { checkServerIdentity, type PeerCertificate, type SecureVersion } from 'node:tls';
import { InvalidConnectionString } from './invalid-connection-string.js';

export interface TlsSettings {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Passphrase of the key. */
  readonly passphrase?: string;
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  /** Checks that the certificate is for the requested server; absent if nothing is verified. */
  readonly checkServerIdentity?: (name: string, certificate: PeerCertificate) => Error | undefined;
}

/** Ways to encrypt a connection, in the order in which they are tried; false is an unencrypted connection. */
export type Encryptions = readonly [first: false | TlsSettings, ...others: (false | TlsSettings)[]];

type Parameters = ReadonlyMap<string, string>;
type Draft<Type> = { -readonly [Key in keyof Type]: Type[Key] };

const filled = (value: string | undefined): value is string => value !== undefined && value !== '';

/**
 * Returns the ways to encrypt a connection to one server, in the order in which they are tried. A Unix-domain socket is
 * not encrypted.
 * @param host name for which the certificate must be
 * @throws InvalidConnectionString
 */
export function encryptionOf(parameters: Parameters, host: string): Encryptions {
  const mode = parameters.get('sslmode') ?? 'disable';
  if (mode === 'disable') return [false];
  const tls = tlsSettings(parameters, mode, host);
  if (host.startsWith('/')) return [false];
  if (mode === 'allow') return [false, tls];
  return mode === 'prefer' ? [tls, false] : [tls];
}

function tlsSettings(parameters: Parameters, mode: string, host: string): TlsSettings {
  const settings: Draft<TlsSettings> = { rejectUnauthorized: true };
  for (const [name, key] of PEM_FILES) {
    const file = parameters.get(name);
    if (filled(file) && file !== 'system') settings[key] = readPem(name, file);
  }
  const passphrase = parameters.get('sslpassword');
  if (filled(passphrase)) settings.passphrase = passphrase;
  for (const [name, key] of TLS_VERSIONS) {
    const version = parameters.get(name);
    if (filled(version)) settings[key] = tlsVersion(name, version);
  }
  const unverified = { ...settings, rejectUnauthorized: false };
  const chainOnly = { ...settings, checkServerIdentity: () => undefined };
  switch (mode) {
    case 'allow':
    case 'prefer':
      return unverified;
    case 'require':
      // With an authority, libpq verifies the certificate in this mode too (PostgreSQL manual, 34.19.1).
      return settings.ca === undefined ? unverified : chainOnly;
    case 'verify-ca':
      // A public authority issues certificates to anyone, so a certificate without a check of its name proves
      // nothing.
      if (settings.ca === undefined) throw new InvalidConnectionString('sslmode=verify-ca needs sslrootcert');
      return chainOnly;
    case 'verify-full':
      // The driver drops a name that is an address, and would check the certificate for `localhost`.
      return {
        ...settings,
        checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
      };
    default:
      throw new InvalidConnectionString(
        'sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full',
      );
  }
}

const TLS_VERSIONS = [
  ['ssl_min_protocol_version', 'minVersion'],
  ['ssl_max_protocol_version', 'maxVersion'],
] as const;
const SECURE_VERSIONS = [
  'TLSv1',
  'TLSv1.1',
  'TLSv1.2',
  'TLSv1.3',
] as const satisfies readonly SecureVersion[];

function tlsVersion(name: string, value: string): SecureVersion {
  const found = SECURE_VERSIONS.find((version) => version === value);
  if (found === undefined)
    throw new InvalidConnectionString(`${name} must be one of ${SECURE_VERSIONS.join(', ')}`);
  return found;
}

const PEM_FILES = [
  ['sslrootcert', 'ca'],
  ['sslcert', 'cert'],
  ['sslkey', 'key'],
] as const;

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new InvalidConnectionString(`the file that ${name} names cannot be read (${code})`);
  }
}
