/** The router of the paths that areas A and B and the service itself own. */
import { Router } from '@koa/router';
import type { ExchangeState } from './application.js';
import { mountDocumentRoutes } from './document-routes.js';
import { mountRoutes, type MountParts } from './mount.js';

/** @param parts null where neither area runs: the document alone is served */
export function createRouter(parts: MountParts | null): Router<ExchangeState> {
  const router = new Router<ExchangeState>();
  mountDocumentRoutes(router);
  if (parts !== null) mountRoutes(router, parts);
  return router;
}
