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
import { ServerInterceptingCall, type Metadata, type ServerInterceptor } from '@grpc/grpc-js';
import type * as grpc from '@grpc/grpc-js';

/** What a handler knows of its call, besides the request. */
export interface CallContext<Caller> {
  /** Who makes the call, as `ServiceOptions.admit` has found. */
  readonly caller: Caller;
  /** Aborted when the client is gone, the deadline has passed or the service stops. */
  readonly signal: AbortSignal;
}

/** What is known of a call before any byte of its message is read. */
export interface IncomingCall {
  readonly metadata: Metadata;
  /** The client's certificate in DER; null where it showed none that the authority vouches for. */
  readonly certificate: Buffer | null;
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

/** The methods in the form of grpc-js; messages are encoded by protobuf-es. */
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

/**
 * The same for a server that gets its requests as bytes: what cannot be decoded is then refused by the service, while
 * grpc-js would call it INTERNAL.
 */
const bytesDefinition = (service: GenService<GenServiceMethods>): grpc.ServiceDefinition =>
  Object.fromEntries(
    Object.entries(serviceDefinition(service)).map(([name, method]) => [
      name,
      { ...method, requestDeserialize: (bytes: Buffer) => bytes },
    ]),
  );

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
type AnyHandler<Caller> = (
  request: Request,
  context: CallContext<Caller>,
) => Promise<Answer> | AsyncIterable<Answer>;

export interface ServiceOptions<Caller> {
  /** Of unary calls: for those without a deadline, and the most that others get. In milliseconds. */
  readonly defaultDeadlineMs: number;
  readonly maxDeadlineMs: number;
  /** Finds who makes a call, before its message is read. What it throws ends the call with `statusOf`. */
  readonly admit: (call: IncomingCall) => Promise<Caller>;
  /** The status that a client gets for an error. */
  readonly statusOf: (error: unknown, method: string) => grpc.StatusObject;
  /** Called when a call with one answer has got its status. */
  readonly onCallFinished: (method: string, code: number, durationSeconds: number) => void;
}

/** The bytes of a request are no message of its method. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

export interface TypedService<Methods extends GenServiceMethods, Caller> {
  /** To be given to the server; it leaves calls of other services alone. */
  readonly interceptor: ServerInterceptor;
  readonly openStreams: number;
  addTo(server: grpc.Server, handlers: ServiceHandlers<GenService<Methods>, CallContext<Caller>>): void;
}

/** A service whose handlers get decoded messages of callers that were admitted. */
export function createTypedService<Methods extends GenServiceMethods, Caller>(
  service: GenService<Methods>,
  options: ServiceOptions<Caller>,
): TypedService<Methods, Caller> {
  const definition = bytesDefinition(service);
  const methodNames = new Map(service.methods.map(({ localName, name }) => [localName, name]));
  const nameByPath = new Map(
    Object.entries(definition).map(([localName, { path }]) => [path, methodNames.get(localName) ?? path]),
  );
  // The interceptor and the handler of a call are given the same metadata.
  const callers = new WeakMap<Metadata, Caller>();
  const streams = new Set(
    service.methods.flatMap(({ methodKind, name }) => (methodKind === 'unary' ? [] : [name])),
  );
  let openStreams = 0;

  return {
    get openStreams() {
      return openStreams;
    },
    interceptor: ({ path }, call) => {
      const method = nameByPath.get(path);
      if (method === undefined) return new ServerInterceptingCall(call);
      const started = performance.now();
      const finished = (code: number): void => {
        if (!streams.has(method)) options.onCallFinished(method, code, (performance.now() - started) / 1000);
      };
      const refuse = (status: grpc.StatusObject): void => {
        finished(status.code);
        call.sendStatus(status);
      };
      return new ServerInterceptingCall(call, {
        sendStatus(status, next) {
          finished(status.code ?? 0);
          next(status);
        },
        start(next) {
          next({
            // Until `pass` is called nothing of the message is read.
            onReceiveMetadata(metadata, pass) {
              const certificate = call.getAuthContext().sslPeerCertificate?.raw ?? null;
              options.admit({ metadata, certificate }).then(
                (caller) => {
                  callers.set(metadata, caller);
                  pass(metadata);
                },
                (error: unknown) => refuse(options.statusOf(error, method)),
              );
            },
          });
        },
      });
    },
    addTo(server, handlers) {
      const byName = new Map<string, unknown>(Object.entries(handlers));
      const callerOf = (metadata: Metadata): Caller => {
        const caller = callers.get(metadata);
        if (caller === undefined) throw new Error('a call was not admitted');
        return caller;
      };
      const countStream = (change: 1 | -1): void => void (openStreams += change);
      const implementation = Object.fromEntries(
        service.methods.map((method) => {
          const handler = byName.get(method.localName) as AnyHandler<Caller>;
          return [method.localName, implement({ ...options, method, handler, callerOf, countStream })];
        }),
      );
      server.addService(definition, implementation);
    },
  };
}

interface MethodParts<Caller> extends ServiceOptions<Caller> {
  readonly method: DescMethod;
  readonly handler: AnyHandler<Caller>;
  readonly callerOf: (metadata: Metadata) => Caller;
  readonly countStream: (change: 1 | -1) => void;
}

/** Requests are bytes here, see `bytesDefinition`. */
type UnaryCall = grpc.ServerUnaryCall<Buffer, Response>;
type StreamCall = grpc.ServerWritableStream<Buffer, Response>;

function implement<Caller>(parts: MethodParts<Caller>): grpc.UntypedHandleCall {
  if (parts.method.methodKind === 'unary')
    return (call: UnaryCall, callback: grpc.sendUnaryData<Response>) => {
      void answer(parts, call, callback);
    };
  return (call: StreamCall) => {
    parts.countStream(1);
    void stream(parts, call).finally(() => parts.countStream(-1));
  };
}

/** @throws MalformedRequest */
function decoded(method: DescMethod, bytes: Buffer): Request {
  try {
    return fromBinary(method.input, bytes);
  } catch (error) {
    throw new MalformedRequest(`the request is no ${method.input.name}`, { cause: error });
  }
}

async function answer<Caller>(
  { method, handler, callerOf, defaultDeadlineMs, maxDeadlineMs, statusOf }: MethodParts<Caller>,
  call: UnaryCall,
  callback: grpc.sendUnaryData<Response>,
): Promise<void> {
  const gone = new AbortController();
  let finished = false;
  const end = (): void => {
    if (!finished) gone.abort(CALL_ENDED);
  };
  const left = millisecondsLeft(call.getDeadline());
  const timer = setTimeout(end, Math.min(left ?? defaultDeadlineMs, maxDeadlineMs));
  // Emitted at the end of every call.
  call.on('cancelled', end);
  try {
    const context = { caller: callerOf(call.metadata), signal: gone.signal };
    const answered = handler(decoded(method, call.request), context);
    if (!(answered instanceof Promise)) throw new Error(`${method.name} answers with one message`);
    callback(null, create(method.output, await beforeAborted(answered, gone.signal)));
  } catch (error) {
    callback(statusOf(error, method.name));
  } finally {
    finished = true;
    clearTimeout(timer);
  }
}

/** A reason for signals: without one, each abort makes an exception with its stack. */
const CALL_ENDED = 'the call has ended';

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

async function stream<Caller>(
  { method, handler, callerOf, statusOf }: MethodParts<Caller>,
  call: StreamCall,
): Promise<void> {
  const gone = new AbortController();
  call.on('cancelled', () => gone.abort(CALL_ENDED));
  try {
    const context = { caller: callerOf(call.metadata), signal: gone.signal };
    const items = handler(decoded(method, call.request), context);
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
function written(call: StreamCall, message: Response, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    call.write(message, done);
  });
}

/** Null: the client set no deadline. */
function millisecondsLeft(deadline: grpc.Deadline): number | null {
  const at = typeof deadline === 'number' ? deadline : deadline.getTime();
  return Number.isFinite(at) ? Math.max(0, at - Date.now()) : null;
}
