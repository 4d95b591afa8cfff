/** A client that counts its requests and fails for every answer that no request may get. */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface FuzzReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface FuzzRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface FuzzClient {
  /** @throws Error for a status of 500 and above, and for a connection that ends without a response */
  readonly send: (sent: FuzzRequest) => Promise<FuzzReply>;
  readonly count: () => number;
  readonly close: () => void;
}

export function openFuzzClient(url: string): FuzzClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const { hostname, port } = new URL(url);
  let count = 0;
  const exchange = ({ method, path, headers = {}, body }: FuzzRequest): Promise<FuzzReply> =>
    new Promise((resolve, reject) => {
      const request = httpRequest({ agent, hostname, port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      request.on('error', reject);
      request.end(body);
    });
  return {
    async send(sent) {
      count += 1;
      const reply = await exchange(sent);
      if (reply.status >= 500)
        throw new Error(
          `${sent.method} ${sent.path} gives ${String(reply.status)}: ${reply.text.slice(0, 500)}`,
        );
      return reply;
    },
    count: () => count,
    close: () => agent.destroy(),
  };
}
