import { expect } from 'chai';
import {
  grantsMigration,
  openLine,
  rightsOfOwner,
  type ExistingRelation,
  type ExistingSchema,
} from '../../../src/project/existing-schema.js';

const TABLE: ExistingRelation = {
  name: 'shop.orders',
  kind: 'r',
  owner: 'shop_app',
  isOfSuperuser: false,
  hasRowSecurity: false,
  sequences: [],
};
const SHOP: ExistingSchema = {
  name: 'shop',
  relations: [
    { ...TABLE, name: 'shop."My Table"', hasRowSecurity: true, sequences: ['shop.numbers'] },
    TABLE,
    { ...TABLE, name: 'shop.settings', owner: 'postgres', isOfSuperuser: true },
    { ...TABLE, name: 'shop.totals', kind: 'v', owner: 'postgres', isOfSuperuser: true },
    { ...TABLE, name: 'shop.own', owner: 'dbr_owner', hasRowSecurity: true },
  ],
};

describe('a schema that exists', () => {
  it('is made changeable for the owner of migrations', () => {
    expect(rightsOfOwner(SHOP)).to.equal(`
-- The schema shop was there before: dbr_owner may make objects in it, and grant it.
grant usage, create on schema "shop" to dbr_owner with grant option;
-- Members of an owner may change its tables, and grant them.
grant shop_app to dbr_owner;
-- A member of a superuser could do all that it can, so dbr_owner becomes the owner of these. Superusers use them as before.
alter table shop.settings owner to dbr_owner;
-- Views keep their owner, whose rights they read with.
grant select on shop.totals to dbr_owner with grant option;
`);
  });

  it('is granted where policies decide about rows', () => {
    expect(grantsMigration(SHOP)).to
      .equal(`-- What requests may use of the schema shop, which was there before. Functions that PUBLIC may execute are open
-- with the schema: dbr lint names them.
grant usage on schema "shop" to anon, web_user;

-- Tables with row security: their policies say which rows a user sees and changes.
grant select, insert, update, delete on shop."My Table" to web_user;
grant usage on sequence shop.numbers to web_user;
grant select, insert, update, delete on shop.own to web_user;

-- Tables without row security: a grant shows every row to every user. Switch it on, write a policy for the column that
-- names the user, then grant, each in a migration of its own. Roles other than the owner then need a policy, too:
--   alter table shop.orders enable row level security;
--   create policy own_rows on shop.orders to web_user
--     using (owner = (select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub'));
-- grant select, insert, update, delete on shop.orders to web_user;
-- grant select, insert, update, delete on shop.settings to web_user;

-- Views show the rows that their owner sees, unless they have security_invoker:
-- grant select on shop.totals to web_user;
`);
    expect(openLine(SHOP, 'F')).to.equal(
      '3 of 5 tables and views have no row security of their own: their grants are comments in F',
    );
    expect(openLine({ name: 'a', relations: [] }, 'F')).to.equal(null);
    expect(grantsMigration({ name: 'a', relations: [] })).to.match(
      /\ngrant usage on schema "a" to anon, web_user;\n$/,
    );
  });
});
