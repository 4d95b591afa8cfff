/** Builds the callable functions of the cache from catalogue rows. */
import { withoutAcceptances } from '../../base/lint-acceptance.js';
import type { Sliced } from '../../base/turns.js';
import {
  findOrPut,
  type MutableByName,
  type AccessList,
  type ByName,
  type Returns,
  type Routine,
  type QualifiedName,
} from './types.js';
import { readMedia } from './representations.js';
import { ISOLATION_SETTING, readIsolation, readSetting, type Setting } from './settings.js';

interface RoutineContext {
  /** Names of the settings that calls apply to their transaction. */
  readonly hoistedSettings: readonly string[];
  readonly access: (acl: string) => AccessList;
}

/** Keeps the order of the rows, where those with fewer parameters come first. */
export function* buildRoutines(
  rows: Iterable<FunctionRow>,
  context: RoutineContext,
): Sliced<ByName<readonly Routine[]>> {
  const routines: MutableByName<Routine[]> = new Map();
  for (const row of rows) {
    findOrPut(routines, row, () => []).push(buildRoutine(row, context));
    yield;
  }
  return routines;
}

function buildRoutine(
  { acl, domain, settings, returns, ...row }: FunctionRow,
  context: RoutineContext,
): Routine {
  const hoisted = settings.map(readSetting).filter(([name]) => context.hoistedSettings.includes(name));
  const media = domain === null || returns.many ? null : readMedia(domain, returns.type.name);
  return {
    ...row,
    description: withoutAcceptances(row.description),
    returns: { ...returns, isDomain: domain !== null, media },
    settings: hoisted.filter(([name]) => name !== ISOLATION_SETTING),
    isolation: isolationOf(hoisted),
    access: context.access(acl),
  };
}

const isolationOf = (settings: readonly Setting[]): Routine['isolation'] => {
  const setting = settings.find(([name]) => name === ISOLATION_SETTING);
  return setting === undefined ? null : readIsolation(setting[1]);
};

export interface FunctionRow extends Omit<Routine, 'returns' | 'settings' | 'isolation' | 'access'> {
  readonly returns: Omit<Returns, 'isDomain' | 'media'>;
  /** The declared type if it is a domain; else null. */
  readonly domain: string | null;
  /** `name=value` */
  readonly settings: readonly string[];
  readonly acl: string;
}

/** Types with their base type: of a domain, the type that it is based on; of other types, the type itself. */
const BASE_TYPES = `
  base_types as (
    select oid, oid as base, typbasetype
    from pg_catalog.pg_type
    union all
    select b.oid, t.oid, t.typbasetype
    from base_types b
    join pg_catalog.pg_type t on t.oid = b.typbasetype
  )`;

/**
 * $1: exposed schemas. Callable functions: plain functions whose parameters all have names, or whose only parameter
 * has no name and takes a whole body; no trigger functions. Defaults belong to the last input parameters. No value can be cast
 * to a pseudo-type such as anyelement: a parameter of one has its default, and a function that requires it is omitted.
 */
export const FUNCTIONS = `
with recursive ${BASE_TYPES},
  functions as (
    select p.*
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = any ($1)
      and p.prokind = 'f'
      and p.prorettype <> 'pg_catalog.trigger'::pg_catalog.regtype
      and p.prorettype <> 'pg_catalog.event_trigger'::pg_catalog.regtype
  ),
  arguments as (
    select
      f.oid,
      coalesce(a.name, '') as name,
      a.type,
      coalesce(a.mode, 'i') as mode,
      a.position,
      pg_catalog.count(*) filter (where coalesce(a.mode, 'i') in ('i', 'b', 'v'))
        over (partition by f.oid order by a.position) as input_position,
      f.pronargs - f.pronargdefaults as required,
      f.provariadic <> 0 as is_variadic,
      t.typtype = 'p' as is_pseudo
    from functions f
    cross join lateral rows from (
      pg_catalog.unnest(coalesce(f.proallargtypes, f.proargtypes::pg_catalog.oid[])),
      pg_catalog.unnest(f.proargmodes),
      pg_catalog.unnest(f.proargnames)
    ) with ordinality as a (type, mode, name, position)
    join pg_catalog.pg_type t on t.oid = a.type
  ),
  signatures as (
    select
      oid,
      pg_catalog.json_agg(
        pg_catalog.json_build_object(
          'name', name,
          'type', pg_catalog.format_type(type, null),
          'wideType',
          case type
            when 'pg_catalog.bit'::pg_catalog.regtype then 'bit varying'
            when 'pg_catalog.bit[]'::pg_catalog.regtype then 'bit varying[]'
            when 'pg_catalog.bpchar'::pg_catalog.regtype then 'character varying'
            when 'pg_catalog.bpchar[]'::pg_catalog.regtype then 'character varying[]'
            else pg_catalog.format_type(type, null)
          end,
          'required', input_position <= required,
          'variadic', mode = 'v',
          'default', case when is_variadic then pg_catalog.pg_get_function_arg_default(oid, position::int4) end
        )
        order by position
      ) filter (where mode in ('i', 'b', 'v') and not is_pseudo) as inputs,
      pg_catalog.bool_or(is_pseudo and (mode = 'v' or input_position <= required))
        filter (where mode in ('i', 'b', 'v')) as needs_pseudo,
      pg_catalog.json_agg(
        pg_catalog.json_build_object('name', name, 'type', pg_catalog.format_type(type, null))
        order by position
      ) filter (where mode in ('o', 'b', 't')) as outputs,
      pg_catalog.bool_and(name <> '') filter (where mode in ('i', 'b', 'v')) as all_named,
      pg_catalog.bool_and(
        type in (
          'pg_catalog.json'::pg_catalog.regtype,
          'pg_catalog.jsonb'::pg_catalog.regtype,
          'pg_catalog.text'::pg_catalog.regtype,
          'pg_catalog.xml'::pg_catalog.regtype,
          'pg_catalog.bytea'::pg_catalog.regtype
        )
      ) filter (where mode in ('i', 'b', 'v')) as takes_body
    from arguments
    group by oid
  )
select
  pg_catalog.json_build_object(
    'schema', n.nspname,
    'name', f.proname,
    'description', d.description,
    'parameters', coalesce(s.inputs, '[]'),
    'returns', pg_catalog.json_build_object(
      'kind',
      case
        when base.typtype = 'c' or s.outputs is not null then 'composite'
        when base.oid = 'pg_catalog.record'::pg_catalog.regtype then 'record'
        when base.oid = 'pg_catalog.void'::pg_catalog.regtype and not f.proretset then 'void'
        else 'scalar'
      end,
      'many', f.proretset,
      'type', pg_catalog.json_build_object('schema', base_schema.nspname, 'name', base.typname),
      'columns', coalesce(s.outputs, '[]')
    ),
    'domain', case when declared.typtype = 'd' then declared.typname end,
    'volatility', case f.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
    'settings', coalesce(pg_catalog.to_json(f.proconfig), '[]'),
    'acl', coalesce(f.proacl, pg_catalog.acldefault('f', f.proowner))::text
  )::text as entry
from functions f
join pg_catalog.pg_namespace n on n.oid = f.pronamespace
join pg_catalog.pg_type declared on declared.oid = f.prorettype
join base_types b on b.oid = f.prorettype and b.typbasetype = 0
join pg_catalog.pg_type base on base.oid = b.base
join pg_catalog.pg_namespace base_schema on base_schema.oid = base.typnamespace
left join signatures s on s.oid = f.oid
left join pg_catalog.pg_description d
  on d.classoid = 'pg_catalog.pg_proc'::pg_catalog.regclass
  and d.objoid = f.oid
where (coalesce(s.all_named, true) or (f.pronargs = 1 and s.takes_body))
  and not coalesce(s.needs_pseudo, false)
order by n.nspname, f.proname, f.pronargs, f.oid
`;

export interface RowFunctionRow extends QualifiedName {
  /** The relation whose row is the argument. */
  readonly relation: number;
  /** The relation whose rows it returns; null for any other result. */
  readonly gives: number | null;
  readonly type: string;
  readonly many: boolean;
  /** At most one row: not a set, or declared with ROWS 1. */
  readonly single: boolean;
  /** True if the row is the only parameter; otherwise the other parameters have defaults. */
  readonly alone: boolean;
  /** Tables that inherit from the relation, whose rows are accepted too. */
  readonly heirs: readonly number[];
}

/** $1: schemas to search. Functions that can be called with a row of a relation as the only argument. */
export const ROW_FUNCTIONS = `
with recursive
  heirs as (
    select i.inhparent as relation, i.inhrelid as heir
    from pg_catalog.pg_inherits i
    join pg_catalog.pg_class c on c.oid = i.inhrelid and c.relkind in ('r', 'f') and not c.relispartition
    union
    select i.inhparent, h.heir
    from heirs h
    join pg_catalog.pg_inherits i on i.inhrelid = h.relation
  )
select
  pg_catalog.json_build_object(
    'schema', n.nspname,
    'name', p.proname,
    'relation', argument.typrelid::int8,
    'gives', given.oid::int8,
    'type', pg_catalog.format_type(p.prorettype, null),
    'many', p.proretset,
    'single', not p.proretset or p.prorows = 1,
    'alone', p.pronargs = 1,
    'heirs', coalesce(
      (select pg_catalog.json_agg(h.heir::int8 order by h.heir) from heirs h where h.relation = relation.oid),
      '[]'
    )
  )::text as entry
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_type argument on argument.oid = p.proargtypes[0]
join pg_catalog.pg_class relation on relation.oid = argument.typrelid and relation.relkind in ('r', 'v', 'm', 'f', 'p')
left join pg_catalog.pg_class given on given.reltype = p.prorettype and given.relkind in ('r', 'v', 'm', 'f', 'p')
where n.nspname = any ($1)
  and p.prokind = 'f'
  and p.pronargs >= 1
  and p.pronargs - p.pronargdefaults <= 1
order by n.nspname, p.proname, p.oid
`;
