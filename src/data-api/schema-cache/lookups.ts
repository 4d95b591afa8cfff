/** The questions that planning asks of a cache. */
export { find } from './by-name.js';
export { findRelationships } from './find-relationships.js';
export { functionHint, knownTo, relationshipHint, tableHint } from './hints.js';
export { privilegesOf } from './privileges.js';
export { fromText, toJson } from './representations.js';
