import { sql } from '../../postgres/sql.js';

/**
 * Whether the rows of any of the relations may depend on settings of the transaction: policies apply to it for the current
 * role, or it is a view by now. `$1`: an array of quoted names. The query runs behind the statement that reads the tables,
 * in its transaction, which locks them, so that they were the same for that statement. It has no join, for which the planner would
 * read the foreign keys of the catalogue.
 */
export const TABLE_CHECK = sql`
  select coalesce(
           pg_catalog.bool_or(
             pg_catalog.row_security_active("relation")
             or (select "relkind" from pg_catalog.pg_class where "oid" = "relation"::pg_catalog.regclass) not in ('r', 'p')
           ),
           true
         )
    from pg_catalog.unnest($1::pg_catalog.text[]) as "relation"`;
