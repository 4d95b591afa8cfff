/** Replies to people who look at the service: `/` in a browser, and `/docs` and `/health` where no relation has the name. */
import { DBR_ERRORS } from '../../generated/errors.js';
import { qualityOf } from '../operations/preferred-type.js';
import type { Reply } from './reply.js';

/** Relative to `/`, so that a proxy may add a prefix. */
const REFERENCE: Reply = { status: 303, headers: [['Location', 'api/v1/docs']], body: null };

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * The reply to a browser that opens the root: its `Accept` names HTML first and takes other types, too. Clients that take
 * HTML alone, or JSON as well as HTML, get the description of the schema or its refusal.
 */
export function browserReply(method: string, path: string, accept: string | undefined): Reply | null {
  if (path !== '/' || accept === undefined || !isRead(method)) return null;
  const json = qualityOf('application/json', accept);
  return json > 0 && qualityOf('text/html', accept) > json ? REFERENCE : null;
}

/** The reply at a path that nothing else serves; null for any other. */
export function replacementReply(method: string, path: string): Reply | null {
  if (!isRead(method)) return null;
  if (path === '/docs') return REFERENCE;
  return path === '/health' ? HEALTHY : null;
}

/**
 * The service responds. So did the database, which the data API has asked for a relation of the name, except where the
 * data API does not have the path.
 */
const HEALTHY: Reply = {
  status: 200,
  headers: [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Cache-Control', 'no-store'],
  ],
  body: [Buffer.from('{"status":"up"}')],
};

/** SQLSTATE `undefined_table`: unknown relations are left to PostgreSQL, except in the plan of an embed. */
const UNDEFINED_TABLE = '42P01';

/** Whether the reply says that the exposed schemas have no relation of the name. */
export function isUnknownRelation({ status, body }: Reply): boolean {
  if (status !== 404 || !Array.isArray(body)) return false;
  const text = Buffer.concat(body);
  return [UNDEFINED_TABLE, DBR_ERRORS.TableNotFound.code].some((code) => text.includes(`"code":"${code}"`));
}
