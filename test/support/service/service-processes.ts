/** Several processes of the built service on one database, as behind a load balancer. */
import { SignJWT } from 'jose';
import { randomBytes } from 'node:crypto';
import type { OperationId } from '../../../generated/operations.js';
import { createContractClient, type ContractClient } from '../contract/contract-client.js';
import { serveDbr, type Environment, type ServingProcess } from './built-service.js';
import { untilReady } from './service.js';
import { readStream, type StreamReader } from './stream-reader.js';
import { createSigningDatabase, type SigningDatabase } from '../signing/signing-database.js';

export const SECRET = 'a secret for tests, of at least thirty-two bytes';

/** One process, and the user `ann` who calls it. */
export interface OneOfMany extends ServingProcess {
  readonly ann: ContractClient;
}

export interface ServiceProcesses {
  readonly database: SigningDatabase;
  /** The role of requests to the data API without a token. */
  readonly anonymousRole: string;
  /** Starts another process; it is ended with the others, where it still runs. */
  start(more?: Environment, args?: readonly string[]): Promise<OneOfMany>;
  drop(): Promise<void>;
}

export async function createServiceProcesses(): Promise<ServiceProcesses> {
  const database = await createSigningDatabase();
  const anonymousRole = `anonymous_${randomBytes(4).toString('hex')}`;
  const serviceRole = new URL(database.serviceUri).username;
  await database.superuser.none(
    `create role ${anonymousRole} nologin; grant ${anonymousRole} to ${serviceRole}`,
  );
  const processes: ServingProcess[] = [];
  const ann = await tokenOf({ sub: 'ann' });
  return {
    database,
    anonymousRole,
    async start(more = {}, args = []) {
      const environment = {
        DBR_DB_URI: database.serviceUri,
        DBR_DB_ANON_ROLE: anonymousRole,
        DBR_SERVICE_JWT_SECRET: SECRET,
        DBR_SERVICE_DB_POOL: '4',
        DBR_DB_POOL: '2',
        DBR_SIGNING_SESSION_LIMIT: '0',
        DBR_LOG_FORMAT: 'json',
        ...more,
      };
      const started = await serveDbr(environment, args);
      processes.push(started);
      await untilReady(started);
      return { ...started, ann: createContractClient(() => started.url, ann) };
    },
    async drop() {
      await Promise.all(processes.map((started) => started.stop()));
      await database.superuser.none(`drop owned by ${anonymousRole}; drop role ${anonymousRole}`);
      await database.drop();
    },
  };
}

/** @param claims beside the tenant `acme` */
export const tokenOf = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ tenantId: 'acme', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(SECRET));

/** A stream of server-sent events, as ann reads it. */
export async function openEvents(
  { ann }: OneOfMany,
  operation: OperationId,
  path: Readonly<Record<string, string>> = {},
): Promise<StreamReader> {
  const gone = new AbortController();
  const headers = { Accept: 'text/event-stream' };
  const response = await ann.open(operation, { path, headers }, gone.signal);
  if (response.status !== 200 || response.body === null)
    throw new Error(`${operation} answered ${String(response.status)}: ${await response.text()}`);
  return readStream(response.body.pipeThrough(new TextDecoderStream()), () => gone.abort());
}
