/** Serves the calls of one method: decodes the request, runs the handler, and encodes what it returns. */
import { fromBinary, type DescMethod } from '@bufbuild/protobuf';
import type { Metadata } from '@grpc/grpc-js';
import type * as grpc from '@grpc/grpc-js';
import { CallEnded, MalformedRequest } from './call-errors.js';
import type {
  CallOptions,
  Encode,
  Request,
  ResponseInit,
  StreamHandler,
  UnaryHandler,
} from './call-options.js';

export interface MethodParts<Caller> extends CallOptions<Caller> {
  readonly method: DescMethod;
  readonly encode: Encode;
  readonly callerOf: (metadata: Metadata) => Caller;
  readonly validUntilOf: (metadata: Metadata) => number;
  readonly countStream: (change: 1 | -1) => void;
}

/** Requests and responses are bytes here, see `bytesDefinition`. */
type UnaryCall = grpc.ServerUnaryCall<Buffer, Buffer>;
type StreamCall = grpc.ServerWritableStream<Buffer, Buffer>;

export const serveUnary =
  <Caller>(parts: MethodParts<Caller>, handler: UnaryHandler<Caller>): grpc.UntypedHandleCall =>
  (call: UnaryCall, callback: grpc.sendUnaryData<Buffer>) =>
    respondUnary(parts, handler, call, callback);

export const serveStream =
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
