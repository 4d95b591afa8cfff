import type { ColumnTree } from '../grammar/ast.js';
import { parseRelationKey } from '../grammar/parse.js';
import type { ApiRequest } from '../request/api-request.js';
import type { GraphLevel, RelatedLevel } from '../request/graph-body.js';
import { findRelationships } from '../schema-cache/lookups.js';
import type { QualifiedName, SchemaCache } from '../schema-cache/types.js';
import { findTable } from './find-table.js';
import { isKeyedUpdate } from './keyed-update.js';
import { isToOne } from './relationship.js';

/** Whether the method and preferences are those of a write whose objects may contain related objects. */
export function writesGraphs(request: ApiRequest): boolean {
  const { kind } = request.action;
  return kind === 'insert' || kind === 'upsert' || (kind === 'update' && !isKeyedUpdate(request));
}

/**
 * Returns the keys of a relation's objects that name related resources: those of `columns`, otherwise keys that are no
 * columns and name a relationship as `select` does.
 * @param tree the related resources of `columns`; null if the request has none
 */
export const graphLevel = (
  cache: SchemaCache,
  relation: QualifiedName,
  tree: ColumnTree | null,
): GraphLevel => ({
  open: (key) => (tree === null ? openKey(cache, relation, key) : openNamed(cache, relation, tree, key)),
});

function openNamed(
  cache: SchemaCache,
  relation: QualifiedName,
  tree: ColumnTree,
  key: string,
): RelatedLevel | null {
  const named = tree.relations.find((one) => one.key === key);
  return named === undefined ? null : related(cache, relation, named.name, named.hint, named.tree);
}

function openKey(cache: SchemaCache, relation: QualifiedName, key: string): RelatedLevel | null {
  if (findTable(cache, relation)?.columns.has(key) !== false) return null;
  const named = parseRelationKey(key);
  return named === null ? null : related(cache, relation, named.name, named.hint, null);
}

function related(
  cache: SchemaCache,
  relation: QualifiedName,
  name: string,
  hint: string | null,
  tree: ColumnTree | null,
): RelatedLevel | null {
  const [found] = findRelationships(cache, relation, name, hint);
  if (found === undefined) return null;
  return { name, hint, many: !isToOne(found), level: graphLevel(cache, found.target, tree) };
}
