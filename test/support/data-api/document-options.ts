import type { DocumentOptions } from '../../../src/data-api/document/model.js';

/** Options of a description that shows everything, without batches and live reads. */
export const EVERYTHING: DocumentOptions = {
  version: '3.1',
  schema: 'api',
  role: null,
  searchPath: ['api'],
  omitsVolatileGet: false,
  withSecurity: false,
  publicUri: null,
  pathPrefix: '',
  maxBatch: 0,
  hasLive: false,
};
