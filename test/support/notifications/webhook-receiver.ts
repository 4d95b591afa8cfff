/** A receiver of webhooks on loopback, which answers as a test says. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as the receiver reads it. */
  readonly event: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

export type Answer = (response: ServerResponse, received: Received, count: number) => void;

export interface WebhookReceiver {
  readonly url: string;
  /** Requests in the order of their arrival. */
  readonly received: readonly Received[];
  /** The most requests that were open at a time. */
  readonly mostOpen: number;
  answer: Answer;
  close(): Promise<void>;
}

export const accept: Answer = (response) => void response.writeHead(204).end();

export async function startWebhookReceiver(answer: Answer = accept): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let open = 0;
  let mostOpen = 0;
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on('close', () => {
      open -= 1;
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body,
        event: JSON.parse(body) as Received['event'],
      };
      received.push(one);
      receiver.answer(response, one, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    answer,
    url: `http://127.0.0.1:${String(port)}/hook`,
    received,
    get mostOpen() {
      return mostOpen;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
