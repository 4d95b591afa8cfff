import { expect } from 'chai';
import { createSigningDatabase, type SigningDatabase } from '../../support/signing/signing-database.js';

describe('the tables of signing', () => {
  let database: SigningDatabase;
  before(async () => {
    database = await createSigningDatabase();
  });
  after(() => database.drop());

  it('all have row security that their owner obeys as well', async () => {
    const unguarded = await database.superuser.any(`
      select relname from pg_class
      where relnamespace = 'dbr_signing'::regnamespace and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)`);
    expect(unguarded).to.deep.equal([]);
  });

  it('have one index of messages, so that a plan made while there are none is a good one', async () => {
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
