/** Findings that comments of the objects accept, and lines of comments that accept nothing. */
import { LEVELS, lintAcceptanceOf, quoteLiteral, withoutAcceptances } from '../../../../src/face.js';
import { PRELUDE } from './prelude.js';
import type { AcceptedFinding, Finding, Rule } from './rule.js';

/**
 * The query has a row for each comment that accepts something, with the object as findings name it. `judgeComments` makes the
 * findings of the rows.
 */
export const ACCEPTED_WITHOUT_FINDING: Rule = {
  name: 'accepted-without-finding',
  level: 'warning',
  meaning: 'A line of a comment accepts a finding that does not exist, or gives no reason.',
  sql: `${PRELUDE},
commented as (
  select d.description, named.type, named.identity,
    case d.classoid
      when 'pg_catalog.pg_proc'::pg_catalog.regclass then d.objoid::pg_catalog.regprocedure::text
      when 'pg_catalog.pg_constraint'::pg_catalog.regclass then (
        select pg_catalog.format('%s.%I', c.object, k.conname)
        from pg_catalog.pg_constraint as k
        join relation as c on c.oid = k.conrelid
        where k.oid = d.objoid
      )
      else named.identity
    end as object
  from pg_catalog.pg_description as d
  cross join lateral pg_catalog.pg_identify_object(d.classoid, d.objoid, d.objsubid) as named
  where d.description like '%lint-accepted:%'
    and (
      named.schema in (select e.nspname from exposed as e)
      or named.type = 'extension'
      or (named.type = 'schema' and d.objoid in (select e.oid from exposed as e))
      or (named.type = 'policy' and d.objoid in (
        select p.oid from pg_catalog.pg_policy as p join relation as c on c.oid = p.polrelid
      ))
    )
  union all
  select d.description, 'role', pg_catalog.quote_ident(r.rolname), pg_catalog.quote_ident(r.rolname)
  from pg_catalog.pg_shdescription as d
  join pg_catalog.pg_roles as r on r.oid = d.objoid
  where d.classoid = 'pg_catalog.pg_authid'::pg_catalog.regclass
    and d.description like '%lint-accepted:%'
    and r.oid in (select a.oid from authenticator as a union select a.oid from api_role as a)
)
select object, description as message,
  pg_catalog.format('comment on %s %s is ',
    case
      when type = 'table constraint' then 'constraint'
      when type like '%column' then 'column'
      else type
    end,
    identity) as cure
from commented
where object is not null
order by object`,
};

/**
 * @param comments the rows of the query above
 * @param off names of the rules that did not run; lines about them are left alone
 */
export function judgeComments(
  findings: readonly Finding[],
  comments: readonly Readonly<Record<string, unknown>>[],
  off: ReadonlySet<string>,
): { readonly findings: readonly Finding[]; readonly accepted: readonly AcceptedFinding[] } {
  const accepted: AcceptedFinding[] = [];
  const useless: Finding[] = [];
  for (const row of comments) {
    const [object, comment] = [String(row['object']), String(row['message'])];
    for (const line of comment.split('\n')) {
      const acceptance = lintAcceptanceOf(line);
      if (acceptance === null || off.has(acceptance.rule)) continue;
      const { rule, reason } = acceptance;
      const found = findings.filter((finding) => finding.rule === rule && finding.object === object);
      accepted.push(...(reason === '' ? [] : found.map((finding) => ({ ...finding, reason }))));
      if (reason !== '' && found.length > 0) continue;
      const rest = withoutAcceptances(comment, (each) => each.rule === rule);
      const message = `Its comment accepts ${rule === '' ? 'no rule' : rule}, ${found.length === 0 ? 'which finds nothing here' : 'without a reason'}.`;
      const cure = `${String(row['cure'])}${rest === null ? 'null' : quoteLiteral(rest)}`;
      useless.push({
        ...{ rule: ACCEPTED_WITHOUT_FINDING.name, level: ACCEPTED_WITHOUT_FINDING.level },
        ...{ object, message, cure },
      });
    }
  }
  const known = new Set(accepted.map(({ rule, object }) => `${rule} ${object}`));
  const open = findings.filter(({ rule, object }) => !known.has(`${rule} ${object}`));
  if (off.has(ACCEPTED_WITHOUT_FINDING.name)) return { findings: open, accepted };
  const gravity = ({ level }: Finding): number => LEVELS.indexOf(level);
  return { findings: [...open, ...useless].sort((one, other) => gravity(one) - gravity(other)), accepted };
}
