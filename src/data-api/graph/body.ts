import type { ColumnTree } from '../grammar/ast.js';
import { parseRelationKey } from '../grammar/parse.js';
import { type GraphLevel, readGraphBody, type RelatedLevel } from '../request/graph-body.js';
import { findRelationships } from '../schema-cache/lookups.js';
import type { QualifiedName, SchemaCache } from '../schema-cache/types.js';
import { findTable } from '../plan/plan-context.js';
import { isToOne } from '../plan/read-tree.js';
import { DEFAULT_LIMITS } from '../grammar/limits.js';
import { DEFAULT_MAX_KEYS, LONG_BODY } from '../request/payload.js';
import type { ShapedRequest } from '../request/shaped-request.js';
import { runAtOnce, runInSlices } from '../../base/turns.js';
import type { RequestOptions } from '../request/read-request.js';

/**
 * Returns the keys of a relation's objects that name related resources: those of `columns`, otherwise keys that are no
 * columns and name a relationship as `select` does.
 * @param tree the related resources of `columns`; null if the request has none
 */
const graphLevel = (cache: SchemaCache, relation: QualifiedName, tree: ColumnTree | null): GraphLevel => ({
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

/** Whether an insert may contain related objects, as far as its query and its body show. */
export const mayBeGraph = ({ request, payload }: ShapedRequest): boolean =>
  payload?.kind === 'json' &&
  request.action.kind === 'insert' &&
  (payload.nested || request.query.columnTree !== null);

/**
 * Reads the body of a graph, if a key of its objects names a related resource. Any other request is unchanged.
 * @throws the errors of `readGraphBody`
 */
export async function withGraph(
  shaped: ShapedRequest,
  snapshot: { readonly cache: SchemaCache; readonly options: RequestOptions },
): Promise<ShapedRequest> {
  const { request, payload } = shaped;
  const { resource, schema, query, contentType } = request;
  if (payload?.kind !== 'json' || resource.kind !== 'relation') return shaped;
  const { columnTree } = query;
  const target = { schema, name: resource.name };
  const table = findTable(snapshot.cache, target);
  if (table === null || contentType.name !== 'application/json') return shaped;
  const level = graphLevel(snapshot.cache, target, columnTree);
  const isRelated = (key: string): boolean => !table.columns.has(key) && level.open(key) !== null;
  if (columnTree === null && !payload.keys.some(isRelated)) return shaped;
  const { limits = DEFAULT_LIMITS, maxKeys = DEFAULT_MAX_KEYS } = snapshot.options;
  const { maxDepth, maxEmbeds } = limits;
  const options = { maxDepth, maxEmbeds, maxKeys, named: columnTree !== null };
  const work = readGraphBody(payload.body, level, options);
  const graph = payload.body.length > LONG_BODY ? await runInSlices(work) : runAtOnce(work);
  return { ...shaped, payload: { ...payload, graph: columnTree === null ? graph : null } };
}
