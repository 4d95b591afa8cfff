/** Primary keys, unique and foreign keys of every table of the database. */

/** `['p' | 'u', columns]` or `['f', columns, name, referenced table, referenced columns]`; columns by number. */
export type ConstraintRow =
  | readonly [kind: 'p' | 'u', columns: readonly number[]]
  | readonly [
      kind: 'f',
      columns: readonly number[],
      name: string,
      referenced: number,
      referencedColumns: readonly number[],
    ];

export interface TableConstraintsRow {
  readonly table: number;
  readonly constraints: readonly ConstraintRow[];
}

/**
 * Constraints of the tables of every schema, because views may show the keys of private tables. Constraints that
 * partitions inherit are omitted: they are those of the partitioned table.
 */
export const CONSTRAINTS = `
select
  pg_catalog.json_build_object(
    'table', c.conrelid::int8,
    'constraints',
      pg_catalog.json_agg(
        case c.contype
          when 'f' then
            pg_catalog.json_build_array(c.contype, c.conkey, c.conname, c.confrelid::int8, c.confkey)
          else pg_catalog.json_build_array(c.contype, c.conkey)
        end
        order by c.conname
      )
  )::text as entry
from pg_catalog.pg_constraint c
where c.contype in ('p', 'u', 'f')
  and c.conrelid <> 0
  and c.conparentid = 0
group by c.conrelid
order by c.conrelid
`;
