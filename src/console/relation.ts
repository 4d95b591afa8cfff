/** One relation, as the role of the transaction may use it. */
import { dbrError } from '../errors/dbr-error.js';
import type { Session } from '../postgres/session.js';
import type { Command, ForeignKey, Policy, RelationDetail, Visibility } from './answers.js';
import { COLUMNS, FOREIGN_KEYS, POLICIES, PRIMARY_KEY, RELATION } from './catalogue-sql.js';

export interface ReadRelation {
  readonly detail: RelationDetail;
  readonly exempt: Visibility['exempt'];
}

type Row = Readonly<Record<string, unknown>>;

/** @throws DbrError (404) for a relation that is not exposed, does not exist, or that the role may not use */
export async function readRelation(
  schemas: readonly string[],
  { schema, name }: { readonly schema: string; readonly name: string },
  session: Session,
): Promise<ReadRelation> {
  const names = [...schemas];
  const [relation] = await session.query(RELATION, [names, schema, name]);
  if (relation === undefined) throw dbrError('InvalidPath');
  const { oid, exempt, ...summary } = relation;
  const keys = await session.query(FOREIGN_KEYS, [oid, names]);
  const detail = {
    ...summary,
    columns: await session.query(COLUMNS, [oid]),
    primaryKey: (await session.query(PRIMARY_KEY, [oid])).map((column) => String(column['name'])),
    references: keys.filter(({ outgoing }) => outgoing === true).map(foreignKeyOf),
    referencedBy: keys.filter(({ outgoing }) => outgoing !== true).map(foreignKeyOf),
    policies: (await session.query(POLICIES, [oid])).map(policyOf),
  };
  // The queries of `catalogue-sql.ts` name their columns as the members of the type.
  return { detail: detail as unknown as RelationDetail, exempt: exempt as Visibility['exempt'] };
}

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const foreignKeyOf = (row: Row): ForeignKey => ({
  constraint: String(row['constraint']),
  schema: String(row['schema']),
  name: String(row['name']),
  columns: texts(row['columns']),
  otherColumns: texts(row['otherColumns']),
  toOne: row['toOne'] === true,
});

const policyOf = (row: Row): Policy => ({
  name: String(row['name']),
  comment: text(row['comment']),
  permissive: row['permissive'] === true,
  command: row['command'] as Command | 'all',
  roles: texts(row['roles']),
  applies: row['applies'] === true,
  using: text(row['using']),
  check: text(row['check']),
});
