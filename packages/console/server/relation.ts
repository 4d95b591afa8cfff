/** One relation, as the role of the transaction may use it. */
import { dbrError, type Session } from '../../../src/face.js';
import type { RelationDetail, Visibility } from './answers.js';
import { COLUMNS, FOREIGN_KEYS, POLICIES, PRIMARY_KEY, RELATION } from './catalogue-sql.js';

export interface ReadRelation {
  readonly detail: RelationDetail;
  readonly exempt: Visibility['exempt'];
}

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
    references: keys.filter(({ outgoing }) => outgoing === true).map(withoutSide),
    referencedBy: keys.filter(({ outgoing }) => outgoing !== true).map(withoutSide),
    policies: await session.query(POLICIES, [oid]),
  };
  // The queries of `catalogue-sql.ts` name their columns as the members of the type.
  return { detail: detail as unknown as RelationDetail, exempt: exempt as Visibility['exempt'] };
}

const withoutSide = ({ outgoing: _, ...key }: Readonly<Record<string, unknown>>) => key;
