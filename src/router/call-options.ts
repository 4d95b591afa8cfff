/** Calls of a service: what a handler receives, and what every call of a service has in common. */
import type { DescMethod, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Metadata } from '@grpc/grpc-js';
import type * as grpc from '@grpc/grpc-js';
import type { Observe } from '../observability/observation.js';
import type { Traces } from '../observability/tracer.js';

/** The context of a call, beside its request. */
export interface CallContext<Caller> {
  /** The client that makes the call, as `ServiceOptions.admit` identified it. */
  readonly caller: Caller;
}

export interface StreamContext<Caller, Item> extends CallContext<Caller> {
  /** Aborted when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal;
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

export type Request = MessageShape<DescMethod['input']>;
export type ResponseInit = MessageInitShape<DescMethod['output']>;

export type UnaryHandler<Caller> = (request: Request, context: CallContext<Caller>) => Promise<ResponseInit>;

/** Resolves when the stream has ended. */
export type StreamHandler<Caller> = (
  request: Request,
  context: StreamContext<Caller, ResponseInit>,
) => Promise<void>;

/** Encodes a response. */
export type Encode = (init: ResponseInit) => Buffer;

export interface CallOptions<Caller> {
  /** Deadline of unary calls without one, and the longest deadline of others, in milliseconds. */
  readonly defaultDeadlineMs: number;
  readonly maxDeadlineMs: number;
  /** Identifies the client of a call before its message is read. An error ends the call with `statusOf`. */
  readonly admit: (call: IncomingCall) => Caller | Promise<Caller>;
  /** When the credential of an admitted call expires, in milliseconds since the epoch. */
  readonly validUntil: (call: IncomingCall) => number;
  /** Most open streams of one connection, so that it has room for other calls. */
  readonly maxConnectionStreams: number;
  /** Returns the status for an error. */
  readonly statusOf: (error: unknown, method: string) => grpc.StatusObject;
  /** Receives an observation when a call has its status. */
  readonly observe: Observe;
  /** The class of a client in observations. */
  readonly classOf: (caller: Caller) => string;
  /** Null while traces are switched off. */
  readonly traces: Traces | null;
}

/** Calls that end without the response of their handler. */

/** The bytes of a request cannot be decoded as its message. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

/** The connection of a call has as many open streams as it may have. */
export class TooManyStreams extends Error {
  override readonly name = 'TooManyStreams';
}

/** The deadline of a call has passed, or its client has disconnected. */
export class CallEnded extends Error {
  override readonly name = 'CallEnded';
}
