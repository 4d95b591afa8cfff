/** How the router's port is guarded: certificates of both sides, or, in development, tokens. */
import { readFile } from 'node:fs/promises';
import { ServerCredentials } from '@grpc/grpc-js';

export interface CredentialSettings {
  /** Paths of PEM files: the router's certificate and key, and the authority of the parties' certificates. */
  readonly 'router-tls-cert': string | null;
  readonly 'router-tls-key': string | null;
  readonly 'router-tls-ca': string | null;
  readonly 'router-dev-tokens': boolean;
}

/** By what a party can be known. */
export type Recognition = 'certificate' | 'token' | 'nothing';

export const recognitionOf = (settings: CredentialSettings): Recognition => {
  if (settings['router-tls-cert'] !== null) return 'certificate';
  return settings['router-dev-tokens'] ? 'token' : 'nothing';
};

/**
 * Without certificates the port is a plain one, for health alone unless tokens are taken.
 * @throws when the settings contradict each other, or a file cannot be read
 */
export async function openCredentials(
  settings: CredentialSettings,
  production: boolean,
): Promise<ServerCredentials> {
  const devTokens = settings['router-dev-tokens'];
  if (devTokens && production)
    throw new Error(
      'router-dev-tokens is for development: where NODE_ENV is production, parties show certificates',
    );
  const paths = [settings['router-tls-cert'], settings['router-tls-key'], settings['router-tls-ca']];
  const given = paths.filter((path) => path !== null);
  if (given.length === 0) return ServerCredentials.createInsecure();
  if (given.length < paths.length)
    throw new Error('router-tls-cert, router-tls-key and router-tls-ca are needed together');
  const [certificate, key, authority] = await Promise.all(given.map((path) => readFile(path)));
  if (certificate === undefined || key === undefined || authority === undefined)
    throw new Error('a file of the router could not be read');
  return ServerCredentials.createSsl(
    authority,
    [{ private_key: key, cert_chain: certificate }],
    // A client without a certificate is let in only where it may show a token instead.
    !devTokens,
  );
}
