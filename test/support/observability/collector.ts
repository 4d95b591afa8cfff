/** An OpenTelemetry collector of tests: an HTTP server that takes spans by OTLP as JSON. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
}

export interface Collector {
  readonly url: string;
  /** All spans so far, in the order of their arrival. */
  readonly spans: readonly CollectedSpan[];
  readonly paths: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** Attributes of the resource of each request. */
  readonly resources: readonly Readonly<Record<string, string>>[];
  /** Bytes of all bodies so far, as text. */
  text(): string;
  close(): Promise<void>;
}

/** A reply of the collector; null leaves the request without a response. */
export type CollectorReply = {
  readonly status: number;
  readonly headers?: object;
  readonly body?: string;
} | null;

const ACCEPTED: CollectorReply = { status: 200, body: '{}' };

/** Attributes by name. */
export const attributesOf = ({
  attributes,
}: Pick<CollectedSpan, 'attributes'>): Readonly<Record<string, string>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));

/** @param replyTo called with the number of the request, from 1 */
export async function openCollector(
  replyTo: (request: number) => CollectorReply = () => ACCEPTED,
  port = 0,
): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  const resources: Readonly<Record<string, string>>[] = [];
  let text = '';
  let requests = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      headers.push(request.headers);
      paths.push(request.url ?? '');
      const reply = replyTo(++requests);
      if (reply === null) return;
      if (reply.status < 300) {
        text += body;
        const { resourceSpans } = JSON.parse(body) as ExportRequest;
        for (const { resource, scopeSpans } of resourceSpans) {
          resources.push(attributesOf(resource));
          spans.push(...scopeSpans.flatMap((scope) => scope.spans));
        }
      }
      response.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers });
      response.end(reply.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(taken)}`,
    spans,
    paths,
    headers,
    resources,
    text: () => text,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
