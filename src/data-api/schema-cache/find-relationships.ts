/** Resolves the name of an embedded resource (data API §1.7, target resolution). */
import { find, sameName } from './by-name.js';
import type {
  ForeignKeyRelationship,
  JunctionRelationship,
  QualifiedName,
  Relationship,
  SchemaCache,
} from './types.js';

/**
 * Returns all relationships that match the names in a request. The caller reports none as DBR200 and several as
 * DBR201.
 * @param source the embedding relation; its schema is that of the request
 * @param target the embedded resource: a relation or, as a short form, a constraint or column
 * @param hint the name behind `!`, if any
 */
export function findRelationships(
  cache: SchemaCache,
  source: QualifiedName,
  target: string,
  hint: string | null,
): readonly Relationship[] {
  const all = find(cache.relationships, source.schema, source.name) ?? [];
  return all.filter((relationship) => isMeant(relationship, target, hint));
}

function isMeant(relationship: Relationship, target: string, hint: string | null): boolean {
  if (relationship.kind === 'computed') return relationship.function.name === target;
  if (sameName(relationship.source, relationship.target)) return isMeantWithin(relationship, target, hint);
  if (hint !== null) return relationship.target.name === target && hintFits(relationship, hint);
  return (
    relationship.target.name === target ||
    (!relationship.targetIsView &&
      relationship.kind === 'foreign key' &&
      (relationship.constraint === target || onlyPair(relationship)?.left === target))
  );
}

function hintFits(relationship: ForeignKeyRelationship | JunctionRelationship, hint: string): boolean {
  if (relationship.kind === 'junction') return relationship.junction.name === hint;
  const pair = onlyPair(relationship);
  return relationship.constraint === hint || pair?.left === hint || pair?.right === hint;
}

/**
 * A foreign key of a relation to itself makes two relationships. The relation's name selects the rows that refer to
 * the row, with the referring column as a hint; the name of the column selects the referenced row.
 */
function isMeantWithin(
  relationship: ForeignKeyRelationship | JunctionRelationship,
  target: string,
  hint: string | null,
): boolean {
  if (relationship.kind === 'junction') return false;
  const pair = onlyPair(relationship);
  if (relationship.cardinality === 'one-to-many') {
    return relationship.target.name === target && (hint === null || pair?.right === hint);
  }
  return relationship.cardinality === 'many-to-one' && hint === null && pair?.left === target;
}

const onlyPair = ({
  columns,
}: ForeignKeyRelationship): ForeignKeyRelationship['columns'][number] | undefined =>
  columns.length === 1 ? columns[0] : undefined;
