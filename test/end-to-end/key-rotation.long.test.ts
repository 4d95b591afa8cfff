import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '../../examples/parties/certificates.js';
import { startTestIssuer, type TestIssuer } from '../support/auth/test-issuer.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.js';
import { untilReady } from '../support/service/service.js';
import { serveDbr, type ServingProcess } from '../support/service/built-service.js';

const ROTATIONS = 5;
const RESPONSES_OF_A_KEY = 200;
const CLIENTS = 6;
/** Tokens of this many keys before the newest are still used; the issuer publishes two. */
const OLD_KEYS_IN_USE = 1;

/** The role `pg_monitor` comes with PostgreSQL; the superuser may become it. */
const CLAIMS = { role: 'pg_monitor' };

describe('an issuer that rotates its keys under load', function () {
  this.timeout(360_000);
  const folder = mkdtempSync(join(tmpdir(), 'dbr-rotation-'));
  let database: TestDatabase;
  let issuer: TestIssuer;
  let served: ServingProcess;

  before(async () => {
    const authority = createAuthority('rotation authority');
    const authorityFile = join(folder, 'authority.pem');
    writeFileSync(authorityFile, authority.certificate);
    database = await createTestDatabase();
    issuer = await startTestIssuer({ certified: authority.issue('localhost') });
    served = await serveDbr({
      DBR_AREAS: 'data-api',
      DBR_DB_URI: database.uri,
      DBR_JWT_ISSUERS: issuer.issuer,
      DBR_JWKS_REFETCH_INTERVAL: '1',
      NODE_EXTRA_CA_CERTS: authorityFile,
    });
  });
  after(async () => {
    await served.stop();
    await issuer.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const statusWith = async (token: string): Promise<number> => {
    const response = await fetch(served.url, { headers: { Authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    return response.status;
  };

  it('causes no refused token, and is queried at a bounded rate while others send unknown keys', async () => {
    await untilReady(served);
    expect(await statusWith(await issuer.sign(CLAIMS))).to.equal(200);
    const asked = issuer.requests.length;
    const begunMs = performance.now();

    const statuses = new Map<number, number>();
    const refusedStatuses = new Set<number>();
    let responses = 0;
    let rotations = 0;
    let tokens = [await issuer.sign(CLAIMS)];
    const isOver = (): boolean =>
      rotations === ROTATIONS && responses >= (ROTATIONS + 1) * RESPONSES_OF_A_KEY;

    async function rotateWhenDue(): Promise<void> {
      if (rotations === ROTATIONS || responses < (rotations + 1) * RESPONSES_OF_A_KEY) return;
      rotations += 1;
      issuer.rotate();
      tokens = [await issuer.sign(CLAIMS), ...tokens].slice(0, 1 + OLD_KEYS_IN_USE);
    }
    async function client(): Promise<void> {
      for (let index = 0; !isOver(); index += 1) {
        const old = tokens[index % (tokens.length + 1)];
        const status = await statusWith(
          old ?? (await issuer.sign({ ...CLAIMS, jti: String(Math.random()) })),
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        responses += 1;
        await rotateWhenDue();
      }
    }
    async function intruder(): Promise<void> {
      for (let index = 0; !isOver(); index += 1)
        refusedStatuses.add(await statusWith(await issuer.sign(CLAIMS, { kid: `unknown-${index}` })));
    }
    await Promise.all([...Array.from({ length: CLIENTS }, client), intruder(), intruder()]);

    expect([...statuses.keys()], JSON.stringify([...statuses])).to.deep.equal([200]);
    expect([...refusedStatuses]).to.deep.equal([401]);
    const seconds = (performance.now() - begunMs) / 1000;
    // Each load asks for the metadata and for the keys.
    expect(issuer.requests.length - asked).to.be.at.most(2 * (1 + Math.ceil(seconds)));
  });
});
