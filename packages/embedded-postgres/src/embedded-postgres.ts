/** What the service and the tools use of the embedded PostgreSQL. */
export { runningPostmaster } from './postmaster.js';
export { loadSampleDatabase, SAMPLE_SCHEMAS } from './sample-database.js';
export { startEmbedded, type EmbeddedServer } from './start-embedded.js';
