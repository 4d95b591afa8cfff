/**
 * A gRPC service from the generated description: handlers receive and return messages, those of streams send them.
 */
import {
  type MessageInitShape,
  type MessageShape,
  fromBinary,
  type DescMethod,
  create,
  toBinary,
} from '@bufbuild/protobuf';
import type { GenService, GenServiceMethods } from '@bufbuild/protobuf/codegenv2';
import {
  ServerInterceptingCall,
  status as statusCodes,
  type Metadata,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type * as grpc from '@grpc/grpc-js';
import type { RequestTrace } from '../contract/timings.js';
import type { Traces } from '../observability/tracer.js';
import {
  type CallContext,
  type CallOptions,
  type Encode,
  type IncomingCall,
  type StreamContext,
  type StreamHandler,
  type UnaryHandler,
  TooManyStreams,
  CallEnded,
  MalformedRequest,
  type Request,
  type ResponseInit,
} from './call-options.js';

type Handler<Method extends GenServiceMethods[string], Caller> = Method['methodKind'] extends 'unary'
  ? (
      request: MessageShape<Method['input']>,
      context: CallContext<Caller>,
    ) => Promise<MessageInitShape<Method['output']>>
  : (
      request: MessageShape<Method['input']>,
      context: StreamContext<Caller, MessageInitShape<Method['output']>>,
    ) => Promise<void>;

/** One handler for each method of the service; methods whose requests are streams are not served. */
export type ServiceHandlers<Service, Caller> =
  Service extends GenService<infer Methods extends GenServiceMethods>
    ? { readonly [Name in keyof Methods]: Handler<Methods[Name], Caller> }
    : never;

/** Encoders of methods whose responses are encoded often; the others use the description of the message. */
type Encoders<Methods extends GenServiceMethods> = {
  readonly [Name in keyof Methods]?: (init: MessageInitShape<Methods[Name]['output']>) => Buffer;
};

export interface ServiceOptions<Methods extends GenServiceMethods, Caller> extends CallOptions<Caller> {
  readonly encoders: Encoders<Methods>;
}

export interface TypedService<Methods extends GenServiceMethods, Caller> {
  /** Interceptor for the server. It does not affect calls of other services. */
  readonly interceptor: ServerInterceptor;
  readonly openStreams: number;
  addTo(server: grpc.Server, handlers: ServiceHandlers<GenService<Methods>, Caller>): void;
}

/** Creates a service whose handlers receive decoded messages of admitted callers. */
export function createTypedService<Methods extends GenServiceMethods, Caller>(
  service: GenService<Methods>,
  options: ServiceOptions<Methods, Caller>,
): TypedService<Methods, Caller> {
  const definition = bytesDefinition(service);
  const nameByPath = new Map(service.methods.map(({ name }) => [`/${service.typeName}/${name}`, name]));
  // The interceptor and the handler of a call receive the same metadata object.
  const callers = new WeakMap<Metadata, Caller>();
  // Of streams alone, for the expiry of their credentials.
  const streamCalls = new WeakMap<Metadata, IncomingCall>();
  const streams = createStreamCount(options.maxConnectionStreams);
  const unary = service.methods.filter(({ methodKind }) => methodKind === 'unary');
  const unaryNames = new Set(unary.map(({ name }) => name));
  let openStreams = 0;

  return {
    get openStreams() {
      return openStreams;
    },
    interceptor: ({ path }, call) => {
      const method = nameByPath.get(path);
      if (method === undefined) return new ServerInterceptingCall(call);
      const startedAt = performance.now();
      let party = 'unknown';
      let trace: RequestTrace | null = null;
      const isStream = !unaryNames.has(method);
      let leave: (() => void) | null = null;
      let hasFinished = false;
      const finished = (code: number): void => {
        if (hasFinished) return;
        hasFinished = true;
        leave?.();
        options.observe({
          kind: 'router-call-finished',
          method,
          code: statusCodes[code] ?? 'UNKNOWN',
          codeNumber: code,
          party,
          startedAt,
          durationSeconds: (performance.now() - startedAt) / 1000,
          isStream,
          trace,
        });
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
            // A client that disconnects receives no status.
            onCancel: () => finished(statusCodes.CANCELLED),
            // The message is not read before `pass` is called.
            onReceiveMetadata(metadata, pass) {
              trace = traceOf(options.traces, metadata);
              const certificate = call.getAuthContext().sslPeerCertificate?.raw ?? null;
              const incoming: IncomingCall = { metadata, certificate };
              const accept = (caller: Caller): void => {
                callers.set(metadata, caller);
                party = options.classOf(caller);
                if (isStream) {
                  // The client has gone meanwhile.
                  if (hasFinished) return;
                  leave = streams.enter(call.getPeer());
                  if (leave === null) {
                    refuse(options.statusOf(new TooManyStreams(streams.refusal), method));
                    return;
                  }
                  streamCalls.set(metadata, incoming);
                }
                pass(metadata);
              };
              const admitted = admit(options, incoming);
              if (!(admitted instanceof Promise)) accept(admitted);
              else admitted.then(accept, (error: unknown) => refuse(options.statusOf(error, method)));
            },
          });
        },
      });
    },
    addTo(server, handlers) {
      const callerOf = (metadata: Metadata): Caller => {
        const caller = callers.get(metadata);
        if (caller === undefined) throw new Error('a call was not admitted');
        return caller;
      };
      const validUntilOf = (metadata: Metadata): number => {
        const call = streamCalls.get(metadata);
        return call === undefined ? 0 : options.validUntil(call);
      };
      const countStream = (change: 1 | -1): void => void (openStreams += change);
      const implementation = implementationOf(service, handlers, options, {
        callerOf,
        validUntilOf,
        countStream,
      });
      server.addService(definition, implementation);
    },
  };
}

function implementationOf<Methods extends GenServiceMethods, Caller>(
  service: GenService<Methods>,
  handlers: ServiceHandlers<GenService<Methods>, Caller>,
  options: ServiceOptions<Methods, Caller>,
  shared: Pick<MethodParts<Caller>, 'callerOf' | 'validUntilOf' | 'countStream'>,
): grpc.UntypedServiceImplementation {
  const byName = new Map<string, unknown>(Object.entries(handlers));
  const encoders = new Map<string, unknown>(Object.entries(options.encoders));
  return Object.fromEntries(
    service.methods.map((method) => {
      const handler = byName.get(method.localName);
      const encode = (encoders.get(method.localName) as Encode | undefined) ?? encoderOf(method.output);
      const parts = { ...options, ...shared, method, encode };
      return [
        method.localName,
        method.methodKind === 'unary'
          ? serveUnary(parts, handler as UnaryHandler<Caller>)
          : serveStream(parts, handler as StreamHandler<Caller>),
      ];
    }),
  );
}

const traceOf = (traces: Traces | null, metadata: Metadata): RequestTrace | null =>
  traces === null
    ? null
    : traces.begin(metadataText(metadata, 'traceparent'), metadataText(metadata, 'tracestate'));

/** Undefined for a missing key; repeated values are joined as those of an HTTP header. */
function metadataText(metadata: Metadata, key: string): string | undefined {
  const values = metadata.get(key);
  return values.length === 0 ? undefined : values.join(',');
}

/** As `ServiceOptions.admit`, which rejects where that throws: a call is refused after grpc-js has started it. */
function admit<Caller>(
  options: Pick<CallOptions<Caller>, 'admit'>,
  call: IncomingCall,
): Caller | Promise<Caller> {
  try {
    return options.admit(call);
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Counts of the open streams of each connection. */
interface StreamCount {
  /**
   * Counts a stream. Returns a function that removes it from the count; null if the connection has as many as it may have.
   * @param peer address and port of the client, which identify an open connection
   */
  enter(peer: string): (() => void) | null;
  /** The text of a refusal. */
  readonly refusal: string;
}

/** @param limit open streams of one connection */
function createStreamCount(limit: number): StreamCount {
  const counts = new Map<string, number>();
  return {
    refusal: `at most ${String(limit)} open streams on a connection: open another one, or use SubscribeMailbox`,
    enter(peer) {
      const count = counts.get(peer) ?? 0;
      if (count >= limit) return null;
      counts.set(peer, count + 1);
      return () => {
        const left = (counts.get(peer) ?? 1) - 1;
        if (left === 0) counts.delete(peer);
        else counts.set(peer, left);
      };
    },
  };
}

// Serves the calls of one method: decodes the request, runs the handler, and encodes what it returns.

interface MethodParts<Caller> extends CallOptions<Caller> {
  readonly method: DescMethod;
  readonly encode: Encode;
  readonly callerOf: (metadata: Metadata) => Caller;
  readonly validUntilOf: (metadata: Metadata) => number;
  readonly countStream: (change: 1 | -1) => void;
}

/** Requests and responses are bytes here, see `bytesDefinition`. */
type UnaryCall = grpc.ServerUnaryCall<Buffer, Buffer>;
type StreamCall = grpc.ServerWritableStream<Buffer, Buffer>;

const serveUnary =
  <Caller>(parts: MethodParts<Caller>, handler: UnaryHandler<Caller>): grpc.UntypedHandleCall =>
  (call: UnaryCall, callback: grpc.sendUnaryData<Buffer>) =>
    respondUnary(parts, handler, call, callback);

const serveStream =
  <Caller>(parts: MethodParts<Caller>, handler: StreamHandler<Caller>): grpc.UntypedHandleCall =>
  (call: StreamCall) => {
    parts.countStream(1);
    void stream(parts, handler, call).finally(() => parts.countStream(-1));
  };

/** @throws MalformedRequest */
function decoded(method: DescMethod, bytes: Buffer): Request {
  try {
    return fromBinary(method.input, bytes);
  } catch (error) {
    throw new MalformedRequest(`the request is no ${method.input.name}`, { cause: error });
  }
}

/** Ends the call with the response of its handler, or earlier when its deadline passes or its client disconnects. */
function respondUnary<Caller>(
  { method, encode, callerOf, defaultDeadlineMs, maxDeadlineMs, statusOf }: MethodParts<Caller>,
  handler: UnaryHandler<Caller>,
  call: UnaryCall,
  callback: grpc.sendUnaryData<Buffer>,
): void {
  let finished = false;
  const respond = (response: Buffer): void => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    callback(null, response);
  };
  const fail = (error: unknown): void => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    callback(statusOf(error, method.name));
  };
  const end = (): void => fail(new CallEnded('the deadline has passed'));
  const left = millisecondsLeft(call.getDeadline());
  // grpc-js ends a call at the deadline that its client set.
  const timer =
    left !== null && left <= maxDeadlineMs
      ? undefined
      : setTimeout(end, left === null ? defaultDeadlineMs : maxDeadlineMs);
  // Emitted at the end of every call.
  call.on('cancelled', () => {
    if (!finished) end();
  });
  try {
    handler(decoded(method, call.request), { caller: callerOf(call.metadata) })
      .then((init) => respond(encode(init)))
      .catch(fail);
  } catch (error) {
    fail(error);
  }
}

/** A reason for signals: without one, each abort makes an exception with its stack. */
const CALL_ENDED = 'the call has ended';

async function stream<Caller>(
  { method, encode, callerOf, validUntilOf, statusOf }: MethodParts<Caller>,
  handler: StreamHandler<Caller>,
  call: StreamCall,
): Promise<void> {
  const gone = new AbortController();
  const { signal } = gone;
  let wake = (): void => undefined;
  call.on('cancelled', () => {
    gone.abort(CALL_ENDED);
    wake();
  });
  const send = (item: ResponseInit): Promise<void> => {
    if (signal.aborted) return Promise.resolve();
    const message = encode(item);
    return new Promise((resolve) => {
      wake = resolve;
      call.write(message, () => resolve());
    });
  };
  try {
    const { metadata } = call;
    const context = { caller: callerOf(metadata), validUntil: validUntilOf(metadata), signal, send };
    await handler(decoded(method, call.request), context);
    call.end();
  } catch (error) {
    call.emit('error', statusOf(error, method.name));
  }
}

/** Returns null if the client set no deadline. */
function millisecondsLeft(deadline: grpc.Deadline): number | null {
  const at = typeof deadline === 'number' ? deadline : deadline.getTime();
  return Number.isFinite(at) ? Math.max(0, at - Date.now()) : null;
}

// The methods of a generated service in the form of grpc-js.

/** Messages are encoded by protobuf-es. */
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
 * The same for a server that receives requests and sends responses as bytes. The service then refuses bytes that cannot be
 * decoded, which grpc-js would report as INTERNAL.
 */
const bytesDefinition = (service: GenService<GenServiceMethods>): grpc.ServiceDefinition =>
  Object.fromEntries(
    Object.entries(serviceDefinition(service)).map(([name, method]) => [
      name,
      {
        ...method,
        requestDeserialize: (bytes: Buffer) => bytes,
        responseSerialize: (bytes: Buffer) => bytes,
      },
    ]),
  );

const serializer =
  <Desc extends DescMethod['output']>(schema: Desc) =>
  (message: MessageShape<Desc>): Buffer => {
    const bytes = toBinary(schema, message);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };

/** Encodes messages of a description from their fields. */
function encoderOf<Desc extends DescMethod['output']>(
  schema: Desc,
): (init: MessageInitShape<Desc>) => Buffer {
  const serialize = serializer(schema);
  return (init) => serialize(create(schema, init));
}
