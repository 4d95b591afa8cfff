/** The server and the exposed schemas. */

export interface ServerRow {
  readonly version: number;
  readonly schemas: readonly (readonly [name: string, description: string | null])[];
}

/** $1: exposed schemas. Schemas that do not exist are omitted. */
export const SERVER = `
select
  pg_catalog.json_build_object(
    'version', pg_catalog.current_setting('server_version_num')::int4,
    'schemas',
      (
        select coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(n.nspname, d.description)), '[]')
        from pg_catalog.pg_namespace n
        left join pg_catalog.pg_description d
          on d.classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
          and d.objoid = n.oid
        where n.nspname = any ($1)
      )
  )::text as entry
`;
