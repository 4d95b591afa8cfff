import { expect } from 'chai';
import { createSigningDatabase, type SigningDatabase } from './signing-database.js';

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
});
