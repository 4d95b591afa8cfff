/** The part of a request that all requests of its shape share. */
import { serialize } from 'node:v8';
import type { At, Filter, LogicGroup, LogicTree, Operation } from '../grammar/ast.js';
import type { ApiRequest, Query } from './api-request.js';

const NO_BODY = Buffer.alloc(0);

/**
 * Returns a request without its values and its body. All texts are copied, because V8 keeps the whole text of a
 * substring in memory, here the request line.
 */
export function sharedPart(request: ApiRequest): ApiRequest {
  const { payload, query } = request;
  const copy = structuredClone({ ...request, payload: null, values: [], query: withoutValues(query) });
  return payload === null ? copy : { ...copy, payload: { kind: 'whole', body: NO_BODY } };
}

/** Estimates the memory of such a request, in bytes. */
export const treeBytes = (request: ApiRequest): number =>
  MEMORY_PER_BYTE * serialize({ ...request, payload: null }).length;

/** Memory of an object in bytes for each byte of its serialised form, estimated. */
const MEMORY_PER_BYTE = 2;

const withoutValues = (query: Query): Query => ({
  ...query,
  filters: query.filters.map(({ path, item }) => ({ path, item: filterWithoutValue(item) })),
  logic: query.logic.map(({ path, item }): At<LogicGroup> => ({ path, item: groupWithoutValues(item) })),
  arguments: query.arguments.map(({ name, value }) => ({ name, value: { index: value.index, text: '' } })),
});

const filterWithoutValue = ({ field, operation }: Filter): Filter => ({
  field,
  operation: operationWithoutValue(operation),
});

const groupWithoutValues = (group: LogicGroup): LogicGroup => ({
  ...group,
  terms: group.terms.map(treeWithoutValues),
});

const treeWithoutValues = (tree: LogicTree): LogicTree =>
  tree.kind === 'group'
    ? groupWithoutValues(tree)
    : { kind: 'filter', filter: filterWithoutValue(tree.filter) };

function operationWithoutValue(operation: Operation): Operation {
  switch (operation.kind) {
    case 'is':
      return operation;
    case 'in':
      return { ...operation, value: { index: operation.value.index, elements: [] } };
    case 'comparison':
      return { ...operation, value: { index: operation.value.index, text: '' } };
    case 'search':
      return { ...operation, value: { index: operation.value.index, text: '' } };
  }
}
