/** The part of a request that all requests of its shape share. */
import { serialize } from 'node:v8';
import type { At, LogicGroup } from '../grammar/ast.js';
import type { ApiRequest, Query } from './api-request.js';
import {
  filterWithoutValue,
  groupWithoutValues,
  orderWithoutValues,
  selectWithoutValues,
  treeWithoutValues,
} from './values.js';

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
  select: selectWithoutValues(query.select),
  filters: query.filters.map(({ path, item }) => ({ path, item: filterWithoutValue(item) })),
  logic: query.logic.map(({ path, item }): At<LogicGroup> => ({ path, item: groupWithoutValues(item) })),
  order: query.order.map(({ path, item }) => ({ path, item: orderWithoutValues(item) })),
  having: query.having.map(({ path, item }) => ({ path, item: item.map(treeWithoutValues) })),
  arguments: query.arguments.map(({ name, value }) => ({ name, value: { index: value.index, text: '' } })),
});
