/** A gRPC service from the generated description: handlers take and give messages, streams are async generators. */
import {
  create,
  fromBinary,
  toBinary,
  type DescMethod,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import type { GenService, GenServiceMethods } from '@bufbuild/protobuf/codegenv2';
import type * as grpc from '@grpc/grpc-js';

/** What a handler knows of its call, besides the request. */
export interface CallContext {
  readonly metadata: grpc.Metadata;
  /** The client's certificate in DER; null where it showed none. */
  readonly certificate: Buffer | null;
  /** Aborted when the client is gone, the deadline has passed or the service stops. */
  readonly signal: AbortSignal;
}

type Handler<Method extends GenServiceMethods[string], Context> = Method['methodKind'] extends 'unary'
  ? (request: MessageShape<Method['input']>, context: Context) => Promise<MessageInitShape<Method['output']>>
  : (
      request: MessageShape<Method['input']>,
      context: Context,
    ) => AsyncIterable<MessageInitShape<Method['output']>>;

/** One handler for each method of the service; methods whose requests are streams are not served. */
export type ServiceHandlers<Service, Context> =
  Service extends GenService<infer Methods extends GenServiceMethods>
    ? { readonly [Name in keyof Methods]: Handler<Methods[Name], Context> }
    : never;

/** The methods as grpc-js wants them; messages go over the wire as protobuf-es writes them. */
export function serviceDefinition(service: GenService<GenServiceMethods>): grpc.ServiceDefinition {
  return Object.fromEntries(
    service.methods.map((method) => [
      method.localName,
      {
        path: `/${service.typeName}/${method.name}`,
        requestStream: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
        responseStream: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
        requestSerialize: serializer(method.input),
        requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
        responseSerialize: serializer(method.output),
        responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
      },
    ]),
  );
}

const serializer =
  <Desc extends DescMethod['output']>(schema: Desc) =>
  (message: MessageShape<Desc>): Buffer => {
    const bytes = toBinary(schema, message);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };

type Request = MessageShape<DescMethod['input']>;
type Response = MessageShape<DescMethod['output']>;
type Answer = MessageInitShape<DescMethod['output']>;

/** A handler whose kind is known by its method only when it runs. */
type AnyHandler = (request: Request, context: CallContext) => Promise<Answer> | AsyncIterable<Answer>;

export interface ServiceOptions {
  /** Of unary calls: for those without a deadline, and the most that others get. In milliseconds. */
  readonly defaultDeadlineMs: number;
  readonly maxDeadlineMs: number;
  /** An error of a handler as the client is told it. */
  readonly statusOf: (error: unknown, method: string) => Partial<grpc.StatusObject>;
}

/** Registers the service with handlers that already know who calls. */
export function addTypedService<Methods extends GenServiceMethods>(
  server: grpc.Server,
  service: GenService<Methods>,
  handlers: ServiceHandlers<GenService<Methods>, CallContext>,
  options: ServiceOptions,
): void {
  const byName = new Map<string, unknown>(Object.entries(handlers));
  const implementation = Object.fromEntries(
    service.methods.map((method) => {
      const handler = byName.get(method.localName) as AnyHandler;
      return [method.localName, implement(method, handler, options)];
    }),
  );
  server.addService(serviceDefinition(service), implementation);
}

function implement(method: DescMethod, handler: AnyHandler, options: ServiceOptions): grpc.UntypedHandleCall {
  if (method.methodKind === 'unary')
    return (call: grpc.ServerUnaryCall<Request, Response>, callback: grpc.sendUnaryData<Response>) => {
      void answer(method, handler, options, call, callback);
    };
  return (call: grpc.ServerWritableStream<Request, Response>) => {
    void stream(method, handler, options, call);
  };
}

async function answer(
  method: DescMethod,
  handler: AnyHandler,
  { defaultDeadlineMs, maxDeadlineMs, statusOf }: ServiceOptions,
  call: grpc.ServerUnaryCall<Request, Response>,
  callback: grpc.sendUnaryData<Response>,
): Promise<void> {
  const gone = new AbortController();
  const left = millisecondsLeft(call.getDeadline());
  const timer = setTimeout(() => gone.abort(), Math.min(left ?? defaultDeadlineMs, maxDeadlineMs));
  call.on('cancelled', () => gone.abort());
  try {
    const answered = handler(call.request, contextOf(call, gone.signal));
    if (!(answered instanceof Promise)) throw new Error(`${method.name} answers with one message`);
    callback(null, create(method.output, await beforeAborted(answered, gone.signal)));
  } catch (error) {
    callback(statusOf(error, method.name));
  } finally {
    clearTimeout(timer);
  }
}

/** The deadline of a call has passed, or its client is gone. */
export class CallEnded extends Error {
  override readonly name = 'CallEnded';
}

function beforeAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new CallEnded('the deadline has passed')), { once: true });
    work.then(resolve, reject);
  });
}

async function stream(
  method: DescMethod,
  handler: AnyHandler,
  { statusOf }: ServiceOptions,
  call: grpc.ServerWritableStream<Request, Response>,
): Promise<void> {
  const gone = new AbortController();
  call.on('cancelled', () => gone.abort());
  try {
    const items = handler(call.request, contextOf(call, gone.signal));
    if (items instanceof Promise) throw new Error(`${method.name} answers with a stream`);
    for await (const item of items) {
      if (gone.signal.aborted) break;
      await written(call, create(method.output, item), gone.signal);
    }
    call.end();
  } catch (error) {
    call.emit('error', statusOf(error, method.name));
  }
}

/** Until the message has left, so that a client that does not read costs one message and no more. */
function written(
  call: grpc.ServerWritableStream<Request, Response>,
  message: Response,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    call.write(message, done);
  });
}

function contextOf(
  call: grpc.ServerUnaryCall<Request, Response> | grpc.ServerWritableStream<Request, Response>,
  signal: AbortSignal,
): CallContext {
  const certificate = call.getAuthContext().sslPeerCertificate?.raw ?? null;
  return { metadata: call.metadata, certificate, signal };
}

/** Null: the client set no deadline. */
function millisecondsLeft(deadline: grpc.Deadline): number | null {
  const at = typeof deadline === 'number' ? deadline : deadline.getTime();
  return Number.isFinite(at) ? Math.max(0, at - Date.now()) : null;
}
