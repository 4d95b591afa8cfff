/** router.v1 on grpc-js: handlers receive and return messages of admitted parties, those of streams send them. */
import { Departure, type Gone } from '../base/gone.js';
import {
  create,
  fromBinary,
  toBinary,
  ScalarType,
  type DescField,
  type DescMessage,
  type DescMethod,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import type { GenService, GenServiceMethods } from '@bufbuild/protobuf/codegenv2';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import {
  Metadata,
  ServerInterceptingCall,
  status as statusCodes,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type * as grpc from '@grpc/grpc-js';
import { RouterService } from '../../generated/proto/router/v1/router_pb.js';
import type { RequestTrace } from '../contract/timings.js';
import type { Observe } from '../observability/observation.js';
import type { Traces } from '../observability/tracer.js';
import { createOpenCount } from '../operations/limits.js';
import type { PartyIdentity } from '../signing/router-port.js';
import { DEFAULT_DEADLINE_MS, MAX_CONNECTION_STREAMS, MAX_DEADLINE_MS, MAX_FIELDS } from './limits.js';
import { Refused } from './refusal.js';

export interface StreamContext<Item> {
  readonly party: PartyIdentity;
  /** Aborted when the client disconnects or the deadline passes. */
  readonly signal: Gone;
  /** When the credential of the client expires, in milliseconds since the epoch. */
  readonly validUntil: number;
  readonly send: Send<Item>;
}

/**
 * Sends one message of a stream. Resolves when the transport has taken it, so that a client that does not read occupies memory
 * for one message, or when the call has ended.
 */
export type Send<Item> = (item: Item) => Promise<void>;

/** A call before any byte of its message is read. */
export interface IncomingCall {
  readonly metadata: Metadata;
  /**
   * The client's certificate in DER, the same object for all calls of a connection; null if it has none that the
   * authority issued.
   */
  readonly certificate: Buffer | null;
}

type Handler<Method extends GenServiceMethods[string]> = Method['methodKind'] extends 'unary'
  ? (
      request: MessageShape<Method['input']>,
      party: PartyIdentity,
    ) => Promise<MessageInitShape<Method['output']>>
  : (
      request: MessageShape<Method['input']>,
      context: StreamContext<MessageInitShape<Method['output']>>,
    ) => Promise<void>;

type Methods = typeof RouterService.method;

/** One handler for each method; that of a stream resolves when the stream has ended. */
export type RouterHandlers = { readonly [Name in keyof Methods]: Handler<Methods[Name]> };

type Request = MessageShape<DescMethod['input']>;
type ResponseInit = MessageInitShape<DescMethod['output']>;
type UnaryHandler = (request: Request, party: PartyIdentity) => Promise<ResponseInit>;
type StreamHandler = (request: Request, context: StreamContext<ResponseInit>) => Promise<void>;

export interface ServiceOptions {
  /** Identifies the party of a call before its message is read. An error ends the call with `statusOf`. */
  readonly admit: (call: IncomingCall) => Promise<PartyIdentity>;
  /** When the credential of an admitted call expires, in milliseconds since the epoch. */
  readonly validUntil: (call: IncomingCall) => number;
  /** Returns the status for an error. */
  readonly statusOf: (error: unknown, method: string) => grpc.StatusObject;
  /** Receives an observation when a call has its status. */
  readonly observe: Observe;
  /** Null while traces are switched off. */
  readonly traces: Traces | null;
}

interface TypedService {
  /** Interceptor for the server. It admits no calls of other services. */
  readonly interceptor: ServerInterceptor;
  readonly openStreams: number;
  /** Ends the calls of other services (health, reflection): their streams last as long as their clients. */
  endOthers(): void;
  addTo(server: grpc.Server, handlers: RouterHandlers): void;
}

interface AdmittedCall {
  readonly incoming: IncomingCall;
  readonly party: PartyIdentity;
}

const UNARY: ReadonlySet<string> = new Set(
  RouterService.methods.filter(({ methodKind }) => methodKind === 'unary').map(({ name }) => name),
);
const NAME_BY_PATH: ReadonlyMap<string, string> = new Map(
  RouterService.methods.map(({ name }) => [`/${RouterService.typeName}/${name}`, name]),
);

const tooManyStreams = (): Refused =>
  new Refused(
    'too-many-streams',
    `at most ${String(MAX_CONNECTION_STREAMS)} open streams on a connection: open another one, or use SubscribeMailbox`,
  );

export function createTypedService(options: ServiceOptions): TypedService {
  // The interceptor and the handler of a call receive the same metadata object.
  const admitted = new WeakMap<Metadata, AdmittedCall>();
  const streamsOfConnection = createOpenCount(MAX_CONNECTION_STREAMS);
  const others = new Set<ServerInterceptingCallInterface>();
  let openStreams = 0;

  function other(call: ServerInterceptingCallInterface): ServerInterceptingCall {
    others.add(call);
    return new ServerInterceptingCall(call, {
      // Called at the end of every call.
      start: (next) => next({ onCancel: () => void others.delete(call) }),
    });
  }

  return {
    get openStreams() {
      return openStreams;
    },
    endOthers() {
      const details = 'the router is stopping: try another one';
      for (const call of others)
        call.sendStatus({ code: statusCodes.UNAVAILABLE, details, metadata: new Metadata() });
    },
    interceptor: ({ path }, call) => {
      const method = NAME_BY_PATH.get(path);
      if (method === undefined) return other(call);
      const startedAt = performance.now();
      const isStream = !UNARY.has(method);
      let party = 'unknown';
      let trace: RequestTrace | null = null;
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
      const refuse = (error: unknown): void => {
        const status = options.statusOf(error, method);
        finished(status.code);
        call.sendStatus(status);
      };
      const admit = async (metadata: Metadata): Promise<void> => {
        const certificate = call.getAuthContext().sslPeerCertificate?.raw ?? null;
        const incoming: IncomingCall = { metadata, certificate };
        const identity = await options.admit(incoming);
        admitted.set(metadata, { incoming, party: identity });
        party = identity.role;
        // The client may have gone meanwhile.
        if (!isStream || hasFinished) return;
        leave = streamsOfConnection.enter(call.getPeer());
        if (leave === null) throw tooManyStreams();
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
              admit(metadata).then(() => {
                if (!isStream || !hasFinished) pass(metadata);
              }, refuse);
            },
          });
        },
      });
    },
    addTo(server, handlers) {
      const callOf = (metadata: Metadata): AdmittedCall => {
        const call = admitted.get(metadata);
        if (call === undefined) throw new Error('a call was not admitted');
        return call;
      };
      const byName = new Map<string, unknown>(Object.entries(handlers));
      const implementation = RouterService.methods.map((method): [string, grpc.UntypedHandleCall] => {
        const parts: MethodParts = { ...options, method, callOf };
        const handler = byName.get(method.localName);
        if (UNARY.has(method.name)) return [method.localName, unaryCall(parts, handler as UnaryHandler)];
        const serve = streamCall(parts, handler as StreamHandler);
        return [
          method.localName,
          (call: StreamCall) => {
            openStreams += 1;
            void serve(call).finally(() => (openStreams -= 1));
          },
        ];
      });
      server.addService(BYTES_DEFINITION, Object.fromEntries(implementation));
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

// Serves the calls of one method: decodes the request, runs the handler, and encodes what it returns.

interface MethodParts extends Pick<ServiceOptions, 'validUntil' | 'statusOf'> {
  readonly method: DescMethod;
  readonly callOf: (metadata: Metadata) => AdmittedCall;
}

/** Requests and responses are bytes here, see `BYTES_DEFINITION`. */
type UnaryCall = grpc.ServerUnaryCall<Buffer, Buffer>;
type StreamCall = grpc.ServerWritableStream<Buffer, Buffer>;

/** @throws Refused INVALID_ARGUMENT for bytes that cannot be decoded as the message of the method */
function decoded({ input }: DescMethod, bytes: Buffer): Request {
  let left: number;
  try {
    left = fieldsLeft(input, bytes, MAX_FIELDS);
    if (left >= 0) return fromBinary(input, bytes, { readUnknownFields: false });
  } catch {
    throw new Refused('invalid-argument', `the request is no ${input.name}`);
  }
  throw new Refused('invalid-argument', `the request has more than ${String(MAX_FIELDS)} fields`);
}

/** The messages have neither fields of a fixed width nor lists of numbers. */
const wireTypeOf = ({ message, scalar }: DescField): WireType =>
  message !== undefined || scalar === ScalarType.STRING || scalar === ScalarType.BYTES
    ? WireType.LengthDelimited
    : WireType.Varint;

/**
 * Counts the fields of a message with those of the messages within: each may become an object, and the whole is decoded in
 * one turn of the event loop.
 * @returns how many of `most` are left; less than 0 once there are more
 * @throws Error for bytes that are not message, for a field of another type, and for a group, which proto3 does not have
 */
function fieldsLeft({ fields }: DescMessage, bytes: Uint8Array, most: number): number {
  const reader = new BinaryReader(bytes);
  let left = most;
  while (reader.pos < reader.len && left >= 0) {
    left -= 1;
    const [number, type] = reader.tag();
    const field = fields.find((one) => one.number === number);
    // The decoder reads a field by its descriptor, whatever the type that the bytes have.
    if (type === WireType.StartGroup || (field !== undefined && type !== wireTypeOf(field)))
      throw new Error('the message has a field of another type');
    if (field?.message === undefined) reader.skip(type, number);
    else left = fieldsLeft(field.message, reader.bytes(), left);
  }
  return left;
}

const encoded = ({ output }: DescMethod, init: ResponseInit): Buffer =>
  bufferOf(toBinary(output, create(output, init)));

/** The same bytes. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Ends a call with the response of its handler, or earlier when its deadline passes or its client disconnects. */
const unaryCall =
  ({ method, callOf, statusOf }: MethodParts, handler: UnaryHandler) =>
  (call: UnaryCall, callback: grpc.sendUnaryData<Buffer>): void => {
    let finished = false;
    const finish = (respond: () => void): void => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      respond();
    };
    const fail = (error: unknown): void => finish(() => callback(statusOf(error, method.name)));
    const end = (): void => fail(new Refused('deadline-passed', 'the deadline has passed'));
    const left = millisecondsLeft(call.getDeadline());
    // grpc-js ends a call at the deadline that its client set.
    const timer =
      left !== null && left <= MAX_DEADLINE_MS
        ? undefined
        : setTimeout(end, left === null ? DEFAULT_DEADLINE_MS : MAX_DEADLINE_MS);
    // Emitted at the end of every call.
    call.on('cancelled', end);
    const respond = async (): Promise<void> => {
      const response = await handler(decoded(method, call.request), callOf(call.metadata).party);
      const bytes = encoded(method, response);
      finish(() => callback(null, bytes));
    };
    respond().catch(fail);
  };

const streamCall =
  ({ method, callOf, validUntil, statusOf }: MethodParts, handler: StreamHandler) =>
  async (call: StreamCall): Promise<void> => {
    const signal = new Departure();
    let wake = (): void => undefined;
    call.on('cancelled', () => {
      signal.abort();
      wake();
    });
    const send = (item: ResponseInit): Promise<void> => {
      if (signal.aborted) return Promise.resolve();
      const message = encoded(method, item);
      return new Promise((resolve) => {
        wake = resolve;
        call.write(message, () => resolve());
      });
    };
    try {
      const { incoming, party } = callOf(call.metadata);
      const request = decoded(method, call.request);
      await handler(request, { party, validUntil: validUntil(incoming), signal, send });
      call.end();
    } catch (error) {
      call.emit('error', statusOf(error, method.name));
    }
  };

/** Returns null if the client set no deadline. */
function millisecondsLeft(deadline: grpc.Deadline): number | null {
  const at = typeof deadline === 'number' ? deadline : deadline.getTime();
  return Number.isFinite(at) ? Math.max(0, at - Date.now()) : null;
}

// The methods of a generated service in the form of grpc-js.

/** Messages are encoded by protobuf-es. */
export const serviceDefinition = (service: GenService<GenServiceMethods>): grpc.ServiceDefinition =>
  Object.fromEntries(
    service.methods.map((method) => [
      method.localName,
      {
        path: `/${service.typeName}/${method.name}`,
        requestStream: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
        responseStream: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
        requestSerialize: (message: Request) => bufferOf(toBinary(method.input, message)),
        requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
        responseSerialize: (message: Request) => bufferOf(toBinary(method.output, message)),
        responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
      },
    ]),
  );

/**
 * The same for a server that receives requests and sends responses as bytes. The service then refuses bytes that cannot be
 * decoded, which grpc-js would report as INTERNAL.
 */
const BYTES_DEFINITION: grpc.ServiceDefinition = Object.fromEntries(
  Object.entries(serviceDefinition(RouterService)).map(([name, method]) => [
    name,
    {
      ...method,
      requestDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: (bytes: Buffer) => bytes,
    },
  ]),
);
