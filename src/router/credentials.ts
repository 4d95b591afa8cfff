/** Credentials of connections to the router: certificates of both sides or, in development, tokens. */
import { readFile } from 'node:fs/promises';
import type { SecureVersion } from 'node:tls';

export interface CredentialSettings {
  /** Paths of PEM files: the router's certificate and key, and the authority of the parties' certificates. */
  readonly 'router-tls-cert': string | null;
  readonly 'router-tls-key': string | null;
  readonly 'router-tls-ca': string | null;
  readonly 'router-dev-tokens': boolean;
}

/** Certificates and key of the router, in PEM. */
export interface Credentials {
  readonly certificate: Buffer;
  readonly key: Buffer;
  /** Issues the certificates of parties. */
  readonly authority: Buffer;
  /** False if a client may send a token instead of a certificate. */
  readonly certificateNeeded: boolean;
}

/** The only version that the router speaks, and the oldest (RFC 8446). */
export const TLS_VERSION: SecureVersion = 'TLSv1.3';

/** The way in which parties are identified. */
export type Recognition = 'certificate' | 'token' | 'nothing';

export const recognitionOf = (settings: CredentialSettings): Recognition => {
  if (settings['router-tls-cert'] !== null) return 'certificate';
  return settings['router-dev-tokens'] ? 'token' : 'nothing';
};

/** @throws when development tokens are allowed in production */
export function checkDevTokens(settings: CredentialSettings, production: boolean): void {
  if (settings['router-dev-tokens'] && production)
    throw new Error(
      'router-dev-tokens is for development: where NODE_ENV is production, parties show certificates',
    );
}

/**
 * Reads the files that the settings name. Null: no file is named, and connections are plain.
 * @throws when only some of the files are named, or one cannot be read
 */
export async function readCredentials(settings: CredentialSettings): Promise<Credentials | null> {
  const paths = [settings['router-tls-cert'], settings['router-tls-key'], settings['router-tls-ca']];
  const given = paths.filter((path) => path !== null);
  if (given.length === 0) return null;
  if (given.length < paths.length)
    throw new Error('router-tls-cert, router-tls-key and router-tls-ca are needed together');
  const [certificate, key, authority] = await Promise.all(given.map((path) => readFile(path)));
  if (certificate === undefined || key === undefined || authority === undefined)
    throw new Error('a file of the router could not be read');
  return { certificate, key, authority, certificateNeeded: !settings['router-dev-tokens'] };
}
