import { expect } from 'chai';
import { SignJWT } from 'jose';
import { FIRST_PREVIOUS_HASH, verifyLine, type ChainPosition } from '../../src/signing/audit/audit-chain.js';
import { createContractClient, type ContractClient } from '../support/contract/contract-client.js';
import { accountBody, partyBody } from '../support/contract/signing-bodies.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import { createSigningDatabase, type SigningDatabase } from '../support/signing/signing-database.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';

const token = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));

type Line = Readonly<Record<string, unknown>>;

/** Every fault that the lines show. */
function faultsOf(lines: readonly Line[]): readonly string[] {
  let before: ChainPosition | null = null;
  const faults: string[] = [];
  for (const line of lines) {
    const verified = verifyLine(JSON.stringify(line), before);
    if (verified === null) throw new Error(`not an entry: ${JSON.stringify(line)}`);
    faults.push(...verified.faults);
    before = verified.position;
  }
  return faults;
}

/** The user that the line names for a pseudonym. */
const userOf = (names: unknown, actor: unknown): unknown =>
  (names as Readonly<Record<string, { readonly userId: string }>>)[String(actor)]?.userId;

describe('contract of area B: the audit log', function () {
  this.timeout(120_000);
  let database: SigningDatabase;
  let service: TestService;
  let client: ContractClient;
  let admin: string;
  let auditor: string;
  let otherAuditor: string;

  before(async () => {
    database = await createSigningDatabase();
    service = await startTestService({
      areas: 'signing,notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      'signing-config-limit': '0',
    });
    await untilReady(service);
    admin = await token({
      tenantId: 'acme',
      sub: 'root',
      scope: 'parties:admin accounts:write tenant:admin',
    });
    auditor = await token({ tenantId: 'acme', sub: 'audra', scope: 'audit:read' });
    otherAuditor = await token({ tenantId: 'other', sub: 'audra', scope: 'audit:read' });
    client = createContractClient(() => service.url, auditor);
    for (const [partyId, role] of [
      ['node-a', 'server'],
      ['node-b', 'server'],
      ['helper', 'delegate'],
    ] as const)
      await client.call('createParty', { token: admin, body: partyBody(partyId, role) });
    const { body } = await client.call('createAccount', { token: admin, body: accountBody() });
    const path = { id: (body as { readonly accountId: string }).accountId };
    await client.call('createSigningConfig', {
      token: admin,
      path,
      body: { signingParties: ['node-a', 'node-b'] },
    });
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const exported = async (query = '', by = auditor): Promise<readonly Line[]> => {
    const { status, headers, body } = await client.call('exportAuditLog', { query, token: by });
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/x-ndjson']);
    expect(headers.get('cache-control')).to.equal('no-store');
    return body as readonly Line[];
  };

  it('counts no export for HEAD, which has no body', async () => {
    for (let request = 0; request < 3; request++) {
      const { status } = await fetch(`${service.url}/api/v1/audit-log`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${auditor}` },
      });
      expect(status).to.equal(200);
    }
  });

  it('has every change of the tenant with its actor, as a chain that begins with 1', async () => {
    const lines = await exported();
    expect(
      lines.map(({ sequence, action, actor, names }) => [sequence, action, userOf(names, actor)]),
    ).to.deep.equal([
      [1, 'party.create', 'root'],
      [2, 'party.create', 'root'],
      [3, 'party.create', 'root'],
      [4, 'account.create', 'root'],
      [5, 'signing-config.create', 'root'],
    ]);
    expect(lines[0]?.['previousHash']).to.equal(FIRST_PREVIOUS_HASH);
    expect(faultsOf(lines)).to.deep.equal([]);
    expect(Object.keys(lines[4] ?? {}).sort()).to.deep.equal(
      [
        ...['action', 'actor', 'after', 'at', 'before', 'hash', 'names', 'previousHash', 'remoteAddress'],
        ...['sealedAt', 'sequence', 'subject', 'tenantId'],
      ].sort(),
    );
    expect(lines[4]?.['remoteAddress']).to.equal('127.0.0.1');
  });

  it('continues after the last line that the client has', async () => {
    const all = await exported();
    const rest = await exported('after=3');
    expect(rest).to.deep.equal(all.slice(3));
    expect(faultsOf(rest)).to.deep.equal([]);
    expect(await exported('after=5')).to.deep.equal([]);
    expect(await exported('after=9007199254740991')).to.deep.equal([]);
  });

  it('has the entries that were sealed in a time', async () => {
    const all = await exported();
    const sealedAt = String(all[2]?.['sealedAt']);
    const earlier = all.filter((line) => String(line['sealedAt']) < sealedAt);
    const encoded = encodeURIComponent(sealedAt);
    expect(await exported(`sealedTo=${encoded}`)).to.deep.equal(earlier);
    expect(await exported(`sealedFrom=${encoded}`)).to.deep.equal(all.slice(earlier.length));
    expect(await exported('sealedFrom=2100-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await exported('sealedFrom=2100-01-01T00:00:00Z&sealedTo=2000-01-01T00:00:00Z')).to.deep.equal([]);
    for (const to of ['2100-01-01T00:00:00%2B02:00', '2100-01-01t00:00:00z', '2100-01-01T00:00:00-23:00'])
      expect(await exported(`sealedTo=${to}`), to).to.deep.equal(all);
    expect(
      await exported('sealedFrom=0000-01-01T00:00:00Z&sealedTo=9999-12-31T23:59:59.99999999Z'),
    ).to.deep.equal(all);
  });

  it('has nothing of another tenant', async () => {
    expect(await exported('', otherAuditor)).to.deep.equal([]);
  });

  for (const query of [
    'sealedTo=2016-12-31T23:59:60Z',
    'sealedFrom=yesterday',
    'sealedTo=2026-13-01T00:00:00Z',
    'sealedFrom=2026-01-01',
    'after=x',
    'after=-1',
    'sealedFrom=',
  ])
    it(`refuses ${query}`, async () => {
      const { status, body } = await client.call('exportAuditLog', { query });
      expect([status, (body as { readonly code: string }).code]).to.deep.equal([400, 'DBR403']);
    });

  it('needs the scope audit:read', async () => {
    const { status, body } = await client.call('exportAuditLog', { token: admin });
    expect([status, (body as { readonly details: string }).details]).to.deep.equal([
      403,
      'The token lacks the scope audit:read.',
    ]);
  });
});
