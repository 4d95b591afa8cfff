/** The service's HTTP API as a user or an operator calls it. */
import { SignJWT } from 'jose';
import type { Problem, SigningSessionEvent } from '../../../generated/types.js';

/** What the service refuses, with the code of its error, e.g. `DBR514`. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface ServiceClient {
  /** The body of the answer. @throws Refused */
  call<Body>(method: 'POST' | 'PUT' | 'GET', path: string, body?: object): Promise<Body>;
  delete(path: string): Promise<void>;
  /** The events of a session as they happen, until it ends. */
  follow(sessionId: string): AsyncGenerator<SigningSessionEvent>;
}

export interface Caller {
  readonly tenantId: string;
  readonly userId: string;
  /** Without any, what the user owns is theirs to use. */
  readonly scope?: string;
}

/** A token as an identity provider that shares the secret would give it. */
export const mint = (secret: string, { tenantId, userId, scope }: Caller): Promise<string> =>
  new SignJWT({ tenantId, ...(scope === undefined ? {} : { scope }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(userId)
    .setExpirationTime('15 min')
    .sign(Buffer.from(secret));

export async function connectService(url: string, secret: string, caller: Caller): Promise<ServiceClient> {
  const authorization = { Authorization: `Bearer ${await mint(secret, caller)}` };

  async function request(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { ...authorization, ...init.headers },
    });
    if (response.ok) return response;
    const text = await response.text();
    const { code } = JSON.parse(text) as Problem;
    throw new Refused(code, `${init.method ?? 'GET'} ${path}: ${String(response.status)} ${text}`);
  }

  return {
    async call<Body>(method: string, path: string, body?: object) {
      const headers = { 'Content-Type': 'application/json' };
      const json = body === undefined ? {} : { body: JSON.stringify(body), headers };
      const response = await request(path, { method, ...json });
      return (await response.json()) as Body;
    },
    async delete(path) {
      await request(path, { method: 'DELETE' });
    },
    async *follow(sessionId) {
      const headers = { Accept: 'text/event-stream' };
      const response = await request(`/api/v1/signing-sessions/${sessionId}/events`, { headers });
      for await (const data of eventData(response)) yield JSON.parse(data) as SigningSessionEvent;
    },
  };
}

/** The `data` of each event (WHATWG HTML §9.2). */
async function* eventData(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield data.slice('data: '.length);
    }
  }
}
