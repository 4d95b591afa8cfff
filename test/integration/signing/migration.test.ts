import { expect } from 'chai';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { createSigningDatabase, type SigningDatabase } from '../../support/signing/signing-database.js';

describe('the tables of signing', () => {
  let database: SigningDatabase;
  before(async () => {
    database = await createSigningDatabase();
  });
  after(() => database.drop());

  it('all have row security, which binds their owner too', async () => {
    const unguarded = await database.superuser.any(`
      select relname from pg_class
      where relnamespace = 'dbr_signing'::regnamespace and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)`);
    expect(unguarded).to.deep.equal([]);
  });

  it('have one index on messages, so that a plan made for an empty table stays efficient', async () => {
    const indexes = await database.superuser.map(
      `select indexrelid::regclass::text as name
      from pg_index
      where indrelid = 'dbr_signing.router_log'::regclass`,
      [],
      ({ name }: { readonly name: string }) => name,
    );
    expect(indexes).to.deep.equal(['dbr_signing.router_log_pkey']);
  });
});

describe('the migration that makes identity keys unique', () => {
  const KEY = '2c3abbd8ad8e6f5b5ae2a3b14dc36ee5fd3da2f1f1e4dd3a1ea53c3d8ed1c3a4';
  const IN_DER = `302a300506032b6570032100${KEY}`;
  const FILE = '0007_signing_keys.sql';
  const all = join(packageRoot(), 'migrations');
  let folder: string;
  let database: SigningDatabase;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-migrations-'));
    for (const file of await readdir(all)) if (file < '0006') await cp(join(all, file), join(folder, file));
    database = await createSigningDatabase(undefined, folder);
    await database.superuser.none(`
      insert into dbr_signing.parties (tenant_id, party_id, name, role, identity_public_key, created_at) values
        ('acme', 'oldest', 'x', 'server', '\\x${KEY}', '2026-01-01'),
        ('acme', 'copy', 'x', 'server', '\\x${IN_DER}', '2026-01-02'),
        ('acme', 'again', 'x', 'server', '\\x${KEY}', '2026-01-03'),
        ('acme', 'other', 'x', 'server', sha256('other'), '2026-01-01'),
        ('beta', 'oldest', 'x', 'server', '\\x${KEY}', '2026-01-03')`);
    await cp(join(all, FILE), join(folder, FILE));
    await migrate(database.ownerUri, folder);
  });
  after(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it('keeps parties that share a key already, and marks all but the oldest', async () => {
    const sharing = await database.superuser.map(
      `select tenant_id || '/' || party_id as party from dbr_signing.parties where shares_identity_key order by 1`,
      [],
      ({ party }: { readonly party: string }) => party,
    );
    expect(sharing).to.deep.equal(['acme/again', 'acme/copy']);
  });

  it('refuses another party with the key, in either form, in this tenant alone', async () => {
    const insert = (tenant: string, key: string): Promise<string> =>
      database.superuser
        .none(
          `insert into dbr_signing.parties (tenant_id, party_id, name, role, identity_public_key)
          values ($1, 'new', 'x', 'server', decode($2, 'hex'))`,
          [tenant, key],
        )
        .then(
          () => 'inserted',
          ({ constraint }: { readonly constraint: string }) => constraint,
        );
    expect(await insert('acme', KEY)).to.equal('parties_identity_key');
    expect(await insert('acme', IN_DER)).to.equal('parties_identity_key');
    expect(await insert('gamma', IN_DER)).to.equal('inserted');
  });
});
