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

  it('have one index of messages that begins with the session, so that plans made while there are none are good ones', async () => {
    const indexes = await database.superuser.map(
      `select indexrelid::regclass::text as name
      from pg_index
      join pg_attribute on attrelid = indrelid and attnum = indkey[0]
      where indrelid = 'dbr_signing.router_messages'::regclass and attname = 'session_id'`,
      [],
      ({ name }: { readonly name: string }) => name,
    );
    expect(indexes).to.deep.equal(['dbr_signing.router_messages_pkey']);
  });
});
