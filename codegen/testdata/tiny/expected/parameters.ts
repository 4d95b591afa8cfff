// Generated from openapi/ by `make generate`. Not edited by hand.
import type { OperationId } from './operations.js';

export interface ParameterRule {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly type: 'string' | 'integer' | 'boolean' | 'strings';
  readonly required: boolean;
  /** Value of an absent parameter; null if there is none. */
  readonly default: string | number | boolean | null;
  /** Larger values are reduced to this one; null if they are not. */
  readonly clamp: number | null;
}

/** The parameters of each operation, in document order. Names of headers are in lower case. */
export const PARAMETERS: Readonly<Record<OperationId, readonly ParameterRule[]>> = {
  listThings: [
    { name: 'limit', in: 'query', type: 'integer', required: false, default: 50, clamp: 100 },
    { name: 'colour', in: 'query', type: 'string', required: false, default: null, clamp: null },
    { name: 'deep', in: 'query', type: 'boolean', required: false, default: null, clamp: null },
    { name: 'if-none-match', in: 'header', type: 'string', required: false, default: null, clamp: null },
  ],
  createThing: [],
  deleteThing: [
    { name: 'thingId', in: 'path', type: 'string', required: true, default: null, clamp: null },
  ],
  streamThings: [],
};
