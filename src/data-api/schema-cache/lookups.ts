/** The lookups in a schema cache that other folders use. */
export { find, mayHoldNull, sameName } from './types.js';
export { findRelationships } from './relationships.js';
export { functionHint, knownTo, relationshipHint, tableHint } from './hints.js';
export { privilegesOf } from './privileges.js';
export { fromText, toJson } from './representations.js';
