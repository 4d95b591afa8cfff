/** Certificates of a router and of parties, in files where the settings of the router expect them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, type Authority, type Certified } from '../../../examples/parties/certificates.js';
import {
  certificateCredentials,
  connectRouter,
  type RouterClient,
} from '../../../examples/parties/router-client.js';
import type { RouterSettings } from '../../../src/router/router.js';
import type { Environment } from '../service/built-service.js';
import type { TestParty } from '../signing/signing-fixture.js';
import type { RouterFixture } from './router-fixture.js';

export interface RouterCertificates {
  readonly authority: Authority;
  readonly settings: Pick<RouterSettings, 'router-tls-cert' | 'router-tls-key' | 'router-tls-ca'>;
  /** Writes a new certificate of the router. */
  renew(): Promise<Certified>;
  /** Puts another certificate where the router's is, to which its key does not belong. */
  spoil(certificate: string): Promise<void>;
  remove(): Promise<void>;
}

export async function createRouterCertificates(): Promise<RouterCertificates> {
  const directory = await mkdtemp(join(tmpdir(), 'dbr-router-'));
  const authority = createAuthority('authority');
  const settings = {
    'router-tls-cert': join(directory, 'cert.pem'),
    'router-tls-key': join(directory, 'key.pem'),
    'router-tls-ca': join(directory, 'ca.pem'),
  };
  const renew = async (): Promise<Certified> => {
    const issued = authority.issue('localhost');
    await writeFile(settings['router-tls-cert'], issued.certificate);
    await writeFile(settings['router-tls-key'], issued.key);
    return issued;
  };
  await writeFile(settings['router-tls-ca'], authority.certificate);
  await renew();
  return {
    authority,
    settings,
    renew,
    spoil: (certificate) => writeFile(settings['router-tls-cert'], certificate),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Registers a certificate as the party's. */
export async function certify(
  { database }: RouterFixture,
  { identity }: TestParty,
  { publicKeySha256 }: Certified,
): Promise<void> {
  await database.superuser.none(
    'update dbr_signing.parties set certificate_sha256 = $1 where tenant_id = $2 and party_id = $3',
    [Buffer.from(publicKeySha256, 'hex'), identity.tenantId, identity.partyId],
  );
}

/** A client that shows a certificate. */
export const connectWithCertificate = (
  port: number,
  authority: Authority,
  { certificate, key }: Certified,
): RouterClient =>
  connectRouter(
    `localhost:${String(port)}`,
    certificateCredentials({
      authority: Buffer.from(authority.certificate),
      certificate: Buffer.from(certificate),
      key: Buffer.from(key),
    }),
    { 'grpc.use_local_subchannel_pool': 1 },
  );

/** The settings as a process takes them. */
export const certificateEnvironment = ({ settings }: RouterCertificates): Environment => ({
  DBR_ROUTER_TLS_CERT: settings['router-tls-cert'] ?? '',
  DBR_ROUTER_TLS_KEY: settings['router-tls-key'] ?? '',
  DBR_ROUTER_TLS_CA: settings['router-tls-ca'] ?? '',
});
