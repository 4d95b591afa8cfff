/** The router of the paths of areas A and B and of the service itself. */
import { Router } from '@koa/router';
import type { ExchangeState } from './operations.js';
import { mountDocumentRoutes } from './document-routes.js';
import { mountRoutes, type MountParts } from './mount.js';

/** @param parts null if neither area runs @param withDocument whether the published document is served */
export function createRouter(parts: MountParts | null, withDocument: boolean): Router<ExchangeState> {
  const router = new Router<ExchangeState>();
  if (withDocument) mountDocumentRoutes(router);
  if (parts !== null) mountRoutes(router, parts);
  return router;
}
