/** A schema that exists before its project: what a migration has to grant, and what the owner of migrations needs for it. */
import { OWN_SCHEMAS, quoteIdentifier, withSession } from '../../../../src/face.js';

/** A table or a view, with names quoted as in SQL. */
export interface ExistingRelation {
  readonly name: string;
  /** As in pg_class.relkind. */
  readonly kind: 'r' | 'p' | 'v' | 'm' | 'f';
  readonly owner: string;
  /** Members of a superuser could do all that it can. */
  readonly isOfSuperuser: boolean;
  readonly hasRowSecurity: boolean;
  /** Sequences of its defaults (`serial`), which an insert uses with the rights of the caller. */
  readonly sequences: readonly string[];
}

export interface ExistingSchema {
  readonly name: string;
  readonly relations: readonly ExistingRelation[];
}

/** The owner of migrations in `roles.sql`. */
const OWNER = 'dbr_owner';

const RELATIONS = `
select n.nspname as schema, pg_catalog.format('%I.%I', n.nspname, c.relname) as name, c.relkind as kind,
  pg_catalog.quote_ident(r.rolname) as owner, r.rolsuper as "isOfSuperuser", c.relrowsecurity as "hasRowSecurity",
  array(
    select s.oid::pg_catalog.regclass::text from pg_catalog.pg_depend as d
    join pg_catalog.pg_class as s on s.oid = d.objid and s.relkind = 'S'
    where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = c.oid and d.deptype = 'a'
    order by 1
  ) as sequences
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_roles as r on r.oid = c.relowner
where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
  and not exists (
    select from pg_catalog.pg_depend as d
    where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = c.oid and d.deptype = 'e'
  )
order by c.relkind in ('v', 'm', 'f'), n.nspname, c.relname`;

/**
 * The schemas of a database that have tables or views, those with most of them first.
 * @throws the error of the connection
 */
export async function readExisting(uri: string): Promise<readonly ExistingSchema[]> {
  const rows = await withSession(uri, async (session) => {
    // Names are printed with their schemas.
    await session.script(`set search_path = ''`);
    return session.query(RELATIONS, [[...OWN_SCHEMAS]]);
  });
  // The query makes values of this type.
  const relations = rows as unknown as readonly (ExistingRelation & { readonly schema: string })[];
  return [...new Set(relations.map(({ schema }) => schema))]
    .map((name) => ({ name, relations: relations.filter(({ schema }) => schema === name) }))
    .toSorted((one, other) => other.relations.length - one.relations.length);
}

const isTable = ({ kind }: ExistingRelation): boolean => kind === 'r' || kind === 'p';

/** What `roles.sql` adds: the rights with which `dbr migrate` changes and grants what others own. */
export function rightsOfOwner({ name, relations }: ExistingSchema): string {
  const foreign = relations.filter(({ owner }) => owner !== OWNER);
  const owners = new Set(foreign.filter(({ isOfSuperuser }) => !isOfSuperuser).map(({ owner }) => owner));
  const ofSuperuser = foreign.filter(({ isOfSuperuser }) => isOfSuperuser);
  const views = ofSuperuser.filter((each) => !isTable(each));
  return [
    `\n-- The schema ${name} was there before: dbr_owner may make objects in it, and grant it.`,
    `grant usage, create on schema ${quoteIdentifier(name)} to ${OWNER} with grant option;`,
    ...section(
      'Members of an owner may change its tables, and grant them.',
      [...owners].map((owner) => `grant ${owner} to ${OWNER};`),
    ),
    ...section(
      `A member of a superuser could do all that it can, so ${OWNER} becomes the owner of these. Superusers use them as before.`,
      ofSuperuser.filter(isTable).map((each) => `alter table ${each.name} owner to ${OWNER};`),
    ),
    ...section(
      'Views keep their owner, whose rights they read with.',
      views.map((each) => `grant select on ${each.name} to ${OWNER} with grant option;`),
    ),
    '',
  ].join('\n');
}

const section = (comment: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`-- ${comment}`, ...lines];

const isOpen = (relation: ExistingRelation): boolean => isTable(relation) && !relation.hasRowSecurity;

/** The first migration: what requests may use. Grants that would show all rows to every user are comments. */
export function grantsMigration({ name, relations }: ExistingSchema): string {
  const grants = (each: ExistingRelation, privileges: string): readonly string[] => [
    `grant ${privileges} on ${each.name} to web_user;`,
    ...each.sequences.map((sequence) => `grant usage on sequence ${sequence} to web_user;`),
  ];
  const ALL = 'select, insert, update, delete';
  const guarded = relations.filter((each) => isTable(each) && each.hasRowSecurity);
  const open = relations.filter(isOpen);
  const views = relations.filter((each) => !isTable(each));
  const comment = (line: string): string => `-- ${line}`;
  const [first] = open;
  return [
    `-- What requests may use of the schema ${name}, which was there before. Functions that PUBLIC may execute are open`,
    '-- with the schema: dbr lint names them.',
    `grant usage on schema ${quoteIdentifier(name)} to anon, web_user;`,
    ...(guarded.length === 0 ? [] : ['']),
    ...section(
      'Tables with row security: their policies say which rows a user sees and changes.',
      guarded.flatMap((each) => grants(each, ALL)),
    ),
    ...(first === undefined
      ? []
      : [
          '',
          '-- Tables without row security: a grant shows every row to every user. Switch it on, write a policy for the column that',
          '-- names the user, then grant, each in a migration of its own. Roles other than the owner then need a policy, too:',
          `--   alter table ${first.name} enable row level security;`,
          `--   create policy own_rows on ${first.name} to web_user`,
          `--     using (owner = (select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub'));`,
          ...open.flatMap((each) => grants(each, ALL)).map(comment),
        ]),
    ...(views.length === 0
      ? []
      : [
          '',
          '-- Views show the rows that their owner sees, unless they have security_invoker:',
          ...views.flatMap((each) => grants(each, 'select')).map(comment),
        ]),
    '',
  ].join('\n');
}

/** A line about the grants that are comments; null if there are none. */
export function openLine({ relations }: ExistingSchema, file: string): string | null {
  const open = relations.filter((each) => isOpen(each) || !isTable(each));
  if (open.length === 0) return null;
  return `${String(open.length)} of ${String(relations.length)} tables and views have no row security of their own: their grants are comments in ${file}`;
}
