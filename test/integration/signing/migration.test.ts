import { expect } from 'chai';
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
