import { graphLevel, writesGraphs } from './plan/graph-levels.js';
import { findTable } from './plan/find-table.js';
import { DEFAULT_LIMITS } from './grammar/limits.js';
import { readGraphBody } from './request/graph-body.js';
import { DEFAULT_MAX_KEYS, LONG_BODY } from './request/payload.js';
import type { ShapedRequest } from './request/shaped-request.js';
import { runAtOnce, runInSlices } from '../base/turns.js';
import type { Snapshot } from './snapshot.js';

/** Whether an insert, a PUT, or an update of one row, may contain related objects, as far as its query and its body show. */
export const mayBeGraph = ({ request, payload }: ShapedRequest): boolean =>
  payload?.kind === 'json' && writesGraphs(request) && (payload.nested || request.query.columnTree !== null);

/**
 * Reads the body of a graph, if a key of its objects names a related resource. Any other request is unchanged.
 * @throws the errors of `readGraphBody`
 */
export async function withGraph(shaped: ShapedRequest, snapshot: Snapshot): Promise<ShapedRequest> {
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
  // With a resolution, a row would lose the values that its object lacks.
  const mixed = request.action.kind !== 'insert' && request.preferences.resolution === null;
  const options = {
    maxDepth,
    maxEmbeds,
    maxKeys,
    named: columnTree !== null,
    mixed,
  };
  const work = readGraphBody(payload.body, level, options);
  const graph = payload.body.length > LONG_BODY ? await runInSlices(work) : runAtOnce(work);
  return { ...shaped, payload: { ...payload, graph: columnTree === null ? graph : null } };
}
