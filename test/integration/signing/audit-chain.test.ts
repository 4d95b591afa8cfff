import { query } from '../../support/postgres/query.js';
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyLine, type ChainPosition } from '../../../src/signing/audit/audit-chain.js';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import type { Observation } from '../../../src/observability/observation.js';
import { LOCAL_LIMITS } from '../../../src/operations/limits.js';
import { audit } from '../../../src/signing/audit.js';
import { createAuditExports, type AuditExports } from '../../../src/signing/audit/audit-exports.js';
import { SEAL_BATCH, sealBatch, startSealing } from '../../../src/signing/audit/seal-entries.js';
import { inTenant } from '../../../src/signing/transaction.js';
import { createSigningDatabase, type SigningDatabase } from '../../support/signing/signing-database.js';
import { root } from '../../support/openapi/published-contract.js';
import { until } from '../../support/until.js';

const NEVER = new AbortController().signal;
const VERIFIER = join(root, 'examples/parties/verify_audit.py');

describe('the chain of the audit log', function () {
  this.timeout(120_000);
  let database: SigningDatabase;
  let exports: AuditExports;
  let count = 0;
  before(async () => {
    database = await createSigningDatabase();
    exports = createAuditExports(database.pool, LOCAL_LIMITS);
  });
  after(() => database.drop());

  const newTenant = () => tenantIdOf(`tenant-${String(count++)}`);
  type Tenant = ReturnType<typeof newTenant>;
  const actorIn = (tenantId: Tenant) => ({ tenantId, userId: userIdOf('ann'), remoteAddress: '127.0.0.1' });
  const entry = (subject: string) => ({
    action: 'test',
    subject,
    before: null,
    after: { subject, ünï: [1, null] },
  });

  const append = (tenantId: Tenant, subject: string): Promise<void> =>
    inTenant(database.pool, tenantId, (transaction) => audit(transaction, actorIn(tenantId), entry(subject)));

  async function appendMany(tenantId: Tenant, entries: number): Promise<void> {
    await database.superuser.none(
      `insert into dbr_signing.audit_log (tenant_id, actor, action, subject)
       select $1, 'ann', 'test', number::text from generate_series(1, $2) as number`,
      [tenantId, entries],
    );
  }

  const request = (tenantId: Tenant) => ({
    ...{ tenantId, userId: userIdOf('audra'), after: 0, from: null, to: null, expiresAt: null },
    signal: NEVER,
  });

  async function linesOf(tenantId: Tenant, after = 0): Promise<readonly string[]> {
    let text = '';
    for await (const piece of await exports.open({ ...request(tenantId), after })) text += piece;
    return text.split('\n').slice(0, -1);
  }

  it('is verified by a client in Python, which names the first entry that does not hold', async function () {
    if (spawnSync('python3', ['--version']).error !== undefined) this.skip();
    const tenantId = newTenant();
    for (const subject of ['one', 'zwei 🜁\u0007', 'three', 'four']) await append(tenantId, subject);
    const lines = await linesOf(tenantId);
    const folder = await mkdtemp(join(tmpdir(), 'dbr-audit-'));
    const verify = async (changed: readonly string[]): Promise<readonly [number | null, string]> => {
      const file = join(folder, 'audit.ndjson');
      await writeFile(file, changed.map((line) => `${line}\n`).join(''));
      const { status, stdout, stderr } = spawnSync('python3', [VERIFIER, file], { encoding: 'utf8' });
      return [status, `${stdout}${stderr}`.replaceAll(`${file}: `, '')];
    };
    try {
      const [first = '', second = '', third = '', fourth = ''] = lines;
      expect(await verify(lines)).to.deep.equal([0, '4 entries are intact\n']);
      const altered = second.replace('"action":"test"', '"action":"tests"');
      expect(await verify([first, altered, third, fourth])).to.deep.equal([
        ...[1, 'entry 2 does not have the hash of its members\n'],
      ]);
      expect(await verify([first, second, fourth])).to.deep.equal([
        ...[1, `entry 4 follows entry 2 of ${tenantId}\n`],
      ]);
      const renamed = third.replace('"userId":"ann"', '"userId":"eve"');
      const [status, text] = await verify([first, second, renamed, fourth]);
      expect(status).to.equal(1);
      expect(text).to.match(/^entry 3 has a name that does not belong to user-[0-9a-f]{64}\n$/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  /** Faults by line, from the export of now. */
  async function faults(tenantId: Tenant): Promise<readonly string[]> {
    let before: ChainPosition | null = null;
    const found: string[] = [];
    for (const line of await linesOf(tenantId)) {
      const verified = verifyLine(line, before);
      if (verified === null) throw new Error(line);
      found.push(...verified.faults);
      before = verified.position;
    }
    return found;
  }

  /** Runs a statement as an intruder with every right would: without triggers. */
  const tamper = (statement: string): Promise<unknown> =>
    database.superuser.tx(async (transaction) => {
      await transaction.none('set local session_replication_role = replica');
      await transaction.none(statement);
    });

  const subjectsOf = (lines: readonly string[]): readonly unknown[] =>
    lines.map((line) => (JSON.parse(line) as { readonly subject: unknown }).subject);

  it('has the entries that several transactions and processes wrote at the same time, without gaps', async () => {
    const tenantId = newTenant();
    const names = Array.from({ length: 60 }, (_, index) => `s${String(index)}`);
    const sealing = async (): Promise<void> => {
      for (let round = 0; round < 20; round++)
        await sealBatch(database.pool, tenantId, { wait: round % 2 === 0 });
    };
    await Promise.all([...names.map((name) => append(tenantId, name)), sealing(), sealing()]);
    expect(await faults(tenantId)).to.deep.equal([]);
    expect(subjectsOf(await linesOf(tenantId))).to.have.members(names);
  });

  it('keeps no transaction waiting: one that has not ended is sealed later', async () => {
    const tenantId = newTenant();
    await inTenant(database.pool, tenantId, async (transaction) => {
      await audit(transaction, actorIn(tenantId), entry('slow'));
      await append(tenantId, 'quick');
      expect(subjectsOf(await linesOf(tenantId))).to.deep.equal(['quick']);
    });
    expect(subjectsOf(await linesOf(tenantId))).to.deep.equal(['quick', 'slow']);
    expect(await faults(tenantId)).to.deep.equal([]);
  });

  it('keeps no transaction waiting while entries of its tenant are sealed', async () => {
    const tenantId = newTenant();
    await append(tenantId, 'before');
    await inTenant(database.pool, tenantId, async (transaction) => {
      await transaction.none(
        query(`insert into dbr_signing.audit_chains values ('${tenantId}') on conflict do nothing`),
      );
      await transaction.any(
        query(`select from dbr_signing.audit_chains where tenant_id = '${tenantId}' for update`),
      );
      await append(tenantId, 'meanwhile');
      expect(await sealBatch(database.pool, newTenant(), { wait: true })).to.equal(0);
    });
    expect(subjectsOf(await linesOf(tenantId))).to.deep.equal(['before', 'meanwhile']);
  });

  it('skips a chain that another process has locked', async () => {
    const tenantId = newTenant();
    await append(tenantId, 'first');
    await sealBatch(database.pool, tenantId, { wait: true });
    await append(tenantId, 'second');
    await inTenant(database.pool, tenantId, async (transaction) => {
      await transaction.any(
        query(`select from dbr_signing.audit_chains where tenant_id = '${tenantId}' for update`),
      );
      expect(await sealBatch(database.pool, tenantId, { wait: false })).to.equal(0);
    });
    expect(await sealBatch(database.pool, tenantId, { wait: false })).to.equal(1);
  });

  it('is sealed in the background for every tenant', async () => {
    const tenants = [newTenant(), newTenant()];
    for (const tenantId of tenants) await append(tenantId, 'one');
    const failures: Observation[] = [];
    const sealing = startSealing(database.pool, (observation) => void failures.push(observation));
    try {
      await until(async () => {
        const { waiting } = await database.superuser.one<{ readonly waiting: number }>(
          'select count(*)::integer as waiting from dbr_signing.audit_unsealed where tenant_id = any ($1)',
          [tenants],
        );
        return waiting === 0 || failures.length > 0;
      });
    } finally {
      await sealing.close();
    }
    expect(failures).to.deep.equal([]);
  });

  it('is exported in pages, and continues after any of its entries', async () => {
    const tenantId = newTenant();
    await appendMany(tenantId, SEAL_BATCH + 150);
    const lines = await linesOf(tenantId);
    expect(lines).to.have.lengthOf(SEAL_BATCH + 150);
    expect(await faults(tenantId)).to.deep.equal([]);
    expect(await linesOf(tenantId, 600)).to.deep.equal(lines.slice(600));
  });

  describe('shows', () => {
    let tenantId: Tenant;
    beforeEach(async () => {
      tenantId = newTenant();
      for (const subject of ['one', 'two', 'three', 'four']) await append(tenantId, subject);
      expect(await faults(tenantId)).to.deep.equal([]);
    });

    const idOf = (sequence: number): string =>
      `(select audit_id from dbr_signing.audit_seals where tenant_id = '${tenantId}' and sequence = ${String(sequence)})`;

    for (const column of ['actor', 'action', 'subject', 'remote_address'])
      it(`an altered ${column}`, async () => {
        await tamper(`update dbr_signing.audit_log set ${column} = 'x' where audit_id = ${idOf(2)}`);
        expect(await faults(tenantId)).to.deep.equal([
          'entry 2 was altered: its members do not have the hash of its seal',
        ]);
      });

    it('a name that was given to the pseudonym of another', async () => {
      await tamper(`update dbr_signing.audit_names set user_id = 'eve' where tenant_id = '${tenantId}'`);
      const found = await faults(tenantId);
      expect(found).to.have.lengthOf(4);
      expect(found[0]).to.match(/^entry 1 has a name that does not belong to user-[0-9a-f]{64}$/);
    });

    it('an altered time or state', async () => {
      await tamper(
        `update dbr_signing.audit_log set at = at + interval '1 microsecond' where audit_id = ${idOf(2)}`,
      );
      await tamper(`update dbr_signing.audit_log set after = '{}' where audit_id = ${idOf(4)}`);
      expect(await faults(tenantId)).to.deep.equal([
        'entry 2 was altered: its members do not have the hash of its seal',
        'entry 4 was altered: its members do not have the hash of its seal',
      ]);
    });

    it('a deleted entry', async () => {
      await tamper(`delete from dbr_signing.audit_log where audit_id = ${idOf(3)}`);
      expect(await faults(tenantId)).to.deep.equal(['entry 3 is missing']);
    });

    it('deleted entries with their seals', async () => {
      await tamper(
        `delete from dbr_signing.audit_seals where tenant_id = '${tenantId}' and sequence in (2, 3)`,
      );
      expect(await faults(tenantId)).to.deep.equal(['entries 2 to 3 are missing']);
    });

    it('an entry that took the place of another', async () => {
      await tamper(`delete from dbr_signing.audit_seals where tenant_id = '${tenantId}' and sequence = 2;
        update dbr_signing.audit_seals set sequence = 2 where tenant_id = '${tenantId}' and sequence = 3`);
      expect(await faults(tenantId)).to.deep.equal([
        'entry 2 was altered: its members do not have the hash of its seal',
        'entry 2 does not continue entry 1',
        'entry 3 is missing',
      ]);
    });
  });

  it('rejects changes of seals, also by a superuser', async () => {
    for (const statement of [
      `update dbr_signing.audit_seals set hash = hash`,
      'delete from dbr_signing.audit_seals',
      'truncate dbr_signing.audit_seals',
    ]) {
      const message = await database.superuser.any(statement).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : null),
      );
      expect(message, statement).to.equal('the audit log is append-only');
    }
  });

  describe('an export', () => {
    const readOf = async (text: AsyncIterable<string>): Promise<string> => {
      const pieces: string[] = [];
      try {
        for await (const piece of text) pieces.push(piece);
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
      return `${String(pieces.length)} pieces`;
    };

    it('is broken off at the expiry of the token and at the stop, so that it does not seem complete', async () => {
      const tenantId = newTenant();
      await append(tenantId, 'one');
      expect(await readOf(await exports.open({ ...request(tenantId), expiresAt: 1 }))).to.equal(
        'the token has expired',
      );
      const stopped = createAuditExports(database.pool, LOCAL_LIMITS);
      const open = await stopped.open(request(tenantId));
      stopped.close();
      expect(await readOf(open)).to.equal('the service stops');
    });

    it('is refused while the user has two others, and counts no longer when it has ended', async () => {
      const tenantId = newTenant();
      await append(tenantId, 'one');
      const limited = createAuditExports(database.pool, LOCAL_LIMITS);
      const first = await limited.open(request(tenantId));
      const gone = new AbortController();
      await limited.open({ ...request(tenantId), signal: gone.signal });
      const refused = await limited.open(request(tenantId)).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : null),
      );
      expect(refused).to.equal('Too many streams');
      gone.abort();
      expect(await readOf(first)).to.equal('1 pieces');
      for (let open = 0; open < 2; open++) await limited.open(request(tenantId));
    });
  });
});
