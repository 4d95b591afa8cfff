/** The operation `createLiveTicket`. It asks for the token of the data API, which other operations do not take. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../contract/reply.js';
import { dbrError } from '../errors/dbr-error.js';
import { NO_STORE } from '../operations/responses.js';
import { identify, type DataEndpoint } from './data-endpoint.js';
import type { Exchange } from './exchange.js';
import { readJsonBody } from './json-body.js';
import type { BodyBounds } from './read-body.js';

/** @throws DbrError LiveReadsOff (501), InvalidBody (400), and those of the token */
export async function createLiveTicket(
  data: DataEndpoint,
  bodies: BodyBounds,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Reply> {
  if (data.liveTickets === null) throw dbrError('LiveReadsOff', { details: 'off' });
  const { role } = await identify(data, request.headers);
  exchange.who = role;
  const body = await readJsonBody(request, response, bodies, { operation: null, required: true });
  const path = typeof body === 'object' && body !== null && 'path' in body ? body.path : null;
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw dbrError('InvalidBody', { details: 'path must be a path with its query' });
  const ticket = data.liveTickets.create(request.headers, path);
  return {
    status: 200,
    headers: [['Content-Type', 'application/json; charset=utf-8'], ...Object.entries(NO_STORE)],
    body: [Buffer.from(JSON.stringify(ticket))],
  };
}
