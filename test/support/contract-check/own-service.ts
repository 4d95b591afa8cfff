/** The service of the published document, with what its examples refer to. */
import { SignJWT } from 'jose';
import { newKey, partyBody } from '../contract/signing-bodies.js';
import { startTestService, untilReady } from '../service/service.js';
import { createSigningDatabase } from '../signing/signing-database.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const SCOPES = [
  ...['notifications:write', 'notifications:receipts', 'notifications:admin', 'notifications:webhooks'],
  ...['accounts:read', 'accounts:write', 'parties:admin', 'signing-config:write', 'audit:read'],
];

export interface OwnService {
  /** Of the document. */
  readonly url: string;
  /** Of the user who has the notifications and the account of the examples; one of them suspends parties, one cannot. */
  readonly tokens: { readonly administrator: string; readonly owner: string };
  stop(): Promise<void>;
}

/** No token may erase users: it would erase its own notifications again and again. @throws Error if a party or the account cannot be created */
export async function startOwnService(): Promise<OwnService> {
  const database = await createSigningDatabase();
  const service = await startTestService(
    { areas: 'signing,notifications', 'db-uri': database.serviceUri, 'service-jwt-secret': SECRET },
    { logLevel: 'crit' },
  );
  await untilReady(service);
  const tokenWith = (scopes: readonly string[]): Promise<string> =>
    new SignJWT({ tenantId: 'acme', sub: 'u-7', scope: scopes.join(' ') })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET));
  const administrator = await tokenWith(SCOPES);
  const create = async (collection: string, body: object): Promise<void> => {
    const { status } = await fetch(`${service.url}/api/v1/${collection}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${administrator}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (status !== 201) throw new Error(`${JSON.stringify(body)} gives ${String(status)}`);
  };
  for (const body of [partyBody('node-a'), partyBody('node-b'), partyBody('delegate-1', 'delegate')])
    await create('parties', body);
  await create('accounts', {
    ...{ name: 'Treasury', ownerUserId: 'u-7', keyType: 'ed25519', publicKey: newKey(), threshold: 2 },
    shares: [
      { partyId: 'node-a', shareIndex: 1, shareType: 'server' },
      { partyId: 'node-b', shareIndex: 2, shareType: 'server' },
      { partyId: 'delegate-1', shareIndex: 3, shareType: 'delegate' },
    ],
  });
  return {
    url: `${service.url}/api/v1/openapi.json`,
    tokens: { administrator, owner: await tokenWith(['notifications:write', 'signing-config:write']) },
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}
