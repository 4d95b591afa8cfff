import { expect } from 'chai';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { sortedJson } from '../../../src/base/hash.js';
import type { Observation } from '../../../src/observability/observation.js';
import { audit } from '../../../src/signing/audit.js';
import { startHeads, type HeadSending } from '../../../src/signing/audit/send-heads.js';
import { sealBatch } from '../../../src/signing/audit/seal-entries.js';
import { inTenant } from '../../../src/signing/transaction.js';
import { createSigningDatabase, type SigningDatabase } from '../../support/signing/signing-database.js';
import { until } from '../../support/until.js';

interface Put {
  readonly url: string;
  readonly method: string;
  readonly body: string;
}

/** As many answers that never come as there are tenants, at least. */
const HANGING = Array.from({ length: 20 }, () => () => undefined);

describe('the heads of audit chains', function () {
  this.timeout(60_000);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  let database: SigningDatabase;
  const puts: Put[] = [];
  let observed: Observation[] = [];
  const sending: HeadSending[] = [];
  /** Answers each request; an answer that is missing is 204. */
  let answers: ((response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => void receive(request, response));
  let place = '';

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    puts.push({ url: request.url ?? '', method: request.method ?? '', body });
    const answer = answers.shift() ?? ((one: ServerResponse) => one.writeHead(204).end());
    answer(response);
  }

  before(async () => {
    database = await createSigningDatabase();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    place = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/{tenant}.json?token=hush`;
  });
  beforeEach(async () => {
    puts.length = 0;
    observed = [];
    answers = [];
    await database.superuser.none('delete from dbr_signing.audit_heads');
  });
  afterEach(async () => {
    await Promise.all(sending.splice(0).map((one) => one.close()));
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await database.drop();
  });

  const append = async (tenant: string): Promise<void> => {
    const tenantId = tenantIdOf(tenant);
    await inTenant(database.pool, tenantId, (transaction) =>
      audit(
        transaction,
        { tenantId, userId: userIdOf('ann'), remoteAddress: '127.0.0.1' },
        { action: 'test', subject: 'one', before: null, after: null },
      ),
    );
    await sealBatch(database.pool, tenantId, { wait: true });
  };

  const start = (url = place, timeoutMs?: number): HeadSending => {
    const one = startHeads(database.pool, { url, key: privateKey }, (each) => observed.push(each), timeoutMs);
    sending.push(one);
    return one;
  };
  const kinds = (): readonly string[] => observed.map(({ kind }) => kind);
  const due = (): Promise<unknown> =>
    database.superuser.none(`update dbr_signing.audit_heads set due_at = now()`);

  it('are sent signed, to a place that refuses twice, and again only after a change', async () => {
    await append('acme/1');
    const refuse = (response: ServerResponse): void => {
      response.writeHead(503).end();
    };
    const redirect = (response: ServerResponse): void => {
      response.writeHead(307, { location: '/elsewhere' }).end();
    };
    answers = [refuse, redirect];
    const one = start();
    const other = start();
    await until(() => kinds().includes('audit-head-failed'));
    one.soon();
    other.soon();
    await until(() => one.lagSeconds > 0 && other.lagSeconds > 0);
    expect(puts, 'the claim of the first keeps the other from sending').to.have.lengthOf(1);
    for (const attempt of [2, 3]) {
      await due();
      one.soon();
      await until(() => observed.length === attempt);
    }
    expect(observed).to.deep.equal([
      { kind: 'audit-head-failed', tenantId: 'acme/1', attempts: 1, reason: 'status 503' },
      { kind: 'audit-head-failed', tenantId: 'acme/1', attempts: 2, reason: 'status 307' },
      { kind: 'audit-head-sent' },
    ]);
    await until(() => one.lagSeconds === 0);
    const [put] = puts;
    expect(puts).to.deep.equal([put, put, put]);
    expect(put?.url).to.equal('/acme%2F1.json?token=hush');
    expect(put?.method).to.equal('PUT');

    const { signature, ...head } = JSON.parse(put?.body ?? '') as Readonly<Record<string, unknown>>;
    expect(put?.body).to.equal(sortedJson({ ...head, signature }));
    const { hash, sealed_at: sealedAt } = await database.superuser.one<{ hash: string; sealed_at: Date }>(
      `select encode(hash, 'hex') as hash, sealed_at from dbr_signing.audit_chains where tenant_id = 'acme/1'`,
    );
    expect(head).to.deep.include({ type: 'dbr-audit-head-v1', tenantId: 'acme/1', sequence: 1, hash });
    expect(new Date(String(head['sealedAt'])).getTime()).to.equal(new Date(sealedAt).getTime());
    const bytes = Buffer.from(sortedJson(head));
    const spki = createPublicKey(publicKey.export({ format: 'pem', type: 'spki' }));
    expect(verify(null, bytes, spki, Buffer.from(String(signature), 'hex'))).to.equal(true);

    await due();
    await append('acme/1');
    one.soon();
    await until(() => observed.length === 4);
    expect(JSON.parse(puts[3]?.body ?? '')).to.include({ sequence: 2 });
    expect(JSON.stringify(observed)).not.to.contain('hush');
  });

  it('are given up for a place that does not respond, and sent to another place that is set', async () => {
    await append('slow');
    answers = [...HANGING];
    const one = start(place, 50);
    await until(() => observed.some((each) => each.kind === 'audit-head-failed' && each.tenantId === 'slow'));
    expect(observed).to.deep.include({
      kind: 'audit-head-failed',
      tenantId: 'slow',
      attempts: 1,
      reason: 'no response in time',
    });
    await one.close();
    answers = [];
    puts.length = 0;
    const other = start(`${place}&place=other`);
    await until(() => puts.some(({ url }) => url === '/slow.json?token=hush&place=other'));
    await other.close();
  });

  it('stay in the folder of the address, whatever the tenant is called', async () => {
    await append('..');
    start(place.replace('{tenant}.json', 'heads/{tenant}'));
    await until(() => puts.some(({ url }) => url === '/heads/%252E%252E?token=hush'));
  });

  it('end with the service while a place does not respond', async () => {
    await append('hanging');
    answers = [...HANGING];
    const one = start();
    await until(() => puts.length > 0);
    await one.close();
    expect(kinds()).not.to.include('audit-head-failed');
  });
});
