/** Requests of the page to its service, with the token of the page. */
import { ApiError } from '../../console/page/src/api.js';
import { isObject, parseJson, type Json, type JsonRow } from '../../console/page/src/json.js';
import { targetOf } from '../../console/page/src/request.js';
import { serviceRoot, type Facts } from './facts.js';
import { profileOf, type Outgoing } from './outgoing.js';

export interface Caller {
  readonly facts: Facts;
  /** Empty for none. It is in memory alone. */
  readonly token: string;
  /** Empty for the first schema. */
  readonly schema: string;
}

export const addressOfRequest = ({ facts }: Caller, { path, query, isOfDatabase }: Outgoing): string =>
  `${serviceRoot()}${isOfDatabase ? facts.prefix : ''}${targetOf({ path, query })}`;

export const open = (caller: Caller, request: Outgoing, signal: AbortSignal): Promise<Response> =>
  fetch(addressOfRequest(caller, request), {
    method: request.method,
    headers: {
      ...request.headers,
      ...(caller.token === '' ? {} : { Authorization: `Bearer ${caller.token}` }),
    },
    credentials: 'omit',
    signal,
    ...(request.body === undefined ? {} : { body: request.body }),
  });

/** The document of the service. @throws ApiError */
export const loadServiceDocument = (signal: AbortSignal): Promise<JsonRow> =>
  documentIn(fetch('openapi.json', { signal }));

/** The description of the database for the role of the token. @throws ApiError */
export const loadDescription = (caller: Caller, signal: AbortSignal): Promise<JsonRow> =>
  documentIn(openDescription(caller, '/openapi.json', 'application/json', signal));

/**
 * The description as OpenAPI 2.0, which has the types of PostgreSQL and constant defaults; null where the root of the data
 * API is something else.
 */
export async function loadSwagger(caller: Caller, signal: AbortSignal): Promise<JsonRow | null> {
  const document = await documentIn(openDescription(caller, '/', 'application/openapi+json', signal));
  return document['swagger'] === '2.0' ? document : null;
}

const openDescription = (
  caller: Caller,
  path: string,
  accept: string,
  signal: AbortSignal,
): Promise<Response> =>
  open(
    caller,
    {
      ...{ method: 'GET', path, isOfDatabase: true, query: [], body: undefined },
      headers: { Accept: accept, ...profileOf(caller.schema, 'GET') },
    },
    signal,
  );

async function documentIn(responded: Promise<Response>): Promise<JsonRow> {
  const response = await responded;
  const body = parsed(await response.text());
  if (!response.ok || !isObject(body)) throw new ApiError(response.status, body);
  return body;
}

/** Documents have no number that JavaScript would round, and a reviver takes long for large ones. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The text of a body as people read it: JSON is indented, with the digits of its numbers. */
export function readable(text: string, contentType: string): string {
  if (!contentType.includes('json')) return text;
  try {
    return JSON.stringify(parseJson(text), null, 2);
  } catch {
    return text;
  }
}
