import { dbrError, type JsonValue } from '../../errors/dbr-error.js';
import type { SelectRelation, SelectSpread } from '../grammar/ast.js';
import { findRelationships, knownTo, relationshipHint } from '../schema-cache/lookups.js';
import type { ColumnPair, QualifiedName, Relationship, Table } from '../schema-cache/types.js';
import { findTable } from './find-table.js';
import type { TreeContext } from './plan-context.js';
import type { Link } from './read-node.js';

/**
 * Returns the relationship of an item of `select` (data API §1.7). Throws DBR200 if there is none, DBR201 if there
 * are several.
 */
export function resolveRelationship(
  item: SelectRelation | SelectSpread,
  source: QualifiedName,
  context: TreeContext,
): Relationship {
  const found = findRelationships(context.cache, source, item.name, item.hint);
  const [first] = found;
  if (first === undefined) throw notFound(item, source, context);
  if (found.length > 1) {
    const visible = visibleOf(found, context);
    throw visible.length === 0 ? notFound(item, source, context) : ambiguous(source, item.name, visible);
  }
  return first;
}

function notFound(item: SelectRelation | SelectSpread, source: QualifiedName, context: TreeContext) {
  const holes = {
    parent: source.name,
    child: item.name,
    schema: source.schema,
    hint: relationshipHint(context.cache, context.role, source, item.name),
  };
  return item.hint === null
    ? dbrError('RelationshipNotFound', { ...holes, details: 'plain' })
    : dbrError('RelationshipNotFound', { ...holes, details: 'withHint', disambiguation: item.hint });
}

/** Returns the relationships of tables and functions on which the role has privileges. Errors name no others. */
function visibleOf(found: readonly Relationship[], { cache, role }: TreeContext): readonly Relationship[] {
  const mayKnow = knownTo(cache, role);
  return found.filter((relationship) => {
    if (!mayKnow.table(relationship.target)) return false;
    switch (relationship.kind) {
      case 'foreign key':
        return true;
      case 'junction':
        return mayKnow.table(relationship.junction);
      case 'computed':
        return mayKnow.function(relationship.function);
    }
  });
}

function ambiguous(source: QualifiedName, child: string, found: readonly Relationship[]) {
  return dbrError('AmbiguousRelationship', {
    parent: source.name,
    child,
    details: found.map((relationship) => ({
      cardinality: relationship.cardinality,
      embedding: `${relationship.source.name} with ${relationship.target.name}`,
      relationship: described(relationship),
    })) satisfies JsonValue,
    choices: found
      .map((relationship) => `'${relationship.target.name}!${handleOf(relationship)}'`)
      .join(', '),
  });
}

function described(relationship: Relationship): string {
  switch (relationship.kind) {
    case 'foreign key': {
      const { source, target, columns } = relationship;
      return `${relationship.constraint} using ${source.name}(${left(columns)}) and ${target.name}(${right(columns)})`;
    }
    case 'junction': {
      const { junction, sourceConstraint, targetConstraint, sourceColumns, targetColumns } = relationship;
      return `${junction.name} using ${sourceConstraint}(${right(sourceColumns)}) and ${targetConstraint}(${left(targetColumns)})`;
    }
    case 'computed':
      return `${relationship.function.name}(${relationship.source.name})`;
  }
}

/** Returns the hint after an exclamation mark that names the relationship. */
function handleOf(relationship: Relationship): string {
  switch (relationship.kind) {
    case 'foreign key':
      return relationship.constraint;
    case 'junction':
      return relationship.junction.name;
    case 'computed':
      return relationship.function.name;
  }
}

const left = (pairs: readonly ColumnPair[]): string => pairs.map((pair) => pair.left).join(', ');
const right = (pairs: readonly ColumnPair[]): string => pairs.map((pair) => pair.right).join(', ');

/** Returns the link from a row of the relationship's source to the rows of its target. */
export function planLink(relationship: Relationship, context: TreeContext): Link {
  switch (relationship.kind) {
    case 'foreign key':
      return { kind: 'columns', pairs: relationship.columns };
    case 'junction':
      return {
        kind: 'junction',
        junction: relationship.junction,
        alias: context.aliases.claim(relationship.junction.name),
        parentPairs: relationship.sourceColumns,
        childPairs: relationship.targetColumns,
      };
    case 'computed':
      return {
        kind: 'computed',
        function: relationship.function,
        argument: relationship.source,
        columns: [...(findTable(context.cache, relationship.source)?.columns.keys() ?? [])],
      };
  }
}

/** Whether a row of the source has at most one row of the target. */
export function isToOne(relationship: Relationship): boolean {
  switch (relationship.cardinality) {
    case 'many-to-one':
    case 'one-to-one':
    case 'to-one':
      return true;
    case 'one-to-many':
    case 'many-to-many':
    case 'to-many':
      return false;
  }
}

/**
 * Whether PostgreSQL enforces that there is at most one row. It does not for a view, whose rows may repeat a key, or
 * for the result of a function.
 */
export function isUnique(relationship: Relationship, target: Table | null): boolean {
  if (relationship.kind !== 'foreign key' || !isToOne(relationship)) return false;
  return target !== null && (target.kind === 'table' || target.kind === 'partitioned table');
}
