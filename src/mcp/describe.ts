/** The tools `search` and `describe`: what the role of the caller may use, in words. */
import { runInSlices, type Sliced } from '../base/turns.js';
import type { JsonObject } from '../base/json.js';
import { visibleFunctions, visibleTables } from '../data-api/document/model.js';
import { find, privilegesOf } from '../data-api/schema-cache/lookups.js';
import type {
  Column,
  Privilege,
  QualifiedName,
  Relationship,
  Routine,
  Table,
} from '../data-api/schema-cache/types.js';
import type { Snapshot } from '../data-api/snapshot.js';
import { bodyText, prepare } from '../postgres/batch.js';
import { sql } from '../postgres/sql.js';
import { budgetOf, type Call, invalid, optionalNumber, optionalText } from './ask.js';
import { dataAnswer, type Tool } from './tool.js';

/** Longest comment that an answer repeats, in characters. */
const LONGEST_COMMENT = 500;
const MOST_FOUND = 50;

const cut = (text: string | null): { readonly comment?: string } =>
  text === null
    ? {}
    : { comment: text.length > LONGEST_COMMENT ? `${text.slice(0, LONGEST_COMMENT)}…` : text };

/** The snapshot, unless the operator keeps the schema to himself. @throws DbrError InvalidParameter */
function describedSnapshot({ api }: Call): Snapshot {
  const snapshot = api.snapshot();
  if (snapshot.settings['openapi-mode'] === 'disabled')
    return invalid('openapi-mode', 'is disabled: the schema is not described');
  return snapshot;
}

/** Objects of all exposed schemas that the role may use. */
function* visible({ cache }: Snapshot, role: string): Generator<Table | readonly Routine[]> {
  for (const { name: schema } of cache.schemas) {
    yield* visibleTables(cache, { schema, role });
    yield* visibleFunctions(cache, { schema, role });
  }
}

const isRoutines = (object: Table | readonly Routine[]): object is readonly Routine[] =>
  Array.isArray(object);

/** Points of an object for the words that are sought: of its name more than of its comment. 0 if a word is missing. */
function pointsOf(
  words: readonly string[],
  name: string,
  comment: string,
  columns: Iterable<string>,
): number {
  let points = 0;
  const all = `${comment}\n${[...columns].join('\n')}`.toLowerCase();
  for (const word of words) {
    if (name === word) points += 8;
    else if (name.includes(word)) points += 4;
    else if (all.includes(word)) points += 1;
    else return 0;
  }
  return points;
}

interface Found {
  readonly points: number;
  readonly object: Table | readonly Routine[];
}

function* searchWork(snapshot: Snapshot, role: string, words: readonly string[]): Sliced<readonly Found[]> {
  const found: Found[] = [];
  for (const object of visible(snapshot, role)) {
    const first = isRoutines(object) ? object[0] : object;
    const columns = isRoutines(object) ? [] : object.columns.keys();
    const points = pointsOf(words, first?.name.toLowerCase() ?? '', first?.description ?? '', columns);
    if (points > 0 || words.length === 0) found.push({ points, object });
    yield;
  }
  return found.sort((left, right) => right.points - left.points);
}

function shortOf(object: Table | readonly Routine[]): JsonObject {
  if (!isRoutines(object)) {
    const { schema, name, kind, description } = object;
    return { [kind === 'table' ? 'relation' : kind]: name, schema, ...cut(description) };
  }
  const [first] = object;
  const reads = object.every(({ volatility }) => volatility !== 'volatile');
  return { function: first?.name, schema: first?.schema, reads, ...cut(first?.description ?? null) };
}

const search: Tool = {
  name: 'search',
  title: 'Search relations and functions',
  description:
    'Finds relations and functions that the caller may use, by words of their names, comments and columns. Without words: the first ones.',
  inputSchema: {
    type: 'object',
    properties: {
      words: { type: 'string', maxLength: 200, description: 'Words that must all occur' },
      limit: { type: 'integer', minimum: 1, maximum: MOST_FOUND, default: 20 },
    },
  },
  kind: 'reads',
  async run(args, call) {
    const words = (optionalText(args, 'words') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const found = await runInSlices(searchWork(describedSnapshot(call), call.request.identity.role, words));
    const shown = found.slice(0, optionalNumber(args, 'limit') ?? 20).map(({ object }) => shortOf(object));
    return dataAnswer({ found: found.length, shown: shown.length }, JSON.stringify(shown));
  },
};

/** One row: whether row security binds the role, and the policies for it. */
const POLICIES = prepare(sql`
select pg_catalog.json_build_object(
    'active', class.relrowsecurity,
    'policies', (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(policy.polname, policy.polcmd, policy.polpermissive)
          order by policy.polname), '[]')
      from pg_catalog.pg_policy as policy
      where policy.polrelid operator(pg_catalog.=) class.oid
        and (policy.polroles operator(pg_catalog.=) '{0}'::pg_catalog.oid[] or exists (
          select from pg_catalog.unnest(policy.polroles) as granted (role)
          where granted.role operator(pg_catalog.<>) 0::pg_catalog.oid and pg_catalog.pg_has_role($3::pg_catalog.name, granted.role, 'USAGE'))))
  )::pg_catalog.text as body
from pg_catalog.pg_class as class
join pg_catalog.pg_namespace as namespace on namespace.oid operator(pg_catalog.=) class.relnamespace
where namespace.nspname operator(pg_catalog.=) $1::pg_catalog.name
  and class.relname operator(pg_catalog.=) $2::pg_catalog.name`);

const COMMANDS: Readonly<Record<string, string>> = {
  r: 'reads of',
  a: 'inserts into',
  w: 'updates of',
  d: 'deletes from',
};

/** Says which policies bind the role, not what they compare: a policy may name values that callers must not learn. */
async function policiesInWords(
  { schema, name }: Table,
  call: Call,
  { cache, pool }: Snapshot,
): Promise<string> {
  const { role } = call.request.identity;
  if (cache.roles.get(role)?.bypassesPolicies === true)
    return 'The role bypasses row security: it sees every row.';
  const query = {
    statement: POLICIES,
    parameters: [schema, name, role],
    returnsRows: true,
    unnamed: true,
  } as const;
  const [result] = await pool.run({ queries: [query], access: 'read', use: 'brief' }, call.request.caller);
  const { active, policies } = JSON.parse(bodyText(result?.rows[0])) as {
    readonly active: boolean;
    readonly policies: readonly (readonly [string, string, boolean])[];
  };
  if (!active) return 'No row security: the role sees every row of a table that it may read.';
  if (policies.length === 0) return 'Row security without a policy for the role: it sees no row.';
  const lines = policies.map(
    ([policy, command, permissive]) =>
      `${permissive ? 'allows' : 'restricts'} ${COMMANDS[command] ?? 'all access to'} rows: ${policy}`,
  );
  return `Row security binds the role. Policies: ${lines.join('; ')}.`;
}

const ACTIONS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const satisfies readonly Privilege[];

function columnOf({
  name,
  description,
  nullable,
  default: value,
  identity,
  generated,
  type,
}: Column): JsonObject {
  return {
    name,
    type: type.name,
    ...(nullable ? {} : { required: value === null && identity === null && !generated }),
    ...(nullable ? { nullable } : {}),
    ...(generated || identity === 'always' ? { readOnly: true } : {}),
    ...(type.enumLabels.length > 0 ? { values: type.enumLabels.slice(0, 100) } : {}),
    ...cut(description),
  };
}

function relationshipOf(relationship: Relationship): JsonObject {
  const { target, cardinality } = relationship;
  const via =
    relationship.kind === 'foreign key'
      ? {
          columns: relationship.columns.map(({ left, right }) => `${left} = ${right}`),
          hint: relationship.constraint,
        }
      : { hint: relationship.kind === 'junction' ? relationship.junction.name : relationship.function.name };
  return { embed: target.name, cardinality, ...via };
}

async function describeTable(table: Table, call: Call, snapshot: Snapshot): Promise<JsonObject> {
  const { cache } = snapshot;
  const { schema, name, kind, description, columns, primaryKey, uniqueKeys } = table;
  const holds = privilegesOf(cache.roles, call.request.identity.role);
  /** A name that the role may not use is not learned from what is related to it. */
  const isUsable = ({ schema, name }: QualifiedName): boolean => {
    const found = find(cache.tables, schema, name);
    return found !== undefined && holds(found.access, ...ACTIONS);
  };
  return {
    relation: name,
    ...{ schema, kind, ...cut(description), primaryKey },
    uniqueKeys: uniqueKeys.slice(0, 20),
    may: ACTIONS.filter((action) => holds(table.access, action)).map((action) => action.toLowerCase()),
    columns: [...columns.values()].map(columnOf),
    related: (find(cache.relationships, schema, name) ?? [])
      .filter((each) => isUsable(each.target) && (each.kind !== 'junction' || isUsable(each.junction)))
      .slice(0, 100)
      .map(relationshipOf),
    rows: await policiesInWords(table, call, snapshot),
  };
}

const describeRoutine = ({
  name,
  schema,
  description,
  parameters,
  returns,
  volatility,
}: Routine): JsonObject => ({
  function: name,
  ...{ schema, ...cut(description) },
  reads: volatility !== 'volatile',
  arguments: parameters.map((parameter) => ({
    name: parameter.name,
    type: parameter.type,
    required: parameter.required,
  })),
  returns: { kind: returns.kind, many: returns.many, type: returns.type.name },
});

/** The description of what a name means to the role. @throws DbrError InvalidParameter */
export async function describeName(
  name: string,
  wanted: string | null,
  call: Call,
): Promise<readonly JsonObject[]> {
  const snapshot = describedSnapshot(call);
  const { cache } = snapshot;
  const { role } = call.request.identity;
  const schema = wanted ?? cache.schemas[0]?.name ?? '';
  if (!cache.schemas.some((exposed) => exposed.name === schema)) return invalid('schema', 'is not exposed');
  const holds = privilegesOf(cache.roles, role);
  const table = find(cache.tables, schema, name);
  const routines = (find(cache.functions, schema, name) ?? []).filter(({ access }) =>
    holds(access, 'EXECUTE'),
  );
  const known = table !== undefined && holds(table.access, ...ACTIONS) ? table : null;
  if (known === null && routines.length === 0)
    return invalid('name', 'is neither a relation nor a function that the role may use; search finds names');
  return [
    ...(known === null ? [] : [await describeTable(known, call, snapshot)]),
    ...routines.map(describeRoutine),
  ];
}

const describe: Tool = {
  name: 'describe',
  title: 'Describe a relation or function',
  description:
    'Columns, keys, related relations, rights and policies of a relation; arguments and result of a function.',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 200 }, schema: { type: 'string', maxLength: 200 } },
    required: ['name'],
  },
  kind: 'reads',
  async run(args, call) {
    const described = await describeName(
      optionalText(args, 'name') ?? '',
      optionalText(args, 'schema'),
      call,
    );
    return dataAnswer({ described: described.length, ...budgetOf(call) }, JSON.stringify(described));
  },
};

export const DESCRIBING: readonly Tool[] = [search, describe];
