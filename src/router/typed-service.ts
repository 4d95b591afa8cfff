/**
 * A gRPC service from the generated description: handlers receive and return messages, streams are async generators.
 */
import {
  create,
  fromBinary,
  type DescMethod,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import type { GenService, GenServiceMethods } from '@bufbuild/protobuf/codegenv2';
import {
  ServerInterceptingCall,
  status as statusCodes,
  type Metadata,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type * as grpc from '@grpc/grpc-js';
import type { Observe } from '../observability/observation.js';
import type { RequestTrace } from '../observability/span.js';
import type { Traces } from '../observability/tracer.js';
import { bytesDefinition } from './service-definition.js';

/** The context of a call, beside its request. */
export interface CallContext<Caller> {
  /** The client that makes the call, as `ServiceOptions.admit` identified it. */
  readonly caller: Caller;
}

export interface StreamContext<Caller> extends CallContext<Caller> {
  /** Aborted when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal;
}

/** A call before any byte of its message is read. */
export interface IncomingCall {
  readonly metadata: Metadata;
  /**
   * The client's certificate in DER, the same object for all calls of a connection; null if it has none that the
   * authority issued.
   */
  readonly certificate: Buffer | null;
}

type Handler<Method extends GenServiceMethods[string], Caller> = Method['methodKind'] extends 'unary'
  ? (
      request: MessageShape<Method['input']>,
      context: CallContext<Caller>,
    ) => Promise<MessageInitShape<Method['output']>>
  : (
      request: MessageShape<Method['input']>,
      context: StreamContext<Caller>,
    ) => AsyncIterable<MessageInitShape<Method['output']>>;

/** One handler for each method of the service; methods whose requests are streams are not served. */
export type ServiceHandlers<Service, Caller> =
  Service extends GenService<infer Methods extends GenServiceMethods>
    ? { readonly [Name in keyof Methods]: Handler<Methods[Name], Caller> }
    : never;

type Request = MessageShape<DescMethod['input']>;
type Response = MessageShape<DescMethod['output']>;
type ResponseInit = MessageInitShape<DescMethod['output']>;

/** A handler of either kind; the method determines the kind. */
type AnyHandler<Caller> = (
  request: Request,
  context: StreamContext<Caller> | CallContext<Caller>,
) => Promise<ResponseInit> | AsyncIterable<ResponseInit>;

export interface ServiceOptions<Caller> {
  /** Deadline of unary calls without one, and the longest deadline of others, in milliseconds. */
  readonly defaultDeadlineMs: number;
  readonly maxDeadlineMs: number;
  /** Identifies the client of a call before its message is read. An error ends the call with `statusOf`. */
  readonly admit: (call: IncomingCall) => Promise<Caller>;
  /** Returns the status for an error. */
  readonly statusOf: (error: unknown, method: string) => grpc.StatusObject;
  /** Receives an observation when a call has its status. */
  readonly observe: Observe;
  /** The class of a client in observations. */
  readonly classOf: (caller: Caller) => string;
  /** Null while traces are switched off. */
  readonly traces: Traces | null;
}

/** The bytes of a request cannot be decoded as its message. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
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
  options: ServiceOptions<Caller>,
): TypedService<Methods, Caller> {
  const definition = bytesDefinition(service);
  const methodNames = new Map(service.methods.map(({ localName, name }) => [localName, name]));
  const nameByPath = new Map(
    Object.entries(definition).map(([localName, { path }]) => [path, methodNames.get(localName) ?? path]),
  );
  // The interceptor and the handler of a call receive the same metadata object.
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
      const startedAt = performance.now();
      let party = 'unknown';
      let trace: RequestTrace | null = null;
      let hasFinished = false;
      const finished = (code: number): void => {
        if (hasFinished) return;
        hasFinished = true;
        options.observe({
          kind: 'router-call-finished',
          method,
          code: statusCodes[code] ?? 'UNKNOWN',
          codeNumber: code,
          party,
          startedAt,
          durationSeconds: (performance.now() - startedAt) / 1000,
          isStream: streams.has(method),
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
              options.admit({ metadata, certificate }).then(
                (caller) => {
                  callers.set(metadata, caller);
                  party = options.classOf(caller);
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

const traceOf = (traces: Traces | null, metadata: Metadata): RequestTrace | null =>
  traces === null
    ? null
    : traces.begin(metadataText(metadata, 'traceparent'), metadataText(metadata, 'tracestate'));

/** Undefined for a missing key; repeated values are joined as those of an HTTP header. */
function metadataText(metadata: Metadata, key: string): string | undefined {
  const values = metadata.get(key);
  return values.length === 0 ? undefined : values.join(',');
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
    return (call: UnaryCall, callback: grpc.sendUnaryData<Response>) => respondUnary(parts, call, callback);
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

/** Ends the call with the response of its handler, or earlier when its deadline passes or its client disconnects. */
function respondUnary<Caller>(
  { method, handler, callerOf, defaultDeadlineMs, maxDeadlineMs, statusOf }: MethodParts<Caller>,
  call: UnaryCall,
  callback: grpc.sendUnaryData<Response>,
): void {
  let finished = false;
  const respond = (response: Response): void => {
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
    const answered = handler(decoded(method, call.request), { caller: callerOf(call.metadata) });
    if (!(answered instanceof Promise)) throw new Error(`${method.name} answers with one message`);
    answered.then((init) => respond(create(method.output, init))).catch(fail);
  } catch (error) {
    fail(error);
  }
}

/** A reason for signals: without one, each abort makes an exception with its stack. */
const CALL_ENDED = 'the call has ended';

/** The deadline of a call has passed, or its client has disconnected. */
export class CallEnded extends Error {
  override readonly name = 'CallEnded';
}

async function stream<Caller>(
  { method, handler, callerOf, statusOf }: MethodParts<Caller>,
  call: StreamCall,
): Promise<void> {
  const gone = new AbortController();
  const { signal } = gone;
  let wake = (): void => undefined;
  call.on('cancelled', () => {
    gone.abort(CALL_ENDED);
    wake();
  });
  // Waits until the message has been sent, so that a client that does not read occupies memory for one message.
  const written = (message: Response): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      call.write(message, () => resolve());
    });
  try {
    const items = handler(decoded(method, call.request), { caller: callerOf(call.metadata), signal });
    if (items instanceof Promise) throw new Error(`${method.name} answers with a stream`);
    for await (const item of items) {
      if (signal.aborted) break;
      await written(create(method.output, item));
    }
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
