/**
 * The connections of one port: bounded in all and for each address. The requests of a connection are answered one after
 * another: a pipelined request starts when the answer before it is written out, so that a client that does not read its
 * answers holds nothing but its connection.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './address-key.js';
import { probeHalfClosed } from './half-closed.js';

export interface ConnectionLimits {
  /** Most open connections. */
  readonly all: number;
  /** Most open connections of one address; of IPv6 addresses the first 64 bits count. 0 for any number. */
  readonly perAddress: number;
}

/** Why a connection was closed without a whole answer. */
export type Refusal =
  | 'too many connections'
  | 'too many connections of one address'
  | 'too many pipelined requests'
  | 'answer not read';

export interface Connection {
  readonly socket: Socket;
  /** Key of the count by address; null on a Unix socket. */
  readonly address: string | null;
  /** The answer that is being made; null while the connection is idle. */
  current: ServerResponse | null;
  /** Pipelined requests, in order. */
  readonly waiting: Waiting[];
  /** What the pipelined requests take, in bytes. */
  waitingBytes: number;
  /** Bytes that are sent after the last answer, before the connection is closed. */
  farewell: string | null;
  /** True when no further request is taken. */
  ending: boolean;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bytes: number;
}

export interface Connections {
  /** Whether the connection may be kept; one that may not is destroyed. */
  add(socket: Socket): boolean;
  /** Starts the request, now or when those before it are answered. */
  take(request: IncomingMessage, response: ServerResponse): void;
  find(socket: unknown): Connection | undefined;
  /** Closes the connection when all its requests are answered. @param farewell bytes to send before */
  finish(connection: Connection, farewell: string | null): void;
  /** From now on answers are the last of their connections, and say so (RFC 9112 §9.6). */
  stop(): void;
  /** Closes the connections that wait for no answer. */
  endIdle(): void;
  readonly size: number;
  /** How many connections were accepted so far, refused ones included. */
  readonly accepted: number;
}

/** Memory that a pipelined request takes beside its head, in bytes. */
const REQUEST_BYTES = 2048;
/** Most bytes of pipelined requests of one connection. Reading stops at the first; what the socket had read comes still. */
const MOST_WAITING_BYTES = 8_388_608;
/** Most bytes of the pipelined requests of all connections. */
const MOST_WAITING_BYTES_OF_ALL = 67_108_864;

export function createConnections(
  handle: RequestListener,
  limits: ConnectionLimits,
  onRefused: (refusal: Refusal) => void,
): Connections {
  const connections = new Map<unknown, Connection>();
  const byAddress = new Map<string, number>();
  let waitingBytes = 0;
  let stopping = false;
  let accepted = 0;

  function add(socket: Socket): boolean {
    accepted += 1;
    const address = addressKey(socket.remoteAddress);
    const refusal = refusalOf(address);
    if (refusal !== null) {
      onRefused(refusal);
      socket.destroy();
      return false;
    }
    const connection: Connection = {
      socket,
      address,
      current: null,
      waiting: [],
      waitingBytes: 0,
      farewell: null,
      ending: false,
    };
    connections.set(socket, connection);
    if (address !== null) byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
    socket.once('close', () => remove(connection));
    socket.once('end', () => probeHalfClosed(connection));
    // Node resumes reading after each answer: requests that are waiting come first.
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause();
    });
    return true;
  }

  function refusalOf(address: string | null): Refusal | null {
    if (connections.size >= limits.all) return 'too many connections';
    if (address === null || limits.perAddress === 0) return null;
    return (byAddress.get(address) ?? 0) >= limits.perAddress ? 'too many connections of one address' : null;
  }

  function remove(connection: Connection): void {
    connections.delete(connection.socket);
    dropWaiting(connection);
    const { address } = connection;
    if (address === null) return;
    const others = (byAddress.get(address) ?? 1) - 1;
    if (others === 0) byAddress.delete(address);
    else byAddress.set(address, others);
  }

  function dropWaiting(connection: Connection): void {
    waitingBytes -= connection.waitingBytes;
    connection.waitingBytes = 0;
    connection.waiting.length = 0;
  }

  function wait(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const bytes = REQUEST_BYTES + headLength(request);
    connection.waiting.push({ request, response, bytes });
    connection.waitingBytes += bytes;
    waitingBytes += bytes;
    if (connection.waitingBytes > MOST_WAITING_BYTES || waitingBytes > MOST_WAITING_BYTES_OF_ALL) {
      onRefused('too many pipelined requests');
      connection.ending = true;
      connection.socket.destroy();
    } else if (connection.waiting.length === 1) connection.socket.pause();
  }

  function begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.current = response;
    if (stopping && connection.waiting.length === 0) lastAnswer(connection, response);
    handle(request, response);
    response.on('close', () => answered(connection));
  }

  function answered(connection: Connection): void {
    connection.current = null;
    if (connection.socket.destroyed) return dropWaiting(connection);
    const next = connection.waiting.shift();
    if (next !== undefined) {
      connection.waitingBytes -= next.bytes;
      waitingBytes -= next.bytes;
      if (connection.waiting.length === 0) connection.socket.resume();
      begin(connection, next.request, next.response);
    } else if (stopping || connection.ending) end(connection);
  }

  return {
    get size() {
      return connections.size;
    },
    get accepted() {
      return accepted;
    },
    add,
    take(request, response) {
      const connection = connections.get(request.socket);
      // After the last answer, or on a connection that is given up.
      if (connection === undefined || connection.ending) return;
      if (connection.current === null) begin(connection, request, response);
      else wait(connection, request, response);
    },
    find: (socket) => connections.get(socket),
    finish(connection, farewell) {
      connection.farewell = farewell;
      connection.ending = true;
      if (connection.current === null) end(connection);
    },
    stop() {
      stopping = true;
      for (const connection of connections.values()) {
        const { current, waiting } = connection;
        if (current !== null && waiting.length === 0) lastAnswer(connection, current);
      }
    },
    endIdle() {
      for (const connection of connections.values()) if (connection.current === null) end(connection);
    },
  };
}

function lastAnswer(connection: Connection, response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

/** How long a client has to take notice that its connection is closed. */
const CLOSING_MS = 1000;

/** Closes the sending side first: a reset, which bytes on their way would cause, could take away what was sent. */
function end(connection: Connection): void {
  const { socket, farewell } = connection;
  connection.ending = true;
  if (socket.destroyed || socket.writableEnded) return;
  if (farewell === null) socket.end();
  else socket.end(farewell, 'latin1');
  setTimeout(() => socket.destroy(), CLOSING_MS).unref();
}

function headLength({ rawHeaders, url = '' }: IncomingMessage): number {
  let length = url.length;
  for (const text of rawHeaders) length += text.length;
  return length;
}
