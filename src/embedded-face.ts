/** What the embedded PostgreSQL uses of the service: apart from `face.ts`, so that it loads little, as tests do often. */
export { isObject, jsonIn, objectOf } from './base/json.js';
export { makeFolders } from './base/make-folders.js';
export { packageRoot } from './base/package.js';
export type { Observe } from './observability/observation.js';
export { isLostConnection } from './postgres/driver-error.js';
export { openSession, type Session, withSession } from './postgres/session.js';
