/** Requests that every operation refuses, or takes no notice of, with a share in every place that a client could put it. */
import { ROUTES, type OperationId } from '../../../generated/operations.js';
import type { Call, ContractClient } from '../contract/contract-client.js';
import { some } from '../runs.js';

/** Secrets in places that do not take them. */
export interface Spilled {
  /** base64url. */
  readonly ciphertext: string;
  readonly encapsulatedKey: string;
  readonly payload: string;
  /** Verifies nowhere. */
  readonly forgedToken: string;
}

/** The operations of areas A and B, from the document: a new one is driven as soon as it is there. */
export const ROUTES_OF_AREAS = ROUTES.filter(({ tag }) => tag === 'notifications' || tag === 'signing');

const UNKNOWN = '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const MEBIBYTE = 1_048_576;

type AreaRoute = (typeof ROUTES_OF_AREAS)[number];

/** @param tokens one after the other, so that both who may and who may not have tried */
export async function driveBadly(
  client: ContractClient,
  url: string,
  spilled: Spilled,
  tokens: readonly string[],
): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const [place, route] of ROUTES_OF_AREAS.entries()) {
    const path = {
      id: UNKNOWN,
      notificationId: UNKNOWN,
      messageId: UNKNOWN,
      webhookId: UNKNOWN,
      sha256: '00'.repeat(32),
      topic: 'none',
      channel: 'inApp',
    };
    for (const token of tokens)
      for (const call of badCalls(route, spilled, place))
        answers.push(await sendBad(client, route.id, { token, path, ...call }));
    answers.push(await sendWrongVerb(url, route, spilled));
  }
  return answers;
}

/** Returns the response; of a stream, which does not end, only that it was opened. */
async function sendBad(client: ContractClient, operation: OperationId, call: Call): Promise<string> {
  if (operation === 'streamNotifications') {
    const gone = new AbortController();
    const { status } = await client.open(operation, call, gone.signal);
    gone.abort();
    return String(status);
  }
  const { status, headers, body } = await client.call(operation, call);
  if (status >= 500) throw new Error(`${operation} answered ${String(status)} ${JSON.stringify(body)}`);
  return JSON.stringify([status, [...headers], body]);
}

/** @param from the first of the calls, of which CI sends one in four to an operation, and all to the four operations in a row */
function badCalls(route: AreaRoute, spilled: Spilled, from: number): readonly Call[] {
  const { ciphertext, encapsulatedKey, payload, forgedToken } = spilled;
  const anywhere: readonly Call[] = [
    { token: null, headers: { Authorization: `Basic ${ciphertext}` } },
    { token: null, headers: { Authorization: `bearer ${forgedToken}` } },
    ...['ciphertext', 'limit', 'cursor', 'offset', 'after', 'accountId', 'status', 'state', 'ticket'].map(
      (name) => ({ query: `${name}=${ciphertext}&${name}=${encapsulatedKey}` }),
    ),
    { headers: { 'X-Delegate-User-Share': ciphertext, Cookie: `share=${encapsulatedKey}` } },
    { headers: { 'If-Match': `"${ciphertext}"`, 'If-None-Match': `"${encapsulatedKey}"` } },
    { headers: { 'Last-Event-ID': ciphertext, Referer: `http://localhost/${encapsulatedKey}` } },
    { headers: { Accept: `application/problem+json, text/${payload}` } },
  ];
  const calls = route.consumes.length === 0 ? anywhere : [...anywhere, ...badBodies(spilled)];
  return [{ token: forgedToken }, ...some(calls, 4, from)];
}

function badBodies({ ciphertext, encapsulatedKey, payload }: Spilled): readonly Call[] {
  const share = { ciphertext, encapsulatedKey, payload };
  return [
    { body: `{"delegateUserShare":{"ciphertext":"${ciphertext}","encapsulatedKey":`, headers: JSON_TYPE },
    { body: `{"ciphertext":"${ciphertext}" "${encapsulatedKey}"}`, headers: JSON_TYPE },
    { body: `"${ciphertext}"`, headers: JSON_TYPE },
    { body: [share], headers: JSON_TYPE },
    { body: share },
    { body: { [ciphertext]: encapsulatedKey } },
    { body: { notificationId: ciphertext, categories: ciphertext, userIds: encapsulatedKey } },
    { body: { messageDigest: ciphertext, sessionId: encapsulatedKey, signingParties: [payload] } },
    { body: { delegateUserShare: share, identityPublicKey: ciphertext, publicKey: encapsulatedKey } },
    { body: { reason: [ciphertext], status: encapsulatedKey, name: { payload } } },
    { body: ciphertext, headers: { 'Content-Type': 'text/plain' } },
    { body: ciphertext, headers: { 'Content-Type': 'application/octet-stream' } },
    { body: ciphertext, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' } },
    { body: JSON.stringify({ ciphertext }).padEnd(MEBIBYTE + 1), headers: JSON_TYPE },
  ];
}

async function sendWrongVerb(url: string, route: AreaRoute, spilled: Spilled): Promise<string> {
  const path = route.path.replaceAll(/(?<!\\):\w+/g, UNKNOWN).replaceAll('\\:', ':');
  const response = await fetch(`${url}${path}?ciphertext=${spilled.ciphertext}`, {
    method: 'PROPFIND',
    headers: { Authorization: `Bearer ${spilled.forgedToken}` },
    body: spilled.ciphertext,
  });
  if (response.status < 400 || response.status >= 500)
    throw new Error(`${route.path} answered a wrong verb with ${String(response.status)}`);
  return await response.text();
}
